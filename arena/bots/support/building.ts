// Building: starts the buildings, ships and research that a bot prefers.
import type { Catalog, Option, Planet } from '../../bot.js';
import { type Amounts, operation } from '../../galaxyd-client.js';
import { minus, multiplied, NOTHING, times, total, weighed, worthOn } from './amounts.js';
import { hoursBetween, type Plan } from './plan.js';

export type Ship = Catalog['ships'][number];
export type BuildingOption = Extract<Option, { action: 'upgrade' | 'construct' }>;

/** Chooses the next building of a planet; undefined to build nothing now. */
export type Preference = (options: readonly BuildingOption[], planet: Planet) => BuildingOption | undefined;

/** Ships of one order. Smaller orders are delivered earlier. */
const SHIPS_PER_ORDER = 1_000;
/** Orders in a shipyard. More would only spend resources early. */
const ORDERS_MAX = 2;
/** A bot wants to be woken when an order is delivered, but not sooner than this, at speed 1. */
const ORDER_SECONDS_MIN = 3_600;

/** Level of a building; 0 without one. */
export const levelOf = (planet: Planet, type: string): number =>
  planet.buildings.find((building) => building.type === type)?.level ?? 0;

/** The highest level of the buildings of a planet. */
export const highestLevel = ({ buildings }: Planet): number => Math.max(...buildings.map(({ level }) => level));

/** When the upgrade of a planet ends; null without one. */
const upgradeEnd = (planet: Planet): string | null =>
  planet.buildings.flatMap(({ constructionQueue }) => constructionQueue)[0]?.upgradeFinishAt ?? null;

export const isBuilding = (option: Option): option is BuildingOption =>
  option.action === 'upgrade' || option.action === 'construct';

/** Additional output of a building per hour. */
export const gainOf = ({ gain }: BuildingOption): Amounts => gain.production ?? NOTHING;

/** Whether a building produces anything. */
export const produces = (option: BuildingOption): boolean => total(gainOf(option)) > 0;

/**
 * Hours until a building has returned its cost: until the planet can pay for it, while it is built, and until its output has paid for it.
 *
 * @param worth of a unit of each resource
 */
export function hoursToReturn(option: BuildingOption, now: string, worth: Amounts): number {
  if (option.affordableAt === null) return Number.POSITIVE_INFINITY;
  const hours = weighed(option.cost, worth) / weighed(gainOf(option), worth);
  return Math.max(0, hoursBetween(now, option.affordableAt)) + option.seconds / 3_600 + hours;
}

/**
 * The producing building that returns its cost soonest. A resource is worth more, the more of it these buildings need.
 *
 * @param alsoWanted what else the planet wants to pay for
 */
export function soonestToReturn(
  options: readonly BuildingOption[],
  planet: Planet,
  now: string,
  alsoWanted: readonly Amounts[] = [],
): BuildingOption | undefined {
  const producing = options.filter(produces);
  const worth = worthOn(planet, [...alsoWanted, ...producing.map(({ cost }) => cost)]);
  return lowest(producing, (option) => hoursToReturn(option, now, worth));
}

/** The thing with the lowest number, the first of equal ones; undefined if no number is finite. */
export function lowest<Thing>(things: readonly Thing[], numberOf: (thing: Thing) => number): Thing | undefined {
  let best: Thing | undefined;
  let bestNumber = Number.POSITIVE_INFINITY;
  for (const thing of things) {
    const number = numberOf(thing);
    if (number < bestNumber) [best, bestNumber] = [thing, number];
  }
  return best;
}

/** Builds on all planets of a player. Remembers which planets save. */
export class Builder {
  /** When production alone pays for what each planet saves for. */
  readonly #goals = new Map<string, string>();

  /** Starts a building on each idle planet, or notes when the planet can pay for it. Reads only the options of idle planets. */
  async build(plan: Plan, prefer: Preference): Promise<void> {
    const { now, events } = plan.port;
    // Unexpected resources may pay for a goal earlier.
    if (events.some(({ type }) => type === 'resources_received' || type === 'resources_granted')) this.#goals.clear();
    const idle = plan.state.planets.filter((planet) => this.#isIdle(plan, planet, now));
    const all = await Promise.all(idle.map(({ id }) => plan.port.options(id)));
    for (const [index, planet] of idle.entries()) {
      const options = (all[index]?.options ?? []).filter(isBuilding).filter(({ reason }) => reason === undefined);
      this.#start(plan, planet, prefer(options, planet));
    }
  }

  isSaving(planet: Planet): boolean {
    return this.#goals.has(planet.id);
  }

  #isIdle(plan: Plan, planet: Planet, now: string): boolean {
    const busyUntil = upgradeEnd(planet) ?? this.#goals.get(planet.id) ?? null;
    if (busyUntil === null || busyUntil <= now) return true;
    plan.wakeAt(busyUntil);
    return false;
  }

  #start(plan: Plan, planet: Planet, option: BuildingOption | undefined): void {
    this.#goals.delete(planet.id);
    if (option === undefined) return;
    const payableAt = plan.payableAt(planet, option.cost);
    if (payableAt !== null && payableAt <= plan.port.now) {
      plan.command(planet, option.request, option.cost);
      plan.wakeIn(option.seconds);
    } else if (payableAt !== null) {
      this.#goals.set(planet.id, payableAt);
      plan.wakeAt(payableAt);
    }
  }
}

/** Takes the starter planets that the rules give to every player, with one request for each. */
export function takeStarters(plan: Plan): void {
  const { constants } = plan.port.catalog;
  const [home] = plan.state.planets;
  const missing = Number(constants['startersPerPlayerMax']) - plan.state.planets.length;
  for (let taken = 0; home !== undefined && taken < missing; taken += 1) {
    const { playerId } = plan.port;
    plan.command(home, operation.post('/api/game/planet/starter/{playerId}', { params: { path: { playerId } } }));
    plan.wakeIn(1);
  }
}

export const ruleOfShip = ({ port: { catalog } }: Plan, type: string): Ship | undefined =>
  catalog.ships.find((ship) => ship.type === type);

/** Unarmed ships with cargo space except the colony ship, the largest first. */
export function freightersOf({ port, roles }: Plan): Ship[] {
  return port.catalog.ships
    .filter(({ attack, cargo, type }) => attack === 0 && cargo > 0 && type !== roles.colonyShip)
    .sort((one, other) => other.cargo - one.cargo);
}

/** The ship with the most attack for its cost; undefined if no ship can attack. */
export function strongestShip({ ships }: Catalog): Ship | undefined {
  return lowest(
    ships.filter(({ attack }) => attack > 0),
    ({ attack, cost }) => total(cost) / attack,
  );
}

/** The cost of a ship; nothing if the rules do not have the type. */
export const costOfShip = (plan: Plan, type: string): Amounts => ruleOfShip(plan, type)?.cost ?? NOTHING;

/**
 * Orders as many ships of a type as a planet can pay for. Orders none while another type is in production.
 *
 * @param kept what the planet must keep
 * @returns how many were ordered
 */
export function orderShips(plan: Plan, planet: Planet, type: string, countMax: number, kept = NOTHING): number {
  const ship = ruleOfShip(plan, type);
  const level = levelOf(planet, plan.roles.shipyard);
  if (ship === undefined || level === 0 || (plan.inProduction(planet) ?? type) !== type) return 0;
  if (planet.shipyardQueue.length >= ORDERS_MAX) {
    plan.wakeAt(planet.shipyardQueue[0]?.buildFinishAt ?? null);
    return 0;
  }
  const count = Math.min(countMax, times(minus(plan.stock(planet), kept), ship.cost), SHIPS_PER_ORDER);
  if (count <= 0) return 0;
  plan.order(planet, type, count, multiplied(ship.cost, count));
  const seconds = ship.baseSeconds * count * 0.9 ** (level - 1);
  plan.wakeIn(Math.max(seconds, ORDER_SECONDS_MIN) / plan.port.catalog.speed);
  return count;
}
