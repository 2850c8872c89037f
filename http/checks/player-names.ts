// Which names players may have, what a name is compared by, and which announcements and messages there may be. Only here does it depend on the Unicode of
// Node: the log carries the key with the command, so a replay compares what was compared then.

import { ANNOUNCEMENT_UNITS_MAX, MESSAGE_UNITS_MAX, NAME_UNITS_MAX } from '../../engine/rules/record-limits.js';
import { Format } from '../../persistence/typebox.js';
import { firstUnseen } from '../../text/foreign-text.js';
import { MARKS_IN_A_ROW_MAX } from '../limits.js';
import { LOOK_ALIKES } from './look-alikes.js';

const MARK_FIRST = /^\p{M}/u;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MARKS_IN_A_ROW_MAX + 1}}`, 'u');
const SPACE_FIRST = /^\p{Zs}/u;
const SPACE_LAST = /\p{Zs}$/u;
const SPACES = /\p{Zs}+/gu;
/** Parts of whole emoji that change nothing, or little, about how they look. */
const JOINERS = /[\u200d\ufe0f]/g;

/** Words that stand where names do, in requests or in texts of the server: the address of a message to everybody, and who speaks in it. */
export const RESERVED_NAMES = ['all', 'everybody', 'nobody', 'operator', 'galaxyd'] as const;

/** What is wrong with a name, after the name of its field; undefined for nothing. Its length is not looked at. */
export function nameFault(name: string): string | undefined {
  return textFault(name) ?? reservedFault(name);
}

/** The same for a line that is no name. */
function textFault(text: string): string | undefined {
  return beginningFault(text) ?? (SPACE_LAST.test(text) ? 'must not end with a space' : undefined);
}

/** A player whose name looks like a reserved word could be taken for the server, or for everybody. */
function reservedFault(name: string): string | undefined {
  const word = RESERVED_NAMES[RESERVED_KEYS.indexOf(keyWithoutCase(name))];
  return word === undefined ? undefined : `must not look like ${word}, which is reserved`;
}

function beginningFault(prefix: string): string | undefined {
  const unseen = firstUnseen(prefix);
  if (unseen !== undefined)
    return `must have only visible characters (letters, digits, signs, spaces inside, whole emoji), and U+${hexadecimal(unseen)} is not`;
  if (SPACE_FIRST.test(prefix)) return 'must not begin with a space';
  if (MARK_FIRST.test(prefix)) return 'must not begin with a mark that belongs to a character before it';
  // Letters that are one character with their marks count those, too.
  return TOO_MANY_MARKS.test(prefix.normalize('NFD'))
    ? `must not have more than ${MARKS_IN_A_ROW_MAX} marks on one character`
    : undefined;
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

/** Some letters look alike only in lower case. */
function keyWithoutCase(name: string): string {
  return nameKey(nameKey(name).toLowerCase());
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

const RESERVED_KEYS: readonly string[] = RESERVED_NAMES.map(keyWithoutCase);

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
  [NAME_PREFIX_FORMAT]: { unitsMax: NAME_UNITS_MAX, faultOf: beginningFault },
  [ANNOUNCEMENT_FORMAT]: { unitsMax: ANNOUNCEMENT_UNITS_MAX, faultOf: textFault },
  [MESSAGE_FORMAT]: { unitsMax: MESSAGE_UNITS_MAX, faultOf: textFault },
};

for (const [name, { unitsMax, faultOf }] of Object.entries(FORMATS)) {
  // Looking for emoji in a megabyte would hold up all other requests for a second.
  Format.Set(name, (text) => text.length > unitsMax || faultOf(text) === undefined);
}
