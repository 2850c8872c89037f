// Every bound on a world, by name. What a command alone can break is refused by its command file; what a request or a flag
// can hold at most is checked where it comes in, so that the engine is only given what is within these bounds.

export const GALAXY_COUNT = 100;
export const SLOTS_PER_SYSTEM = 30;
export const PLANETS_PER_SYSTEM_MIN = 10;
export const SYSTEMS_PER_GALAXY_DEFAULT = 300;
/** At 30 planets a system, all planets of the largest universe still fit one Map (2^24 entries). */
export const SYSTEMS_PER_GALAXY_MAX = 5_000;
/** Speed is kept in thousandths, so that it stays an integer. */
export const SPEED_THOUSANDTHS_MIN = 1;
export const SPEED_THOUSANDTHS_MAX = 1_000_000_000;
/** Types in each list of a rule set. */
export const TYPES_PER_LIST_MAX = 64;
/** Letters of a type's name. */
export const TYPE_NAME_LENGTH_MAX = 40;
/** What the rules of a battle may say at most. */
export const COMBAT_ROUNDS_MAX = 100;
export const BUILDING_LEVEL_MAX = 80;
export const RESEARCH_LEVEL_MAX = 50;
/** Units of one resource a planet can hold; what comes on top is lost. Its thousandths are still a safe integer. */
export const STOCK_UNITS_MAX = 4_000_000_000_000;
export const SHIPS_PER_ORDER_MAX = 10_000;
export const SHIP_ORDERS_PER_PLANET_MAX = 50;
/** Ships in one entry of a launch. */
export const SHIPS_PER_ENTRY_MAX = 1_000_000_000;
export const FLEETS_PER_PLAYER_MAX = 200;
export const PLANETS_PER_PLAYER_MAX = 200;
/** A player keeps its newest reports. */
export const REPORTS_PER_PLAYER_MAX = 50;
/** Player names, in code points of Unicode. */
export const NAME_LENGTH_MAX = 64;
/** Players that the leaderboard ranks. */
export const LEADERBOARD_ENTRIES_MAX = 100;
/** Timers that one tick entry fires; more are left to the next tick entry. */
export const TIMERS_PER_TICK = 1_000;
/** Last instant of world time: the year 9999. */
export const WORLD_TIME_MS_MAX = 253_402_300_799_000;
/** Replies that a player keeps for the requests it sent with an Idempotency-Key; the oldest go first. */
export const KEPT_REPLIES_PER_PLAYER_MAX = 64;
/** Bytes of them; see keptReplyBytes(). */
export const KEPT_REPLY_BYTES_PER_PLAYER_MAX = 64 * 1024;
/** The same for the operator's requests, and once more for all unauthenticated batches. The longest reply to bulk creation fits. */
export const KEPT_REPLY_BYTES_OF_WORLD_MAX = 8 * 1024 * 1024;
/** The same for everybody together. */
export const KEPT_REPLY_BYTES_MAX = 256 * 1024 * 1024;
/** What a kept reply counts beside its text: about what its digests and its place in the lists take. */
export const KEPT_REPLY_OVERHEAD_BYTES = 256;
