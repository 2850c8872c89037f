// Estimates of battles agree with the engine: unless the battle is close, they predict the winner and the losses.
import t from 'tap';
import type { Player } from '../../../arena/bot.js';
import { estimateBattle, type Force, strengthOf } from '../../../arena/bots/support/battle.js';
import { Random } from '../../../arena/random.js';
import { type Battle, fight } from '../../../engine/fleets/combat.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { catalogOf } from '../support/catalog.js';

const rules = STANDARD_2_RULES;
const catalog = catalogOf(rules);

/** Ships of a type at most, and the margin above which a battle is not close. */
const SIZES = [
  { shipsMax: 10, margin: 1.1 },
  { shipsMax: 100, margin: 1.1 },
  { shipsMax: 1_000, margin: 1.05 },
  { shipsMax: 10_000, margin: 1.05 },
] as const;
/** With fewer ships, a damaged ship that still fires can turn a battle. */
const MANY = 1_000;

interface Sides {
  readonly attackers: readonly number[];
  readonly defenders: readonly number[];
  /** Levels of all buildings. */
  readonly levels: readonly number[];
  /** Levels of all research. */
  readonly research: readonly [attacker: readonly number[], defender: readonly number[]];
}

const shipForce = (ships: readonly number[]): [string, number][] =>
  catalog.ships.map(({ type }, index) => [type, ships[index] ?? 0]);

const defendersOf = ({ defenders, levels }: Sides): Force =>
  new Map([
    ...shipForce(defenders),
    ...catalog.buildings.map(({ type }, index): [string, number] => [type, levels[index] ?? 0]),
  ]);

const researchOf = (levels: readonly number[]) =>
  catalog.research.map(({ type }, index) => ({ type, level: levels[index] ?? 0 })) as Player['research'];

/** @param margin multiplies attack and hit points of the attacker */
function estimated(sides: Sides, margin = 1) {
  const [own, theirs] = sides.research.map((levels) => strengthOf(catalog, researchOf(levels)));
  if (own === undefined || theirs === undefined) throw new Error('a battle has two sides');
  const stronger = { attack: own.attack * margin, hitPoints: own.hitPoints * margin };
  return estimateBattle(catalog, new Map(shipForce(sides.attackers)), defendersOf(sides), [stronger, theirs]);
}

function fought({ attackers, defenders, levels, research: [own, theirs] }: Sides): Battle {
  const { war } = rules;
  if (war === null) throw new Error('the rules have no war');
  const side = (ships: readonly number[], levels: readonly number[]) => {
    const researcher = { researchLevel: (type: number) => levels[type] ?? 0 };
    return {
      ships,
      attackPercent: rules.attackPercentOf(researcher),
      hitPointPercent: rules.hitPointPercentOf(researcher),
    };
  };
  const ground = {
    shieldLevel: levels[rules.planetaryShield] ?? 0,
    defenceLevels: war.defences.map(({ building }) => levels[building] ?? 0),
  };
  return fight(rules, side(attackers, own), side(defenders, theirs), ground);
}

/** Forces of about the same size, with some research each. */
function drawn(random: Random, shipsMax: number, levelsMax: number): Sides {
  const ships = (): number[] => catalog.ships.map(() => (random.chance(0.6) ? random.below(shipsMax) : 0));
  const research = (): number[] => catalog.research.map(() => random.below(10));
  return {
    attackers: ships(),
    defenders: random.chance(0.2) ? catalog.ships.map(() => 0) : ships(),
    levels: catalog.buildings.map(() => (random.chance(0.5) ? random.below(levelsMax) : 0)),
    research: [research(), research()],
  };
}

t.test(
  'an attack that is found won with a margin is won, and one that is found lost with a margin is lost',
  async (t) => {
    for (const { shipsMax, margin } of SIZES) {
      const random = Random.of(1, `battles of ${shipsMax}`);
      const wrong: Sides[] = [];
      let [won, lost] = [0, 0];
      for (let battle = 0; battle < 300; battle += 1) {
        const sides = drawn(random, shipsMax, 25);
        const hasWon = fought(sides).outcome === 'attacker_won';
        const isWon = estimated(sides, 1 / margin).wins;
        const isLost = !isWon && !estimated(sides, margin).wins;
        if ((isWon && !hasWon) || (isLost && hasWon && shipsMax >= MANY)) wrong.push(sides);
        won += Number(isWon);
        lost += Number(isLost);
      }
      t.same(wrong, [], `up to ${shipsMax} ships of a type`);
      t.ok(won > 20 && lost > 100, `${won} are found won, ${lost} lost`);
    }
  },
);

t.test('with very many ships a hundredth of them more or less survives, and is lost and destroyed', async (t) => {
  const random = Random.of(2, 'battles');
  const units = catalog.ships.map(({ cost }) => Object.values(cost).reduce((sum, each) => sum + each, 0));
  const unitsIn = (ships: readonly number[]): number =>
    ships.reduce((sum, count, type) => sum + count * (units[type] ?? 0), 0);
  for (let battle = 0; battle < 200; battle += 1) {
    const sides = drawn(random, 10_000, 40);
    const { attackers, defenders } = sides;
    const { survival, lost, destroyed } = estimated(sides);
    const { attackersLeft, defendersLeft } = fought(sides);
    const off = catalog.ships.filter(({ type }, index) => {
      const sent = attackers[index] ?? 0;
      return sent > 0 && Math.abs((survival.get(type) ?? -1) * sent - (attackersLeft[index] ?? 0)) > 1 + sent / 100;
    });
    t.same(off, [], `survivors of ${attackers} against ${defenders}`);
    const lostOf = (before: readonly number[], after: readonly number[]): number => unitsIn(before) - unitsIn(after);
    t.ok(Math.abs(lost - lostOf(attackers, attackersLeft)) <= 0.01 * unitsIn(attackers) + 10_000, 'what is lost');
    t.ok(
      Math.abs(destroyed - lostOf(defenders, defendersLeft)) <= 0.01 * unitsIn(defenders) + 10_000,
      'what is destroyed',
    );
  }
});

t.test('only armed ships win, and one of them takes a planet that nobody defends', async (t) => {
  const none = catalog.ships.map(() => 0);
  const unlearned = catalog.research.map(() => 0);
  for (const [index, { type, attack }] of catalog.ships.entries()) {
    const attackers = none.with(index, 1);
    const levels = catalog.buildings.map(() => 0);
    const sides: Sides = { attackers, defenders: none, levels, research: [unlearned, unlearned] };
    t.equal(estimated(sides).wins, attack > 0, type);
    t.equal(fought(sides).outcome === 'attacker_won', attack > 0, type);
  }
});
