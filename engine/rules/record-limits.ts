// The limits of what commands and rows hold, in requests, in the log and in snapshots. They are not limits of the game, which limits.ts has:
// the catalogue and docs/rules.md do not list them.
import { MESSAGE_LENGTH_MAX, NAME_LENGTH_MAX } from './limits.js';

/** Digits of each number that a world hands out: seqs, and numbers in ids. Numbers of so many digits are exact in JSON. */
export const NUMBER_DIGITS_MAX = 15;
export const NUMBER_MAX = 999_999_999_999_999;
/** Minimum distance between the highest number of a world and the base of a lineage that goes on from it. No receiver has that many events. */
export const LINEAGE_GAP_MIN = 4_294_967_296;
/** Players created by one administrative request. */
export const BULK_PLAYERS_MAX = 10_000;
/** Characters of the prefix of bulk-created names; the prefix and a number must still fit into a name. */
export const BULK_NAME_PREFIX_LENGTH_MAX = 48;
/** Players retired by one administrative request. */
export const RETIRED_PLAYERS_MAX = 1_000;
/** Bytes of a rule set, in a file or a request. */
export const RULE_SET_BYTES_MAX = 256 * 1024;
/** UTF-16 code units of a player's name: each code point may take two. */
export const NAME_UNITS_MAX: number = 2 * NAME_LENGTH_MAX;
/** UTF-16 code units of the key by which a player's name is compared: a character may stand for many. */
export const NAME_KEY_UNITS_MAX: number = 18 * NAME_LENGTH_MAX;
/** Names that a player had before: nobody else can have them. */
export const FORMER_NAMES_PER_PLAYER_MAX = 16;
/** Unicode code points of an announcement of the operator. */
export const ANNOUNCEMENT_LENGTH_MAX = 500;
/** UTF-16 code units of it. */
export const ANNOUNCEMENT_UNITS_MAX: number = 2 * ANNOUNCEMENT_LENGTH_MAX;
/** UTF-16 code units of a message of a player. */
export const MESSAGE_UNITS_MAX: number = 2 * MESSAGE_LENGTH_MAX;
/** Characters of the hash of an API key. */
export const KEY_HASH_LENGTH_MAX = 64;
/** Characters of a digest in a kept reply. */
export const DIGEST_LENGTH_MAX = 64;
/** The highest number of a player. Numbers are not used again, and the list of players has a place for each. */
export const PLAYER_NUMBER_MAX = 16_777_216;
export const RULE_SET_VERSION_MAX = 1_000_000;
/** Units of one resource in a rule; small enough that points and amounts computed from it are safe integers. */
export const RULE_UNITS_MAX = 1_000_000;
/** Any other factor or divisor in a rule. */
export const RULE_FACTOR_MAX = 100_000;
/** A percentage in a part of a rule set. */
export const RULE_PERCENT_MAX = 1_000;
/** Above, the wrecks of both sides together would be worth more than the ships that one of them lost. */
export const WRECK_PERCENT_MAX = 50;
export const RULE_SECONDS_MAX = 1_000_000;
/** Attack and defence of a ship. */
export const SHIP_STRENGTH_MAX = 1_000;
/** Characters of a description in a rule set. */
export const RULE_TEXT_LENGTH_MAX = 200;
