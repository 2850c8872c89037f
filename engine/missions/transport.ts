// transport: unloads at the target, whoever owns it, and flies home empty.
import { refuse } from '../rejections.js';
import { touchPlanet } from '../state.js';
import { deposit } from '../stocks.js';
import type { Mission } from './mission.js';

export const transport: Mission = {
  isReturning: true,

  refusal({ target }) {
    if (target === undefined) return refuse('mission_not_possible', { reason: 'Nobody owns the target planet.' });
    return null;
  },

  arrive(world, fleet) {
    const target = world.planets.get(fleet.targetKey);
    if (target === undefined) return 'returns';
    deposit(world, target, fleet.cargo, world.nowMs);
    fleet.cargo.fill(0);
    touchPlanet(world, target);
    return 'returns';
  },
};
