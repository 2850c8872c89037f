// deploy: moves ships and cargo to another planet of the same player. They stay there.

import { refuse } from '../terms/rejections.js';
import { stationFleet } from './fleets.js';
import type { Mission } from './mission.js';

export const deploy: Mission = {
  isReturning: false,

  refusal({ player, target }) {
    if (target?.ownerNumber === player.number) return null;
    return refuse('mission_not_possible', { reason: 'A player can only deploy ships to its own planets.' });
  },

  warning: () => null,

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target?.ownerNumber !== fleet.owner.number) return 'returns';
    stationFleet(world, fleet, target);
    return 'ends';
  },
};
