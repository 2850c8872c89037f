// The names of players, as far as they were seen in documents and events, and those of types. Others are asked for, and shown by their id
// until they are known.
import { signal } from '@preact/signals';
import { NAMES_MAX } from '../limits.js';

const names = new Map<string, string>();
/** Changes with the names, so that what shows one renders again. */
const version = signal(0);

/** Ids whose names were asked for. */
const asked = new Set<string>();
let ask = (_playerId: string): void => {};

/** Sets what asks for a name that is not known. It is called once for each id. */
export function onUnknownName(listener: (playerId: string) => void): void {
  ask = listener;
}

/** Lets ids be asked for again: the server was away, or a replay shows another instant. */
export function askAgain(): void {
  asked.clear();
  version.value += 1;
}

/** Name of a player; null if it is not known. */
export function nameOfPlayer(playerId: string): string | null {
  version.value;
  const name = names.get(playerId) ?? null;
  if (name === null && !asked.has(playerId) && asked.size < NAMES_MAX) {
    asked.add(playerId);
    ask(playerId);
  }
  return name;
}

/** Remembers names. The ones that were learned first are forgotten if there are too many. */
export function rememberNames(players: Iterable<{ readonly id: string; readonly name: string }>): void {
  let isChanged = false;
  for (const { id, name } of players) {
    if (names.get(id) === name) continue;
    names.set(id, name);
    isChanged = true;
  }
  for (const oldest of names.keys()) {
    if (names.size <= NAMES_MAX) break;
    names.delete(oldest);
  }
  if (isChanged) version.value += 1;
}

/** Forgets all names: in another world the same ids are other players. */
export function forgetNames(): void {
  names.clear();
  asked.clear();
  version.value += 1;
}

/** A row of the catalogue. The rules of a varied instance give types names of their own. */
interface NamedType {
  readonly type: string;
  readonly displayName?: string;
}

const typeNames = signal<ReadonlyMap<string, string>>(new Map());

/** The name of a type; null if it has only its identifier. */
export function displayNameOf(type: string): string | null {
  return typeNames.value.get(type) ?? null;
}

/** Takes the names of a catalogue; those of another one are forgotten. */
export function rememberTypeNames(types: readonly NamedType[]): void {
  const found = new Map(
    types.flatMap(({ type, displayName }) => (displayName === undefined ? [] : [[type, displayName] as const])),
  );
  const known = typeNames.peek();
  const isSame = found.size === known.size && [...found].every(([type, name]) => known.get(type) === name);
  if (!isSame) typeNames.value = found;
}
