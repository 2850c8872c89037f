// transport: unloads at the target, even one of another player, and flies home empty. If nobody owns it, the fleet returns with
// its cargo.

import { sum } from '../numbers/arithmetic.js';
import { deposit } from '../planets/stocks.js';
import { touchPlanet } from '../world/state.js';
import { type Mission, UNOWNED } from './mission.js';

export const transport: Mission = {
  isReturning: true,

  refusal: () => null,

  warning: ({ target }) => (target === undefined ? UNOWNED : null),

  arrive(world, fleet) {
    const { targetKey, cargo } = fleet;
    const target = world.planets.get(targetKey);
    if (target === undefined) return 'returns';
    deposit(world, target, cargo, world.nowMs);
    if (sum(cargo) > 0) {
      world.events.push({
        kind: 'resources_received',
        atMs: world.nowMs,
        playerNumber: target.ownerNumber,
        planetKey: target.key,
        fleetNumber: fleet.number,
        senderNumber: fleet.ownerNumber,
        amounts: cargo,
      });
    }
    for (const resource of cargo.keys()) fleet.setCargo(resource, 0);
    touchPlanet(world, target);
    return 'returns';
  },
};
