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
/** Pause before map, feed or events of a player are followed again after a failure. */
export const FOLLOW_RETRY_MS = 2_000;
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
/** Names that are asked for at once: the most that the server sends; and the pause in which they are gathered. */
export const NAMES_PER_READ = 100;
export const NAMES_READ_DELAY_MS = 50;
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
/** Lines of a lane of a plan that are shown before the viewer asks for all of them. */
export const PLAN_STEPS_SHOWN = 5;
/** How often the catalogue is asked for: it changes only with the rules. */
export const CATALOG_PERIOD_MS = 60_000;
/** Players that the search lists. */
export const CHOICES_MAX = 50;
/** Pause after a letter before the server is asked for names, and requests for one text: each looks at some ten thousand players. */
export const SEARCH_DELAY_MS = 150;
export const SEARCH_PAGES_MAX = 8;
/** Public events that the feed keeps. */
export const FEED_EVENTS_MAX = 5_000;
/** Events that the feed reads of the past at a time: the most that the server sends. */
export const FEED_PAGE_EVENTS = 500;
/** Pages of the past that the feed reads by itself to find events that pass the filter. */
export const FEED_PAGES_AT_ONCE = 4;
/** Lines of the feed that are shown at first, and added if the viewer asks for older ones. */
export const FEED_LINES = 100;

/** Battles that flash on the map at a time; the oldest makes room. */
export const FLASHES_MAX = 256;
/** Pacts in force that are kept, and loads of goods on their way: as many as the server sends. */
export const TIES_MAX = 1_000;
/** Pairs with pacts that are drawn as lines on the map, and as many loads of goods: the newest, but first those of the player who is followed. */
export const TIE_LINES_MAX = 200;
/** Pacts, the newest, and loads of goods, the next arrivals, that are listed beside the map. */
export const TIES_LISTED_MAX = 4;
/** How often the map is drawn at least, if a fleet moves at all. */
export const MAP_DRAW_PERIOD_MAX_MS = 1_000;
/** Pause after a gesture, after which the address follows what is shown. */
export const GESTURE_SETTLED_MS = 250;
/** Characters of a name that is written on the map. */
export const MAP_LABEL_CHARACTERS_MAX = 32;
/** Battles, events and fleets that are listed beside the map. */
export const MAP_LIST_MAX = 8;
/** Width of a chart from which the names of its lines stand at their ends. */
export const CHART_LABELS_BESIDE_PX = 480;
/** Width of a chart from which these names have more room. */
export const CHART_LABELS_WIDE_PX = 800;
/** Width of these names, and height of one. */
export const CHART_LABELS_PX = { narrow: 196, wide: 220 } as const;
export const CHART_LABEL_PX = 22;
/** Ticks of an axis of a chart, at most; a time axis has fewer if there is no room of CHART_TICK_PX for each. */
export const CHART_TICKS_MAX = 7;
export const CHART_TICK_PX = 84;
/** Instants in the table of a chart, at most. */
export const CHART_TABLE_ROWS_MAX = 512;
/** How long a button says that something was copied. */
export const COPIED_MS = 2_000;
/** Players whose courses the leaderboard shows: as many as the server sends. */
export const COURSES_SHOWN = 10;
/** Ranks that the leaderboard shows at a time: the most that the server sends. */
export const RANKS_PER_PAGE = 100;
/** Height of the chart of a player's points. */
export const COURSE_HEIGHT_PX = 170;
/** Height of the chart of the leaderboard. */
export const COURSES_HEIGHT_PX = 320;

/** How often the view of the server reads /metrics, which the server renders once a second at most. */
export const SCRAPE_PERIOD_MS = 2_000;
/** Time over which rates and percentiles are computed. */
export const SCRAPE_WINDOW_MS = 15_000;
/** Time between two scrapes from which nothing is computed across them: the tab slept, or the server was away. */
export const SCRAPE_GAP_MS = 10_000;
/** Figures that are kept: an hour of scrapes, behind an hour of the server's own history. */
export const FIGURES_MAX = 2_160;
/** The same as the window and the gap of scrapes for the points of the server's history, which come every ten seconds. */
export const HISTORY_WINDOW_MS = 20_000;
export const HISTORY_GAP_MS = 30_000;
/** Figures in the small line beside a number: five minutes; and room for them at first. */
export const SPARKLINE_FIGURES = { min: 30, max: 150 } as const;
/** Codes of refusals that have a line of their own. */
export const REFUSAL_LINES_MAX = 5;
/** Routes in the table of the view of the server. */
export const ROUTES_SHOWN = 20;
/** Clients in the table of traffic. */
export const TRAFFIC_ROWS_SHOWN = 10;
/** Height of the charts of the view of the server. */
export const OPERATOR_CHART_HEIGHT_PX = 210;
/** Time by which a standby is behind that asks for attention. */
export const LAG_WATCH_MS = 2_000;
/**
 * Figures from which the view of the server asks for attention, and figures from which players notice it; for free disk space, below
 * which. The server ends itself if a flush takes 5 s.
 */
export const THRESHOLDS = {
  notDurableSeconds: { watch: 1, bad: 3 },
  failuresPerSecond: { watch: Number.MIN_VALUE, bad: 1 },
  latencyP99Seconds: { watch: 0.25, bad: 1 },
  flushP99Seconds: { watch: 0.1, bad: 1 },
  loopDelayP99Seconds: { watch: 0.1, bad: 0.5 },
  timerLagSeconds: { watch: 1, bad: 10 },
  collectionShare: { watch: 0.1, bad: 0.3 },
  diskFreeBytes: { watch: 4 * 1024 ** 3, bad: 512 * 1024 ** 2 },
  snapshotIsLate: { watch: 1 },
  snapshotsFailed: { watch: 1 },
  linesDropped: { watch: 1 },
  cutOffPerSecond: { watch: Number.MIN_VALUE },
  filesShare: { watch: 0.8, bad: 0.95 },
  outdatedSnapshotSeconds: { watch: 3_600 },
} as const;

/** How often a replay is asked where it stands. */
export const REPLAY_PERIOD_MS = 1_000;
/** How often documents are read at least while world time runs faster than the viewer's, so that they lag by little of it. */
export const FAST_WORLD_PERIOD_MS = 1_000;
/** How often the timeline of a replay is asked for. */
export const TIMELINE_PERIOD_MS = 3_000;
/** Battles of the past that are listed, the largest first. */
export const BATTLES_LISTED_MAX = 12;
/** Height of the bars of the timeline, in units of their picture. */
export const TRACK_HEIGHT = 36;

/** Ticks of the axis of ratings, at most. */
export const RATING_TICKS_MAX = 10;
/** Room beside the intervals on this axis, as a share of what they span. */
export const RATING_MARGIN_SHARE = 0.04;
/** The same if they span nothing, in points: ticks stay whole numbers. */
export const RATING_MARGIN_MIN = 10;
/** Entrants in the head-to-head table: the first ones. */
export const DUEL_ENTRANTS_MAX = 16;
/** Games of a tournament that are listed before the viewer asks for all of them. */
export const GAMES_SHOWN = 25;
/** Speed at which a game is watched at first, in world seconds per second: an hour each second. */
export const WATCHED_SPEED = 3_600;
