// deploy: moves ships and cargo to another planet of the same player, where they stay.

import { stationFleet } from '../fleets.js';
import { refuse } from '../rejections.js';
import type { Mission } from './mission.js';

export const deploy: Mission = {
  isReturning: false,
  warnsTarget: false,

  refusal({ player, target }) {
    if (target?.ownerNumber === player.number) return null;
    return refuse('mission_not_possible', { reason: 'Ships can only be deployed to a planet of their own player.' });
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target?.ownerNumber !== fleet.owner.number) return 'returns';
    stationFleet(world, fleet, target);
    return 'ends';
  },
};
