// Every number of the bench of shared stores.

export const PLAYERS_DEFAULT = 2_000;
export const PLAYERS_MAX = 100_000;
export const ROUNDS_DEFAULT = 3;
export const ROUNDS_MAX = 100;
export const SECONDS_DEFAULT = 4;
export const SECONDS_MAX = 600;
/** Commands a second that are offered while events are read. */
export const RATE_DEFAULT = 300;
export const RATE_MAX = 100_000;
/** Processes of one world, at most. */
export const REPLICAS = [1, 2, 3] as const;
/** Connections of readers, which share all players. */
export const READER_CONNECTIONS = 8;
/** Time in which standbys must have caught up after a load. */
export const CATCH_UP_MS = 30_000;
