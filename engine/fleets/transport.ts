// transport: unloads at the target, even one of another player, and flies home with what it does not take (see deliveries.ts). If nobody
// owns the target, the fleet returns with its cargo.

import { sum } from '../numbers/arithmetic.js';
import { deposit } from '../planets/stocks.js';
import { touchPlanet } from '../world/state.js';
import { deliverableUnits, takeDelivery } from './deliveries.js';
import { type Mission, UNOWNED } from './mission.js';

export const transport: Mission = {
  isReturning: true,

  refusal: () => null,

  warning({ player, target, arrivesAtMs }, world) {
    if (target === undefined) return UNOWNED;
    if (target.ownerNumber === player.number || deliverableUnits(world, target, arrivesAtMs) > 0) return null;
    const untilMs = target.delivered?.untilMs ?? 0;
    // Without a period a planet takes nothing because it produces nothing.
    return untilMs > arrivesAtMs ? { code: 'deliveries_used_up', untilMs } : { code: 'deliveries_used_up' };
  },

  arrive(world, fleet) {
    const { targetKey, cargo } = fleet;
    const target = world.planets.get(targetKey);
    if (target === undefined) return 'returns';
    let taken: readonly number[] = cargo;
    if (target.ownerNumber === fleet.ownerNumber) {
      deposit(world, target, cargo, world.nowMs);
      touchPlanet(world, target);
    } else {
      taken = takeDelivery(world, target, cargo);
    }
    if (sum(taken) > 0) {
      world.events.push({
        kind: 'resources_received',
        atMs: world.nowMs,
        playerNumber: target.ownerNumber,
        planetKey: target.key,
        fleetNumber: fleet.number,
        senderNumber: fleet.ownerNumber,
        amounts: taken,
      });
    }
    for (const [resource, units] of taken.entries()) fleet.setCargo(resource, fleet.cargoOf(resource) - units);
    return 'returns';
  },
};
