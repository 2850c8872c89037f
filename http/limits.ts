// Every bound on what HTTP accepts, keeps or answers, by name. Bounds on the world itself stand in engine/rules/limits.ts.

/** Bytes of a request body; what is longer gets 413 and the connection is closed. */
export const BODY_BYTES_MAX = 64 * 1024;
/** The same for a batch. */
export const BATCH_BODY_BYTES_MAX = 1024 * 1024;
/** Operations of one batch. */
export const BATCH_OPERATIONS_MAX = 1_000;
/** Characters of all bodies in the reply to a batch, about; once it is passed, the operations that are left are refused. */
export const BATCH_REPLY_LENGTH_MAX = 2 * 1024 * 1024;
/** Characters of an operation's path in a batch. */
export const PATH_LENGTH_MAX = 256;
/** Shape errors told in one reply. */
export const SHAPE_ERRORS_SHOWN_MAX = 20;
/** Characters of an identifier in a path or body; the longest that exists is far shorter. */
export const ID_LENGTH_MAX = 64;
/** Entries of `ships` in a launch or simulation. */
export const SHIP_ENTRIES_MAX = 16;
/** Whole units of one resource in a launch or a grant. */
export const RESOURCE_UNITS_MAX = 1_000_000_000_000;
/** Players created by one administrative request. */
export const BULK_PLAYERS_MAX = 10_000;
/** Characters of the prefix of bulk-created names, so that prefix and number still make a name. */
export const BULK_NAME_PREFIX_LENGTH_MAX = 48;
/** World time that one administrative request may skip: ten years. */
export const CLOCK_ADVANCE_SECONDS_MAX = 10 * 366 * 24 * 3600;

/** Bytes of rendered player states kept for GET state; one half is young, the other old. */
export const STATE_CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of star systems kept as text; one half is young, the other old. */
export const SYSTEM_CACHE_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes that are taken at once for replies to come; it stays taken until the last of them has left. */
export const REPLY_SLAB_BYTES = 64 * 1024;

/** Of so many replies to HEAD or with 304, about one ends its connection, as only that bounds them; a power of two. */
export const BODILESS_REPLIES_PER_CLOSE = 256;
/** Bytes of replies kept for clients that read slowly, over all connections; past it they are closed. */
export const UNSENT_REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** The same for one connection to Node's server; more than the longest reply. The native one keeps one reply at most. */
export const UNSENT_BYTES_PER_CONNECTION_MAX = 4 * 1024 * 1024;
/** Bytes of one part of a stream: with its frame it fits into the buffer in which the native server gathers writes. */
export const STREAM_PART_BYTES_MAX = 8 * 1024;
/** Bytes of a stream that are kept for a client that lags; past it the stream is closed. */
export const STREAM_UNSENT_BYTES_MAX = 256 * 1024;
/** Bytes of request bodies that have not come whole or wait for a turn, over all connections; see transport/body-budget.ts. */
export const GATHERED_BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Age from which a body that comes slowly may have to give way to another one of its client. */
export const BODY_GRACE_MS = 1_000;

/** Bytes of a body up to which a request is handled at once; longer ones wait for a turn. */
export const INLINE_BODY_BYTES_MAX = 8 * 1024;
/** Planets of a player up to which all of them are rendered at once; a longer list waits for a turn. */
export const INLINE_PLANETS_MAX = 8;
/** How long requests are handled at once in one turn of the event loop; what comes later in it waits in the work queue. */
export const INLINE_TURN_MS = 8;
/** Requests that are handled at once in a turn, however long that takes: 64 clients may pipeline 16 reads each. */
export const INLINE_REQUESTS_MIN = 1_024;
/** Replies in a turn that are written into the buffer of their read; once it is full, each write is a system call. */
export const UNCORKED_REPLIES_MAX = 96;
/** How long work that waited is done in one turn of the event loop; one step that cannot be divided may take longer. */
export const WORK_SLICE_MS = 2;
/** Batches that are worked on in turns at a time: read from JSON, which takes up to 25 MiB each, and partly answered. */
export const SEATS_MAX = 16;
/** Of those, the batches of one client. */
export const SEATS_PER_OWNER_MAX = 1;
/** Requests that wait for a turn; more are refused as overloaded. */
export const QUEUED_REQUESTS_MAX = 16_384;

/** How often the connections of the native server are counted. */
export const CONNECTION_CENSUS_MS = 50;
/** Of the most connections that the native server may have: the share below which it listens again. */
export const CONNECTIONS_REOPEN_SHARE = 0.9;
/** How long a client may take for a request, or stay silent before the next one. Fixed in the native server. */
export const CLIENT_SILENCE_MS = 10_000;
/** How often Node's server looks for such clients. */
export const CLIENT_SILENCE_POLL_MS = 1_000;
/** Bytes of the head of a request; the native server counts its path or query and its header fields each for itself. */
export const HEAD_BYTES_MAX = 16 * 1024;
/** Characters of If-None-Match; a longer one matches nothing. */
export const IF_NONE_MATCH_LENGTH_MAX = 1_024;
/** Header fields of a request. Fixed in the native server. */
export const HEADER_FIELDS_MAX = 50;

/** Bytes of a rule set, in a file or a request. */
export const RULE_SET_BYTES_MAX = 256 * 1024;
export const RULE_SET_VERSION_MAX = 1_000_000;
/** Units of one resource that a rule names. With all that multiplies them, points and amounts stay safe integers. */
export const RULE_UNITS_MAX = 1_000_000;
/** Any other number that a rule multiplies or divides by. */
export const RULE_FACTOR_MAX = 100_000;
export const RULE_SECONDS_MAX = 1_000_000;
/** Attack and defence of a ship. */
export const SHIP_STRENGTH_MAX = 1_000;
/** Characters of a description in a rule set. */
export const RULE_TEXT_LENGTH_MAX = 200;

/** Addresses whose registrations are counted at a time. */
export const RATE_LIMITED_CLIENTS_MAX = 65_536;
/** Players that an address may create a minute with --auth key, by default. */
export const REGISTRATIONS_PER_MINUTE = 60;
/** Connections, by default and at most; fewer if the process may not open as many files. */
export const CONNECTIONS_MAX = 16_384;
/** Connections of one address, by default. */
export const CONNECTIONS_PER_ADDRESS_MAX = 1_024;
/** Files that connections leave to the log, to snapshots and to everything else. */
export const RESERVED_FILES = 128;

/** How old the text of /metrics may be: it is made at most that often, however many ask. */
export const METRICS_MAX_AGE_MS = 1_000;

/** How long a stopping server waits for replies in flight. */
export const DRAIN_DEADLINE_MS = 10_000;
/** What a client is told to wait after 503. */
export const RETRY_AFTER_MS = 1_000;

/** Characters of an Idempotency-Key. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** What a client is told to wait where the reply to its key is on its way to the disk. */
export const IN_FLIGHT_RETRY_AFTER_MS = 100;

/** Random bytes of an API key. */
export const API_KEY_BYTES = 32;
/** Characters of an API key or admin key in a request; longer ones are refused unread. */
export const KEY_LENGTH_MAX = 256;
