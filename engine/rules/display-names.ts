// Invented names for the types of a varied rule set: nobody has met them before, so only the catalogue tells what a type is.
import { drawBelow, SALTS } from '../random.js';

const ONSETS = [
  'b',
  'br',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'h',
  'j',
  'k',
  'kr',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'sk',
  't',
  'tr',
  'v',
  'z',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ei', 'ou'];
const CODAS = ['', '', 'l', 'm', 'n', 'r', 's', 'th', 'x'];
const SYLLABLES_MIN = 2;
const SYLLABLES_MAX = 3;
/** Draws that one name may take, the first included. */
const TRIES_PER_NAME = 64;
/** Draws of a syllable. */
const DRAWS_PER_SYLLABLE = 3;
const DRAWS_PER_NAME = 1 + SYLLABLES_MAX * DRAWS_PER_SYLLABLE;

/**
 * @param count of names, at most a few hundred
 * @returns different names, the same ones for the same seed
 */
export function displayNames(seed: number, count: number): string[] {
  const names: string[] = [];
  for (let place = 0; place < count; place += 1) {
    let name = '';
    for (let attempt = 0; attempt < TRIES_PER_NAME && (name === '' || names.includes(name)); attempt += 1)
      name = drawnName(seed, (place * TRIES_PER_NAME + attempt) * DRAWS_PER_NAME);
    // There are tens of thousands of names, so this hardly ever happens.
    names.push(names.includes(name) ? `${name} ${place + 1}` : name);
  }
  return names;
}

function drawnName(seed: number, firstDraw: number): string {
  let number = firstDraw;
  const below = (bound: number): number => {
    const value = drawBelow(bound, seed, number, SALTS.displayName);
    number += 1;
    return value;
  };
  const pick = (parts: readonly string[]): string => parts[below(parts.length)] ?? '';
  const syllables = SYLLABLES_MIN + below(SYLLABLES_MAX - SYLLABLES_MIN + 1);
  const text = Array.from({ length: syllables }, () => pick(ONSETS) + pick(VOWELS) + pick(CODAS)).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
