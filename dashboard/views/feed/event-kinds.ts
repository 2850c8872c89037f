// The kinds of public events that the feed tells apart, and which events pass its filters.
import type { GameEvent } from 'galaxyd-client';
import { placeOfPlanet } from '../../parts/places.js';

type EventType = GameEvent['type'];

export interface EventKind {
  readonly name: 'battle' | 'planet' | 'player' | 'fleet';
  readonly title: string;
  readonly types: readonly EventType[];
}

/** By how seldom and notable they are. */
export const EVENT_KINDS: readonly EventKind[] = [
  { name: 'battle', title: 'Battles', types: ['battle', 'fleet_destroyed', 'attack_turned_away'] },
  { name: 'planet', title: 'Colonies', types: ['planet_colonized', 'colonization_failed'] },
  { name: 'player', title: 'Players', types: ['player_joined', 'player_retired'] },
  { name: 'fleet', title: 'Fleets', types: ['fleet_launched', 'fleet_arrived', 'fleet_recalled', 'fleet_returned'] },
];

/** The filters of the feed, as the address has them. */
export interface Filter {
  /** Empty: all. */
  readonly types: readonly string[];
  readonly player: string | null;
  /** A galaxy, a system or a planet, such as `7`, `7:12` or `7:12:5`. */
  readonly place: string | null;
}

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
    playerId,
    ...('defenderId' in data ? [data.defenderId] : []),
    ...('attackerId' in data ? [data.attackerId] : []),
  ];
}

/** The planets that an event names. */
function planetsOf({ data }: GameEvent): readonly string[] {
  if ('planetIds' in data) return data.planetIds;
  return [
    ...('planetId' in data ? [data.planetId] : []),
    ...('originPlanetId' in data ? [data.originPlanetId] : []),
    ...('targetPlanetId' in data ? [data.targetPlanetId] : []),
  ];
}

function isIn(planetId: string, place: string): boolean {
  const found = placeOfPlanet(planetId);
  return found !== null && `${found.galaxy}:${found.system}:${found.slot}:`.startsWith(`${place}:`);
}
