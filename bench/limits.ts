// How large and how long a bench may be: every limit of the suite, by name. Every load stays on the loopback and ends by
// itself.

export const ROUNDS_DEFAULT = 5;
export const ROUNDS_MAX = 101;
export const PLAYERS_MAX = 1_000_000;
/** Planets that get a shipyard and plenty of everything, for the mixes that order ships. */
export const WORKED_PLANETS_MAX = 1_000;
/** Players whose three planets have grown; fewer in a world with fewer than this many bots for each of them. */
export const GROWN_PLAYERS = 16;
export const BOTS_PER_GROWN_PLAYER = 10;
/** Every building of a grown planet is taken to this level. */
export const GROWN_LEVEL = 5;
/** Players a bulk request of the server takes at most. */
export const PLAYERS_PER_REQUEST = 10_000;
/** Players the SQL peer is filled with at most; a smaller database favours it. */
export const PEER_PLAYERS_MAX = 20_000;
/** Requests in flight while a world is set up. */
export const SET_UP_CONNECTIONS = 32;

export const CONNECTIONS_MAX = 4_096;
/** The shortest load: it shows that a command runs, and measures little. */
export const SECONDS_MIN = 0.1;
export const CLOSED_LOOP_SECONDS_MAX = 60;
export const OPEN_LOOP_SECONDS_MAX = 3_600;
export const WARM_UP_SECONDS_MAX = 60;
export const RATE_MAX = 1_000_000;
export const SEED_MAX = 999_999_999;
/** Operations of one batch request. */
export const OPERATIONS_PER_BATCH = 500;
/** Different batch requests, sent in turn. */
export const BATCH_REQUESTS = 8;
/** Replies whose mean length is below this share of the shortest right reply are cut short. */
export const SHORT_REPLY_SHARE = 0.5;
/** A load of less than a second goes on until its first reply, for so long at most. */
export const FIRST_REPLY_SECONDS = 10;
/** The longest latency that is recorded; a longer one counts as this. */
export const LATENCY_MAX_US = 600_000_000;
/** After its last request an open loop waits this long for replies; what is then missing has failed. */
export const OPEN_LOOP_GRACE_MS = 5_000;
/** Bytes that the loader reads from a connection at once. */
export const RECEIVED_BYTES = 64 * 1024;
/** Bytes of a reply's head. */
export const REPLY_HEAD_BYTES_MAX = 16 * 1024;

/** Characters of a failure that are kept. */
export const FAILURE_LENGTH_MAX = 300;

/** Calls that each connection has in flight, and connections: the shape of SpacetimeDB's keynote-2 benchmark. */
export const CALLS_IN_FLIGHT = 40;
export const CALLS_IN_FLIGHT_MAX = 1_000;
export const CALL_CONNECTIONS = 64;
/** Operations of the batches that calls are compared with. */
export const CALL_BATCH_OPERATIONS = 100;
/** Replies of this first part of a closed loop of calls are not counted. */
export const CALL_WARM_UP_MS = 300;
/** How long a loop of calls waits for replies at its end. Calls without a reply have failed then. */
export const CALL_GRACE_MS = 5_000;

/** Connections that readers of events open at a time: more would measure the kernel's queue of new connections. */
export const READERS_OPENING_MAX = 256;
/** How long readers may take until all of them have subscribed and caught up. */
export const READERS_DEADLINE_MS = 60_000;
/** Readers that lack events give up after this time without one. A server with much to do may send none for longer than a second. */
export const READERS_QUIET_MS = 2_000;

/** Commands a second that are offered while events are read, by default. */
export const OFFERED_RATE = 20_000;
/** Number of instants of commands and events that are recorded. If there would be more, only some planets are recorded. */
export const KEPT_INSTANTS = 50_000;
/** Connections that share all players, by default. */
export const READER_CONNECTIONS = 100;
/** Connections that never read, for each connection that does; and the players of each. */
export const UNREAD_READERS_PER_CONNECTION = 10;
export const UNREAD_READER_PLAYERS = 10;

/** Viewers of the map, by default and at most; fleets that set out each second beside them. */
export const MAP_VIEWERS = 1_000;
export const MAP_VIEWERS_MAX = 10_000;
export const LAUNCHES_PER_SECOND = 200;
/** Transports of each planet, for these fleets. */
export const VIEWED_TRANSPORTS = 10;

/** Slices of a closed loop while one snapshot is taken. */
export const SNAPSHOT_SLICES_MAX = 100;

/** Seconds of one hostile load, the warm-up not counted. */
export const HOSTILE_SECONDS_DEFAULT = 5;
/** Bots of the world that hostile loads are sent to. */
export const HOSTILE_WORLD_PLAYERS = 1_000;
/** Planets of the player whose planets a hostile load reads. */
export const SETTLED_PLANETS = 200;
/** Operations of a hostile batch: as many as a server takes. */
export const HOSTILE_OPERATIONS = 1_000;
/** Pipelined requests that a hostile client sends as one segment. */
export const HOSTILE_SEGMENT_REQUESTS = 256;
/** A hostile load counts as begun after so long, even if the server has not accepted all of its connections. */
export const OPEN_DEADLINE_MS = 5_000;
/** How long a hostile client waits before it opens a closed connection again. */
export const HOSTILE_REOPEN_MS = 250;
/** A hostile load ends by itself so long after the innocent client should have. */
export const HOSTILE_GRACE_SECONDS = 30;
/**
 * Connections that never read. On Linux the kernel takes about 4 MB of replies for each before the server has to keep any, and
 * has a limit for all connections of the machine: more of them would measure that limit instead of the server.
 */
export const UNREAD_CONNECTIONS = 200;
/** Pipelined requests that a client which never reads sends at once, and how often: its memory counts, not its rate. */
export const UNREAD_SEGMENT_REQUESTS = 64;
export const UNREAD_WRITE_EVERY_MS = 1_000;
/** Uploads that never end, and the length that each announces. */
export const SLOW_UPLOADS = 110;
export const SLOW_UPLOAD_BYTES = 1024 * 1024;
/** What a slow upload sends at once up to its last part, and how often. */
export const SLOW_UPLOAD_PIECE_BYTES = 64 * 1024;
export const SLOW_UPLOAD_PIECE_EVERY_MS = 50;
/** The last part of a slow upload, or of a slow frame, which it sends byte by byte. */
export const SLOW_UPLOAD_WITHHELD_BYTES = 600;
export const TRICKLE_EVERY_MS = 500;
/** Hostile WebSockets: how many of each kind, and frames of one write. */
export const HOSTILE_SOCKETS = 40;
export const HOSTILE_UNREAD_SOCKETS = 60;
export const HOSTILE_SLOW_SOCKETS = 980;
export const HOSTILE_MAP_VIEWERS = 600;
export const HOSTILE_COSTLY_SOCKETS = 64;
/** More than one client may have. */
export const HOSTILE_HELD_SOCKETS = 3_000;
export const HOSTILE_FRAMES = 1_000;
export const HOSTILE_CALLS = 64;
/** Some fewer than a WebSocket may have in flight. */
export const HOSTILE_CALLS_IN_FLIGHT = 250;
export const HOSTILE_PING_BYTES = 100;
/** Nearly as long as a frame may be. */
export const HOSTILE_FRAME_BYTES = 32_000;
/** How often a hostile WebSocket writes, a viewer of the map asks for what it has missed, and a held WebSocket says that it lives. */
export const HOSTILE_FRAMES_EVERY_MS = 1;
export const HOSTILE_CATCH_UP_EVERY_MS = 1_000;
export const HOSTILE_HELD_EVERY_MS = 5_000;
/** The innocent client's large batch, and how often it is sent: as often as the default rate limit allows. */
export const LARGE_BATCH_BYTES = 605_000;
export const LARGE_BATCH_EVERY_MS = 1_500;
/** Pause of the innocent client between a reply and its next request: it stays below every limit. */
export const INNOCENT_PAUSE_MS = 20;
/** What the innocent client measures first is left out. */
export const INNOCENT_WARM_UP_MS = 1_000;
/** At its end the innocent client waits so long for replies; what is then missing has failed. */
export const INNOCENT_GRACE_MS = 20_000;
/** Planets on which the innocent client begins upgrades, one after the other as they fail. */
export const INNOCENT_PLANETS = 256;
/** How often the memory of the server is looked at while a hostile load runs. */
export const MEMORY_SAMPLE_EVERY_MS = 50;

/** How long a server may take to say that it serves; a world of a million players is replayed before. */
export const START_DEADLINE_MS = 180_000;
/** How long a stopping child process may take before it is killed. */
export const STOP_DEADLINE_MS = 15_000;
/** Output of a program that is run to its end, such as wrk. */
export const OUTPUT_BYTES_MAX = 1 << 20;
/** Heap of a child process that measures units, in MiB: room for a million players. */
export const UNIT_HEAP_MIB = 12_288;

/** Fewer rounds of each revision say nothing of noise. */
export const COMPARED_ROUNDS_MIN = 5;

/** Addresses of the loopback network from which WebSockets are opened. */
export const LOADER_ADDRESSES = 16;
