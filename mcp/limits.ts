// Every limit on what the tools take and answer, by name.

/** Characters of an answer; hosts cut longer ones, and they cost the model its attention. */
export const ANSWER_LENGTH_MAX = 6_000;
/** Characters of a text that another player wrote, before it is quoted. */
export const FOREIGN_TEXT_LENGTH_MAX = 64;
/** Characters of an identifier or the name of a type. */
export const NAME_LENGTH_MAX = 64;
/** Actions of one call. */
export const ACTIONS_MAX = 20;
/** Entries of `ships`. */
export const SHIP_ENTRIES_MAX = 16;
/** Steps of a plan; the rules may allow fewer. */
export const PLAN_STEPS_MAX = 50;
/** What the API accepts of ships in an entry, ships in an order, and units of a resource as cargo. */
export const SHIPS_PER_ENTRY_MAX = 1_000_000_000;
export const SHIPS_PER_ORDER_MAX = 10_000;
export const CARGO_UNITS_MAX = 1_000_000_000_000;
/** Characters of the key of a call. */
export const KEY_OF_CALL_LENGTH_MAX = 64;
/** Levels and places are below this. */
export const ORDINAL_MAX = 10_000;
/** Players that the leaderboard tool lists, and its default. */
export const LEADERS_MAX = 50;
export const LEADERS_DEFAULT = 10;
/** Levels of a building that the rules tool lists. */
export const LEVELS_SHOWN = 6;
/** Seconds that the wait tool waits; hosts give up a call after a minute. */
export const WAIT_SECONDS_MAX = 50;
/** Seconds that the server holds a long poll back, at most. */
export const HELD_SECONDS_MAX = 30;
/** Events that the wait tool reads, and those that it lists: it leaves out what a later one says as well. */
export const EVENTS_READ_MAX = 100;
export const EVENTS_SHOWN_MAX = 30;
/** Numbers of events are not above this. */
export const SEQ_MAX = Number.MAX_SAFE_INTEGER;
/** Times that a request is sent, and the time that it may take with all attempts. */
export const ATTEMPTS = 4;
export const DEADLINE_MS = 20_000;
