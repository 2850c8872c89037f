// Forecasts a planet that follows a policy for some days. Ignores other players. A planner makes very many forecasts, so they count in
// plain numbers, in the order of the resources of the catalogue.
import type { Catalog, Planet } from '../../bot.js';
import { hoursUntil, spend, timesIn, type Units, unitsTotal, weigh } from './amounts.js';
import type { Ship } from './building.js';
import { type BuildingTable, buildingTables, pass, unitsOf } from './growth.js';
import type { Stock } from './plan.js';

/** What a planet does with the resources that its buildings leave over. */
export interface Policy {
  readonly settles: boolean;
  readonly arms: boolean;
}

/** The result of a policy. */
export interface Forecast {
  /** Points gained by buildings and ships. */
  readonly points: number;
  /** Hours before the end at which each colony ship was built. */
  readonly colonyHours: readonly number[];
  /** Units of all resources per hour at the end. */
  readonly production: number;
}

interface Shipbuilding {
  readonly cost: Units;
  readonly hours: number;
}

/** The state of the planet during a forecast. */
interface Projected {
  readonly stock: Units;
  readonly production: Units;
  readonly levels: number[];
}

/** Bounds the loop: more steps than a forecast of some days can have. */
const STEPS_MAX = 500;
/** Hours of production that count as supply when resources are weighed. */
const SUPPLY_HOURS = 24;

export class Projection {
  readonly #catalog: Catalog;
  readonly #buildings: readonly BuildingTable[];
  readonly #shipyard: number;
  readonly #colonyShip: Shipbuilding | null;
  readonly #warship: Shipbuilding | null;

  /** @param warship type that is built if a policy arms */
  constructor(catalog: Catalog, warship: Ship | undefined) {
    const { buildings, speed, roles, ships } = catalog;
    this.#catalog = catalog;
    this.#buildings = buildingTables(catalog);
    this.#shipyard = buildings.findIndex(({ type }) => type === roles.shipyard);
    const shipbuilding = (ship: Ship | undefined): Shipbuilding | null =>
      ship === undefined ? null : { cost: unitsOf(catalog, ship.cost), hours: ship.baseSeconds / 3_600 / speed };
    this.#colonyShip = shipbuilding(ships.find(({ type }) => type === roles.colonyShip));
    this.#warship = shipbuilding(warship);
  }

  /**
   * Plays a planet for some hours.
   *
   * @param first type of the first building; null to choose it like the others
   */
  forecast(planet: Planet, stock: Stock, policy: Policy, hours: number, first: string | null): Forecast {
    const levelOf = (type: string): number => planet.buildings.find((building) => building.type === type)?.level ?? 0;
    const projected: Projected = {
      stock: unitsOf(this.#catalog, stock),
      production: unitsOf(this.#catalog, stock.production),
      levels: this.#buildings.map(({ type }) => levelOf(type)),
    };
    const colonyHours: number[] = [];
    let points = 0;
    let at = 0;
    let next = first === null ? this.#soonest(projected) : this.#buildings.findIndex(({ type }) => type === first);
    for (let step = 0; step < STEPS_MAX && at < hours; step += 1) {
      const building = this.#buildings[next]?.levels[projected.levels[next] ?? 0];
      if (building === undefined) break;
      const wait = Math.min(hoursUntil(projected.stock, projected.production, building.cost), hours - at);
      pass(projected, wait);
      at += wait;
      if (at >= hours) break;
      spend(projected.stock, building.cost, 1);
      points += building.points;
      const busy = Math.min(building.hours, hours - at);
      // During construction, the planet spends what is left over.
      if (policy.settles && this.#settles(projected)) colonyHours.push(hours - at);
      if (policy.arms) points += this.#armed(projected, busy, policy.settles);
      pass(projected, busy);
      at += busy;
      projected.levels[next] = (projected.levels[next] ?? 0) + 1;
      spend(projected.production, building.gain, -1);
      next = this.#soonest(projected);
    }
    return { points, colonyHours, production: unitsTotal(projected.production) };
  }

  /** Builds a colony ship if the planet can pay for it. */
  #settles({ stock, levels }: Projected): boolean {
    const ship = this.#colonyShip;
    if (ship === null || (levels[this.#shipyard] ?? 0) === 0 || timesIn(stock, ship.cost, null) < 1) return false;
    spend(stock, ship.cost, 1);
    return true;
  }

  /** Builds warships with what is left over. @returns the points gained */
  #armed({ stock, levels }: Projected, hours: number, settles: boolean): number {
    const ship = this.#warship;
    const level = levels[this.#shipyard] ?? 0;
    if (ship === null || level === 0) return 0;
    const capacity = Math.floor(hours / (ship.hours * 0.9 ** (level - 1)));
    // Keeps what the next colony ship costs.
    const count = Math.min(capacity, timesIn(stock, ship.cost, settles ? (this.#colonyShip?.cost ?? null) : null));
    spend(stock, ship.cost, count);
    return unitsTotal(ship.cost) * count;
  }

  /** Position of the building that returns its cost soonest; -1 without one. */
  #soonest(projected: Projected): number {
    const { stock, production, levels } = projected;
    const worth = stock.map(() => 0);
    for (let index = 0; index < this.#buildings.length; index += 1) {
      const { isProducing, levels: steps } = this.#buildings[index] as BuildingTable;
      if (isProducing) spend(worth, steps[levels[index] as number]?.cost ?? [], -1);
    }
    for (let resource = 0; resource < worth.length; resource += 1) {
      const demand = worth[resource] as number;
      const supply = (stock[resource] as number) + SUPPLY_HOURS * (production[resource] as number);
      worth[resource] = demand / (supply + demand / 10 + 1);
    }
    let best = -1;
    let bestHours = Number.POSITIVE_INFINITY;
    for (let index = 0; index < this.#buildings.length; index += 1) {
      const { isProducing, levels: steps } = this.#buildings[index] as BuildingTable;
      const step = steps[levels[index] as number];
      if (!isProducing || step === undefined) continue;
      const hours =
        hoursUntil(stock, production, step.cost) + step.hours + weigh(step.cost, worth) / weigh(step.gain, worth);
      if (hours < bestHours) {
        best = index;
        bestHours = hours;
      }
    }
    return best;
  }
}
