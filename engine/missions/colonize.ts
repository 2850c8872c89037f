// colonize: takes an unoccupied planet. One colony_ship is used up; cargo and the other ships stay. A fleet that finds
// the planet occupied turns round.

import { stationFleet } from '../fleets.js';
import { foundColony } from '../planets.js';
import { refuse } from '../rejections.js';
import { PLANETS_PER_PLAYER_MAX } from '../rules/limits.js';
import { addPoints } from '../state.js';
import type { Mission } from './mission.js';

export const colonize: Mission = {
  isReturning: false,

  refusal({ target, ships }, { set, colonyShip }) {
    if (ships[colonyShip] === 0) {
      return refuse('mission_not_possible', { reason: `Colonizing needs a ${set.roles.colonyShip}.` });
    }
    if (target !== undefined) {
      return refuse('mission_not_possible', { reason: 'The target planet has an owner.' });
    }
    return null;
  },

  arrive(world, fleet) {
    if (world.planets.has(fleet.targetKey)) return 'returns';
    if (fleet.owner.planets.length >= PLANETS_PER_PLAYER_MAX) return 'returns';
    const colony = foundColony(world, fleet.owner, fleet.targetKey);
    const { rules } = world;
    fleet.ships[rules.colonyShip] = (fleet.ships[rules.colonyShip] as number) - 1;
    addPoints(world, fleet.owner.number, -rules.shipPoints(rules.colonyShip));
    stationFleet(world, fleet, colony);
    return 'ends';
  },
};
