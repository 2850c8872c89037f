// The environment variables of `galaxyd mcp`. The server ignores them: a player may have set them in the same shell.

export const API_KEY_VARIABLE = 'GALAXYD_KEY';
/** The same, as a tournament gives it to its entrants. */
export const ENTRANT_KEY_VARIABLE = 'GALAXYD_API_KEY';
export const SERVER_VARIABLE = 'GALAXYD_SERVER';
export const PLAYER_VARIABLE = 'GALAXYD_PLAYER';
