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
/** Bytes of a secret that is drawn. */
export const DRAWN_SECRET_BYTES = 24;

/** Bytes of an entrant's output that are kept. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;
/** Bytes after which the output of an entrant is not read for a moment, and how long: one that prints without end only waits. */
export const OUTPUT_BYTES_AT_ONCE = 64 * 1024;
export const OUTPUT_PAUSE_MS = 10;
/** What an entrant has after the end of its game to end by itself, and then after SIGTERM. */
export const ENTRANT_LEAVING_MS = 2_000;
export const ENTRANT_TERMINATION_MS = 1_000;
/** How often processes of an entrant are looked for that have left its group. */
export const STRAY_LOOKS_MAX = 10;
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
/** Bytes of a file of text that a verification reads: far more than the result of the largest tournament has. */
export const VERIFIED_TEXT_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of any other file of a tournament: a log begins its next one long before. */
export const VERIFIED_FILE_BYTES_MAX = 4 * 1024 ** 3;
/** Findings of a verification that are listed. */
export const FINDINGS_MAX = 1_000;
/** Bots of a swarm. */
export const SWARM_BOTS_MAX = 10_000;
/** Characters of the prefix of their names. */
export const SWARM_PREFIX_LENGTH_MAX = 24;
/** Weight of a kind of bots in a mix. */
export const MIX_WEIGHT_MAX = 1_000;
/** How long a swarm may play, in seconds: a year. */
export const SWARM_SECONDS_MAX = 366 * 24 * 3600;
/** Bots of a swarm that share a WebSocket. The server takes 4,096 subscriptions of each. */
export const BOTS_PER_SOCKET = 2_500;
/** Bots of a swarm that begin to play each second. */
export const BOTS_BEGUN_PER_SECOND = 1_000;
/** Bots that act at a time. Further ones wait, so that overload makes bots late and nothing worse. */
export const AWAKE_MAX = 384;
/** Time between two wakes of a bot, at least: events that come together wake it once. */
export const REST_MS = 50;
/** Time after which a bot is woken again whose wake has failed. */
export const FAILED_WAKE_MS = 1_000;
/** Events that wait for a bot to be woken; of more, the latest. */
export const PENDING_EVENTS_MAX = 256;
/** How long the bots that act when a swarm ends may take. */
export const SWARM_DRAIN_MS = 5_000;
/** How long the overview of a galaxy that one bot has read is good enough for all others of the swarm. */
export const SHARED_READ_MS = 60_000;
/** How often a swarm compares its clock with that of the world. */
export const CLOCK_LOOK_MS = 1_000;
/** Looks at the world's clock that count: the one that took least time is the best. */
export const CLOCK_LOOKS_KEPT = 8;
/** How long the server may take to answer a look; and to accept the first WebSocket, before the swarm plays over HTTP. */
export const SOCKET_TRIAL_MS = 5_000;
/** Time that a call may take with all attempts. A restarted server may have to replay. */
export const SWARM_CALL_MS = 60_000;
/** How long a server may be gone before a swarm gives up: long enough for a restart that replays. */
export const SWARM_OUTAGE_MS = 10 * 60_000;
/** Bots of a swarm without WebSockets: each holds a connection open. */
export const POLLING_BOTS_MAX = 1_000;
/** How long such a connection waits for an event. */
export const POLL_SECONDS = 25;
/** Bots that are registered at a time if they are registered one by one. */
export const REGISTRATIONS_AT_A_TIME = 16;
/** Errors whose words a swarm keeps. */
export const ERROR_WORDS_MAX = 8;
/** Steps of a measured time from one power of two to the next: a percentile is at most 9.1 % too high. */
export const TIME_STEPS_PER_OCTAVE = 8;
