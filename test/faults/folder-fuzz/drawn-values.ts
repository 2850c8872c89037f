// Values that no galaxyd writes, drawn for any place in a tree of lists and objects: boundaries, other types, neighbours of what is there,
// and elements that are missing, doubled or swapped.
import { WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { NUMBER_MAX } from '../../../engine/rules/record-limits.js';
import type { Draws } from '../../support/process/draws.js';

export type Tree = unknown[] | Record<string, unknown>;

const NUMBERS: readonly number[] = [
  ...[0, -0, 1, -1, 2, 3, 255, 256, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 32 - 1, 2 ** 32],
  ...[NUMBER_MAX, NUMBER_MAX + 1, WORLD_TIME_MS_MAX, WORLD_TIME_MS_MAX + 1],
  ...[2 ** 53 - 1, 2 ** 53, 1 - 2 ** 53, 2 ** 63, 2 ** 64, 0.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY],
];
const TEXTS: readonly string[] = [
  ...[
    '',
    '0',
    '-1',
    'null',
    '{}',
    '[]',
    '{"success":true}',
    '__proto__',
    'constructor',
    '\0',
    '\n',
    '\u001b[2J',
    '\ud800',
  ],
  'x'.repeat(255),
  'x'.repeat(2 ** 16),
];
const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  [[]],
  [null],
  {},
  { length: -1 },
  2n ** 63n,
  Buffer.alloc(3),
];
const LONG_LIST = 2 ** 16;
const DEPTH = 1_000;

/** The unsigned numbers of a number of bits. */
export function drawUnsigned(draws: Draws, bits: number): number {
  return draws.pick(NUMBERS.filter((value) => Number.isSafeInteger(value) && value >= 0 && value < 2 ** bits));
}

export function drawValue(draws: Draws): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => draws.pick(NUMBERS),
    () => draws.pick(NUMBERS),
    () => draws.pick(TEXTS),
    () => structuredClone(draws.pick(OTHERS)),
    () => new Array(LONG_LIST).fill(draws.pick(NUMBERS)),
    () => nested(),
  ];
  // Long and deep lists take the most time, and lead nowhere new.
  return (kinds[draws.below(draws.oneIn(10) ? kinds.length : 4)] as () => unknown)();
}

function nested(): unknown[] {
  let list: unknown[] = [];
  for (let depth = 1; depth < DEPTH; depth += 1) list = [list];
  return list;
}

interface Place {
  readonly holder: Tree;
  readonly key: string;
  readonly path: string;
}

const CHANGES: Readonly<Record<string, (place: Place, places: readonly Place[], draws: Draws) => void>> = {
  'a drawn value': (place, _, draws) => set(place, drawValue(draws)),
  'another number': (place, _, draws) => set(place, draws.pick(NUMBERS)),
  'a neighbour': (place, _, draws) => set(place, neighbourOf(valueAt(place), draws)),
  'the value of another place': (place, places, draws) => set(place, structuredClone(valueAt(draws.pick(places)))),
  'a swap': (place, places, draws) => {
    const other = draws.pick(places.filter(({ holder }) => holder === place.holder));
    const value = valueAt(place);
    set(place, valueAt(other));
    set(other, value);
  },
  'left out': ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  doubled: ({ holder, key }) => {
    if (Array.isArray(holder)) holder.splice(Number(key), 0, structuredClone(holder[Number(key)]));
    else holder[`${key}s`] = holder[key];
  },
};

/** Changes one place of a tree. @returns what was changed, for people */
export function change(tree: Tree, draws: Draws): string {
  const places = [...placesIn(tree, '')];
  if (places.length === 0) return 'nothing to change';
  const place = draws.pick(places);
  const name = draws.pick(Object.keys(CHANGES));
  CHANGES[name]?.(place, places, draws);
  return `${place.path}: ${name}`;
}

/** The same for a tree in JSON. What JSON cannot hold becomes null. */
export function changeText(text: string, draws: Draws): { readonly text: string; readonly how: string } {
  const tree = JSON.parse(text) as Tree;
  const how = change(tree, draws);
  return { text: JSON.stringify(tree, (_, value: unknown) => (typeof value === 'bigint' ? null : value)), how };
}

function* placesIn(holder: Tree, path: string): Generator<Place> {
  for (const key of Object.keys(holder)) {
    const place = { holder, key, path: `${path}/${key}` };
    yield place;
    const value = valueAt(place);
    // The bytes of a buffer do not count as places.
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      yield* placesIn(value as Tree, place.path);
  }
}

function valueAt({ holder, key }: Place): unknown {
  return (holder as Record<string, unknown>)[key];
}

function set({ holder, key }: Place, value: unknown): void {
  (holder as Record<string, unknown>)[key] = value;
}

function neighbourOf(value: unknown, draws: Draws): unknown {
  if (typeof value === 'number')
    return draws.pick([
      value + 1,
      value - 1,
      2 * value,
      -value,
      Math.floor(value / 2),
      value + 1_000,
      value * 1_000_000,
    ]);
  if (typeof value === 'string') return draws.pick([value.slice(1), `${value}0`, value.toUpperCase(), value + value]);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return draws.pick([value.slice(1), [...value, ...value], value.toReversed(), [value]]);
  return 0;
}
