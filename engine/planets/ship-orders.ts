// Orders of ships: checks an order, places it and completes it. Orders of the same type queue up; meanwhile, other types are refused.

import { SHIP_ORDERS_PER_PLANET_MAX } from '../rules/limits.js';
import { planetId } from '../terms/ids.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Planet, PlanetRow, ShipOrder } from '../world/planet-table.js';
import { type ReadonlyPlanet, type ReadonlyWorld, scheduleTimer, touchPlanet, type World } from '../world/state.js';
import { durationMs, NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { addShipPoints } from './points.js';
import { refuseIfUnaffordable, spend } from './stocks.js';

export interface PlacedOrder {
  readonly planet: Planet;
  readonly order: ShipOrder;
  /** False while it waits behind another order. */
  readonly isBuilding: boolean;
}

/** Returns the refusal if ships of another type are in production on the planet; else null. */
function refuseDuringProduction(
  { rules, universe }: ReadonlyWorld,
  planet: ReadonlyPlanet,
  shipType: number,
): Refusal | null {
  const { orders } = planet;
  const [first] = orders;
  const last = orders.at(-1);
  if (first === undefined || last === undefined || first.shipType === shipType) return null;
  return refuse('other_ship_in_production', {
    inProgress: {
      planetId: planetId(universe, planet.key),
      shipType: rules.ships[first.shipType]?.type,
      count: orders.reduce((total, { count }) => total + count, 0),
      finishAtMs: last.finishAtMs,
    },
  });
}

/** Returns the refusal of an order, apart from its cost: the shipyard is busy or missing. */
export function refuseOrder(world: ReadonlyWorld, planet: ReadonlyPlanet, shipType: number): Refusal | null {
  const conflict = refuseDuringProduction(world, planet, shipType);
  if (conflict !== null) return conflict;
  if (planet.orders.length >= SHIP_ORDERS_PER_PLANET_MAX)
    return refuseAtLimit('SHIP_ORDERS_PER_PLANET_MAX', SHIP_ORDERS_PER_PLANET_MAX);
  return planet.levelOf(world.rules.shipyard) === 0 ? refuse('shipyard_required') : null;
}

/** Returns the refusal of an order, cost included. @param nowMs not before the planet's last change */
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

/** Completes the first order of a planet: all of its ships are delivered, and the timer of the next order starts. */
export function completeShips(world: World, row: PlanetRow): void {
  const planet = world.planets.at(row);
  const order = planet.takeFirstOrder();
  if (order === null) throw new Error(`planet ${planet.key} has no ship order to complete`);
  planet.setShipCount(order.shipType, planet.shipCount(order.shipType) + order.count);
  const next = planet.firstOrder;
  planet.orderTimer = next === null ? NO_TIMER : scheduleTimer(world, next.finishAtMs, TIMER_KINDS.ships_complete, row);
  addShipPoints(world, planet.ownerNumber, order.shipType, order.count);
  touchPlanet(world, planet);
  world.events.shipsCompleted(planet.ownerNumber, planet.key, order.shipType, order.count);
}
