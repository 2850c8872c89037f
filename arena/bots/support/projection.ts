// What a planet becomes in some days if it keeps to a policy: a forecast from the catalogue. It knows nothing of other players.
// A planner makes very many forecasts, so they count in plain numbers, in the order of the resources of the catalogue.
import type { Catalog, Planet } from '../../bot.js';
import type { Amounts } from '../../galaxyd-client.js';
import type { Stock } from './plan.js';
import { hoursUntil, spend, timesIn, type Units, unitsTotal, weigh } from './units.js';
import type { Ship } from './works.js';

/** What is done with what the buildings leave over. */
export interface Policy {
  readonly settles: boolean;
  readonly arms: boolean;
}

/** What came of a policy. */
export interface Forecast {
  /** Points gained by buildings and ships. */
  readonly points: number;
  /** Hours before the end at which each colony ship was built. */
  readonly colonyHours: readonly number[];
  /** Units of all resources in an hour, at the end. */
  readonly production: number;
}

interface Step {
  readonly cost: Units;
  readonly gain: Units;
  readonly hours: number;
}

interface Building {
  readonly type: string;
  /** By level, from 1: what it costs, what it produces more, and the hours that it takes. */
  readonly steps: readonly Step[];
  readonly isProducing: boolean;
}

interface Shipbuilding {
  readonly cost: Units;
  readonly hours: number;
}

/** The planet of a forecast. */
interface Projected {
  readonly stock: Units;
  readonly production: Units;
  readonly levels: number[];
}

/** More steps than a forecast of some days can have: the end of each loop is certain. */
const STEPS_MAX = 500;
/** Hours of production that count as supply when resources are weighed. */
const SUPPLY_HOURS = 24;

export class Projection {
  readonly #catalog: Catalog;
  readonly #buildings: readonly Building[];
  readonly #shipyard: number;
  readonly #colonyShip: Shipbuilding | null;
  readonly #warship: Shipbuilding | null;

  /** @param warship what is built with what is left over */
  constructor(catalog: Catalog, warship: Ship | undefined) {
    const { buildings, speed, roles, ships } = catalog;
    this.#catalog = catalog;
    this.#buildings = buildings.map(({ type, costs, outputsPerHour, seconds }) => {
      const steps = costs.map((cost, index) => {
        const before = outputsPerHour[index - 1];
        const gain = (outputsPerHour[index] ?? []).map(
          (units, resource) => (units - (before?.[resource] ?? 0)) * speed,
        );
        return { cost: [...cost], gain, hours: (seconds[index] ?? 0) / 3_600 / speed };
      });
      return { type, steps, isProducing: unitsTotal(steps[0]?.gain ?? []) > 0 };
    });
    this.#shipyard = buildings.findIndex(({ type }) => type === roles.shipyard);
    const shipbuilding = (ship: Ship | undefined): Shipbuilding | null =>
      ship === undefined ? null : { cost: this.#unitsOf(ship.cost), hours: ship.baseSeconds / 3_600 / speed };
    this.#colonyShip = shipbuilding(ships.find(({ type }) => type === roles.colonyShip));
    this.#warship = shipbuilding(warship);
  }

  /**
   * Plays a planet alone for some hours.
   *
   * @param first building that is begun first; null for what the forecast would begin
   */
  forecast(planet: Planet, stock: Stock, policy: Policy, hours: number, first: string | null): Forecast {
    const levelOf = (type: string): number => planet.buildings.find((building) => building.type === type)?.level ?? 0;
    const projected: Projected = {
      stock: this.#unitsOf(stock),
      production: this.#unitsOf(stock.production),
      levels: this.#buildings.map(({ type }) => levelOf(type)),
    };
    const colonyHours: number[] = [];
    let points = 0;
    let at = 0;
    let next = first === null ? this.#soonest(projected) : this.#buildings.findIndex(({ type }) => type === first);
    for (let step = 0; step < STEPS_MAX && at < hours; step += 1) {
      const building = this.#buildings[next]?.steps[projected.levels[next] ?? 0];
      if (building === undefined) break;
      const wait = Math.min(hoursUntil(projected.stock, projected.production, building.cost), hours - at);
      pass(projected, wait);
      at += wait;
      if (at >= hours) break;
      spend(projected.stock, building.cost, 1);
      points += unitsTotal(building.cost);
      const busy = Math.min(building.hours, hours - at);
      // While the building is under way, its planet spends what is left.
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

  /** Builds a colony ship if that can be paid. */
  #settles({ stock, levels }: Projected): boolean {
    const ship = this.#colonyShip;
    if (ship === null || (levels[this.#shipyard] ?? 0) === 0 || timesIn(stock, ship.cost, null) < 1) return false;
    spend(stock, ship.cost, 1);
    return true;
  }

  /** Builds warships with what is left over. @returns points */
  #armed({ stock, levels }: Projected, hours: number, settles: boolean): number {
    const ship = this.#warship;
    const level = levels[this.#shipyard] ?? 0;
    if (ship === null || level === 0) return 0;
    const capacity = Math.floor(hours / (ship.hours * 0.9 ** (level - 1)));
    // What the next colony ship needs is kept.
    const count = Math.min(capacity, timesIn(stock, ship.cost, settles ? (this.#colonyShip?.cost ?? null) : null));
    spend(stock, ship.cost, count);
    return unitsTotal(ship.cost) * count;
  }

  /** The building that returns its cost soonest, as its position; -1 if there is none. */
  #soonest(projected: Projected): number {
    const { stock, production, levels } = projected;
    const worth = stock.map(() => 0);
    for (let index = 0; index < this.#buildings.length; index += 1) {
      const { isProducing, steps } = this.#buildings[index] as Building;
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
      const { isProducing, steps } = this.#buildings[index] as Building;
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

  #unitsOf(amounts: Amounts): Units {
    return this.#catalog.resources.map((resource) => amounts[resource]);
  }
}

function pass({ stock, production }: Projected, hours: number): void {
  spend(stock, production, -hours);
}
