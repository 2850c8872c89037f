// colonize: takes an unoccupied planet. One colony ship is used up; the cargo and the other ships stay there. If the
// planet is occupied by then, or the player has too many planets, the fleet turns round.

import type { EventOf } from '../events/kinds.js';
import { foundColony } from '../planets/planets.js';
import { addShipPoints } from '../planets/points.js';
import type { Rules } from '../rules/rules.js';
import { refuse } from '../terms/rejections.js';
import type { Fleet } from '../world/fleet-table.js';
import type { ReadonlyPlayer, World } from '../world/state.js';
import { eventFieldsOf, homeAtMs, stationFleet } from './fleets.js';
import { recordColonized } from './incoming-fleets.js';
import type { Arrival, Mission } from './mission.js';

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

  warning({ player }, { rules }) {
    if (mayColonize(player, rules)) return null;
    const raisedBy = rules.planetsMaxRaisedBy(player);
    return {
      code: 'planet_limit',
      limit: { name: 'planetsMax', maximum: rules.planetsMaxOf(player) },
      ...(raisedBy === null ? {} : { raisedBy }),
    };
  },

  arrive(world, fleet) {
    const { rules } = world;
    if (world.planets.has(fleet.targetKey)) return fail(world, fleet, 'planet_occupied');
    if (!mayColonize(fleet.owner, rules)) return fail(world, fleet, 'planet_limit');
    const colony = foundColony(world, fleet.owner, fleet.targetKey);
    fleet.setShipCount(rules.colonyShip, fleet.shipCount(rules.colonyShip) - 1);
    addShipPoints(world, fleet.ownerNumber, rules.colonyShip, -1);
    stationFleet(world, fleet, colony);
    recordColonized(world, colony, fleet.number);
    return 'ends';
  },
};

function mayColonize(player: ReadonlyPlayer, rules: Rules): boolean {
  return player.planetCount < rules.planetsMaxOf(player);
}

function fail(world: World, fleet: Fleet, reason: EventOf<'colonization_failed'>['reason']): Arrival {
  world.events.push({
    kind: 'colonization_failed',
    ...eventFieldsOf(world, fleet),
    reason,
    returnsAtMs: homeAtMs(fleet),
  });
  return 'returns';
}
