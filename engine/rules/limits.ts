// Every bound the engine holds, by name. A bound on what HTTP accepts stands in http/limits.ts.

export const GALAXY_COUNT = 100;
export const SLOTS_PER_SYSTEM = 30;
export const PLANETS_PER_SYSTEM_MIN = 10;
export const SYSTEMS_PER_GALAXY_DEFAULT = 300;
export const SYSTEMS_PER_GALAXY_MAX = 10_000;
/** Speed is kept in thousandths, so that it stays an integer. */
export const SPEED_THOUSANDTHS_MIN = 1;
export const SPEED_THOUSANDTHS_MAX = 1_000_000_000;
export const BUILDING_LEVEL_MAX = 80;
export const RESEARCH_LEVEL_MAX = 50;
/** Units of one resource a planet can hold; what comes on top is lost. Its thousandths are still a safe integer. */
export const STOCK_UNITS_MAX = 4_000_000_000_000;
export const SHIPS_PER_ORDER_MAX = 10_000;
export const SHIP_ORDERS_PER_PLANET_MAX = 50;
/** Ships of one type in one fleet or on one planet. */
export const SHIPS_PER_TYPE_MAX = 1_000_000_000;
export const FLEETS_PER_PLAYER_MAX = 200;
export const PLANETS_PER_PLAYER_MAX = 200;
/** A player keeps its newest reports. */
export const REPORTS_PER_PLAYER_MAX = 50;
export const PLAYERS_PER_BULK_MAX = 10_000;
/** Player names, in UTF-16 units. */
export const NAME_LENGTH_MAX = 64;
/** Timers that one tick entry fires; more are left to the next tick entry. */
export const TIMERS_PER_TICK = 1_000;
/** Pending timers that can be kept at once. */
export const TIMERS_MAX = 50_000_000;
/** Last instant of world time: the year 9999. */
export const WORLD_TIME_MS_MAX = 253_402_300_799_000;
