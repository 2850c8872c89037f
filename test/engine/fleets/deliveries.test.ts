// In a period other players together bring a planet no more than a share of its output, so no account can feed another.

import t from 'tap';
import { launchWarning } from '../../../engine/fleets/launching.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { TRANSPORT } from '../../../engine/terms/missions.js';
import type { Fleet } from '../../../engine/world/fleet-table.js';
import type { Planet } from '../../../engine/world/planet-table.js';
import { total } from '../../support/exact-formulas.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { loadRows, openScene, type Scene } from '../../support/world-story.js';

const HOUR_MS = 3_600_000;
const PERIOD_HOURS = 12;
const OUTPUT_PERCENT = 50;
const deliveries = { periodSeconds: PERIOD_HOURS * 3_600, outputPercent: OUTPUT_PERCENT };
const RULES = ruleSetText({ ...STANDARD_1, name: 'bounded', deliveries });

function open(): Scene {
  const scene = openScene({ rules: RULES });
  scene.story.equip(scene.home, { transport: 200 });
  scene.story.grant(scene.home, { iron: 400_000, silver: 400_000, h2: 100_000 });
  return scene;
}

/** Launches a transport. @returns the fleet on its way */
function send(
  { story, human, home, foreign }: Scene,
  cargo: Partial<Record<'iron' | 'silver', number>>,
  to = foreign,
): Fleet {
  return story.launch({ by: human, from: home, to, ships: { transport: 20 }, mission: 'transport', cargo });
}

/** The units that a planet takes in a period, from its output of an hour that a whole hour without deliveries shows. */
function shareOf({ story }: Scene, planet: Planet): number {
  const before = total(story.stocks(planet).slice(0, 4));
  story.advance(100 * HOUR_MS);
  const hourly = (total(story.stocks(planet).slice(0, 4)) - before) / 100;
  return (hourly * PERIOD_HOURS * OUTPUT_PERCENT) / 100;
}

t.test('a planet takes its share from others; the rest flies home, and the next fleet is warned', async (t) => {
  const scene = open();
  const { story, human, foreign } = scene;
  const share = shareOf(scene, foreign);
  const fleet = send(scene, { iron: 6_000, silver: 3_000 });
  story.advanceTo(fleet.arrivesAtMs - 1);
  const before = story.stocks(foreign);
  story.advanceTo(fleet.arrivesAtMs);
  const [iron = 0, silver = 0] = story.stocks(foreign).map((units, resource) => units - (before[resource] ?? 0));
  t.ok(Math.abs(iron + silver - share) <= 4, `${iron + silver} units taken of ${share}`);
  t.ok(Math.abs(iron - 2 * silver) <= 4, 'each in proportion');
  t.equal(total(fleet.cargo), 9_000 - (foreign.delivered?.units ?? 0), 'the rest is aboard');
  const received = story.events.flatMap((event) => (event.kind === 'resources_received' ? [event] : []));
  t.equal(total(received.at(-1)?.amounts ?? []), foreign.delivered?.units, 'the event has what was taken');
  const second = send(scene, { iron: 1 });
  const words = { player: human, targetKey: foreign.key, mission: TRANSPORT };
  const untilMs = foreign.delivered?.untilMs;
  t.strictSame(launchWarning(story.world, words, second.arrivesAtMs), { code: 'deliveries_used_up', untilMs });
  story.advanceTo(second.arrivesAtMs);
  t.equal(total(second.cargo), 1, 'nothing more is taken');
});

t.test('the next period has a share of its own; own planets take everything', async (t) => {
  const scene = open();
  const { story, human, home, foreign } = scene;
  const first = send(scene, { iron: 9_000 });
  story.advanceTo(first.arrivesAtMs);
  const taken = foreign.delivered?.units ?? 0;
  t.ok(taken > 0);
  story.advanceTo(foreign.delivered?.untilMs ?? 0);
  const later = send(scene, { iron: 9_000 });
  story.advanceTo(later.arrivesAtMs);
  t.ok(9_000 - total(later.cargo) >= taken);
  const colony = story.colony(human, home);
  const own = send(scene, { iron: 9_000 }, colony);
  story.advanceTo(own.arrivesAtMs);
  t.equal(total(own.cargo), 0);
  t.equal(colony.delivered, null);
});

t.test('a restored world remembers what was brought', async (t) => {
  const scene = open();
  const fleet = send(scene, { iron: 9_000 });
  scene.story.advanceTo(fleet.arrivesAtMs);
  const copy = loadRows([...scene.story.engine.rows()]);
  t.equal(copy.stateHash(), scene.story.engine.stateHash());
  t.ok(scene.foreign.delivered !== null);
  t.strictSame(copy.world.planets.get(scene.foreign.key)?.delivered, scene.foreign.delivered);
});

t.test('whoever brings how much and when, a period never takes more than the share', async (t) => {
  const loads = fc.array(fc.tuple(fc.nat(9_000), fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(loads, (loads) => {
      const scene = open();
      const { story, foreign } = scene;
      const share = shareOf(scene, foreign);
      const taken = new Map<number, number>();
      for (const [iron, hours] of loads) {
        story.advance(hours * HOUR_MS);
        const fleet = send(scene, { iron });
        story.advanceTo(fleet.arrivesAtMs);
        const { untilMs = 0 } = foreign.delivered ?? {};
        taken.set(untilMs, (taken.get(untilMs) ?? 0) + iron - total(fleet.cargo));
      }
      return [...taken.values()].every((units) => units <= share + 2);
    }),
    { numRuns: 20, seed: drawSeed(t) },
  );
});
