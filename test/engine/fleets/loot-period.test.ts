// In a loot period all attackers of a planet together take no more than its share of the stocks.

import t from 'tap';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import { total } from '../../support/exact-formulas.js';
import fc from '../../support/properties.js';
import { loadRows, openScene, type Scene } from '../../support/world-story.js';

const HOUR_MS = 3_600_000;
const PERIOD_HOURS = 12;
const WAR = {
  protectionSeconds: 0,
  lootPeriodSeconds: PERIOD_HOURS * 3_600,
  lootPairPercent: 0,
  strongAgainstPercent: 150,
};
const RULES = ruleSetText({ ...STANDARD_1, name: 'looted', war: WAR });
/** The most that eight battles take one after another, each half of what is left, is nearly everything. */
const ATTACKS = 8;

/** A planet without defence, beside one with a large fleet. */
function openWar(): Scene {
  const scene = openScene({ rules: RULES });
  scene.story.equip(scene.home, { fighter: 100, transport: 100 });
  scene.story.grant(scene.home, { h2: 100_000 });
  return scene;
}

/** Sends an attack with much room and lets it arrive. @returns the fleet on its way back, with the loot */
function attack({ story, human, home, foreign }: Scene, transports = 10): Fleet {
  const ships = { fighter: 5, transport: transports };
  const fleet = story.launch({ by: human, from: home, to: foreign, ships, mission: 'attack' });
  story.advanceTo(fleet.arrivesAtMs);
  return fleet;
}

const lootOf = ({ cargo }: Fleet): number => total(cargo);

t.test('attacks at one instant take half of the stock together, not half of what is left each', async (t) => {
  const scene = openWar();
  const { story, human, home, foreign } = scene;
  story.grant(foreign, { iron: 40_000 });
  const words = {
    by: human,
    from: home,
    to: foreign,
    ships: { fighter: 5, transport: 10 },
    mission: 'attack',
  } as const;
  const fleets = Array.from({ length: ATTACKS }, () => story.launch(words));
  const arrivesAtMs = fleets[0]?.arrivesAtMs ?? 0;
  story.advanceTo(arrivesAtMs - 1);
  const before = story.stocks(foreign).slice(0, 4);
  story.advanceTo(arrivesAtMs);
  const loots = fleets.map(lootOf);
  t.ok(before[0] !== undefined && before[0] > 40_000);
  const half = total(before.map((units) => Math.floor(units / 2)));
  t.ok(Math.abs(total(loots) - half) <= before.length, `${total(loots)} of ${total(before)} units`);
  t.ok(loots[0] !== undefined && loots[0] > 0 && loots[0] < half, 'the first one has not enough room');
  t.equal(loots.at(-1), 0, 'nothing is left for the last one');
});

t.test('what is produced in the period can be taken by half; after it, half of everything again', async (t) => {
  const scene = openWar();
  const { story, foreign } = scene;
  story.grant(foreign, { iron: 4_000 });
  const first = lootOf(attack(scene, 50));
  t.ok(first > 2_000);
  const again = lootOf(attack(scene, 50));
  t.ok(again < first / 10, `${again} soon after ${first}`);
  story.grant(foreign, { iron: 2_000 });
  const ofGrant = lootOf(attack(scene, 50));
  t.ok(ofGrant >= 1_000 && ofGrant < 1_200, `${ofGrant} of what came since`);
  story.advance(PERIOD_HOURS * HOUR_MS);
  const stocks = total(story.stocks(foreign).slice(0, 4));
  const later = lootOf(attack(scene, 50));
  t.ok(later >= Math.floor(stocks / 2) - 4, `${later} of ${stocks} in the next period`);
});

t.test('a first attack on an empty planet protects nothing', async (t) => {
  const scene = openWar();
  const { story, foreign } = scene;
  attack(scene, 50);
  const little = story.stocks(foreign)[0] ?? 0;
  story.grant(foreign, { iron: 10_000 });
  t.ok(lootOf(attack(scene, 50)) >= 5_000 - little);
});

t.test('a planet that is restored from its row remembers what was taken', async (t) => {
  const scene = openWar();
  scene.story.grant(scene.foreign, { iron: 4_000 });
  attack(scene, 50);
  t.ok(scene.foreign.looting !== null);
  const copy = loadRows(scene.story.engine.rows());
  t.strictSame(copy.world.planets.get(scene.foreign.key)?.looting, scene.foreign.looting);
  t.equal(copy.stateHash(), scene.story.engine.stateHash());
});

t.test(
  'in any order of attacks and deliveries, a period never gives more than half of all that was there',
  async (t) => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('attack' as const), size: fc.integer({ min: 1, max: 10 }) }),
      fc.record({ kind: fc.constant('grant' as const), size: fc.integer({ min: 1, max: 9_000 }) }),
    );
    let attacks = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 10 }), (steps) => {
        const scene = openWar();
        const { story, foreign } = scene;
        const startMs = story.nowMs;
        let taken = 0;
        for (const { kind, size } of steps) {
          if (kind === 'grant') story.grant(foreign, { iron: size });
          else {
            attacks += 1;
            taken += lootOf(attack(scene, size));
          }
        }
        const left = total(story.stocks(foreign).slice(0, 4));
        return story.nowMs - startMs > PERIOD_HOURS * HOUR_MS || taken <= (left + taken) / 2;
      }),
      { numRuns: 30 },
    );
    t.ok(attacks > 50);
  },
);
