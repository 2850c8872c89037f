// How large and how long the short bench is. Every load stays on the loopback and ends by itself.

export const SECONDS_DEFAULT = 4;
export const SECONDS_MAX = 60;
export const ROUNDS_DEFAULT = 5;
export const ROUNDS_MAX = 25;
export const PLAYERS_DEFAULT = 20_000;
export const PLAYERS_MAX = 1_000_000;
/** Players a bulk request of the server takes at most. */
export const PLAYERS_PER_REQUEST = 10_000;
export const READ_CONNECTIONS = 64;
export const WRITE_CONNECTIONS = 256;
/** At this speed an upgrade is over before its planet's turn comes again, so that each request is a new, accepted one. */
export const WORLD_SPEED = 1_000_000;
/** How long a child process may take to say that it serves. */
export const START_DEADLINE_MS = 60_000;
