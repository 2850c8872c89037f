// Flights. launch() prices several flights with /api/fleet/simulate and launches each with the right drive. haul() and gather() move
// resources and warships between the player's own planets.
import type { Planet } from '../../bot.js';
import { type Amounts, operation, type Shapes } from '../../galaxyd-client.js';
import { amountsOf, total } from './amounts.js';
import { freightersOf, lowest } from './building.js';
import { distance, type Place } from './galaxy-map.js';
import type { Plan } from './plan.js';

/** The cargo of a fleet. */
export type Cargo = Omit<Amounts, 'energy'>;

export interface Flight {
  readonly from: Planet;
  readonly targetId: string;
  readonly mission: Shapes['Mission'];
  readonly ships: readonly { readonly type: string; readonly count: number }[];
  readonly cargo?: Partial<Cargo>;
  /** Uses the drive that needs the least h2 among those that are not much slower than the fastest. */
  readonly isLeisurely?: boolean;
  /** An attack does not pay if the rules let it take less. */
  readonly lootMin?: number;
}

/** A leisurely flight may take this much longer, at speed 1. */
const LEISURE_SECONDS = 1_800;

/** A launched flight. */
interface Launched extends Flight {
  readonly h2Cost: number;
  readonly flightSeconds: number;
}

/**
 * Launches the flights that are possible and would not be in vain. Each uses the fastest drive whose h2 its origin can pay
 * for. One request prices all of them.
 */
export async function launch(plan: Plan, flights: readonly Flight[]): Promise<Launched[]> {
  const { playerId } = plan.port;
  const bodies = flights.map(({ from, targetId, mission, ships, cargo = {} }) => {
    const fleet = { playerId, mission, originPlanetId: from.id, targetPlanetId: targetId };
    return { ...fleet, ships: ships.filter(({ count }) => count > 0), resources: cargo };
  });
  const simulations = await Promise.all(
    bodies.map((body) => plan.port.read(operation.post('/api/fleet/simulate', { body }))),
  );
  return flights.flatMap((flight, index) => {
    const cargo = flight.cargo ?? {};
    const body = bodies[index];
    const payable = (simulations[index]?.results ?? []).filter(
      ({ possible, h2Cost, lootUnitsMax = Number.POSITIVE_INFINITY, warnings }) =>
        possible &&
        warnings.length === 0 &&
        lootUnitsMax >= (flight.lootMin ?? 0) &&
        plan.canPay(flight.from, { ...cargo, h2: h2Cost + (cargo.h2 ?? 0) }),
    );
    const best = driveFor(payable, flight.isLeisurely === true ? LEISURE_SECONDS / plan.port.catalog.speed : 0);
    if (best === undefined || body === undefined) return [];
    const { drive, h2Cost, flightSeconds } = best;
    const request = operation.post('/api/fleet/launch', { body: { ...body, drive } });
    plan.command(flight.from, request, { ...cargo, h2: h2Cost + (cargo.h2 ?? 0) });
    plan.sent(flight.from, flight.ships);
    return [{ ...flight, h2Cost, flightSeconds }];
  });
}

/** The result with the lowest h2 cost among those that are at most leisureSeconds slower than the fastest. */
function driveFor<Result extends Pick<Launched, 'flightSeconds' | 'h2Cost'>>(
  results: readonly Result[],
  leisureSeconds: number,
): Result | undefined {
  const fastest = Math.min(...results.map(({ flightSeconds }) => flightSeconds));
  return results
    .filter(({ flightSeconds }) => flightSeconds <= fastest + leisureSeconds)
    .sort((one, other) => one.h2Cost - other.h2Cost || one.flightSeconds - other.flightSeconds)[0];
}

/** Fills cargo space with each resource in proportion to the stock. */
export function cargoFrom(stock: Partial<Amounts>, space: number): Cargo {
  const share = Math.min(1, space / Math.max(1, total({ ...stock, energy: 0 })));
  const part = (units = 0): number => Math.floor(Math.max(0, units) * share);
  return { iron: part(stock.iron), silver: part(stock.silver), ember: part(stock.ember), h2: part(stock.h2) };
}

/** Smallest cargo that is worth a flight. */
const CARGO_MIN = 1_000;
/** A planet gets at most what it makes in this many hours, or HELP_MIN if that is more. */
const HELP_HOURS = 24;
const HELP_MIN = 15_000;
/** A planet is small if it makes less than this share of what the sender makes. */
const SMALL_SHARE = 0.7;
/** Units in warships that make gathering them worth a flight. */
const GATHERED_MIN = 5_000;

/** Units that each planet does not need for its plan, by planet id. */
type Spares = ReadonlyMap<string, readonly number[]>;

/** Units of all resources but energy that a planet makes in an hour. */
export const madeOn = ({ production }: Planet): number => total({ ...production, energy: 0 });

/** Sends what planets do not need to the smallest of the others, with the freighters of the origin. */
export async function haul(plan: Plan, spares: Spares): Promise<void> {
  const { port, state } = plan;
  const { resources } = port.catalog;
  const freighters = freightersOf(plan);
  const supplied = new Set(
    state.fleets.filter(({ mission }) => mission === 'transport').map(({ targetPlanetId }) => targetPlanetId),
  );
  const flights: Flight[] = [];
  for (const from of state.planets) {
    const spare = spares.get(from.id);
    const [freighter] = freighters.filter(({ type }) => plan.ships(from, type) > 0);
    if (spare === undefined || freighter === undefined) continue;
    const receiver = lowest(
      state.planets.filter((to) => !supplied.has(to.id) && madeOn(to) < SMALL_SHARE * madeOn(from)),
      madeOn,
    );
    if (receiver === undefined) continue;
    const stock = plan.stock(from);
    const useful = Math.max(HELP_MIN, HELP_HOURS * madeOn(receiver));
    const offered = amountsOf((resource) => Math.min(stock[resource], spare[resources.indexOf(resource)] ?? 0));
    const room = plan.ships(from, freighter.type) * freighter.cargo;
    const cargo = cargoFrom({ ...offered, h2: offered.h2 / 4 }, Math.min(room, useful));
    const units = total(cargo);
    if (units < CARGO_MIN) continue;
    supplied.add(receiver.id);
    const ships = [{ type: freighter.type, count: Math.ceil(units / freighter.cargo) }];
    flights.push({ from, targetId: receiver.id, mission: 'transport', ships, cargo, isLeisurely: true });
  }
  for (const { flightSeconds } of await launch(plan, flights)) plan.wakeIn(flightSeconds);
}

/** Sends the warships and freighters of all planets to the planet with most warships. */
export async function gather(plan: Plan): Promise<void> {
  const { planets } = plan.state;
  const base = lowest(planets, (planet) => -unitsInWarships(plan, planet));
  if (base === undefined) return;
  const flights = planets
    .filter((from) => from !== base && unitsInWarships(plan, from) >= GATHERED_MIN)
    .flatMap((from) => deployment(plan, from, base))
    .map((flight) => ({ ...flight, isLeisurely: true }));
  for (const { flightSeconds } of await launch(plan, flights)) plan.wakeIn(flightSeconds);
}

/** A flight of all ships of a planet except scouts and colony ships to another own planet, with some cargo. */
export function deployment(plan: Plan, from: Planet, to: Planet, cargo: Flight['cargo'] = {}): Flight[] {
  const { catalog } = plan.port;
  let room = 0;
  const flying = catalog.ships.filter(({ type }) => type !== plan.roles.scout && type !== plan.roles.colonyShip);
  for (const { type, hangarCapacity } of flying) room += plan.ships(from, type) * hangarCapacity;
  const ships = flying.map(({ type, hangarSize }) => {
    const there = plan.ships(from, type);
    const count = hangarSize === 0 ? there : Math.min(there, Math.floor(room / hangarSize));
    room -= count * hangarSize;
    return { type, count };
  });
  const loaded = ships.filter(({ count }) => count > 0);
  if (!loaded.some(({ type }) => flying.find((ship) => ship.type === type)?.hangarSize === 0)) return [];
  const space = loaded.reduce(
    (sum, { type, count }) => sum + count * (flying.find((ship) => ship.type === type)?.cargo ?? 0),
    0,
  );
  return [{ from, targetId: to.id, mission: 'deploy', ships: loaded, cargo: cargoFrom(cargo, space) }];
}

/** The nearest other planet of the player, in the same galaxy if there is one. */
export function nearestOwn(plan: Plan, from: Planet): Planet | undefined {
  return lowest(
    plan.state.planets.filter((planet) => planet !== from),
    (planet) => {
      const { galaxyIndex, index } = planet.system;
      const place: Place = { planetId: planet.id, galaxyIndex, index, slot: planet.slot, ownerId: null };
      return distance(plan.port, from, place) + (galaxyIndex === from.system.galaxyIndex ? 0 : 1e6);
    },
  );
}

function unitsInWarships(plan: Plan, planet: Planet): number {
  const warships = plan.port.catalog.ships.filter(({ attack }) => attack > 0);
  return warships.reduce((sum, { type, cost }) => sum + plan.ships(planet, type) * total(cost), 0);
}
