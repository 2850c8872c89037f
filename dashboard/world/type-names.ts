// What people call the types of this world: a varied instance gives them names of its own. Others are called by their identifiers.
import { signal } from '@preact/signals';

/** A row of the catalogue. */
export interface NamedType {
  readonly type: string;
  readonly displayName?: string;
}

const names = signal<ReadonlyMap<string, string>>(new Map());

/** The name of a type; null if it has only its identifier. */
export function displayNameOf(type: string): string | null {
  return names.value.get(type) ?? null;
}

/** Takes the names of a catalogue; those of another one are forgotten. */
export function rememberTypeNames(types: readonly NamedType[]): void {
  const found = new Map(
    types.flatMap(({ type, displayName }) => (displayName === undefined ? [] : [[type, displayName] as const])),
  );
  const known = names.peek();
  const isSame = found.size === known.size && [...found].every(([type, name]) => known.get(type) === name);
  if (!isSame) names.value = found;
}
