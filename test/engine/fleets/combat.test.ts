// A battle as a pure function: worked examples, and properties of every battle.

import fc from 'fast-check';
import t from 'tap';
import { type Battle, fight, type Side } from '../../../engine/fleets/combat.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { type ShipCounts, shipIndex, shipList } from '../../support/command-words.js';
import { total } from '../../support/exact-formulas.js';

/** A battle of ships without research under rules without `war`. */
function fought(attackers: readonly number[], defenders: readonly number[], shieldLevel: number): Battle {
  const side = (ships: readonly number[]): Side => ({ ships, attackPercent: 100, hitPointPercent: 100 });
  return fight(STANDARD_1_RULES, side(attackers), side(defenders), { shieldLevel, defenceLevels: [] });
}
const battle = (attackers: ShipCounts, defenders: ShipCounts, shield = 0): Battle =>
  fought(shipList(attackers), shipList(defenders), shield);

t.test('battles worked out by hand', async (t) => {
  const rows: readonly (readonly [
    why: string,
    attackers: ShipCounts,
    defenders: ShipCounts,
    shield: number,
    outcome: string,
    rounds: number,
    attackersLeft: ShipCounts,
    defendersLeft: ShipCounts,
  ])[] = [
    [
      'both fire from the state before the round, so both fall',
      { fighter: 1 },
      { fighter: 1 },
      0,
      'defender_won',
      1,
      {},
      {},
    ],
    [
      'wounds stay: 14 of 40, 28 of 40, 42 of 40',
      { fighter: 1 },
      { transport: 2 },
      0,
      'attacker_won',
      3,
      { fighter: 1 },
      {},
    ],
    ['six rounds at most: 84 of 100', { fighter: 1 }, { transport: 5 }, 0, 'draw', 6, { fighter: 1 }, { transport: 1 }],
    [
      'survivors are rounded up: 14 of 30 are gone',
      { fighter: 3 },
      { fighter: 1 },
      0,
      'attacker_won',
      1,
      { fighter: 2 },
      {},
    ],
    ['the wounded fire like the healthy', { fighter: 1 }, { fighter: 2 }, 0, 'defender_won', 1, {}, { fighter: 1 }],
    ['no defenders: no round is fought', { scout: 1 }, {}, 0, 'attacker_won', 0, { scout: 1 }, {}],
    [
      'no armed ships: nothing happens',
      { scout: 2 },
      { colony_ship: 1 },
      0,
      'draw',
      0,
      { scout: 2 },
      { colony_ship: 1 },
    ],
    ['a shield alone falls after 3 x 140', { fighter: 10 }, {}, 1, 'attacker_won', 3, { fighter: 10 }, {}],
    ['a shield alone holds six rounds of 140', { fighter: 10 }, {}, 3, 'draw', 6, { fighter: 10 }, {}],
    [
      'the shield takes its share: 80 x 440 / 1280',
      { fighter: 10 },
      { transport: 4 },
      4,
      'draw',
      6,
      { fighter: 10 },
      { transport: 2 },
    ],
    [
      'damage is spread over hit points',
      { fighter: 20, transport: 1 },
      { fighter: 5, scout: 3 },
      0,
      'attacker_won',
      1,
      { fighter: 14, transport: 1 },
      {},
    ],
    ['unarmed attackers are shot down', { transport: 5 }, { fighter: 2 }, 0, 'defender_won', 4, {}, { fighter: 2 }],
  ];
  for (const [why, attackers, defenders, shield, outcome, rounds, attackersLeft, defendersLeft] of rows) {
    t.match(
      battle(attackers, defenders, shield),
      { outcome, rounds, attackersLeft: shipList(attackersLeft), defendersLeft: shipList(defendersLeft) },
      why,
    );
  }
});

const counts = fc.tuple(fc.nat(400), fc.nat(400), fc.nat(100), fc.nat(20));
const shield = fc.oneof(fc.constant(0), fc.nat(20));
const isStanding = (ships: readonly number[]) => total(ships) > 0;

t.test('no ship leaves a battle that was not in it', async () => {
  fc.assert(
    fc.property(counts, counts, shield, (attackers, defenders, level) => {
      const { attackersLeft, defendersLeft, rounds } = fought(attackers, defenders, level);
      const isSubset = (left: readonly number[], sent: readonly number[]) =>
        left.every((count, type) => Number.isInteger(count) && count >= 0 && count <= (sent[type] ?? 0));
      return (
        isSubset(attackersLeft, attackers) && isSubset(defendersLeft, defenders) && rounds <= STANDARD_1.combatRoundsMax
      );
    }),
    { numRuns: 500 },
  );
});

t.test('the outcome matches the side that is left', async () => {
  fc.assert(
    fc.property(counts, counts, shield, (attackers, defenders, level) => {
      const { outcome, attackersLeft, defendersLeft, rounds } = fought(attackers, defenders, level);
      if (outcome === 'attacker_won') return isStanding(attackersLeft) && !isStanding(defendersLeft);
      if (outcome === 'defender_won') return !isStanding(attackersLeft);
      const isUnarmed = attackers[shipIndex('fighter')] === 0 && defenders[shipIndex('fighter')] === 0;
      return isStanding(attackersLeft) && (rounds === STANDARD_1.combatRoundsMax || isUnarmed);
    }),
    { numRuns: 500 },
  );
});

t.test('without a shield, attacker and defender can change places', async () => {
  fc.assert(
    fc.property(counts, counts, (one, other) => {
      const there = fought(one, other, 0);
      const back = fought(other, one, 0);
      return (
        String(there.attackersLeft) === String(back.defendersLeft) &&
        String(there.defendersLeft) === String(back.attackersLeft) &&
        there.rounds === back.rounds
      );
    }),
    { numRuns: 500 },
  );
});

t.test('no side loses more than the damage that it took', async () => {
  const hitPoints = (ships: readonly number[]) =>
    total(ships.map((count, type) => count * (STANDARD_1.ships[type]?.defence ?? 0)));
  fc.assert(
    fc.property(counts, counts, shield, (attackers, defenders, level) => {
      const { attackersLeft, defendersLeft, rounds } = fought(attackers, defenders, level);
      const fire = (ships: readonly number[]) => (ships[shipIndex('fighter')] ?? 0) * 14 * rounds;
      const lost = (sent: readonly number[], left: readonly number[]) => hitPoints(sent) - hitPoints(left);
      return lost(attackers, attackersLeft) <= fire(defenders) && lost(defenders, defendersLeft) <= fire(attackers);
    }),
    { numRuns: 500 },
  );
});

t.test('the largest battle is still fought in exact integers', async (t) => {
  const most = 1_000_000_000;
  const { attackersLeft, defendersLeft, outcome } = battle({ fighter: most, transport: 1 }, { fighter: most - 1 });
  t.same([outcome, attackersLeft, defendersLeft], ['defender_won', shipList({}), shipList({})]);
  const uneven = battle({ fighter: most }, { fighter: most / 10 });
  t.same(uneven.attackersLeft, shipList({ fighter: most - (most / 100) * 14 }));
});
