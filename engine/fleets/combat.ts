// A battle as a pure function of both sides. It has at most combatRoundsMax rounds. In a round both sides fire with
// what they had before it, damage is spread in proportion to hit points, and survivors are rounded up (docs/rules.md:
// Combat). Hit points are exact thousandths.

import { multiplyDivideFloor } from '../numbers/arithmetic.js';
import type { Rules } from '../rules/rules.js';
import type { CombatOutcome } from '../terms/reports.js';

const THOUSANDTHS = 1000;

export interface Battle {
  readonly outcome: CombatOutcome;
  readonly rounds: number;
  /** Hit points of the planetary shield. */
  readonly shieldHitPoints: number;
  /** Survivors by ship type. */
  readonly attackersLeft: readonly number[];
  readonly defendersLeft: readonly number[];
}

/** Thousandths of hit points: one pool for each ship type, then one for the shield. */
type Pools = number[];

/**
 * Fights a battle to its end.
 *
 * @param attackers ship counts by ship type
 * @param defenders ship counts by ship type
 * @param shieldLevel level of the defender's planetary_shield, 0 for none
 */
export function fight(
  rules: Rules,
  attackers: readonly number[],
  defenders: readonly number[],
  shieldLevel: number,
): Battle {
  const shieldHitPoints = shieldLevel * rules.set.shieldHitPointsPerLevel;
  const attacking: Pools = hitPoints(rules, attackers);
  const defending: Pools = [...hitPoints(rules, defenders), shieldHitPoints * THOUSANDTHS];
  let rounds = 0;
  while (rounds < rules.set.combatRoundsMax && isStanding(attacking) && isStanding(defending)) {
    const damageToDefender = firepower(rules, attacking);
    const damageToAttacker = firepower(rules, defending);
    // Neither side can do damage: further rounds would change nothing.
    if (damageToDefender === 0 && damageToAttacker === 0) break;
    takeDamage(defending, damageToDefender);
    takeDamage(attacking, damageToAttacker);
    rounds += 1;
  }
  return {
    outcome: outcomeOf(isStanding(attacking), isStanding(defending)),
    rounds,
    shieldHitPoints,
    attackersLeft: survivors(rules, attacking),
    defendersLeft: survivors(rules, defending),
  };
}

function outcomeOf(attackerStands: boolean, defenderStands: boolean): CombatOutcome {
  if (attackerStands && !defenderStands) return 'attacker_won';
  // If both sides are destroyed, the defender has held the planet.
  return attackerStands ? 'draw' : 'defender_won';
}

function hitPoints(rules: Rules, ships: readonly number[]): number[] {
  return rules.ships.map((rule, type) => (ships[type] as number) * rule.defence * THOUSANDTHS);
}

function isStanding(pools: Pools): boolean {
  return pools.some((pool) => pool > 0);
}

/** Thousandths of damage in one round. */
function firepower(rules: Rules, pools: Pools): number {
  const left = survivors(rules, pools);
  return rules.ships.reduce((total, rule, type) => total + (left[type] as number) * rule.attack * THOUSANDTHS, 0);
}

function takeDamage(pools: Pools, damage: number): void {
  const total = pools.reduce((hitPointsLeft, pool) => hitPointsLeft + pool, 0);
  if (total === 0) return;
  for (const [index, pool] of pools.entries()) {
    pools[index] = damage >= total ? 0 : pool - multiplyDivideFloor(damage, pool, total);
  }
}

function survivors({ ships }: Rules, pools: Pools): number[] {
  return ships.map((rule, type) => Math.ceil((pools[type] as number) / (rule.defence * THOUSANDTHS)));
}
