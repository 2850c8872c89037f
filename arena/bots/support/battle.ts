// Estimates the outcome of a battle from the catalogue: pools of hit points fire at each other in proportion. The server counts whole
// ships and thousandths, so a close battle may end differently. An attack needs a margin.
import type { Catalog, Player } from '../../bot.js';

/** Numbers of ships and levels of defences, by type. */
export type Force = ReadonlyMap<string, number>;

export interface Strength {
  /** Multiplies attack. */
  readonly attack: number;
  /** Multiplies hit points. */
  readonly hitPoints: number;
}

interface Estimate {
  readonly wins: boolean;
  /** Share of each attacking type that survives. */
  readonly survival: ReadonlyMap<string, number>;
  /** Units of resources in the ships that the attacker loses, and in those that it destroys. */
  readonly lost: number;
  readonly destroyed: number;
}

/** All ships or levels of one type. */
interface Pool {
  readonly type: string;
  readonly full: number;
  /** Damage per round with all hit points left. */
  readonly attack: number;
  readonly strongAgainst: readonly string[];
  /** Units of resources that are lost with the pool: 0 for defences, which are repaired. */
  readonly units: number;
  left: number;
}

export function estimateBattle(
  catalog: Catalog,
  attackers: Force,
  defenders: Force,
  strengths: readonly [attacker: Strength, defender: Strength],
): Estimate {
  const attacking = poolsOf(catalog, attackers, strengths[0]);
  const defending = poolsOf(catalog, defenders, strengths[1]);
  const bonus = (catalog.war?.strongAgainstPercent ?? 100) / 100;
  for (let round = 0; round < Number(catalog.constants['combatRoundsMax']); round += 1) {
    if (!isStanding(attacking) || !isStanding(defending)) break;
    const onDefender = damages(attacking, defending, bonus);
    const onAttacker = damages(defending, attacking, bonus);
    for (const [index, pool] of defending.entries()) pool.left = Math.max(0, pool.left - (onDefender[index] ?? 0));
    for (const [index, pool] of attacking.entries()) pool.left = Math.max(0, pool.left - (onAttacker[index] ?? 0));
  }
  const armed = attacking.some(({ attack, left }) => attack > 0 && left > 0);
  const lostOf = (pools: readonly Pool[]): number =>
    pools.reduce((sum, { units, left, full }) => sum + units * (1 - left / full), 0);
  return {
    wins: armed && !isStanding(defending),
    survival: new Map(attacking.map(({ type, left, full }) => [type, left / full])),
    lost: lostOf(attacking),
    destroyed: lostOf(defending),
  };
}

function poolsOf(catalog: Catalog, force: Force, { attack, hitPoints }: Strength): Pool[] {
  const pools: Pool[] = [];
  for (const ship of catalog.ships) {
    const count = force.get(ship.type) ?? 0;
    if (count <= 0) continue;
    const full = count * ship.defence * hitPoints;
    const units = count * Object.values(ship.cost).reduce((sum, each) => sum + each, 0);
    const { strongAgainst = [] } = ship;
    pools.push({ type: ship.type, full, left: full, attack: count * ship.attack * attack, strongAgainst, units });
  }
  for (const building of catalog.buildings) {
    const level = force.get(building.type) ?? 0;
    const { defence } = building;
    const isShield = building.type === catalog.roles.planetaryShield;
    if (level <= 0 || (defence === undefined && !isShield)) continue;
    const full = isShield
      ? level * Number(catalog.constants['shieldHitPointsPerLevel'])
      : (defence?.hitPoints[level - 1] ?? 0) * hitPoints;
    const power = (defence?.attacks[level - 1] ?? 0) * attack;
    const strongAgainst = defence?.strongAgainst ?? [];
    pools.push({ type: building.type, full, left: full, attack: power, strongAgainst, units: 0 });
  }
  return pools.filter(({ full }) => full > 0);
}

const isStanding = (pools: readonly Pool[]): boolean => pools.some(({ left }) => left > 0);

/** Damage to each pool of the other side in a round. */
function damages(firing: readonly Pool[], others: readonly Pool[], bonus: number): number[] {
  const all = others.reduce((sum, { left }) => sum + left, 0);
  return others.map(({ type, left }) =>
    firing.reduce((sum, { attack, full, left: able, strongAgainst }) => {
      const power = (attack * able) / full;
      return sum + ((power * left) / all) * (strongAgainst.includes(type) ? bonus : 1);
    }, 0),
  );
}

/** The bonus that the research of a player gives in battles. */
export function strengthOf(catalog: Catalog, research: Player['research']): Strength {
  const factor = (kind: 'attack' | 'hit_points'): number =>
    catalog.research.reduce((sum, each) => {
      const level = research.find(({ type }) => type === each.type)?.level ?? 0;
      return each.effect?.kind === kind ? sum + (level * each.effect.percentPerLevel) / 100 : sum;
    }, 1);
  return { attack: factor('attack'), hitPoints: factor('hit_points') };
}
