// The first order of a shipyard is finished: all of its ships are delivered, and the timer of the next order starts.
import type { PlanetRow } from '../planet-table.js';
import { addShipPoints } from '../points.js';
import { scheduleTimer, touchPlanet, type World } from '../state.js';
import { NO_TIMER, TIMER_KINDS } from '../timer-queue.js';

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
