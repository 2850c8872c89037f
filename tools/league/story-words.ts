// What the sentences of a story have in common.
import type { ReadonlyWorld } from '../../engine/world/state.js';

/** A sentence, and the units of resources that it is about. */
export interface Sentence {
  readonly text: string;
  readonly weight: number;
}

export const nameOf = (world: ReadonlyWorld, number: number): string => world.players.get(number)?.name ?? 'somebody';
export const nameIn = (types: readonly { readonly type: string }[], index: number): string => types[index]?.type ?? '';
export const units = (value: number): string => Math.round(value).toLocaleString('en');
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
export const times = (count: number): string => (count === 1 ? 'once' : count === 0 ? 'never' : `${count} times`);

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
