// Every limit on what HTTP accepts, keeps or answers, by name. The limits of the world itself are in
// engine/rules/limits.ts.
import { NUMBER_DIGITS_MAX, NUMBER_MAX } from '../engine/rules/record-limits.js';

const TEN_YEARS_SECONDS = 10 * 366 * 24 * 3600;

/** Bytes of a request body; a longer one gets 413 and the connection is closed. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Bytes of the body of a batch. */
export const BATCH_BODY_BYTES_MAX = 1024 * 1024;
/** Operations of one batch. */
export const BATCH_OPERATIONS_MAX = 1_000;
/** Approximate length of all bodies in the reply to a batch, in characters; past it, further operations are refused. */
export const BATCH_REPLY_LENGTH_MAX = 2 * 1024 * 1024;
/** Characters of an operation's path in a batch. */
export const PATH_LENGTH_MAX = 256;
/** Shape errors listed in one reply. */
export const SHAPE_ERRORS_SHOWN_MAX = 20;
/** Characters of an identifier in a path or body; every existing one is far shorter. */
export const ID_LENGTH_MAX = 64;
/** Combining marks on one character of a name, a message or an announcement. Languages need up to three; a crowd of them covers the lines around. */
export const MARKS_IN_A_ROW_MAX = 4;
/** Players with given names created by one administrative request. */
export const NAMED_PLAYERS_MAX = 1_000;
/** The shortest inactivity for which players are retired in bulk: an hour of world time, so that a slip does not empty a world. */
export const INACTIVE_SECONDS_MIN = 3_600;
/** The longest. */
export const INACTIVE_SECONDS_MAX = TEN_YEARS_SECONDS;
/** How long an announcement may last in world time, if it ends by itself. */
export const ANNOUNCEMENT_SECONDS_MAX = TEN_YEARS_SECONDS;
/** World time that one administrative request may skip. */
export const CLOCK_ADVANCE_SECONDS_MAX = TEN_YEARS_SECONDS;

/** Characters of a brief; what does not fit is counted, not shown. */
export const BRIEF_LENGTH_MAX = 6_000;
/** Entries of each kind in a brief. */
export const BRIEF_PLANETS_MAX = 10;
export const BRIEF_FLEETS_MAX = 8;
export const BRIEF_REPORTS_MAX = 5;
export const BRIEF_INCOMING_MAX = 5;
export const BRIEF_SEEN_MAX = 5;
/** The newest messages to a player that a brief quotes, and the characters that it quotes of each. */
export const BRIEF_MESSAGES_MAX = 5;
/** Messages of one sender. */
export const BRIEF_MESSAGES_PER_SENDER_MAX = 2;
/** Characters of a message as it is quoted. */
export const BRIEF_MESSAGE_LENGTH_MAX = 300;
/** Announced shocks of the galaxies of a player. */
export const BRIEF_SHOCKS_MAX = 8;
/** Pacts, and proposals for some. */
export const BRIEF_PACTS_MAX = 8;
/** Pacts that have ended, for how long a brief tells of them, and in how many of the newest events it looks for them. */
export const BRIEF_ENDED_PACTS_MAX = 4;
export const BRIEF_ENDED_PACTS_MS = 86_400_000;
export const BRIEF_EVENTS_READ_MAX = 200;
/** Planets whose sight a brief shows, in the order in which the player took them. */
export const BRIEF_SIGHT_PLANETS_MAX = 20;
export const BRIEF_OPPONENTS_MAX = 3;
export const BRIEF_NEIGHBOURS_MAX = 3;
/** Offers and loads of goods that a brief names. */
export const BRIEF_TRADES_MAX = 6;
/** Fields that a brief names. */
export const BRIEF_FIELDS_MAX = 3;
/** Offers in a reply to `GET /api/market/galaxy/:galaxy`, and offers to the player in one to `GET /api/market/player/:playerId`. */
export const OFFERS_PER_REPLY_MAX = 100;
/** Fields in a reply to `GET /api/game/fields/:planetId`. */
export const FIELDS_NEAR_MAX = 30;
/** Options of a planet that can be started now. */
export const BRIEF_OPTIONS_MAX = 3;
/** Free planets that are named in a brief and beside options. */
export const FREE_PLANETS_SHOWN_MAX = 5;
/** Offers that a planet could take, in its options, and how many are looked at for them. */
export const OPTION_OFFERS_MAX = 10;
export const OPTION_OFFERS_READ_MAX = 200;
/** Characters of one list in a brief. */
export const BRIEF_LINE_LENGTH_MAX = 160;
/** Characters of one list in a report in a brief. */
export const BRIEF_REPORT_LIST_LENGTH_MAX = 80;
/** Characters of what research adds. */
export const BRIEF_EFFECTS_LENGTH_MAX = 400;
/** Characters of an announcement in a brief, quoted; of a longer one it says only where it is. */
export const BRIEF_ANNOUNCEMENT_LENGTH_MAX = 1_200;

/** Bytes of rendered player states cached for GET state: half for the young generation, half for the old. */
export const STATE_CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of rendered star systems cached: half for the young generation, half for the old. */
export const SYSTEM_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of rendered overviews of galaxies cached: half for the young generation, half for the old. */
export const GALAXY_CACHE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of a slab that replies are written into; it is freed once the last of its replies is sent. */
export const REPLY_SLAB_BYTES = 64 * 1024;

/**
 * About one in this many replies to HEAD or with 304 closes its connection; nothing else limits them. A power of two.
 */
export const BODILESS_REPLIES_PER_CLOSE = 256;
/** Unsent bytes of replies kept for slow clients, over all connections. One client may have as many as are still free. */
export const UNSENT_REPLY_BYTES_MAX = 32 * 1024 * 1024;
/** The same for one connection to Node's server; above the longest reply. The native server keeps one reply at most. */
export const UNSENT_BYTES_PER_CONNECTION_MAX = 4 * 1024 * 1024;
/** Bytes of one part of a stream; with its framing it fits into the cork buffer of the native server. */
export const STREAM_PART_BYTES_MAX = 8 * 1024;
/** Unsent bytes of a stream kept for a slow client; past it the stream is closed. */
export const STREAM_UNSENT_BYTES_MAX = 256 * 1024;
/** Bytes of incomplete or queued request bodies, over all connections; see server/body-budget.ts. */
export const GATHERED_BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Age from which a slow upload can be evicted in favour of another one of its client. */
export const BODY_GRACE_MS = 1_000;

/** Bytes of a frame that a client sends over a WebSocket. The native server may keep as many for each connection. */
export const SOCKET_FRAME_BYTES_MAX = 32 * 1024;
/** Share of the connections that may be WebSockets, so that requests find room. */
export const SOCKETS_SHARE = 0.75;
/** Pings and pongs of one WebSocket in SOCKET_CONTROL_MS; a further one closes it. Their answers fit into one cork. */
export const SOCKET_CONTROL_FRAMES_MAX = 32;
export const SOCKET_CONTROL_MS = 1_000;
/** Parts of an unfinished frame that Node's server keeps: its fragments, and the reads in which they came. */
export const SOCKET_FRAME_PARTS_MAX = 256;
/** Bytes that Node's server reads of a WebSocket before it looks whether that is closed. */
export const SOCKET_READ_BYTES = 4 * 1024;
/** Calls of one WebSocket that are not answered yet; a further one is refused with 429. */
export const CALLS_PER_SOCKET_MAX = 256;
/**
 * Frames of one WebSocket that are not handled yet; a further one closes it. A client that waits for answers has far fewer: at most
 * CALLS_PER_SOCKET_MAX calls, and what else it asks for at once.
 */
export const SOCKET_BACKLOG_MAX = 512;
/** Characters of all frames that wait for their turn, over all WebSockets. One client may have as many as are still free. */
export const SOCKET_BACKLOG_LENGTH_MAX = 32 * 1024 * 1024;
/** Frames in a row that are refused as malformed or as too many; then the connection is closed. */
export const SOCKET_REFUSALS_MAX = 4_096;
/** Characters of the id of a frame. */
export const FRAME_ID_LENGTH_MAX = 64;
/** API keys of one WebSocket, and its subscriptions. */
export const KEYS_PER_SOCKET_MAX = 4_096;
export const SUBSCRIPTIONS_PER_SOCKET_MAX = 4_096;
/** Subscriptions over all WebSockets. One client has as many as are still free, so half of them at most. */
export const SUBSCRIPTIONS_MAX = 262_144;
/** How long a WebSocket may be open without an API key, in a world with keys. */
export const SOCKET_HELLO_MS = 10_000;
/** How long a WebSocket may be silent, answers to pings included. A multiple of 4, at least 8. */
export const SOCKET_IDLE_SECONDS = 120;
/** How long a WebSocket that is closed may take to accept what was written before. */
export const SOCKET_CLOSE_MS = 2_000;
/** Unsent bytes of one WebSocket, besides one reply of any length; beyond it the connection is closed. */
export const SOCKET_UNSENT_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes that the native library buffers for one WebSocket: what is left of a cork, and answers to pings. */
export const SOCKET_BUFFERED_BYTES_MAX = 64 * 1024;
/** If more characters than this are to be written to a WebSocket, its further frames wait for another turn. */
export const SOCKET_WRITE_LENGTH_MAX = 64 * 1024;
/**
 * Characters given at once to Node's server for a WebSocket, besides one frame. It keeps each frame as bytes until the client has read
 * it; here, frames share the texts that they were made of.
 */
export const NODE_PORTION_LENGTH_MAX = 16 * 1024;
/** Bytes written at once to a WebSocket of the native server: they fit into its cork buffer of 16 KiB. */
export const NATIVE_CORK_BYTES_MAX = 15 * 1024;
/** How long a client may take to read what was written to its stream of events or its WebSocket. */
export const READER_STALL_MS = 30_000;
/** How often WebSockets are checked for this. */
export const READER_STALL_POLL_MS = 1_000;
/** Events that one WebSocket gets in one turn of the event loop. */
export const SOCKET_EVENTS_PER_TURN = 64;
/**
 * Time per turn of the event loop in which readers are woken, and in which events are written to WebSockets. A command takes about
 * four turns, from its frame over the disk to its reply, so it waits four times as long. Readers that catch up have a slice of their
 * own, in which one of them has its turn in any case.
 */
export const READER_SLICE_MS = 0.5;
/** While commands come, readers that catch up pause for this many times what their last slice took: they get a ninth of the time. */
export const LATE_READERS_PAUSE = 8;

/** Longest body of a request that is handled at once; a request with a longer one is queued. */
export const INLINE_BODY_BYTES_MAX = 8 * 1024;
/** Most planets of a player that are rendered at once; a longer list is queued. */
export const INLINE_PLANETS_MAX = 8;
/** Time per turn of the event loop in which requests are handled at once; later ones go to the work queue. */
export const INLINE_TURN_MS = 8;
/** Requests per turn that are always handled at once, however long they take: 64 clients may pipeline 16 reads each. */
export const INLINE_REQUESTS_MIN = 1_024;
/** Replies per turn that rely on the native server to buffer writes; once its buffer is full, each is a system call. */
export const UNCORKED_REPLIES_MAX = 96;
/** Time per turn of the event loop for queued work; one step that cannot be divided may take longer. */
export const WORK_SLICE_MS = 2;
/** Batches in progress at a time: parsing each takes up to 25 MiB, and each may be partly answered. */
export const SEATS_MAX = 16;
/** The same for one client. */
export const SEATS_PER_OWNER_MAX = 1;
/** Queued requests; more are refused as overloaded. One client may have as many as still find room. */
export const QUEUED_REQUESTS_MAX = 16_384;

/** How often the connections of the native server are counted. */
export const CONNECTION_CENSUS_MS = 50;
/** Rest after their addresses were read, as a multiple of the time that it took: so it takes a twentieth of the time at most. */
export const ADDRESS_CENSUS_REST = 19;
/** Length of the part of the kernel's table of connections that is counted at once, in about half a millisecond. */
export const CONNECTION_TABLE_PART_LENGTH = 64 * 1024;
/** Share of the maximum number of connections below which a full native server listens again. */
export const CONNECTIONS_REOPEN_SHARE = 0.9;
/** How long a client may take to send a request, or stay silent between requests. Fixed in the native server. */
export const CLIENT_SILENCE_MS = 10_000;
/** How often Node's server checks for such clients. */
export const CLIENT_SILENCE_POLL_MS = 1_000;
/** How long a connection stays open after Node's parser has refused it, for the replies that its client has not read. */
export const REFUSED_CONNECTION_MS = 10_000;
/** Bytes of the head of a request; the native server limits path, query and header fields separately. */
export const HEAD_BYTES_MAX = 16 * 1024;
/** Characters of If-Match and If-None-Match; a longer one matches nothing. */
export const ENTITY_TAGS_LENGTH_MAX = 1_024;
/** Header fields of a request. Fixed in the native server. */
export const HEADER_FIELDS_MAX = 50;

/** Addresses that are blocked at a time, and how long one may be. */
export const ADDRESS_BLOCKS_MAX = 1_024;
export const ADDRESS_BLOCK_SECONDS_MAX = 366 * 24 * 3600;
/** Characters of an address in a request. */
export const ADDRESS_LENGTH_MAX = 64;
/** How often a process looks for the blocks of those with which it shares a store. */
export const ADDRESS_BLOCKS_POLL_MS = 2_000;
/** Characters of the body and of the path of an action that are recorded. */
export const AUDIT_BODY_LENGTH_MAX = 1_000;
export const AUDIT_PATH_LENGTH_MAX = 300;
/** Requests without the key of an operator that are recorded, at once and a minute; further ones are only counted. */
export const AUDITED_REFUSALS_BURST = 30;
export const AUDITED_REFUSALS_PER_MINUTE = 6;
/** Records in a reply. */
export const AUDIT_RECORDS_PER_REPLY_MAX = 200;

/** Tokens that the bucket of a player or an address regains per second, by default; an ordinary request takes one. */
export const RATE_PER_SECOND = 100;
/** Tokens of a full bucket, by default: an ordinary batch of BATCH_OPERATIONS_MAX operations fits. */
export const RATE_BURST = 1_000;
/** How long a refusal waits for a client that did not wait as long as the refusal before said. */
export const EARLY_REFUSAL_DELAY_MS = 200;
/** Refusals that wait so, of all clients and of one. Those beyond are sent at once, and close their connections. */
export const EARLY_REFUSALS_MAX = 16_384;
export const EARLY_REFUSALS_PER_CLIENT_MAX = 1_024;
/** Bytes of a body above which each further as many take a token: reading it takes as long as an ordinary request. */
export const BODY_BYTES_PER_TOKEN = 4 * 1024;
/** Addresses whose requests, and whose registrations, are counted at a time. */
export const RATE_LIMITED_CLIENTS_MAX = 65_536;
/** Players, and addresses, that are counted by themselves in one minute of traffic; and that are kept of a minute that is over. */
export const TRAFFIC_CLIENTS_MAX = 4_096;
export const TRAFFIC_CLIENTS_KEPT = 256;
/** Requests of a second of which each is counted; of further ones one in TRAFFIC_SAMPLE is drawn, and counts for so many. */
export const TRAFFIC_EXACT_PER_SECOND = 1_000;
export const TRAFFIC_SAMPLE = 64;
/** Clients in a reply about traffic. */
export const TRAFFIC_CLIENTS_PER_REPLY_MAX = 100;
/** Minutes of traffic that are kept. */
export const TRAFFIC_MINUTES = 60;
/** Addresses of which it is remembered whether they are trusted proxies. */
export const CHECKED_ADDRESSES_MAX = 16_384;
/** Players whose requests are counted at a time. */
export const RATE_LIMITED_PLAYERS_MAX = 262_144;
/** What a request to a path that does not exist takes. */
export const UNROUTED_COST = 1;
/** Time for which a browser may remember the answer to a preflight. */
export const PREFLIGHT_MAX_AGE_SECONDS = 86_400;
/** Players that an address may create per minute with --auth key, by default. */
export const REGISTRATIONS_PER_MINUTE = 60;
/** Default and maximum number of connections; fewer if the process may not open as many files. */
export const CONNECTIONS_MAX = 16_384;
/** Connections of one address, by default; of WebSockets those of one client, also on the loopback interface. */
export const CONNECTIONS_PER_ADDRESS_MAX = 1_024;
/** File descriptors reserved for the log, snapshots and everything else except connections. */
export const RESERVED_FILES = 128;

/** Characters of /llms.txt; the tables of larger rule sets are cut. */
export const LANGUAGE_MODEL_TEXT_LENGTH_MAX = 60_000;

/** Events of one long poll. */
export const EVENTS_PER_REPLY_MAX = 500;
/** Characters of the events of one long poll; a longer event comes alone. */
export const EVENT_REPLY_LENGTH_MAX = 256 * 1024;
/** Characters of the events that are written to a stream at a time; a longer event comes alone. */
export const EVENT_PART_LENGTH_MAX = 32 * 1024;
/** How long a long poll may wait for an event. */
export const EVENT_WAIT_SECONDS_MAX = 30;
/** Highest seq of an event in a request. */
export const EVENT_SEQ_MAX = NUMBER_MAX;
/** How often an idle stream of events gets a comment, so that proxies do not close it. */
export const EVENT_STREAM_COMMENT_MS = 15_000;
/** Waiting long polls and streams of the events of one player. Each occupies a connection. */
export const EVENT_READERS_PER_PLAYER_MAX = 32;
/** Rendered events kept of a topic, the latest ones. */
export const TOPIC_TEXTS_MAX = 2_048;

/** Entrants of a game of turns. */
export const ENTRANTS_MAX = 256;
/** The largest budgets of an entrant, for one day of the game. */
export const COMMANDS_PER_DAY_MAX = 1_000_000;
export const WAKEUPS_PER_DAY_MAX = 100_000;
/** Real time after which the server ends a turn, at most. */
export const WALL_SECONDS_PER_TURN_MAX = 3_600;
/** Turns in a row that the server may have to end; then the entrant is withdrawn. */
export const OVERRUNS_MAX = 3;
/** World time after which an entrant wakes that has not said when. */
export const DEFAULT_SLEEP_MS = 24 * 3_600_000;
/** Requests of one entrant, and those of the operator, that wait for a turn. Each occupies a connection. */
export const TURN_READERS_MAX = 8;
/** New events of an entrant that are read at a time to decide whether it wakes. */
export const TURN_EVENTS_READ_MAX = 1_024;
/** Turns of an entrant for one day of the game that others may cause, by default. */
export const WAKEUPS_BY_OTHERS_PER_DAY_DEFAULT = 4;
/** Turns of its own for which an entrant has one that others may cause: with fewer, such turns would be a gift that counts. */
export const OWN_WAKEUPS_PER_WAKEUP_BY_OTHERS = 6;
/** World time between two turns of an entrant that others cause: events in between cause one turn together. */
export const WAKES_BY_OTHERS_APART_MS = 10 * 60_000;
/** World time between two turns of an entrant that the same player causes. */
export const WAKES_OF_SENDER_APART_MS = 6 * 3_600_000;
/** Bytes of the trace of an entrant, and characters of a body and of an answer in it. */
export const TRACE_BYTES_MAX = 1024 * 1024;
export const TRACE_BODY_LENGTH_MAX = 8_192;
export const TRACE_ANSWER_LENGTH_MAX = 1_024;
/** Lines of a trace in one reply. */
export const TRACE_LINES_PER_REPLY_MAX = 500;
/** Bytes of what an entrant has printed, in one reply. */
export const TRACE_OUTPUT_BYTES_MAX = 64 * 1024;
/** How long a game of turns waits before it moves the clock on if the log cannot take more. */
export const TURN_RETRY_MS = 5;

/** Cells of a galaxy on the map, at most: neighbouring systems share a cell if the galaxy has more of them. */
export const MAP_CELLS_PER_GALAXY_MAX = 300;
/** Fleets in /api/map/fleets. If more are in flight, only some of them are listed; see MapStride. */
export const MAP_FLEETS_MAX = 10_000;
/** Pacts in force in /api/map/fleets, and loads of goods: the oldest. */
export const MAP_PACTS_MAX = 1_000;
export const MAP_GOODS_MAX = 1_000;
/** Pacts and proposals that are looked at for them. */
export const MAP_PACTS_READ_MAX = 10_000;
/** Pacts and loads of goods that have changed, in a frame. If there are more, viewers must fetch the map anew. */
export const MAP_TIES_PER_FRAME_MAX = 1_000;
/** How often a viewer of the map gets a frame, and each document of the map is rendered, at most. */
export const MAP_FRAME_MS = 1_000;
/** How often the feed of the map reads the events since its last frame, so that they do not accumulate. */
export const MAP_READ_MS = 100;
/** Fleets in a frame: those that have a new leg, and those that are gone. */
export const MAP_LEGS_PER_FRAME_MAX = 500;
/** Battles in a frame; further ones are only counted. */
export const MAP_BATTLES_PER_FRAME_MAX = 200;
/** Cells with another owner in a frame. If there are more, viewers must fetch the map anew. */
export const MAP_CELLS_PER_FRAME_MAX = 1_000;
/** Retired players in a frame. If there are more, viewers must fetch the map anew. */
export const MAP_RETIRED_PER_FRAME_MAX = 1_000;
/** Events in a frame; further ones are only counted. */
export const MAP_EVENTS_PER_FRAME_MAX = 40;
/** How many events a viewer of the map may have missed; beyond that it must fetch the map anew. */
export const MAP_CATCH_UP_EVENTS_MAX = 4_096;
/** Frames after which the map shows more fleets again, if all of these frames had room for them. */
export const MAP_STRIDE_FRAMES = 30;
/** Viewers that are woken in one turn of the event loop. */
export const MAP_WAKES_PER_TURN = 1_024;

/** Samples of the leaderboard that are kept. */
export const LEADERBOARD_SAMPLES_MAX = 512;
/** Interval of the first samples. Each time all are taken, every other one is dropped, and the interval doubles. */
export const LEADERBOARD_SAMPLE_MS = 10_000;
/** Players whose course is shown: the first ones at present. */
export const LEADERBOARD_COURSES_MAX = 10;

/** Fleets of others in a reply about what a planet sees. */
export const SEEN_FLEETS_PER_REPLY_MAX = 100;
/** Messages in one reply. */
export const MESSAGES_PER_REPLY_MAX = 100;
/** Players in a reply to a search, or in a part of the leaderboard. */
export const PLAYERS_PER_REPLY_MAX = 100;
/** Players that a search looks at for one reply: some milliseconds, in slices. */
export const PLAYERS_EXAMINED_MAX = 65_536;
/** Players that are looked at, or ordered, in one step of a slice. */
export const PLAYERS_PER_STEP = 4_096;
/** A world of more players is ranked beyond the first LEADERBOARD_ENTRIES_MAX only so often. */
export const RANKED_AT_ONCE_MAX = 16_384;
export const RANKING_MAX_AGE_MS = 10_000;

/** Maximum age of the text of /metrics; it is rendered at most this often. */
export const METRICS_MAX_AGE_MS = 1_000;

/** How often a point of the history of the metrics is taken, and how many are kept: an hour. */
export const HISTORY_POINT_MS = 10_000;
export const HISTORY_POINTS_MAX = 360;
/** Series of the history. Names and labels come from tables, so there are about a hundred. */
export const HISTORY_SERIES_MAX = 1_024;

/** How long a draining server waits for replies in flight. */
export const DRAIN_DEADLINE_MS = 10_000;
/** How long a request with x-min-seq waits for the process to apply that entry. */
export const MIN_SEQ_WAIT_MS = 1_000;
/** Highest seq in x-min-seq, and its digits. */
export const WORLD_SEQ_MAX = NUMBER_MAX;
export const MIN_SEQ_DIGITS_MAX = NUMBER_DIGITS_MAX;
/** How long a command waits during a handover for the next leader to be known. */
export const HANDOVER_HOLD_MS = 5_000;
/** Requests that wait for an entry, an event or the end of a handover, and those of one client. */
export const REPLICA_WAITING_MAX = 16_384;
export const REPLICA_WAITING_PER_OWNER_MAX = 1_024;
/** Bytes of the bodies of these requests. */
export const REPLICA_WAITING_BYTES_MAX = 32 * 1024 * 1024;
/** How often the requests that wait are looked at, besides each time that an entry was applied or the leader changed. */
export const REPLICA_POLL_MS = 25;
/** How long a leader may be unsure that it leads before its readers of events are sent to other processes. */
export const PAUSED_READERS_MS = 2_000;
/** A standby that is further behind is not ready. */
export const STANDBY_READY_LAG_MS_MAX = 10_000;
/** Time after which a client may retry if nobody leads, or if a standby is behind. */
export const REPLICA_RETRY_AFTER_MS = 250;

/** Time after which a client may retry after 503. */
export const RETRY_AFTER_MS = 1_000;
/** The longest such time while a world is recovered, however long that takes: it may end sooner than was thought. */
export const RECOVERY_RETRY_AFTER_MS_MAX = 10_000;
/** Time after which a phase of a recovery is taken to go on as fast as it began. */
export const RECOVERY_RATE_MS_MIN = 1_000;

/** Characters of an Idempotency-Key. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Time after which a client may retry if the first reply to its idempotency key is not durable yet. */
export const IN_FLIGHT_RETRY_AFTER_MS = 100;

/** Random bytes of an API key. */
export const API_KEY_BYTES = 32;
/** Characters of a secret from which API keys are derived. */
export const KEY_SECRET_LENGTH_MIN = 16;
export const KEY_SECRET_LENGTH_MAX = 256;
/** How long a new API key may be valid in world time, if it expires at all. */
export const KEY_VALID_SECONDS_MAX = TEN_YEARS_SECONDS;
/** How long the old key stays valid in world time after its player has rotated it, by default. */
export const OLD_KEY_VALID_SECONDS = 300;
/** The same, at most: a day. */
export const OLD_KEY_VALID_SECONDS_MAX = 24 * 3600;
/** Keys of operators in a file. A request that may be an operator's is compared with all of them. */
export const ADMIN_KEYS_MAX = 32;
/** Characters of an API key or admin key in a request; a longer one is refused without a comparison. */
export const KEY_LENGTH_MAX = 256;

/** Entrants of a tournament. */
export const TOURNAMENT_ENTRANTS_MAX = 64;
/** Games of a tournament. */
export const TOURNAMENT_GAMES_MAX = 1_000;
/** Characters of the command line of an entrant. */
export const TOURNAMENT_SOURCE_LENGTH_MAX = 1_000;
/** Error codes by which the refusals of an entrant are counted. */
export const TOURNAMENT_REFUSAL_CODES_MAX = 100;
/** Bytes of the file with the result of a tournament: the most games of the most entrants have about 55 MB. */
export const TOURNAMENT_RESULT_BYTES_MAX = 128 * 1024 * 1024;
