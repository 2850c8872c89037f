// Moving things between the own planets: transports bring what one has too much of to one that is still small, and warships gather
// where raids set out.
import type { Planet } from '../../bot.js';
import { amountsOf, total } from './amounts.js';
import { distance, type Place } from './atlas.js';
import { cargoFrom, type Flight, launch } from './flights.js';
import type { Plan } from './plan.js';
import { lowest } from './works.js';

/** Units that are worth a flight. */
const CARGO_MIN = 1_000;
/** A planet gets what it makes in so many hours at most, or this much. */
const HELP_HOURS = 24;
const HELP_MIN = 15_000;
/** A planet is small that makes less than this part of what the giver makes. */
const SMALL_SHARE = 0.7;
/** Units in warships that are worth a flight. */
const GATHERED_MIN = 5_000;

/** What planets do not need for their plans, by planet id. */
export type Spares = ReadonlyMap<string, readonly number[]>;

const madeOn = ({ production }: Planet): number => total({ ...production, energy: 0 });

/** Sends what planets do not need to the smallest of the others, with the freighters that stand there. */
export async function haul(plan: Plan, spares: Spares): Promise<void> {
  const { hand, state } = plan;
  const { resources } = hand.catalog;
  const freighters = plan.hand.catalog.ships
    .filter(({ attack, cargo, type }) => attack === 0 && cargo > 0 && type !== plan.roles.colonyShip)
    .sort((one, other) => other.cargo - one.cargo);
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

/** Sends the warships and freighters of all planets to the one that has most of them. */
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

/** The flight of all ships of a planet that are no scouts, with some cargo, to another own planet. */
export function deployment(plan: Plan, from: Planet, to: Planet, cargo: Flight['cargo'] = {}): Flight[] {
  const { catalog } = plan.hand;
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

/** The own planet that is nearest to another one, in the same galaxy if there is one. */
export function nearestOwn(plan: Plan, from: Planet): Planet | undefined {
  return lowest(
    plan.state.planets.filter((planet) => planet !== from),
    (planet) => {
      const { galaxyIndex, index } = planet.system;
      const place: Place = { planetId: planet.id, galaxyIndex, index, slot: planet.slot, ownerId: null };
      return distance(plan.hand, from, place) + (galaxyIndex === from.system.galaxyIndex ? 0 : 1e6);
    },
  );
}

function unitsInWarships(plan: Plan, planet: Planet): number {
  const warships = plan.hand.catalog.ships.filter(({ attack }) => attack > 0);
  return warships.reduce((sum, { type, cost }) => sum + plan.ships(planet, type) * total(cost), 0);
}
