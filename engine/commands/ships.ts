// The commands that order ships and cancel orders.
import { sum } from '../numbers/arithmetic.js';
import { commandedPlanet } from '../planets/planets.js';
import { orderShips, type PlacedOrder } from '../planets/ship-orders.js';
import { SHIPS_PER_ORDER_MAX, TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { isRefusal, type Refusal, refuse } from '../terms/rejections.js';
import type { Planet } from '../world/planet-table.js';
import { recordActivity, touchPlanet } from '../world/state.js';
import { NO_TIMER } from '../world/timer-queue.js';
import { defineCommand, requireType } from './command.js';

/** Orders ships of one type. */
export const buildShips = defineCommand({
  type: 'build_ships',
  code: 10,
  decode: (row) => ({
    type: 'build_ships',
    planetKey: row.integer('planet'),
    shipType: row.integer('ship type', 0, TYPES_PER_LIST_MAX - 1),
    count: row.integer('count', 1, SHIPS_PER_ORDER_MAX),
  }),

  execute(world, { planetKey, shipType, count }): PlacedOrder | Refusal {
    const planet = commandedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    requireType(world.rules.ships, shipType);
    const outcome = orderShips(world, planet, shipType, count);
    if (!isRefusal(outcome)) recordActivity(world, planet.ownerNumber);
    return outcome;
  },
});

/** Removes all orders of a ship type, without refund. */
export const cancelShips = defineCommand({
  type: 'cancel_ships',
  code: 11,
  decode: (row) => ({
    type: 'cancel_ships',
    planetKey: row.integer('planet'),
    shipType: row.integer('ship type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { planetKey, shipType }): Planet | Refusal {
    const planet = commandedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    if (planet.firstOrder?.shipType !== shipType) return refuse('nothing_in_production');
    // commit: all orders of a planet are of one type.
    world.timers.cancel(planet.orderTimer);
    planet.orderTimer = NO_TIMER;
    world.events.push({
      kind: 'ships_cancelled',
      atMs: world.nowMs,
      playerNumber: planet.ownerNumber,
      planetKey,
      shipType,
      count: sum(planet.orders.map(({ count }) => count)),
    });
    planet.dropOrders();
    touchPlanet(world, planet);
    recordActivity(world, planet.ownerNumber);
    return planet;
  },
});
