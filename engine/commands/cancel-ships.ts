// cancel_ships: removes all orders of a ship type, without refund.
import { sum } from '../arithmetic.js';
import type { Planet } from '../planet-table.js';
import { ownedPlanet } from '../planets.js';
import { isRefusal, refuse } from '../rejections.js';
import { TYPES_PER_LIST_MAX } from '../rules/limits.js';
import { recordActivity, touchPlanet } from '../state.js';
import { NO_TIMER } from '../timer-queue.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';

export interface CancelShips {
  readonly type: 'cancel_ships';
  readonly planetKey: PlanetKey;
  readonly shipType: number;
}

export const cancelShips: CommandDefinition<CancelShips, Planet> = {
  type: 'cancel_ships',
  code: 11,
  decode: (row) => ({
    type: 'cancel_ships',
    planetKey: row.integer('planet'),
    shipType: row.integer('ship type', 0, TYPES_PER_LIST_MAX - 1),
  }),

  execute(world, { planetKey, shipType }) {
    const planet = ownedPlanet(world, planetKey);
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
};
