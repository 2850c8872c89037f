// Path parameters that several routes share.
import type { ParameterRule } from '../pipeline/route.js';

export const PLAYER_PARAMETER: ParameterRule = { name: 'playerId', description: 'Player id.', example: 'player-1' };
export const PLANET_PARAMETER: ParameterRule = {
  name: 'planetId',
  description: 'Planet id.',
  example: 'planet-1-0-26',
};
export const FLEET_PARAMETER: ParameterRule = { name: 'fleetId', description: 'Fleet id.', example: 'fleet-1' };
