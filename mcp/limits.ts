// Every limit on what the tools accept and answer, by name.

/** Characters of an answer. Hosts cut longer ones, and long answers distract the model. */
export const ANSWER_LENGTH_MAX = 6_000;
/** Characters that are quoted of a text that another player wrote. */
export const FOREIGN_TEXT_LENGTH_MAX = 64;
/** The same of a message, and characters of one that a player sends. The rules may allow fewer. */
export const MESSAGE_TEXT_LENGTH_MAX = 500;
/** Messages that the tool look shows. */
export const MESSAGES_SHOWN_MAX = 15;
/** Characters of an id or of the name of a type. */
export const NAME_LENGTH_MAX = 64;
/** Actions in one call. */
export const ACTIONS_MAX = 20;
/** Entries of a list of ships. */
export const SHIP_ENTRIES_MAX = 16;
/** Steps of a plan; the rules may allow fewer. */
export const PLAN_STEPS_MAX = 50;
/** The longest time after which a plan drops a step that cannot be paid. */
export const PLAN_LONGER_THAN_SECONDS_MAX = 31_536_000;
/** The limits of the API: ships in an entry, ships in an order, seconds of a pact, units of a resource as cargo. */
export const SHIPS_PER_ENTRY_MAX = 1_000_000_000;
export const SHIPS_PER_ORDER_MAX = 10_000;
export const PACT_SECONDS_MAX = 1_000_000;
export const CARGO_UNITS_MAX = 1_000_000_000_000;
/** Units on each side of an offer. */
export const OFFER_UNITS_MAX = 1_000_000_000;
/** Offers of a galaxy that the tool look lists. */
export const OFFERS_SHOWN_MAX = 20;
/** Own planets of which the tool look asks what they can take. */
export const TAKING_PLANETS_MAX = 5;
/** Answers to other players that the tool options lists: what can be started needs room, too. */
export const ANSWERS_SHOWN_MAX = 20;
/** Characters of the idempotency key of a call. */
export const KEY_OF_CALL_LENGTH_MAX = 64;
/** Highest level, galaxy or system that a tool accepts. */
export const ORDINAL_MAX = 10_000;
/** Players that the tool leaderboard lists: maximum and default. */
export const LEADERS_MAX = 50;
export const LEADERS_DEFAULT = 10;
/** Requests that a search for a name sends: enough for a million players. */
export const SEARCH_REQUESTS_MAX = 16;
/** Levels of a building that the tool rules lists. */
export const LEVELS_SHOWN = 6;
/** Seconds that the tool wait waits. Hosts abandon a call after a minute. */
export const WAIT_SECONDS_MAX = 50;
/** Seconds that the server holds a long poll. */
export const HELD_SECONDS_MAX = 30;
/** Events that the tool wait reads, and events that it lists. It leaves out those that a later one repeats. */
export const EVENTS_READ_MAX = 500;
export const EVENTS_SHOWN_MAX = 30;
/** Of those, events from further on that it shows ahead, and the characters of all lines of events. */
export const EVENTS_AHEAD_MAX = 10;
export const EVENTS_LENGTH_MAX = ANSWER_LENGTH_MAX - 600;
/** Highest number of an event. */
export const SEQ_MAX = Number.MAX_SAFE_INTEGER;
/** Characters of a message that a host sends. */
export const MESSAGE_LENGTH_MAX = 10 * 1024 * 1024;
/** Time that all attempts of a request may take. */
export const DEADLINE_MS = 20_000;
