// colonize: takes an unoccupied planet. One colony_ship is used up; cargo and the other ships stay. A fleet that finds
// the planet occupied turns round.

import { sum } from '../arithmetic.js';
import { stationFleet } from '../fleets.js';
import { foundColony } from '../planets.js';
import { refuse } from '../rejections.js';
import { COLONY_SHIP } from '../rules/catalogue.js';
import { PLANETS_PER_PLAYER_MAX } from '../rules/limits.js';
import { shipCost } from '../rules/tables.js';
import { addPoints } from '../state.js';
import type { Mission } from './mission.js';

export const colonize: Mission = {
  isReturning: false,

  refusal({ target, ships }) {
    if (ships[COLONY_SHIP] === 0) {
      return refuse('mission_not_possible', { reason: 'Colonizing needs a colony_ship.' });
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
    fleet.ships[COLONY_SHIP] = (fleet.ships[COLONY_SHIP] as number) - 1;
    addPoints(world, fleet.owner.number, -sum(shipCost(COLONY_SHIP, 1)));
    stationFleet(world, fleet, colony);
    return 'ends';
  },
};
