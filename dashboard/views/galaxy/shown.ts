// What the map shows in detail: the documents of the galaxy and of the system in the address, and the latest battles.
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { colourOfPlayer, numberOfPlayer } from '../../colours.js';
import { MAP_LIST_MAX, SLOW_PERIOD_MS } from '../../limits.js';
import type { Shapes } from '../../world/api.js';
import { type Battle, onFrame } from '../../world/map-state.js';
import { rememberNames } from '../../world/names.js';
import { type Polled, usePolled } from '../../world/poll.js';
import { worldMsAt } from '../../world/world-clock.js';
import type { GalaxyDetail } from './drawing/scene.js';
import type { ShownSystem } from './overlay.js';
import { brightPlayer } from './selection.js';

/** Null as long as no galaxy, or no system, is shown. */
export const galaxyShown = signal<Polled<Shapes['GalaxyOverview']> | null>(null);
export const systemShown = signal<Polled<Shapes['SystemView']> | null>(null);

interface GalaxyFollowerProps {
  readonly galaxy: number;
}

/** Reads a galaxy as long as it is part of the page. It shows nothing itself. */
export function GalaxyFollower({ galaxy }: GalaxyFollowerProps) {
  const document = usePolled(
    `galaxy-${galaxy}`,
    (client, signal) => client.get('/api/game/galaxy/{galaxy}', { params: { path: { galaxy } }, signal }),
    SLOW_PERIOD_MS,
  );
  useCopy(document, galaxyShown);
  return null;
}

interface SystemFollowerProps {
  readonly galaxy: number;
  readonly system: number;
}

/** Reads a system as long as it is part of the page. It shows nothing itself. */
export function SystemFollower({ galaxy, system }: SystemFollowerProps) {
  const document = usePolled(
    `system-${galaxy}-${system}`,
    (client, signal) =>
      client.get('/api/game/galaxy/{galaxy}/system/{system}', { params: { path: { galaxy, system } }, signal }),
    SLOW_PERIOD_MS,
  );
  useCopy(document, systemShown);
  useEffect(
    () =>
      effect(() => {
        const owners = document.value.body?.planets.flatMap(({ owner }) => (owner === null ? [] : [owner]));
        rememberNames(owners ?? []);
      }),
    [document],
  );
  return null;
}

function useCopy<Body>(document: ReadonlySignal<Polled<Body>>, place: { value: Polled<Body> | null }): void {
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

/** The system with the colours of its owners. */
export const drawnSystem = computed<ShownSystem | null>(() => {
  const body = systemShown.value?.body ?? null;
  if (body === null) return null;
  const bright = brightPlayer.value;
  return {
    galaxy: body.galaxy.index,
    system: body.system.index,
    starType: body.system.star.type,
    starName: body.system.star.name,
    planets: body.planets.map(({ slot, name, owner }) => {
      const player = owner === null ? 0 : numberOfPlayer(owner.id);
      return {
        slot,
        name,
        colour: owner === null ? null : colourOfPlayer(player),
        ownerName: owner === null ? null : shortened(owner.name),
        isDimmed: bright !== 0 && bright !== player,
      };
    }),
  };
});

const LABEL_LENGTH_MAX = 22;

/** Names are text from strangers, and as long as they like. */
function shortened(name: string): string {
  const letters = Array.from(name);
  return letters.length <= LABEL_LENGTH_MAX ? name : `${letters.slice(0, LABEL_LENGTH_MAX - 1).join('')}…`;
}

export interface SeenBattle extends Battle {
  /** Counts the battles. */
  readonly number: number;
  /** World time when it was seen, in ms since 1970; null if it is not known. */
  readonly atMs: number | null;
}

/** The latest battles, the newest first, since the page was opened. */
export const battlesSeen = signal<readonly SeenBattle[]>([]);
let battleCount = 0;

/** Of more, nobody could read a line before it is gone. The map shows them all. */
const BATTLES_PER_FRAME_MAX = 2;

function lossesOf({ attackerLost, defenderLost }: Battle): number {
  return attackerLost + defenderLost;
}

onFrame(({ battles, isReset }) => {
  if (isReset) battlesSeen.value = [];
  if (battles.length === 0) return;
  const atMs = worldMsAt(performance.now());
  const largest = battles.toSorted((one, other) => lossesOf(other) - lossesOf(one)).slice(0, BATTLES_PER_FRAME_MAX);
  const seen = largest.map((battle) => {
    battleCount += 1;
    return { ...battle, number: battleCount, atMs };
  });
  battlesSeen.value = [...seen, ...battlesSeen.peek()].slice(0, MAP_LIST_MAX);
});
