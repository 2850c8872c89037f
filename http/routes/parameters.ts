// Path parameters that several routes share.
import type { ParameterRule } from '../pipeline/route.js';

export const PLAYER_PARAMETER: ParameterRule = { name: 'playerId', description: 'Player id.' };
export const PLANET_PARAMETER: ParameterRule = {
  name: 'planetId',
  description: 'Planet id.',
};
export const FLEET_PARAMETER: ParameterRule = { name: 'fleetId', description: 'Fleet id.' };
