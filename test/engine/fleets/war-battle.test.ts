// Battles under rules with `war`: worked examples, and that without strengths, defences and research they are the battles of rules without it.
import fc from 'fast-check';
import t from 'tap';
import { type Battle, fight, type Ground, type Side } from '../../../engine/fleets/combat.js';
import type { RuleSet } from '../../../engine/rules/rule-set.js';
import { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { PARTS, PARTS_RULES } from '../../support/parts-rules.js';

type Counts = Readonly<Record<string, number>>;

const shipsOf = (counts: Counts): number[] => PARTS.ships.map(({ type }) => counts[type] ?? 0);
const side = (counts: Counts, attackPercent = 100, hitPointPercent = 100): Side => ({
  ships: shipsOf(counts),
  attackPercent,
  hitPointPercent,
});
const ground = (shieldLevel = 0, wallLevel = 0): Ground => ({ shieldLevel, defenceLevels: [wallLevel] });
const battle = (attacker: Side, defender: Side, on = ground()): Battle => fight(PARTS_RULES, attacker, defender, on);

t.test('battles worked out by hand', async (t) => {
  const rows: readonly (readonly [
    why: string,
    attacker: Side,
    defender: Side,
    on: Ground,
    outcome: string,
    rounds: number,
    attackersLeft: Counts,
    defendersLeft: Counts,
  ])[] = [
    [
      'nobody defends: an armed ship wins',
      side({ fighter: 1 }),
      side({}),
      ground(),
      'attacker_won',
      0,
      { fighter: 1 },
      {},
    ],
    ['nobody defends, and nobody is armed', side({ scout: 1 }), side({}), ground(), 'draw', 0, { scout: 1 }, {}],
    // 1 fighter does 14 x 150 % = 21 of 30, then 42; the bomber does 20 of 10 in the first round.
    [
      'a bomber is not strong against fighters',
      side({ fighter: 1 }),
      side({ bomber: 1 }),
      ground(),
      'defender_won',
      1,
      {},
      { bomber: 1 },
    ],
    // 3 fighters do 63 of 60; 2 bombers do 40 of 30.
    ['both fall', side({ fighter: 3 }), side({ bomber: 2 }), ground(), 'defender_won', 1, {}, {}],
    // 2 x 14 x 150 % = 42 of 60; then 60 x 24/30: 20 damage leaves 40 of 60 hit points, which are 4 fighters.
    [
      'fighters are strong against bombers',
      side({ fighter: 6 }),
      side({ bomber: 2 }),
      ground(),
      'attacker_won',
      1,
      { fighter: 2 },
      {},
    ],
    // The wall does 2 x 12 x 150 % = 36 of 40 each round; 4 x 14 = 56 of 80, then 1 fighter does 14 of 24.
    ['a wall shoots fighters down', side({ fighter: 4 }), side({}), ground(0, 2), 'defender_won', 2, {}, {}],
    // 2 bombers do 2 x 20 x 150 % = 60 of 40 in one round; the wall does 12 of 60.
    ['bombers break a wall', side({ bomber: 2 }), side({}), ground(0, 1), 'attacker_won', 1, { bomber: 2 }, {}],
    // 4 x 30 = 120 a round: 300 hit points fall in the third.
    [
      'bombers break a shield: 120 a round',
      side({ bomber: 4 }),
      side({}),
      ground(1),
      'attacker_won',
      3,
      { bomber: 4 },
      {},
    ],
    // Weapons: 20 x 130 % = 26 of 30, so a bomber needs two rounds against a bomber; hulls: 30 x 170 % = 51.
    [
      'research decides among equals',
      side({ bomber: 1 }, 150, 200),
      side({ bomber: 1 }),
      ground(),
      'attacker_won',
      1,
      { bomber: 1 },
      {},
    ],
    [
      'armed ships fall, unarmed ones survive: a draw',
      side({ fighter: 1, colony_ship: 10 }),
      side({}),
      ground(0, 11),
      'draw',
      6,
      { colony_ship: 1 },
      {},
    ],
  ];
  for (const [why, attacker, defender, on, outcome, rounds, attackersLeft, defendersLeft] of rows) {
    const fought = battle(attacker, defender, on);
    t.match(fought, { outcome, rounds }, why);
    t.same(fought.attackersLeft, shipsOf(attackersLeft), why);
    t.same(fought.defendersLeft, shipsOf(defendersLeft), why);
  }
});

/** `standard-1` with `war`, but nothing of what it adds: no defences, strengths and research. */
const PLAIN: RuleSet = { ...STANDARD_1, war: { protectionSeconds: 0, strongAgainstPercent: 150 } };
const PLAIN_RULES = new Rules(PLAIN);
const counts = fc.tuple(fc.nat(400), fc.nat(400), fc.nat(100), fc.nat(20));

t.test('without what it adds, a war has the battles of rules without war, except for who wins', async () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(20), (attackers, defenders, shieldLevel) => {
      const force = (ships: number[]): Side => ({ ships, attackPercent: 100, hitPointPercent: 100 });
      const foughtUnder = (rules: Rules): Battle =>
        fight(rules, force(attackers), force(defenders), { shieldLevel, defenceLevels: [] });
      const one = foughtUnder(STANDARD_1_RULES);
      const other = foughtUnder(PLAIN_RULES);
      const isArmed = (one.attackersLeft[1] ?? 0) > 0;
      const outcome = one.outcome === 'attacker_won' && !isArmed ? 'draw' : one.outcome;
      return JSON.stringify({ ...one, outcome }) === JSON.stringify(other);
    }),
    { numRuns: 300 },
  );
});

t.test('no ship leaves a battle that was not in it, and only armed ships win', async () => {
  const fleet = fc.tuple(...PARTS.ships.map(() => fc.oneof(fc.constant(0), fc.nat(300))));
  const percent = fc.integer({ min: 100, max: 350 });
  fc.assert(
    fc.property(
      fleet,
      fleet,
      percent,
      percent,
      fc.nat(9),
      fc.nat(9),
      (one, other, attackPercent, hitPointPercent, shield, wall) => {
        const attacker = { ships: one, attackPercent, hitPointPercent };
        const defender = { ships: other, attackPercent: hitPointPercent, hitPointPercent: attackPercent };
        const { outcome, attackersLeft, defendersLeft, rounds } = battle(attacker, defender, ground(shield, wall));
        const isSubset = (left: readonly number[], sent: readonly number[]) =>
          left.every((count, type) => Number.isInteger(count) && count >= 0 && count <= (sent[type] ?? 0));
        const isArmed = attackersLeft.some((count, type) => count > 0 && (PARTS.ships[type]?.attack ?? 0) > 0);
        return (
          isSubset(attackersLeft, one) &&
          isSubset(defendersLeft, other) &&
          rounds <= PARTS.combatRoundsMax &&
          (outcome !== 'attacker_won' || (isArmed && defendersLeft.every((count) => count === 0)))
        );
      },
    ),
    { numRuns: 300 },
  );
});
