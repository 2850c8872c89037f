// A battle as a pure function: worked examples, and properties of every battle. Under rules with `war` too, which without strengths,
// defences and research give the battles of rules without it.

import t, { type Test } from 'tap';
import { type Battle, fight, type Ground, type Side } from '../../../engine/fleets/combat.js';
import type { RuleSet } from '../../../engine/rules/rule-set.js';
import { Rules } from '../../../engine/rules/rules.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { type ShipCounts, shipIndex, shipList } from '../../support/command-words.js';
import { total } from '../../support/exact-formulas.js';
import { PARTS, PARTS_RULES } from '../../support/parts-rules.js';
import fc from '../../support/properties.js';

const force = (ships: readonly number[]): Side => ({ ships, attackPercent: 100, hitPointPercent: 100 });
const war = (attacker: Side, defender: Side, ground: Ground): Battle => fight(PARTS_RULES, attacker, defender, ground);
/** A battle of ships without research under rules without `war`. */
const fought = (attackers: readonly number[], defenders: readonly number[], shieldLevel: number): Battle =>
  fight(STANDARD_1_RULES, force(attackers), force(defenders), { shieldLevel, defenceLevels: [] });

const BATTLE = /^(?<attackers>.+) against (?<defenders>.+?)(, shield (?<shield>\d+))?(, wall (?<wall>\d+))?$/;
const RESULT = /^(?<outcome>\w+) after (?<rounds>\d), (?<attackersLeft>.+) against (?<defendersLeft>.+)$/;

/** Fights a battle that a sentence describes. @param research of the attacker */
function testBattle(t: Test, rules: Rules, why: string, sentence: string, research: Partial<Side> = {}): void {
  const [battle = '', result = ''] = sentence.split(': ');
  const words: Partial<Record<string, string>> = { ...BATTLE.exec(battle)?.groups, ...RESULT.exec(result)?.groups };
  /** The list of ships in "20 fighter, 1 transport" or "nothing". */
  const ships = (side: string): number[] => {
    const counts = [...(words[side] ?? '').matchAll(/(\d+) (\w+)/g)];
    return rules.ships.map(({ type }) => Number(counts.find(([, , name]) => name === type)?.[1] ?? 0));
  };
  const ground = { shieldLevel: Number(words['shield'] ?? 0), defenceLevels: [Number(words['wall'] ?? 0)] };
  const attacker = { ...force(ships('attackers')), ...research };
  const { outcome, rounds, attackersLeft, defendersLeft } = fight(rules, attacker, force(ships('defenders')), ground);
  t.same(
    { outcome, rounds, attackersLeft, defendersLeft },
    {
      outcome: words['outcome'],
      rounds: Number(words['rounds']),
      attackersLeft: ships('attackersLeft'),
      defendersLeft: ships('defendersLeft'),
    },
    `${why}: ${sentence}`,
  );
}

t.test('battles worked out by hand', async (t) => {
  const battles = {
    'both fire from the state before the round, so both fall':
      '1 fighter against 1 fighter: defender_won after 1, nothing against nothing',
    'wounds stay: 14 of 40, 28 of 40, 42 of 40':
      '1 fighter against 2 transport: attacker_won after 3, 1 fighter against nothing',
    'six rounds at most: 84 of 100': '1 fighter against 5 transport: draw after 6, 1 fighter against 1 transport',
    'survivors are rounded up: 14 of 30 are gone':
      '3 fighter against 1 fighter: attacker_won after 1, 2 fighter against nothing',
    'the wounded fire like the healthy': '1 fighter against 2 fighter: defender_won after 1, nothing against 1 fighter',
    'no defenders: no round is fought': '1 scout against nothing: attacker_won after 0, 1 scout against nothing',
    'no armed ships: nothing happens': '2 scout against 1 colony_ship: draw after 0, 2 scout against 1 colony_ship',
    'a shield alone falls after 3 x 140':
      '10 fighter against nothing, shield 1: attacker_won after 3, 10 fighter against nothing',
    'a shield alone holds six rounds of 140':
      '10 fighter against nothing, shield 3: draw after 6, 10 fighter against nothing',
    'the shield takes its share: 80 x 440 / 1280':
      '10 fighter against 4 transport, shield 4: draw after 6, 10 fighter against 2 transport',
    'damage is spread over hit points':
      '20 fighter, 1 transport against 5 fighter, 3 scout: attacker_won after 1, 14 fighter, 1 transport against nothing',
    'unarmed attackers are shot down': '5 transport against 2 fighter: defender_won after 4, nothing against 2 fighter',
  };
  for (const [why, sentence] of Object.entries(battles)) testBattle(t, STANDARD_1_RULES, why, sentence);
});

t.test('battles of war worked out by hand', async (t) => {
  const battles = {
    'nobody defends: an armed ship wins': '1 fighter against nothing: attacker_won after 0, 1 fighter against nothing',
    'nobody defends, and nobody is armed': '1 scout against nothing: draw after 0, 1 scout against nothing',
    'a bomber is not strong against fighters: 14 x 150 % = 21 of 30, then 42; it does 20 of 10 in the first round':
      '1 fighter against 1 bomber: defender_won after 1, nothing against 1 bomber',
    'both fall: 63 of 60, and 40 of 30': '3 fighter against 2 bomber: defender_won after 1, nothing against nothing',
    'fighters are strong against bombers: 60 x 24/30, and 20 damage leaves 40 of 60 hit points, which are 4 fighters':
      '6 fighter against 2 bomber: attacker_won after 1, 2 fighter against nothing',
    'a wall does 12 x 2.25 x 150 % = 40.5 of 50, and takes 5 x 14 = 70 of 90; with 20 of 90 left it does 9 of 9.5; then it takes 14, and does 2.7 of 0.5':
      '5 fighter against nothing, wall 2: defender_won after 3, nothing against nothing',
    'bombers break a wall: 2 x 20 x 150 % = 60 of 40 in one round; it does 12 of 60':
      '2 bomber against nothing, wall 1: attacker_won after 1, 2 bomber against nothing',
    'bombers break a shield: 4 x 30 = 120 a round, so 300 hit points fall in the third':
      '4 bomber against nothing, shield 1: attacker_won after 3, 4 bomber against nothing',
    'armed ships fall, unarmed ones survive: a draw':
      '1 fighter, 10 colony_ship against nothing, wall 6: draw after 6, 1 colony_ship against nothing',
  };
  for (const [why, sentence] of Object.entries(battles)) testBattle(t, PARTS_RULES, why, sentence);
  // Weapons: 20 x 130 % = 26 of 30, so a bomber needs two rounds against a bomber; hulls: 30 x 170 % = 51.
  const sentence = '1 bomber against 1 bomber: attacker_won after 1, 1 bomber against nothing';
  testBattle(t, PARTS_RULES, 'research decides among equals', sentence, { attackPercent: 150, hitPointPercent: 200 });
});

const counts = fc.tuple(fc.nat(400), fc.nat(400), fc.nat(100), fc.nat(20));
const shield = fc.oneof(fc.constant(0), fc.nat(20));
const isSubset = (left: readonly number[], sent: readonly number[]) =>
  left.every((count, type) => Number.isInteger(count) && count >= 0 && count <= (sent[type] ?? 0));
const isStanding = (ships: readonly number[]) => total(ships) > 0;

t.test('no ship leaves a battle that was not in it', async () => {
  fc.assert(
    fc.property(counts, counts, shield, (attackers, defenders, level) => {
      const { attackersLeft, defendersLeft, rounds } = fought(attackers, defenders, level);
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
  const battle = (attackers: ShipCounts, defenders: ShipCounts) => fought(shipList(attackers), shipList(defenders), 0);
  const { attackersLeft, defendersLeft, outcome } = battle({ fighter: most, transport: 1 }, { fighter: most - 1 });
  t.same([outcome, attackersLeft, defendersLeft], ['defender_won', shipList({}), shipList({})]);
  const uneven = battle({ fighter: most }, { fighter: most / 10 });
  t.same(uneven.attackersLeft, shipList({ fighter: most - (most / 100) * 14 }));
});

/** `standard-1` with `war`, but nothing of what it adds: no defences, strengths and research. */
const PLAIN: RuleSet = {
  ...STANDARD_1,
  war: { protectionSeconds: 0, lootPeriodSeconds: 0, lootPairPercent: 0, strongAgainstPercent: 150 },
};
const PLAIN_RULES = new Rules(PLAIN);

t.test('without what it adds, a war has the battles of rules without war, except for who wins', async () => {
  fc.assert(
    fc.property(counts, counts, fc.nat(20), (attackers, defenders, shieldLevel) => {
      const one = fought(attackers, defenders, shieldLevel);
      const other = fight(PLAIN_RULES, force(attackers), force(defenders), { shieldLevel, defenceLevels: [] });
      const isArmed = (one.attackersLeft[1] ?? 0) > 0;
      const outcome = one.outcome === 'attacker_won' && !isArmed ? 'draw' : one.outcome;
      return JSON.stringify({ ...one, outcome }) === JSON.stringify(other);
    }),
    { numRuns: 300 },
  );
});

t.test('no ship leaves a war that was not in it, and only armed ships win', async () => {
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
        const { outcome, attackersLeft, defendersLeft, rounds } = war(attacker, defender, {
          shieldLevel: shield,
          defenceLevels: [wall],
        });
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
