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
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined) return 'returns';
    deposit(world, target, fleet.cargo, world.nowMs);
    if (sum(fleet.cargo) > 0) {
      world.events.push({
        kind: 'resources_received',
        atMs: world.nowMs,
        playerNumber: target.ownerNumber,
        planetKey: target.key,
        fleetNumber: fleet.number,
        senderNumber: fleet.owner.number,
        amounts: fleet.cargo,
      });
    }
    fleet.cargo.fill(0);
    touchPlanet(world, target);
    return 'returns';
  },
};
