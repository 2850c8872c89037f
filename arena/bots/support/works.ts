// Building: which planets can start a building, and starting what a bot prefers.
import type { Catalog, Option, Planet } from '../../bot.js';
import { type Amounts, operation } from '../../galaxyd-client.js';
import { minus, multiplied, NOTHING, times, total, weighed } from './amounts.js';
import { hoursBetween, type Plan } from './plan.js';

export type Ship = Catalog['ships'][number];
export type BuildingOption = Extract<Option, { action: 'upgrade' | 'construct' }>;

/** What a bot prefers; undefined to build nothing there now. */
export type Preference = (options: readonly BuildingOption[], planet: Planet) => BuildingOption | undefined;

/** Ships of one order, so that the first are not delivered with the last of very many. */
const SHIPS_PER_ORDER = 1_000;
/** Orders that wait in a shipyard: more would only bind resources early. */
const ORDERS_MAX = 2;
/** After an order a bot looks again when it is delivered, but not sooner than this, at speed 1. */
const ORDER_SECONDS_MIN = 3_600;

/** Level of a building; 0 if there is none. */
export const levelOf = (planet: Planet, type: string): number =>
  planet.buildings.find((building) => building.type === type)?.level ?? 0;

/** When the upgrade of a planet ends; null if there is none. */
export const upgradeEnd = (planet: Planet): string | null =>
  planet.buildings.flatMap(({ constructionQueue }) => constructionQueue)[0]?.upgradeFinishAt ?? null;

export const isBuilding = (option: Option): option is BuildingOption =>
  option.action === 'upgrade' || option.action === 'construct';

/** What a building produces more in an hour. */
export const gainOf = ({ gain }: BuildingOption): Amounts => gain.production ?? NOTHING;

/** Whether a building produces anything. */
export const produces = (option: BuildingOption): boolean => total(gainOf(option)) > 0;

/**
 * Hours until a building has returned its cost, from now on: until it can be paid, while it is built, and while it pays.
 *
 * @param worth of a unit of each resource
 */
export function hoursToReturn(option: BuildingOption, now: string, worth: Amounts): number {
  if (option.affordableAt === null) return Number.POSITIVE_INFINITY;
  const hours = weighed(option.cost, worth) / weighed(gainOf(option), worth);
  return Math.max(0, hoursBetween(now, option.affordableAt)) + option.seconds / 3_600 + hours;
}

/** The thing with the lowest number; undefined if none has a finite one. Ties go to the first. */
export function lowest<Thing>(things: readonly Thing[], numberOf: (thing: Thing) => number): Thing | undefined {
  let best: Thing | undefined;
  let bestNumber = Number.POSITIVE_INFINITY;
  for (const thing of things) {
    const number = numberOf(thing);
    if (number < bestNumber) [best, bestNumber] = [thing, number];
  }
  return best;
}

/** A building that a planet saves for. */
export interface Goal {
  readonly cost: Amounts;
  /** When production alone has paid for it. */
  readonly payableAt: string;
}

/** The building works of all planets of a player. It remembers which planets save for what they want. */
export class Works {
  readonly #goals = new Map<string, Goal>();

  /** Starts a building on each planet that can, or notes when it can. Reads the options of these planets only. */
  async build(plan: Plan, prefer: Preference): Promise<void> {
    const { now, events } = plan.hand;
    // What arrived unexpectedly may pay earlier.
    if (events.some(({ type }) => type === 'resources_received' || type === 'resources_granted')) this.#goals.clear();
    const idle = plan.state.planets.filter((planet) => this.#isIdle(plan, planet, now));
    const all = await Promise.all(idle.map(({ id }) => plan.hand.options(id)));
    for (const [index, planet] of idle.entries()) {
      const options = (all[index]?.options ?? []).filter(isBuilding).filter(({ reason }) => reason === undefined);
      this.#start(plan, planet, prefer(options, planet));
    }
  }

  /** What a planet saves for; null if it does not. */
  goalOf({ id }: Planet): Goal | null {
    return this.#goals.get(id) ?? null;
  }

  isSaving(planet: Planet): boolean {
    return this.#goals.has(planet.id);
  }

  #isIdle(plan: Plan, planet: Planet, now: string): boolean {
    const busyUntil = upgradeEnd(planet) ?? this.#goals.get(planet.id)?.payableAt ?? null;
    if (busyUntil === null || busyUntil <= now) return true;
    plan.wakeAt(busyUntil);
    return false;
  }

  #start(plan: Plan, planet: Planet, option: BuildingOption | undefined): void {
    this.#goals.delete(planet.id);
    if (option === undefined) return;
    const payableAt = plan.payableAt(planet, option.cost);
    if (payableAt !== null && payableAt <= plan.hand.now) {
      plan.command(planet, option.request, option.cost);
      plan.wakeIn(option.seconds);
    } else if (payableAt !== null) {
      this.#goals.set(planet.id, { payableAt, cost: option.cost });
      plan.wakeAt(payableAt);
    }
  }
}

/** Takes the planets that the rules give to every player: one request for each, at the beginning. */
export function takeStarters(plan: Plan): void {
  const { constants } = plan.hand.catalog;
  const [home] = plan.state.planets;
  const missing = Number(constants['startersPerPlayerMax']) - plan.state.planets.length;
  for (let taken = 0; home !== undefined && taken < missing; taken += 1) {
    const { playerId } = plan.hand;
    plan.command(home, operation.post('/api/game/planet/starter/{playerId}', { params: { path: { playerId } } }));
    plan.wakeIn(1);
  }
}

export const ruleOfShip = ({ hand: { catalog } }: Plan, type: string): Ship | undefined =>
  catalog.ships.find((ship) => ship.type === type);

/** The ship with the most attack for what it costs; undefined if no ship can attack. */
export function strongestShip({ ships }: Catalog): Ship | undefined {
  return lowest(
    ships.filter(({ attack }) => attack > 0),
    ({ attack, cost }) => total(cost) / attack,
  );
}

/** The cost of a ship; nothing if the rules do not have it. */
export const costOfShip = (plan: Plan, type: string): Amounts => ruleOfShip(plan, type)?.cost ?? NOTHING;

/**
 * Orders ships of a type, at most so many as a planet can pay. It orders none while another type is in production.
 *
 * @param kept what the planet shall have left
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
  plan.wakeIn(Math.max(seconds, ORDER_SECONDS_MIN) / plan.hand.catalog.speed);
  return count;
}

/** Starts the research that unlocks the fastest drive of a kind of flight, if none of the kind is unlocked or under way. */
export function research(plan: Plan, flightType: string): void {
  const { catalog, playerId } = plan.hand;
  const fastest = lowest(catalog.drives, ({ multipliers }) => 1 / (multipliers[flightType] ?? 0));
  const type = fastest?.research ?? null;
  if (type === null || plan.state.research.some((entry) => entry.type === type || entry.isResearching)) return;
  const [home] = plan.state.planets;
  if (home === undefined) return;
  plan.command(home, operation.post('/api/research/start', { body: { playerId, researchType: type } }));
}
