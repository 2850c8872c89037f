// What the map shows in detail: the documents of the galaxy and of the system in the address, what the viewer points at, and the player
// whose planets and fleets are shown brightly.
import { computed, effect, type ReadonlySignal, type Signal, signal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { follow, route } from '../../../address.js';
import { colourOfPlayer, numberOfPlayer } from '../../../colours.js';
import { MAP_LABEL_CHARACTERS_MAX, SLOW_PERIOD_MS } from '../../../limits.js';
import type { Shapes } from '../../../world/api.js';
import { fleets, galaxies } from '../../../world/map-state.js';
import { rememberNames } from '../../../world/names.js';
import { type Polled, usePolled } from '../../../world/poll.js';
import type { Point, Target } from './geometry.js';

/** What is under the pointer. */
export type Pointed =
  | Exclude<Target, { readonly view: 'universe' }>
  | { readonly view: 'fleet'; readonly fleet: number };

export const pointed = signal<Pointed | null>(null);
/** Pixel of the map where the pointer is; null if it is elsewhere. */
export const pointerAt = signal<Point | null>(null);

/** Number of the player who is followed; 0 for nobody. */
export const followedPlayer = computed(() => (route.value.player === null ? 0 : numberOfPlayer(route.value.player)));
/** The player whose name is under the pointer; 0 for nobody. */
export const hoveredPlayer = signal(0);

/** Number of the player who is shown brightly; 0 if everybody is. */
export const brightPlayer = computed(() => (hoveredPlayer.value === 0 ? followedPlayer.value : hoveredPlayer.value));

/** Follows a player, or nobody if it was followed already. */
export function togglePlayer(player: number): void {
  follow(player === 0 || followedPlayer.peek() === player ? null : `player-${player}`);
}

/** The galaxies with which the map of the universe begins: those of the player who is followed, or all that are settled. */
export function galaxiesToShow(): number[] {
  const player = followedPlayer.peek();
  const settled = Array.from(galaxies.peek());
  const own = new Set(settled.flatMap(([galaxy, { owners }]) => (owners.includes(player) ? [galaxy] : [])));
  for (const { owner, from, to } of fleets.values()) if (owner === player) own.add(from.galaxy).add(to.galaxy);
  return player === 0 || own.size === 0 ? settled.map(([galaxy]) => galaxy) : Array.from(own);
}

/** Sets what is under the pointer, if it has changed. */
export function pointAt(next: Pointed | null): void {
  if (JSON.stringify(next) !== JSON.stringify(pointed.peek())) pointed.value = next;
}

/** Null while no galaxy, or no system, is shown. */
export const galaxyShown = signal<Polled<Shapes['GalaxyOverview']> | null>(null);
export const systemShown = signal<Polled<Shapes['SystemView']> | null>(null);

/** Reads a galaxy while it is part of the page. It shows nothing itself. */
export function GalaxyFollower({ galaxy }: { readonly galaxy: number }) {
  const document = usePolled(
    `galaxy-${galaxy}`,
    (client, signal) => client.get('/api/game/galaxy/{galaxy}', { params: { path: { galaxy } }, signal }),
    SLOW_PERIOD_MS,
  );
  useCopy(document, galaxyShown);
  return null;
}

/** Reads a system while it is part of the page. It shows nothing itself. */
export function SystemFollower({ galaxy, system }: { readonly galaxy: number; readonly system: number }) {
  const document = usePolled(
    `system-${galaxy}-${system}`,
    (client, signal) =>
      client.get('/api/game/galaxy/{galaxy}/system/{system}', { params: { path: { galaxy, system } }, signal }),
    SLOW_PERIOD_MS,
  );
  useCopy(document, systemShown);
  useSignalEffect(() => rememberNames(document.value.body?.planets.flatMap(({ owner }) => owner ?? []) ?? []));
  return null;
}

function useCopy<Body>(document: ReadonlySignal<Polled<Body>>, place: Signal<Polled<Body> | null>): void {
  useEffect(() => {
    const stop = effect(() => {
      place.value = document.value;
    });
    return () => {
      stop();
      place.value = null;
    };
  }, [document, place]);
}

/** The systems of a galaxy one by one, as far as they have owners. */
export interface GalaxyDetail {
  readonly galaxy: number;
  readonly systems: readonly { readonly index: number; readonly owner: number; readonly owned: number }[];
}

/** The systems of the galaxy with the player who owns most of each. */
export const galaxyDetail = computed<GalaxyDetail | null>(() => {
  const body = galaxyShown.value?.body ?? null;
  if (body === null) return null;
  const systems = body.systems.map(({ index, planets, free, owners }) => {
    const first = owners.toSorted((one, other) => other.slots.length - one.slots.length)[0];
    return { index, owner: first === undefined ? 0 : numberOfPlayer(first.playerId), owned: planets - free };
  });
  return { galaxy: body.galaxy.index, systems };
});

/** A system as it is drawn. */
export interface DrawnSystem {
  readonly galaxy: number;
  readonly system: number;
  readonly starType: string;
  readonly planets: readonly DrawnPlanet[];
}

export interface DrawnPlanet {
  readonly slot: number;
  readonly name: string;
  /** Null if nobody owns it. */
  readonly owner: { readonly name: string; readonly colour: string } | null;
  readonly isDimmed: boolean;
}

/** The system with the colours of its owners. */
export const drawnSystem = computed<DrawnSystem | null>(() => {
  const body = systemShown.value?.body ?? null;
  if (body === null) return null;
  const bright = brightPlayer.value;
  const planets = body.planets.map(({ slot, name, owner }): DrawnPlanet => {
    const player = owner === null ? 0 : numberOfPlayer(owner.id);
    const shown = owner && { name: shortened(owner.name), colour: colourOfPlayer(player) };
    return { slot, name, owner: shown, isDimmed: bright !== 0 && bright !== player };
  });
  return { galaxy: body.galaxy.index, system: body.system.index, starType: body.system.star.type, planets };
});

/** A long name without its middle: two names often differ at their ends only. */
function shortened(name: string): string {
  const letters = Array.from(name);
  if (letters.length <= MAP_LABEL_CHARACTERS_MAX) return name;
  const kept = (MAP_LABEL_CHARACTERS_MAX - 1) / 2;
  return `${letters.slice(0, Math.ceil(kept)).join('')}…${letters.slice(-Math.floor(kept)).join('')}`;
}
