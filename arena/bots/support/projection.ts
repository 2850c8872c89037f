// What a planet becomes in some days if it keeps to a policy: a forecast from the catalogue. It knows nothing of other players.
import type { Catalog, Planet } from '../../bot.js';
import type { Amounts } from '../../galaxyd-client.js';
import {
  amountsOf,
  covers,
  minus,
  multiplied,
  NOTHING,
  plus,
  RESOURCES,
  times,
  total,
  weighed,
  worthOn,
} from './amounts.js';
import type { Stock } from './plan.js';
import { COLONY_SHIP, SHIPYARD } from './roles.js';
import { lowest, type Ship } from './works.js';

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

interface Building {
  readonly type: string;
  readonly costs: readonly Amounts[];
  readonly outputs: readonly Amounts[];
  readonly hours: readonly number[];
}

interface Choice {
  readonly building: Building;
  readonly level: number;
  readonly cost: Amounts;
  readonly gain: Amounts;
}

/** More steps than a forecast of some days can have: the end of each loop is certain. */
const STEPS_MAX = 500;

export class Projection {
  readonly #buildings: readonly Building[];
  readonly #colonyShip: Ship | undefined;

  /** @param warship what is built with what is left over */
  constructor(
    readonly catalog: Catalog,
    readonly warship: Ship | undefined,
  ) {
    const { resources, speed } = catalog;
    const amounts = (units: readonly number[]): Amounts =>
      amountsOf((resource) => units[resources.indexOf(resource)] ?? 0);
    this.#buildings = catalog.buildings.map(({ type, costs, outputsPerHour, seconds }) => ({
      type,
      costs: costs.map(amounts),
      outputs: [NOTHING, ...outputsPerHour.map((units) => multiplied(amounts(units), speed))],
      hours: seconds.map((each) => each / 3_600 / speed),
    }));
    this.#colonyShip = catalog.ships.find(({ type }) => type === COLONY_SHIP);
  }

  /**
   * Plays a planet alone for some hours.
   *
   * @param first building that is begun first; null for what the forecast would begin
   */
  forecast(planet: Planet, stock: Stock, policy: Policy, hours: number, first: string | null): Forecast {
    const levels = new Map(planet.buildings.map(({ type, level }) => [type, level]));
    const colonyHours: number[] = [];
    let [left, production, points, at] = [stock as Amounts, stock.production, 0, 0];
    let next = first;
    const pass = (span: number): void => {
      left = plus(left, multiplied(production, span));
      at += span;
    };
    for (let step = 0; step < STEPS_MAX && at < hours; step += 1) {
      const choice = this.#choose({ ...planet, ...left, production }, levels, next);
      next = null;
      const wait = choice === undefined ? Number.POSITIVE_INFINITY : hoursUntil(left, production, choice.cost);
      const span = Math.min(wait, hours - at);
      pass(span);
      if (choice === undefined || at >= hours) break;
      left = minus(left, choice.cost);
      points += total(choice.cost);
      // While the building is under way, its planet spends what is left.
      const busy = Math.min(choice.building.hours[choice.level - 1] ?? 0, hours - at);
      const shipyard = levels.get(SHIPYARD) ?? 0;
      const settled = policy.settles && shipyard > 0 ? this.#colonyShip : undefined;
      if (settled !== undefined && covers(left, settled.cost)) {
        left = minus(left, settled.cost);
        colonyHours.push(hours - at);
      }
      const { warship } = this;
      if (policy.arms && shipyard > 0 && warship !== undefined) {
        const capacity = (busy * 3_600 * this.catalog.speed) / (warship.baseSeconds * 0.9 ** (shipyard - 1));
        // What the next colony ship needs is kept.
        const spare = minus(left, settled?.cost ?? NOTHING);
        const count = Math.min(times(spare, warship.cost), Math.floor(capacity));
        left = minus(left, multiplied(warship.cost, count));
        points += total(warship.cost) * count;
      }
      pass(busy);
      levels.set(choice.building.type, choice.level);
      production = plus(production, choice.gain);
    }
    return { points, colonyHours, production: total(production) };
  }

  #choose(planet: Planet, levels: ReadonlyMap<string, number>, type: string | null): Choice | undefined {
    const choices = this.#buildings.flatMap((building): Choice[] => {
      const level = (levels.get(building.type) ?? 0) + 1;
      const cost = building.costs[level - 1];
      if (cost === undefined) return [];
      const [before, after] = [building.outputs[level - 1] ?? NOTHING, building.outputs[level] ?? NOTHING];
      return [{ building, level, cost, gain: minus(after, before) }];
    });
    if (type !== null) return choices.find(({ building }) => building.type === type);
    const producing = choices.filter(({ gain }) => total(gain) > 0);
    const worth = worthOn(
      planet,
      producing.map(({ cost }) => cost),
    );
    return lowest(producing, ({ building, level, cost, gain }) => {
      const wait = hoursUntil(planet, planet.production, cost);
      return wait + (building.hours[level - 1] ?? 0) + weighed(cost, worth) / weighed(gain, worth);
    });
  }
}

/** Hours until production has paid for a cost; Infinity if it never does. */
function hoursUntil(stock: Amounts, production: Amounts, cost: Amounts): number {
  return Math.max(
    0,
    ...RESOURCES.map((resource) => {
      const missing = cost[resource] - stock[resource];
      return missing <= 0 ? 0 : missing / production[resource];
    }),
  );
}
