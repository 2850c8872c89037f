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
/** Difference between the clocks of viewer and world below which texts with both times stay as they are. */
export const OFFSET_STEP_MS = 1_000;
/** Public events that are kept for the views. */
export const RECENT_EVENTS_MAX = 500;
/** Players whose names are remembered. */
export const NAMES_MAX = 20_000;
/** Leaders who get a colour of the palette; others have a muted hue. */
export const PALETTE_LEADERS = 8;

/** How often the state of a player is asked for. It is read at once if an event of the player arrives. */
export const PLAYER_PERIOD_MS = 3_000;
/** Pause before the state of a player is read after an event, so that events of one instant cause one read. */
export const PLAYER_READ_DELAY_MS = 250;
/** How often stocks that grow are written again. */
export const STOCK_TICK_MS = 100;
/** Events of a player that are kept for its page, and as many are read of its past. */
export const PLAYER_EVENTS_MAX = 500;
/** Entries of a list that are shown before the viewer asks for all of them. */
export const LIST_ENTRIES_SHOWN = 8;
/** Ship orders of a planet that are shown before the viewer asks for all of them. */
export const SHIP_ORDERS_SHOWN = 3;
/** Players that the search lists. */
export const CHOICES_MAX = 50;
/** Public events that the feed keeps. */
export const FEED_EVENTS_MAX = 5_000;
/** Events that the feed reads of the past at a time: the most that the server sends. */
export const FEED_PAGE_EVENTS = 500;
/** Pages of the past that the feed reads by itself to find events that pass the filter. */
export const FEED_PAGES_AT_ONCE = 4;
/** Lines of the feed that are shown at first, and added if the viewer asks for older ones. */
export const FEED_LINES = 100;
/** Pause before the feed reads again after a failure. */
export const FEED_RETRY_MS = 2_000;

/** Battles that flash on the map at a time; the oldest makes room. */
export const FLASHES_MAX = 256;
/** How often the map is drawn at least, if a fleet moves at all. */
export const MAP_DRAW_PERIOD_MAX_MS = 1_000;
/** Pause after a gesture, after which the address follows what is shown. */
export const GESTURE_SETTLED_MS = 250;
/** Battles and fleets that are listed beside the map. */
export const MAP_LIST_MAX = 8;
