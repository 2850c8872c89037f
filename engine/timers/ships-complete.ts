// The first order of a shipyard is finished: its ships are delivered together, and the next order's timer starts.
import { sum } from '../arithmetic.js';
import { shipCost } from '../rules/tables.js';
import { addPoints, type Planet, scheduleTimer, touchPlanet, type World } from '../state.js';
import { NO_TIMER, TIMER_KINDS } from '../timer-queue.js';

export function completeShips(world: World, planet: Planet): void {
  const order = planet.orders.shift();
  if (order === undefined) throw new Error(`no ships to complete on planet ${planet.key}`);
  planet.ships[order.shipType] = (planet.ships[order.shipType] as number) + order.count;
  const next = planet.orders[0];
  planet.orderTimer =
    next === undefined ? NO_TIMER : scheduleTimer(world, next.finishAtMs, TIMER_KINDS.ships_complete, planet);
  addPoints(world, planet.owner, sum(shipCost(order.shipType, order.count)));
  touchPlanet(world, planet);
}
