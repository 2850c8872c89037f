// cancel_building: stops the active upgrade and refunds what was paid for it. A building under its first construction
// disappears and can be constructed again.
import type { Planet } from '../planet-table.js';
import { refuse } from '../rejections.js';
import { recordActivity, touchPlanet } from '../state.js';
import { deposit } from '../stocks.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';

export interface CancelBuilding {
  readonly type: 'cancel_building';
  readonly planetKey: PlanetKey;
  readonly queueNumber: number;
}

export const cancelBuilding: CommandDefinition<CancelBuilding, Planet> = {
  type: 'cancel_building',
  code: 9,
  decode: (row) => ({
    type: 'cancel_building',
    planetKey: row.integer('planet'),
    queueNumber: row.integer('queue number'),
  }),

  execute(world, { planetKey, queueNumber }) {
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    const upgrade = planet?.upgrade;
    if (planet === undefined || upgrade?.queueNumber !== queueNumber) return refuse('queue_entry_not_found');
    // commit
    const { buildingType, targetLevel, timer } = upgrade;
    world.timers.cancel(timer);
    planet.endUpgrade();
    const refund = planet.upgradePaid;
    deposit(world, planet, refund, world.nowMs);
    touchPlanet(world, planet);
    recordActivity(world, planet.ownerNumber);
    world.events.push({
      kind: 'building_cancelled',
      atMs: world.nowMs,
      playerNumber: planet.ownerNumber,
      planetKey,
      queueNumber,
      buildingType,
      targetLevel,
      refund,
    });
    return planet;
  },
};
