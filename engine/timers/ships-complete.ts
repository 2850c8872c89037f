// The first order of a shipyard is finished: its ships are delivered together, and the next order's timer starts.
import { sum } from '../arithmetic.js';
import { shipCost } from '../rules/tables.js';
import { addPoints, scheduleTimer, touchPlanet, type World } from '../state.js';
import { NO_TIMER, TIMER_KINDS } from '../timer-queue.js';
import type { PlanetKey } from '../universe.js';

export function completeShips(world: World, planetKey: PlanetKey): void {
  const planet = world.planets.get(planetKey);
  const order = planet?.orders.shift();
  if (planet === undefined || order === undefined) throw new Error(`no ships to complete on planet ${planetKey}`);
  planet.ships[order.shipType] = (planet.ships[order.shipType] as number) + order.count;
  const next = planet.orders[0];
  planet.orderTimer =
    next === undefined ? NO_TIMER : scheduleTimer(world, next.finishAtMs, TIMER_KINDS.ships_complete, planetKey);
  addPoints(world, planet.owner, sum(shipCost(order.shipType, order.count)));
  touchPlanet(world, planet);
}
