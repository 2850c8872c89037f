// Every limit of the arena, by name.

/** Operations that a hand sends together; more are sent one part after the other. */
export const OPERATIONS_TOGETHER_MAX = 250;

/** Entrants of a tournament. */
export const ENTRANTS_MAX = 64;
/** Characters of the label of an entrant, and of a bot's name or a command line. */
export const LABEL_LENGTH_MAX = 40;
export const SOURCE_LENGTH_MAX = 1_000;
/** Games of a tournament, and how many are played at a time. */
export const GAMES_MAX = 1_000;
export const JOBS_MAX = 64;
/** World days of a game. */
export const GAME_DAYS_MIN = 0.001;
export const GAME_DAYS_MAX = 3_650;
/** Budgets of an entrant, per world day. */
export const COMMANDS_PER_DAY_DEFAULT = 500;
export const COMMANDS_PER_DAY_MAX = 1_000_000;
export const WAKEUPS_PER_DAY_DEFAULT = 24;
export const WAKEUPS_PER_DAY_MAX = 100_000;
/** Time by the clock that a turn may take. */
export const WALL_SECONDS_DEFAULT = 30;
export const WALL_SECONDS_MAX = 3_600;
/** Characters of the secret that the keys of players are derived from. */
export const KEY_SECRET_LENGTH_MIN = 16;
export const KEY_SECRET_LENGTH_MAX = 256;
/** Of the secret if none is named: then everybody can know it. */
export const KEY_SECRET_DEFAULT = 'galaxyd-tournament-without-a-secret';

/** Bytes of an entrant's output that are kept. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;
/** Bytes after which the output of an entrant is not read for a moment, and how long: one that prints without end only waits. */
export const OUTPUT_BYTES_AT_ONCE = 64 * 1024;
export const OUTPUT_PAUSE_MS = 10;
/** What an entrant has after the end of its game to end by itself, and then after SIGTERM. */
export const ENTRANT_LEAVING_MS = 2_000;
export const ENTRANT_TERMINATION_MS = 1_000;
/** Time in which a server must serve, and stop. */
export const SERVER_START_MS = 60_000;
export const SERVER_STOP_MS = 60_000;
/** Characters of a server's output that are kept for the message about its failure. */
export const SERVER_OUTPUT_MAX = 4_096;
/** Requests of one entrant, and of all without a key: far above what a bot needs, and what a server can bear. */
export const REQUESTS_PER_SECOND = 5_000;
export const REQUESTS_BURST = 50_000;
/** Seconds that a reader of turns waits for one. */
export const TURN_WAIT_SECONDS = 20;
/** Times that a request of the tournament is sent, and the pause in between: an entrant may have flooded the server. */
export const OPERATOR_ATTEMPTS = 100;
export const OPERATOR_PAUSE_MS = 100;

/** How often ratings are estimated again with other weights, for their intervals. */
export const BOOTSTRAP_ROUNDS = 1_000;
/** Findings of a verification that are listed. */
export const FINDINGS_MAX = 1_000;
