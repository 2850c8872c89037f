// A battle as a pure function of both sides (docs/rules.md: Combat, War). It has at most combatRoundsMax rounds. In a round both sides fire
// with what they had before it, damage is spread in proportion to hit points, and survivors are rounded up. Hit points are exact thousandths.
// Under rules with `war`, defences fight too, and a type does more damage to what it is strong against. The owner of a planet and each fleet
// that supports it fight together, each with pools of its own and its own research, so that losses fall where the ships are.

import { multiplyDivideFloor } from '../numbers/arithmetic.js';
import type { CompiledWar } from '../rules/parts.js';
import type { ShipRule } from '../rules/rule-set.js';
import type { Rules } from '../rules/rules.js';
import type { CombatOutcome } from '../terms/reports.js';

const THOUSANDTHS = 1000;
/** Thousandths of 1 per cent of a point. */
const PER_PERCENT = 10;

export interface Battle {
  readonly outcome: CombatOutcome;
  readonly rounds: number;
  /** Hit points of the planetary shield. */
  readonly shieldHitPoints: number;
  /** Survivors by ship type. */
  readonly attackersLeft: readonly number[];
  readonly defendersLeft: readonly number[];
  /** Of each supporter. */
  readonly supportersLeft: readonly (readonly number[])[];
}

/** The ships of one side, and how its research strengthens what is its own. */
export interface Side {
  /** Counts by ship type. */
  readonly ships: readonly number[];
  readonly attackPercent: number;
  readonly hitPointPercent: number;
}

/** What stands on the planet. */
export interface Ground {
  readonly shieldLevel: number;
  /** Levels of the defences, in the order of the compiled war; none under rules without it. */
  readonly defenceLevels: readonly number[];
}

/** What fights together: the ships of a type, the shield or a defence. Strengths are in thousandths. */
interface Group {
  /** Hit points of all that are left. */
  pool: number;
  /** Hit points of one. A defence is one, however high it is. */
  readonly hitPoints: number;
  /** Damage of one in a round. */
  readonly attack: number;
  /** Whether what is damaged does as much damage as what is whole. A defence does less. */
  readonly firesDamaged: boolean;
  /** Its place among the pools of a side: a ship type, then the shield, then the defences. Supporters have groups of the same kinds. */
  readonly kind: number;
  /** Kinds of groups of the other side. */
  readonly strongAgainst: readonly number[];
}

/**
 * Fights a battle to its end.
 *
 * @param defender the owner of the planet, to whom what stands there belongs
 * @param supporters fleets of others that defend it
 */
export function fight(
  rules: Rules,
  attacker: Side,
  defender: Side,
  ground: Ground,
  supporters: readonly Side[] = [],
): Battle {
  const { shieldHitPointsPerLevel, combatRoundsMax } = rules.set;
  const { war } = rules;
  const strongPercent = war?.strongAgainstPercent ?? 100;
  const shieldHitPoints = ground.shieldLevel * shieldHitPointsPerLevel;
  const attacking = shipGroups(rules, attacker);
  const own = shipGroups(rules, defender);
  const ofSupporters = supporters.map((side) => shipGroups(rules, side));
  const defences = war === null ? [] : defenceGroups(rules, war, defender, ground);
  const defending = [...own, shieldGroup(rules, shieldHitPoints), ...defences, ...ofSupporters.flat()];
  let rounds = 0;
  while (rounds < combatRoundsMax && isStanding(attacking) && isStanding(defending)) {
    const toDefender = fire(attacking, defending, strongPercent);
    const toAttacker = fire(defending, attacking, strongPercent);
    // Neither side can do damage: further rounds would change nothing.
    if (toDefender === null && toAttacker === null) break;
    takeDamage(defending, toDefender);
    takeDamage(attacking, toAttacker);
    rounds += 1;
  }
  return {
    outcome: outcomeOf(attacking, defending, war !== null),
    rounds,
    shieldHitPoints,
    attackersLeft: attacking.map(leftOf),
    defendersLeft: own.map(leftOf),
    supportersLeft: ofSupporters.map((groups) => groups.map(leftOf)),
  };
}

function shipGroups({ ships: rules, war }: Rules, side: Side): Group[] {
  return rules.map(({ attack, defence }: ShipRule, type) => {
    const hitPoints = defence * side.hitPointPercent * PER_PERCENT;
    return {
      pool: (side.ships[type] as number) * hitPoints,
      hitPoints,
      attack: attack * side.attackPercent * PER_PERCENT,
      firesDamaged: true,
      kind: type,
      strongAgainst: war?.shipStrongAgainst[type] ?? [],
    };
  });
}

/** The shield only takes damage. */
function shieldGroup({ ships }: Rules, hitPoints: number): Group {
  return {
    pool: hitPoints * THOUSANDTHS,
    hitPoints: THOUSANDTHS,
    attack: 0,
    firesDamaged: true,
    kind: ships.length,
    strongAgainst: [],
  };
}

function defenceGroups({ ships }: Rules, { defences }: CompiledWar, side: Side, { defenceLevels }: Ground): Group[] {
  return defences.map(({ attacks, hitPoints, strongAgainst }, index) => {
    const level = defenceLevels[index] as number;
    const pool = (hitPoints[level] as number) * side.hitPointPercent * PER_PERCENT;
    const attack = (attacks[level] as number) * side.attackPercent * PER_PERCENT;
    const kind = ships.length + 1 + index;
    return { pool, hitPoints: pool, attack, firesDamaged: false, kind, strongAgainst };
  });
}

/** Thousandths of damage to each group of the other side in one round; null if there is none. */
function fire(from: readonly Group[], to: readonly Group[], strongPercent: number): number[] | null {
  let plain = 0;
  const strong: number[] = [];
  for (const group of from) {
    const damage = damageOf(group);
    if (damage === 0) continue;
    plain += damage;
    for (const kind of group.strongAgainst) strong[kind] = (strong[kind] ?? 0) + damage;
  }
  if (plain === 0) return null;
  const total = to.reduce((hitPointsLeft, { pool }) => hitPointsLeft + pool, 0);
  if (total === 0) return null;
  return to.map(({ pool, kind }) => {
    const better = strong[kind] ?? 0;
    const damage = plain - better + multiplyDivideFloor(better, strongPercent, 100);
    return multiplyDivideFloor(damage, pool, total);
  });
}

function takeDamage(groups: readonly Group[], damages: readonly number[] | null): void {
  if (damages === null) return;
  for (const [index, group] of groups.entries()) group.pool = Math.max(0, group.pool - (damages[index] as number));
}

/** Damage that what is left of a group does in a round. */
function damageOf(group: Group): number {
  const { pool, hitPoints, attack, firesDamaged } = group;
  if (pool === 0) return 0;
  return firesDamaged ? leftOf(group) * attack : multiplyDivideFloor(attack, pool, hitPoints);
}

function leftOf({ pool, hitPoints }: Group): number {
  return Math.ceil(pool / hitPoints);
}

function isStanding(groups: readonly Group[]): boolean {
  return groups.some(({ pool }) => pool > 0);
}

/** Under rules with `war` the attacker wins only if one of its armed ships survives. */
function outcomeOf(attacking: readonly Group[], defending: readonly Group[], needsArms: boolean): CombatOutcome {
  // If both sides are destroyed, the defender has held the planet.
  if (!isStanding(attacking)) return 'defender_won';
  const mayWin = !needsArms || attacking.some(({ pool, attack }) => pool > 0 && attack > 0);
  return mayWin && !isStanding(defending) ? 'attacker_won' : 'draw';
}
