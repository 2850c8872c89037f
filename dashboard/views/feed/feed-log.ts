// The public events that the feed knows, each once, and which of them pass its filters. Pages of the past and frames of the map may have
// the same events under different seqs, since a world with keys counts the events that show no fleets apart.
import { signal } from '@preact/signals';
import type { GameEvent } from 'galaxyd-client';
import { FEED_EVENTS_MAX } from '../../limits.js';
import { placeOfPlanet } from '../../parts/format.js';
import type { RouteOf } from '../../routes.js';

export class FeedLog {
  /** The newest first. */
  readonly events = signal<readonly GameEvent[]>([]);
  readonly #known = new Set<string>();

  /** Adds events in any order. Those that are known already, and the oldest if there are too many, are left out. */
  add(events: readonly GameEvent[]): void {
    const news = events.filter((event) => {
      const key = keyOf(event);
      if (this.#known.has(key)) return false;
      this.#known.add(key);
      return true;
    });
    if (news.length === 0) return;
    const all = [...news, ...this.events.peek()].sort(newestFirst);
    for (const event of all.slice(FEED_EVENTS_MAX)) this.#known.delete(keyOf(event));
    this.events.value = all.slice(0, FEED_EVENTS_MAX);
  }

  clear(): void {
    this.#known.clear();
    this.events.value = [];
  }
}

/** What makes an event the same in both sequences. */
export function keyOf({ at, type, playerId, data }: GameEvent): string {
  return JSON.stringify([at, type, playerId, data]);
}

/** World time is written in a form whose order is that of time. */
function newestFirst(one: GameEvent, other: GameEvent): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1;
  return other.seq - one.seq;
}

/** A kind of public events that the feed tells apart. */
export interface EventKind {
  readonly name: 'battle' | 'planet' | 'trade' | 'diplomacy' | 'player' | 'world' | 'fleet';
  readonly title: string;
  readonly types: readonly GameEvent['type'][];
}

/** Sorted by how rare and notable they are. */
export const EVENT_KINDS: readonly EventKind[] = [
  { name: 'battle', title: 'Battles', types: ['battle', 'fleet_destroyed', 'attack_turned_away'] },
  { name: 'planet', title: 'Colonies', types: ['planet_colonized', 'colonization_failed'] },
  { name: 'trade', title: 'Trades', types: ['trade_agreed'] },
  { name: 'player', title: 'Players', types: ['player_joined', 'player_retired', 'player_renamed'] },
  { name: 'diplomacy', title: 'Diplomacy', types: ['pact', 'players_spoke', 'message_broadcast'] },
  {
    name: 'world',
    title: 'World',
    types: ['clock_paused', 'clock_resumed', 'speed_changed', 'announcement', 'shock_announced', 'shock_began'],
  },
  { name: 'fleet', title: 'Fleets', types: ['fleet_launched', 'fleet_arrived', 'fleet_recalled', 'fleet_returned'] },
];

/** The filters of the feed, as the address has them. */
export type Filter = Pick<RouteOf<'feed'>, 'types' | 'player' | 'place'>;

export function kindOf(type: string): EventKind['name'] {
  return EVENT_KINDS.find(({ types }) => types.some((known) => known === type))?.name ?? 'fleet';
}

/** Whether an event passes all filters. */
export function passes(event: GameEvent, { types, player, place }: Filter): boolean {
  if (types.length > 0 && !types.includes(event.type)) return false;
  if (player !== null && !playersOf(event).includes(player)) return false;
  return place === null || planetsOf(event).some((planetId) => isIn(planetId, place));
}

/** The players that an event names. */
function playersOf({ playerId, data }: GameEvent): readonly string[] {
  return [
    ...(playerId === null ? [] : [playerId]),
    ...('defenderId' in data ? [data.defenderId] : []),
    ...('attackerId' in data ? [data.attackerId] : []),
    ...('partnerId' in data ? [data.partnerId] : []),
    ...('otherId' in data ? [data.otherId] : []),
    ...('receiverId' in data ? [data.receiverId] : []),
  ];
}

/** The planets that an event names. */
function planetsOf({ data }: GameEvent): readonly string[] {
  if ('planetIds' in data) return data.planetIds;
  return [
    ...('planetId' in data ? [data.planetId] : []),
    ...('partnerPlanetId' in data ? [data.partnerPlanetId] : []),
    ...('originPlanetId' in data ? [data.originPlanetId] : []),
    ...('targetPlanetId' in data ? [data.targetPlanetId] : []),
  ];
}

function isIn(planetId: string, place: string): boolean {
  const found = placeOfPlanet(planetId);
  return found !== null && `${found.galaxy}:${found.system}:${found.slot}:`.startsWith(`${place}:`);
}
