// colonize_planet: takes an unoccupied planet without a fleet, for the development mode of the contract.

import { refuseOccupied } from '../conflicts.js';
import type { Planet } from '../planet-table.js';
import { foundColony, recordColonized, refuseAnotherPlanet } from '../planets.js';
import { refuse } from '../rejections.js';
import { recordActivity } from '../state.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';

export interface ColonizePlanet {
  readonly type: 'colonize_planet';
  readonly playerNumber: number;
  readonly planetKey: PlanetKey;
}

export const colonizePlanet: CommandDefinition<ColonizePlanet, Planet> = {
  type: 'colonize_planet',
  code: 6,
  decode: (row) => ({
    type: 'colonize_planet',
    playerNumber: row.integer('player'),
    planetKey: row.integer('planet'),
  }),

  execute(world, { playerNumber, planetKey }) {
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const present = world.planets.get(planetKey);
    if (present !== undefined) return refuseOccupied(world, present);
    const atLimit = refuseAnotherPlanet(player);
    if (atLimit !== null) return atLimit;
    // commit
    const colony = foundColony(world, player, planetKey);
    recordActivity(world, playerNumber);
    recordColonized(world, colony, null);
    return colony;
  },
};
