// build_ships: orders ships of one type. Orders of the same type queue up; meanwhile, other types are refused.
import { refuseDuringProduction } from '../conflicts.js';
import { durationMs } from '../durations.js';
import type { Planet, ShipOrder } from '../planet-table.js';
import { ownedPlanet } from '../planets.js';
import { isRefusal, type Refusal, refuse, refuseAtLimit } from '../rejections.js';
import { SHIP_ORDERS_PER_PLANET_MAX, SHIPS_PER_ORDER_MAX, TYPES_PER_LIST_MAX } from '../rules/limits.js';
import {
  type ReadonlyPlanet,
  type ReadonlyWorld,
  recordActivity,
  scheduleTimer,
  touchPlanet,
  type World,
} from '../state.js';
import { refuseIfUnaffordable, spend } from '../stocks.js';
import { TIMER_KINDS } from '../timer-queue.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';

export interface BuildShips {
  readonly type: 'build_ships';
  readonly planetKey: PlanetKey;
  readonly shipType: number;
  readonly count: number;
}

export interface PlacedOrder {
  readonly planet: Planet;
  readonly order: ShipOrder;
  /** False while it waits behind another order. */
  readonly isBuilding: boolean;
}

export const buildShips: CommandDefinition<BuildShips, PlacedOrder> = {
  type: 'build_ships',
  code: 10,
  decode: (row) => ({
    type: 'build_ships',
    planetKey: row.integer('planet'),
    shipType: row.integer('ship type', 0, TYPES_PER_LIST_MAX - 1),
    count: row.integer('count', 1, SHIPS_PER_ORDER_MAX),
  }),

  execute(world, { planetKey, shipType, count }) {
    const planet = ownedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    const outcome = orderShips(world, planet, shipType, count);
    if (!isRefusal(outcome)) recordActivity(world, planet.ownerNumber);
    return outcome;
  },
};

/** Pays for ships and orders them, unless the shipyard is busy or missing, or the planet cannot pay. */
export function orderShips(world: World, planet: Planet, shipType: number, count: number): PlacedOrder | Refusal {
  const { rules } = world;
  const conflict = refuseOrder(world, planet, shipType);
  if (conflict !== null) return conflict;
  const cost = rules.shipCost(shipType, count);
  const unaffordable = refuseIfUnaffordable(world, planet, cost, world.nowMs);
  if (unaffordable !== null) return unaffordable;
  // commit
  spend(world, planet, cost, world.nowMs);
  const buildMs = durationMs(world, rules.shipBaseMs(shipType, count, planet.levelOf(rules.shipyard)));
  return placeOrder(world, planet, shipType, count, buildMs);
}

/** The refusal of an order, whatever it costs: the shipyard is busy or missing. */
export function refuseOrder(world: ReadonlyWorld, planet: ReadonlyPlanet, shipType: number): Refusal | null {
  const conflict = refuseDuringProduction(world, planet, shipType);
  if (conflict !== null) return conflict;
  if (planet.orders.length >= SHIP_ORDERS_PER_PLANET_MAX)
    return refuseAtLimit('SHIP_ORDERS_PER_PLANET_MAX', SHIP_ORDERS_PER_PLANET_MAX);
  return planet.levelOf(world.rules.shipyard) === 0 ? refuse('shipyard_required') : null;
}

/** The same, or the refusal if the planet cannot pay. @param nowMs not before the planet's last change */
export function refuseShips(
  world: ReadonlyWorld,
  planet: ReadonlyPlanet,
  shipType: number,
  count: number,
  nowMs: number,
): Refusal | null {
  const conflict = refuseOrder(world, planet, shipType);
  return conflict ?? refuseIfUnaffordable(world, planet, world.rules.shipCost(shipType, count), nowMs);
}

function placeOrder(world: World, planet: Planet, shipType: number, count: number, buildMs: number): PlacedOrder {
  const last = planet.orders.at(-1);
  const order: ShipOrder = { shipType, count, finishAtMs: (last?.finishAtMs ?? world.nowMs) + buildMs };
  planet.addOrder(order);
  if (last === undefined) {
    planet.orderTimer = scheduleTimer(world, order.finishAtMs, TIMER_KINDS.ships_complete, planet.row);
  }
  touchPlanet(world, planet);
  world.events.shipsOrdered(planet.ownerNumber, planet.key, shipType, count, order.finishAtMs);
  return { planet, order, isBuilding: last === undefined };
}
