// Every limit of a world, by name. A command checks the limits that depend on the state of the world. Limits on the
// values of a request or a flag are checked before they reach the engine.

export const GALAXY_COUNT = 100;
export const SLOTS_PER_SYSTEM = 30;
export const PLANETS_PER_SYSTEM_MIN = 10;
export const SYSTEMS_PER_GALAXY_DEFAULT = 300;
/** At 30 planets a system, all planets of the largest universe still fit one Map (2^24 entries). */
export const SYSTEMS_PER_GALAXY_MAX = 5_000;
/** Speed is stored in thousandths, so that it is an integer. */
export const SPEED_THOUSANDTHS_MIN = 1;
export const SPEED_THOUSANDTHS_MAX = 1_000_000_000;
/** Types in each list of a rule set. */
export const TYPES_PER_LIST_MAX = 64;
/** Characters of the name of a type. */
export const TYPE_NAME_LENGTH_MAX = 40;
/** Upper bound of `combatRoundsMax` in a rule set. */
export const COMBAT_ROUNDS_MAX = 100;
export const BUILDING_LEVEL_MAX = 80;
export const RESEARCH_LEVEL_MAX = 50;
/** Units of one resource that a planet can hold; any excess is lost. In thousandths it is still a safe integer. */
export const STOCK_UNITS_MAX = 4_000_000_000_000;
export const SHIPS_PER_ORDER_MAX = 10_000;
export const SHIP_ORDERS_PER_PLANET_MAX = 50;
/** Ships in one entry of a launch. */
export const SHIPS_PER_ENTRY_MAX = 1_000_000_000;
/** Upper bound of `plans.stepsMax` in a rule set. */
export const PLAN_STEPS_MAX = 100;
/** The longest time after which a plan may drop a step that cannot be paid: a year of world time. */
export const PLAN_LONGER_THAN_SECONDS_MAX = 31_536_000;
export const FLEETS_PER_PLAYER_MAX = 200;
/** Systems to each side of a planet in which its neighbours are looked for. */
export const NEIGHBOUR_SYSTEMS_MAX = 300;
/** Systems to each side of a planet in which it sees flights, however far the rules let it see. */
export const SIGHT_SYSTEMS_MAX = 10;
/** Upper bound of `support.fleetsPerPlanetMax` in a rule set. */
export const SUPPORT_FLEETS_MAX = 32;
/** Upper bound of `messages.charactersMax` in a rule set: the Unicode code points of a message. */
export const MESSAGE_LENGTH_MAX = 500;
/** Upper bound of what `messages` lets a player send in a period. */
export const MESSAGES_SENT_MAX = 10_000;
/** Upper bound of the messages that are kept of each kind for a player, and of those to everybody. */
export const MESSAGES_KEPT_MAX = 1_000;
/** Upper bound of `messages.blockedMax` in a rule set. */
export const BLOCKED_PLAYERS_MAX = 1_000;
/** Upper bound of `market.offersPerPlayer` in a rule set. */
export const OFFERS_PER_PLAYER_MAX = 32;
/** Units on each side of an offer, and of h2 that its maker puts aside for the way. */
export const OFFER_UNITS_MAX = 1_000_000_000;
/** Loads of goods on their way to a player who has traded for them. */
export const GOODS_PER_PLAYER_MAX = 100;
/** Last trades that a world keeps of each pair of resources. */
export const TRADES_PER_PAIR_MAX = 8;
/** Upper bound of `pacts.openMax` in a rule set. */
export const PACTS_OPEN_MAX = 64;
/** Proposals that a player has not answered. */
export const PACT_PROPOSALS_RECEIVED_MAX = 200;
/** Shortest world time between two announcements of shocks, whatever the speed. */
export const SHOCK_INTERVAL_MS_MIN = 60_000;
/** Announced shocks of a galaxy that are not over. */
export const SHOCKS_PER_GALAXY_MAX = 2;
/** Shocks of a galaxy whose effect on outputs is kept. Stocks that were not settled since older ones are settled then. */
export const PAST_SHOCKS_PER_GALAXY_MAX = 4_096;
/** Types of shocks in a rule set. */
export const SHOCK_TYPES_MAX = 32;
/** Ways in which the starter planets of a system can lean, in a rule set. */
export const STARTER_LEANS_MAX = 16;
export const PLANETS_PER_PLAYER_MAX = 200;
/** Reports that a player keeps; the oldest are dropped. */
export const REPORTS_PER_PLAYER_MAX = 50;
/** Unicode code points of a player's name. */
export const NAME_LENGTH_MAX = 64;
/** Players that the leaderboard ranks. */
export const LEADERBOARD_ENTRIES_MAX = 100;
/** Maximum number of kept events of a player. */
export const EVENTS_PER_PLAYER_MAX = 2_000;
/** Maximum number of kept events of a topic. */
export const EVENTS_PER_TOPIC_MAX = 10_000;
/** Number of last events of a player or a topic that are always kept. */
export const EVENTS_KEPT_MIN = 16;
/** Bytes of all events, besides EVENT_BYTES_PER_PLAYER for each player. Beyond that the oldest are dropped. */
export const EVENT_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes for each player; EVENTS_KEPT_MIN events of a player take fewer on average. */
export const EVENT_BYTES_PER_PLAYER = 1024;
/** Timers that one tick entry fires; the rest is left to the next one. */
export const TIMERS_PER_TICK = 1_000;
/** Last instant of world time: the year 9999. */
export const WORLD_TIME_MS_MAX = 253_402_300_799_000;
/** Kept replies of a player to its requests with an Idempotency-Key; the oldest are evicted first. */
export const KEPT_REPLIES_PER_PLAYER_MAX = 64;
/** Bytes of the kept replies of a player; see keptReplyBytes(). */
export const KEPT_REPLY_BYTES_PER_PLAYER_MAX = 64 * 1024;
/** Bytes of the kept replies of the operator, and again of all unauthenticated batches. The longest reply to bulk creation fits. */
export const KEPT_REPLY_BYTES_OF_WORLD_MAX = 8 * 1024 * 1024;
/** Bytes of all kept replies. */
export const KEPT_REPLY_BYTES_MAX = 256 * 1024 * 1024;
/** Added to the bytes of each kept reply: about the memory of its digests and its list nodes. */
export const KEPT_REPLY_OVERHEAD_BYTES = 256;
/** Entries of `ships` in a launch or simulation. */
export const SHIP_ENTRIES_MAX = 16;
/** Whole units of one resource in a launch or a grant. */
export const RESOURCE_UNITS_MAX = 1_000_000_000_000;
