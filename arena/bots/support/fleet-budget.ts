// Ships for a share of what each planet makes. What a planet cannot spend yet, it keeps for its next order.
import type { Planet, PlanStep } from '../../bot.js';
import { total } from './amounts.js';
import { levelOf, lowest } from './building.js';
import { hoursBetween, type Plan } from './plan.js';

/** How much of each type of ship a planet wants, compared with the others: units of resources in it. */
export type Mix = ReadonlyMap<string, number>;

export class FleetBudget {
  /** Units of resources that each planet may still spend, and when they were counted. */
  readonly #budgets = new Map<string, { readonly units: number; readonly at: string }>();

  /** An order of the type of which a planet has least for its weight. It spends the share of what was made since the call before. */
  order(plan: Plan, planet: Planet, share: number, mix: Mix): PlanStep[] {
    const { now, catalog } = plan.port;
    if (levelOf(planet, plan.roles.shipyard) === 0) return [];
    const before = this.#budgets.get(planet.id) ?? { units: 0, at: now };
    const made = total({ ...planet.production, energy: 0 });
    const budget = before.units + share * made * hoursBetween(before.at, now);
    const ship = lowest(catalog.ships, ({ type, cost }) => {
      const weight = mix.get(type) ?? 0;
      const owned = plan.ships(planet, type) + plan.ordered(planet, type);
      return weight > 0 ? (owned * total(cost)) / weight : Number.POSITIVE_INFINITY;
    });
    const count = ship === undefined ? 0 : Math.floor(budget / total(ship.cost));
    this.#budgets.set(planet.id, { units: budget - count * total(ship?.cost ?? {}), at: now });
    return ship === undefined || count === 0 ? [] : [{ action: 'build_ships', shipType: ship.type, count }];
  }
}
