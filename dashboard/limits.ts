// Every limit and period of the dashboard, by name.

/** How often the state of the world and of the connection is asked for. */
export const STATUS_PERIOD_MS = 5_000;
/** The same while the server does not answer. */
export const OUTAGE_STATUS_PERIOD_MS = 1_000;
/** Time without an answer after which the page says that it is offline, instead of reconnecting. */
export const OFFLINE_AFTER_MS = 15_000;
/** Time that a read may take with all its attempts. */
export const READ_DEADLINE_MS = 20_000;
/** Time after which an attempt without a reply is given up. */
export const READ_ATTEMPT_DEADLINE_MS = 8_000;
/** Times that a read is sent. Polling repeats it anyway. */
export const READ_ATTEMPTS = 2;
/** Characters of replies that are cached: the map of a full world and its fleets have a few million. */
export const CACHE_CHARACTERS_MAX = 16 * 1024 * 1024;
/** How often a document that changes seldom is asked for: the leaderboard, the map if there are no frames. */
export const SLOW_PERIOD_MS = 10_000;
/** Pause before the map is read again after a failure. */
export const MAP_RETRY_MS = 2_000;
/** How often texts that show time are renewed. */
export const CLOCK_TICK_MS = 500;
/** Time over which the world clock corrects a small difference, so that nothing on the map jumps. */
export const CLOCK_CORRECTION_MS = 1_000;
/** Public events that are kept for the views. */
export const RECENT_EVENTS_MAX = 500;
/** Players whose names are remembered. */
export const NAMES_MAX = 20_000;
/** Leaders who get a colour of the palette; others have a muted hue. */
export const PALETTE_LEADERS = 8;
