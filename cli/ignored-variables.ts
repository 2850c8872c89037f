// Environment variables of other commands. The server ignores them, because they may be set in the same shell.

/** Of `galaxyd mcp`. */
export const API_KEY_VARIABLE = 'GALAXYD_KEY';
/** The same, as a tournament gives it to its entrants. */
export const ENTRANT_KEY_VARIABLE = 'GALAXYD_API_KEY';
export const SERVER_VARIABLE = 'GALAXYD_SERVER';
export const PLAYER_VARIABLE = 'GALAXYD_PLAYER';
/** Of `galaxyd tournament`. */
export const KEY_SECRET_VARIABLE = 'GALAXYD_KEY_SECRET';
/** Of the training environment in Python: how it runs galaxyd. */
const COMMAND_VARIABLE = 'GALAXYD_COMMAND';

export const IGNORED_VARIABLES: readonly string[] = [
  API_KEY_VARIABLE,
  ENTRANT_KEY_VARIABLE,
  SERVER_VARIABLE,
  PLAYER_VARIABLE,
  KEY_SECRET_VARIABLE,
  COMMAND_VARIABLE,
];
