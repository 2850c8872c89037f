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

/** Of so many small replies of the native server, about one is held to what the socket takes; a power of two. */
export const REPLIES_PER_PROBE = 16;
/** Of so many replies to HEAD or with 304, about one ends its connection, as only that bounds them; a power of two. */
export const BODILESS_REPLIES_PER_CLOSE = 256;
/** Characters of a reply up to which it counts as small; longer ones are always held to what the socket takes. */
export const UNPROBED_REPLY_LENGTH_MAX = 16 * 1024;
/** Bytes of large replies kept for clients that read slowly, over all connections; past it they are closed. */
export const UNSENT_REPLY_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of request bodies that have not come whole, over all connections; past it they are refused. */
export const GATHERED_BODY_BYTES_MAX = 64 * 1024 * 1024;

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
