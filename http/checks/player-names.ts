// Which names players may have, what a name is compared by, and which announcements and messages there may be. Only here does it depend on the Unicode of
// Node: the log carries the key with the command, so a replay compares what was compared then.

import { ANNOUNCEMENT_UNITS_MAX, MESSAGE_UNITS_MAX, NAME_UNITS_MAX } from '../../engine/rules/record-limits.js';
import { Format } from '../../persistence/typebox.js';
import { firstUnseen } from '../../text/foreign-text.js';
import { LOOK_ALIKES } from './look-alikes.js';

const MARK_FIRST = /^\p{M}/u;
const SPACE_FIRST = /^\p{Zs}/u;
const SPACE_LAST = /\p{Zs}$/u;
const SPACES = /\p{Zs}+/gu;
/** Parts of whole emoji that change nothing, or little, about how they look. */
const JOINERS = /[\u200d\ufe0f]/g;

/** What is wrong with a name, after the name of its field; undefined for nothing. Its length is not looked at. */
export function nameFault(name: string): string | undefined {
  return prefixFault(name) ?? (SPACE_LAST.test(name) ? 'must not end with a space' : undefined);
}

/** The same for the beginning of a name, after which a hyphen and a number follow. */
function prefixFault(prefix: string): string | undefined {
  const unseen = firstUnseen(prefix);
  if (unseen !== undefined)
    return `must have only visible characters (letters, digits, signs, spaces inside, whole emoji), and U+${hexadecimal(unseen)} is not`;
  if (SPACE_FIRST.test(prefix)) return 'must not begin with a space';
  return MARK_FIRST.test(prefix) ? 'must not begin with a mark that belongs to a character before it' : undefined;
}

/**
 * What a name is compared by: names that look alike have the same key (a skeleton by UTS 39, of the compatibility decomposition). Names
 * that differ in upper and lower case, or in their digits, have different ones. The key of a name that begins with another
 * name, a hyphen and a number begins with its key, and goes on with them.
 */
export function nameKey(name: string): string {
  let key = '';
  if (ASCII.test(name)) {
    // Most names. To normalize them character by character took a fifth of the time of a creation.
    for (let index = 0; index < name.length; index += 1) key += ASCII_KEYS[name.charCodeAt(index)] as string;
    return key.replace(SPACES, ' ');
  }
  for (const character of name.normalize('NFD').replace(JOINERS, '')) key += keyOf(character);
  return key.normalize('NFD').replace(SPACES, ' ');
}

function keyOf(character: string): string {
  return LOOK_ALIKES.get(character) ?? plain(character);
}

/** A character without its width, style or position: some look like another one only then. */
function plain(character: string): string {
  return Array.from(character.normalize('NFKD'), (part) => LOOK_ALIKES.get(part) ?? part).join('');
}

const ASCII = /^[\0-\x7f]*$/;
/** The key of each ASCII character. Each is ASCII as well, so joining them makes nothing that has another normal form. */
const ASCII_KEYS: readonly string[] = Array.from({ length: 128 }, (_, code) => keyOf(String.fromCharCode(code)));

function hexadecimal(character: string): string {
  return character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
}

export const NAME_FORMAT = 'player-name';
export const NAME_PREFIX_FORMAT = 'player-name-prefix';
export const ANNOUNCEMENT_FORMAT = 'announcement';
export const MESSAGE_FORMAT = 'message';

interface TextFormat {
  /** UTF-16 units; a longer text is refused for its length, and its characters are not looked at. */
  readonly unitsMax: number;
  /** What is wrong with a text. The sentence follows the name of the field. */
  faultOf(text: string): string | undefined;
}

export const FORMATS: Readonly<Record<string, TextFormat>> = {
  [NAME_FORMAT]: { unitsMax: NAME_UNITS_MAX, faultOf: nameFault },
  [NAME_PREFIX_FORMAT]: { unitsMax: NAME_UNITS_MAX, faultOf: prefixFault },
  [ANNOUNCEMENT_FORMAT]: { unitsMax: ANNOUNCEMENT_UNITS_MAX, faultOf: nameFault },
  [MESSAGE_FORMAT]: { unitsMax: MESSAGE_UNITS_MAX, faultOf: nameFault },
};

for (const [name, { unitsMax, faultOf }] of Object.entries(FORMATS)) {
  // Looking for emoji in a megabyte would hold up all other requests for a second.
  Format.Set(name, (text) => text.length > unitsMax || faultOf(text) === undefined);
}
