// What the viewer points at and has chosen: a player, whose planets and fleets are shown brightly, and what is under the pointer.
import { computed, signal } from '@preact/signals';
import type { Point } from './geometry.js';

/** What is under the pointer. */
export type Pointed =
  | { readonly kind: 'galaxy'; readonly galaxy: number }
  | { readonly kind: 'system'; readonly galaxy: number; readonly system: number }
  | { readonly kind: 'planet'; readonly galaxy: number; readonly system: number; readonly slot: number }
  | { readonly kind: 'fleet'; readonly fleet: number };

export const pointed = signal<Pointed | null>(null);
/** Pixel of the map where the pointer is; null if it is elsewhere. */
export const pointerAt = signal<Point | null>(null);

/** Number of the player who is chosen; 0 for nobody. It stays chosen from one view of the map to the next. */
export const chosenPlayer = signal(0);
/** The same as long as the pointer is over a name. */
export const hoveredPlayer = signal(0);

/** Number of the player who is shown brightly; 0 if everybody is. */
export const brightPlayer = computed(() => (hoveredPlayer.value === 0 ? chosenPlayer.value : hoveredPlayer.value));

/** Chooses a player, or nobody if it was chosen already. */
export function togglePlayer(player: number): void {
  chosenPlayer.value = chosenPlayer.peek() === player ? 0 : player;
}

/** Takes over what is under the pointer, if it is something else than before. */
export function pointAt(next: Pointed | null): void {
  if (JSON.stringify(next) !== JSON.stringify(pointed.peek())) pointed.value = next;
}
