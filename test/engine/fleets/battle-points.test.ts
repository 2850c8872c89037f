// A battle gives each side points for the lesser of both losses, so nobody gains by destroying ships of its own second account.

import t from 'tap';
import { battlePoints } from '../../../engine/planets/points.js';
import { ruleSetText } from '../../../engine/rules/rule-set.js';
import { ruleSetFaults } from '../../../engine/rules/soundness.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { total } from '../../support/exact-formulas.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { openScene, type Scene } from '../../support/world-story.js';

/** Destroyed ships count what ships count: the most that is allowed. */
const SET = {
  ...STANDARD_1,
  name: 'battles',
  war: { protectionSeconds: 0, lootPeriodSeconds: 0, lootPairPercent: 0, strongAgainstPercent: 150 },
  points: { shipPercent: 100, destroyedPercent: 100 },
  support: { fleetsPerPlanetMax: 8 },
};
/** Fighters that one transport carries. */
const CARRIED = 20;

const carried = (fighter: number) => ({ fighter, transport: Math.ceil(fighter / CARRIED) });

/** A battle of fighters. @returns points before and after, and units lost and gained, of the attacker and the defender */
function fought(ships: Partial<Record<'fighter' | 'transport', number>>, defenders: number) {
  const scene: Scene = openScene({ rules: ruleSetText(SET) });
  const { story, human, bot, home, foreign } = scene;
  story.equip(home, ships);
  story.equip(foreign, { fighter: defenders });
  story.grant(home, { h2: 1_000_000 });
  const before = [human.points, bot.points];
  const words = { by: human, from: home, to: foreign, ships, mission: 'attack' } as const;
  const fleet = story.launch(words);
  story.advanceTo(fleet.arrivesAtMs);
  const report = human.reports.at(-1);
  if (report?.type !== 'combat') throw new Error('there was no battle');
  const { rules } = story.world;
  const lost = [report.attacker, report.defender].map((side) =>
    total(side.lost.map((count, type) => count * rules.shipPoints(type))),
  );
  const gained = [human, bot].map((player) => battlePoints(rules, player));
  return { before, after: [human.points, bot.points], lost, gained };
}

t.test('both sides gain for as many units as the side lost that lost less', async (t) => {
  for (const [attackers, defenders] of [
    [60, 40],
    [200, 40],
  ] as const) {
    const { before, after, lost, gained } = fought(carried(attackers), defenders);
    const least = Math.min(...lost);
    t.ok(least > 0 && least < Math.max(...lost), `${lost.join(' and ')} units lost`);
    t.same(gained, [least, least]);
    t.same(
      after,
      before.map((points, side) => points - (lost[side] ?? 0) + least),
    );
  }
});

t.test('whoever loses nothing gains nothing', async (t) => {
  const { before, after, lost, gained } = fought({ transport: 1 }, 1_000);
  t.ok(lost[0] !== undefined && lost[0] > 0);
  t.equal(lost[1], 0);
  t.same(gained, [0, 0]);
  t.equal(after[1], before[1]);
});

t.test('whatever fights, no battle raises the points of a side', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 500 }), (attackers, defenders) => {
      const { before, after } = fought(carried(attackers), defenders);
      return after.every((points, side) => points <= (before[side] ?? 0));
    }),
    { numRuns: 60, seed: drawSeed(t) },
  );
});

/** A battle with supporters, fleets of fighters of two players in turn. @returns of all that fought, points, and units lost and gained */
function foughtTogether(attackers: number, defenders: number, supporters: readonly number[]) {
  const { story, human, bot, home, foreign } = openScene({ rules: ruleSetText(SET) });
  const friends = ['one', 'other'].map((name) => {
    const friend = story.bot(name);
    return { friend, origin: story.colony(friend, home) };
  });
  story.equip(home, carried(attackers));
  story.equip(foreign, { fighter: defenders });
  for (const [place, fighters] of supporters.entries()) {
    const { friend, origin } = friends[place % friends.length] as (typeof friends)[number];
    const ships = carried(fighters);
    story.equip(origin, ships);
    const fleet = story.launch({ by: friend, from: origin, to: foreign, ships, mission: 'support' });
    story.advanceTo(fleet.arrivesAtMs);
  }
  story.grant(home, { h2: 1_000_000 });
  const players = [human, bot, ...friends.map(({ friend }) => friend)];
  const before = players.map(({ points }) => points);
  const words = { by: human, from: home, to: foreign, mission: 'attack' } as const;
  story.advanceTo(story.launch({ ...words, ships: carried(attackers) }).arrivesAtMs);
  const report = human.reports.at(-1);
  if (report?.type !== 'combat') throw new Error('there was no battle');
  const { rules } = story.world;
  const unitsOf = (counts: readonly number[]): number =>
    total(counts.map((count, type) => count * rules.shipPoints(type)));
  const ofSupporters = story.events.flatMap((event) => (event.kind === 'support_fought' ? [event] : []));
  const lostBy = friends.map(({ friend }) =>
    total(ofSupporters.filter(({ playerNumber }) => playerNumber === friend.number).map(({ lost }) => unitsOf(lost))),
  );
  const [attackerLost, defendersLost] = [unitsOf(report.attacker.lost), unitsOf(report.defender.lost)];
  return {
    before,
    after: players.map(({ points }) => points),
    lost: [attackerLost, defendersLost - total(lostBy), ...lostBy],
    gained: players.map((player) => battlePoints(rules, player)),
    least: Math.min(attackerLost, defendersLost),
    fleetsFought: ofSupporters.length,
  };
}

t.test('with supporters, everybody loses the points of its ships, and nobody gains more than that', async (t) => {
  const fighters = fc.integer({ min: 1, max: 300 });
  const supporters = fc.array(fighters, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fighters, fc.integer({ min: 0, max: 300 }), supporters, (attackers, defenders, supporting) => {
      const { before, after, lost, gained, least, fleetsFought } = foughtTogether(attackers, defenders, supporting);
      const expected = before.map((points, place) => points - (lost[place] ?? 0) + (gained[place] ?? 0));
      const [byAttacker = 0, ...byDefenders] = gained;
      return (
        fleetsFought === supporting.length &&
        String(after) === String(expected) &&
        gained.every((units, place) => units <= (lost[place] ?? 0)) &&
        byAttacker === least &&
        total(byDefenders) === least
      );
    }),
    { numRuns: 60, seed: drawSeed(t) },
  );
});

t.test('destroyed ships that count more than ships are a fault of a rule set', async (t) => {
  const fault = { path: '/points/destroyedPercent', message: 'must be at most shipPercent, 25' };
  t.same(ruleSetFaults({ ...SET, points: { shipPercent: 25, destroyedPercent: 26 } }), [fault]);
  t.same(ruleSetFaults({ ...SET, points: { shipPercent: 25, destroyedPercent: 25 } }), []);
});
