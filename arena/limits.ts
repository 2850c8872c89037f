// Every limit of the arena, by name.

/** Operations that a bot sends together. More are sent in several parts. */
export const OPERATIONS_TOGETHER_MAX = 250;

/** Entrants of a tournament. */
export const ENTRANTS_MAX = 64;
/** Characters of the label of an entrant, and of its source: the name of a bot, a folder or a command line. */
export const LABEL_LENGTH_MAX = 40;
export const SOURCE_LENGTH_MAX = 1_000;
/** Characters of a label that is made of the name of a file or folder, so that suffixes find room. */
export const MADE_LABEL_LENGTH_MAX = 24;
/** Files of the program of an entrant. */
export const PROGRAM_FILES_MAX = 1_000;
/** Games of a tournament, and games that are played at a time. */
export const GAMES_MAX = 1_000;
export const JOBS_MAX = 64;
/** Swaps that a schedule tries: of players between games, so that all meet about equally often, and of places within games. */
export const PLAYER_SWAPS_PER_ROUND = 20_000;
export const PLACE_SWAPS_PER_START = 100;
/** Processor time of a game besides its days, and of a shipped bot in a world day. */
export const GAME_START_SECONDS = 1;
export const PLAYER_DAY_SECONDS = 0.2;
/** Estimated duration from which a tournament is announced. */
export const ANNOUNCED_SECONDS_MIN = 10;
/** World days of a game. */
export const GAME_DAYS_MIN = 0.001;
export const GAME_DAYS_MAX = 3_650;
/** Budgets of an entrant, per world day. */
export const COMMANDS_PER_DAY_DEFAULT = 500;
export const COMMANDS_PER_DAY_MAX = 1_000_000;
export const WAKEUPS_PER_DAY_DEFAULT = 24;
export const WAKEUPS_PER_DAY_MAX = 100_000;
/** Turns per world day that other players may cause. */
export const WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT = 4;
/** Real time that a turn may take. */
export const WALL_SECONDS_DEFAULT = 30;
export const WALL_SECONDS_MAX = 3_600;
/** Characters of the secret from which the keys of players are derived. */
export const KEY_SECRET_LENGTH_MIN = 16;
export const KEY_SECRET_LENGTH_MAX = 256;
/** Bytes of a drawn secret. */
export const DRAWN_SECRET_BYTES = 24;

/** Bytes that are kept of the output of an entrant. */
export const OUTPUT_BYTES_MAX = 1024 * 1024;
/** Bytes after which reading the output of an entrant pauses, and for how long. An entrant that prints without end has to wait. */
export const OUTPUT_BYTES_AT_ONCE = 64 * 1024;
export const OUTPUT_PAUSE_MS = 10;
/** How long an entrant may take to end by itself after its game, and then after SIGTERM. */
export const ENTRANT_LEAVING_MS = 2_000;
export const ENTRANT_TERMINATION_MS = 1_000;
/**
 * Open connections of an entrant that is a command to the server of its game. fetch() of Node opens 200 for bursts of 100 requests. The
 * server has room for those of ENTRANTS_MAX. Fewer if its tournament may not open as many files: its relays take a share of them, and two
 * for each connection.
 */
export const ENTRANT_CONNECTIONS_MAX = 240;
export const RELAY_FILES_SHARE = 0.5;
/** Memory of each process of an entrant in a sandbox. */
export const SANDBOX_MEMORY_MIB_DEFAULT = 2_048;
export const SANDBOX_MEMORY_MIB_MIN = 64;
export const SANDBOX_MEMORY_MIB_MAX = 1_048_576;
/** Processes and threads of an entrant in a sandbox. */
export const SANDBOX_PROCESSES_MAX = 256;
/** Open files of each process in a sandbox. */
export const SANDBOX_FILES_MAX = 1_024;
/** What fits into the folder of an entrant in a sandbox, and as much into its /tmp. */
export const SANDBOX_FOLDER_MIB = 256;
/** How long the trial of a sandbox may take. */
export const SANDBOX_START_MS = 30_000;
/** How often the tournament looks for processes of an entrant that have left its process group. */
export const STRAY_LOOKS_MAX = 10;
/** How long a server may take to start, and to stop. */
export const SERVER_START_MS = 60_000;
export const SERVER_STOP_MS = 60_000;
/** Characters that are kept of the output of a server, for the message about its failure. */
export const SERVER_OUTPUT_MAX = 4_096;
/** Rate limit of an entrant, and of all requests without a key: far more than a bot needs, and no more than a server can answer. */
export const REQUESTS_PER_SECOND = 5_000;
export const REQUESTS_BURST = 50_000;
/** Seconds of a long poll for a turn. */
export const TURN_WAIT_SECONDS = 20;
/** Attempts of a request of the tournament, and the pause between them: an entrant may have flooded the server. */
export const OPERATOR_ATTEMPTS = 100;
export const OPERATOR_PAUSE_MS = 100;

/** Largest number of games that a result names as needed to separate two entrants. */
export const GAMES_NEEDED_MAX = 100_000;
/** Estimates with other weights from which the intervals of ratings are computed. */
export const BOOTSTRAP_ROUNDS = 1_000;
/** Bytes of a text file that a verification reads: far more than the result of the largest tournament has. */
export const VERIFIED_TEXT_BYTES_MAX = 128 * 1024 * 1024;
/** Bytes of any other file of a tournament. A log begins its next file long before. */
export const VERIFIED_FILE_BYTES_MAX = 4 * 1024 ** 3;
/** Findings that a verification lists. */
export const FINDINGS_MAX = 1_000;
/** Bots of a swarm. */
export const SWARM_BOTS_MAX = 10_000;
/** Characters of the prefix of their players' names. */
export const SWARM_PREFIX_LENGTH_MAX = 24;
/** Weight of a kind of bot in a mix. */
export const MIX_WEIGHT_MAX = 1_000;
/** Seconds that a swarm may play: a year. */
export const SWARM_SECONDS_MAX = 366 * 24 * 3600;
/** Bots of a swarm that share a WebSocket. The server accepts 4,096 subscriptions on each. */
export const BOTS_PER_SOCKET = 2_500;
/** Bots of a swarm that start to play per second. */
export const BOTS_BEGUN_PER_SECOND = 1_000;
/** Bots that act at a time. Others wait, so overload only makes bots late. */
export const AWAKE_MAX = 384;
/** Shortest time between two wakes of a bot. Events that arrive together wake it once. */
export const REST_MS = 50;
/** Time after which a bot is woken again if its wake has failed. */
export const FAILED_WAKE_MS = 1_000;
/** Events that are kept for a sleeping bot. Older ones are dropped. */
export const PENDING_EVENTS_MAX = 256;
/** How long a swarm waits for the bots that act when it ends. */
export const SWARM_DRAIN_MS = 5_000;
/** How long the other bots of a swarm reuse the overview of a galaxy that one bot has read. */
export const SHARED_READ_MS = 60_000;
/** How often a swarm compares its clock with the world's. */
export const CLOCK_LOOK_MS = 1_000;
/** Latest readings of the world's clock that count. The fastest reading is the best. */
export const CLOCK_LOOKS_KEPT = 8;
/** How long the server may take to answer a reading, and to accept the first WebSocket before the swarm plays over HTTP. */
export const SOCKET_TRIAL_MS = 5_000;
/** How long a call may take with all attempts. A restarted server may have to replay. */
export const SWARM_CALL_MS = 60_000;
/** How long a server may be unreachable before a swarm gives up: long enough for a restart that replays. */
export const SWARM_OUTAGE_MS = 10 * 60_000;
/** Bots of a swarm without WebSockets. Each holds a connection open. */
export const POLLING_BOTS_MAX = 1_000;
/** Seconds of a long poll for events. */
export const POLL_SECONDS = 25;
/** Bots that are registered at a time without the operator's key. */
export const REGISTRATIONS_AT_A_TIME = 16;
/** Errors whose messages a swarm keeps. */
export const ERROR_WORDS_MAX = 8;
/** Steps of a histogram from one power of two to the next. A percentile is at most 9.1 % too high. */
export const TIME_STEPS_PER_OCTAVE = 8;
