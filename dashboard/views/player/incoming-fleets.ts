// The fleets of others on their way to a player's planets: those that the map shows, and those that the player was warned of. Where
// both know a fleet, the warning says what its player may see of it.
import type { EventData, GameEvent } from 'galaxyd-client';
import type { Leg } from '../../world/map-state.js';

export interface IncomingFleet {
  readonly number: number;
  readonly senderId: string;
  /** Null if the player may not know it. */
  readonly mission: string | null;
  readonly origin: { readonly galaxy: number; readonly system: number };
  readonly targetPlanetId: string;
  readonly shipCount: number | null;
  readonly ships: EventData<'incoming_fleet'>['ships'];
  /** World time in ms since 1970. */
  readonly departsAtMs: number;
  readonly arrivesAtMs: number;
}

interface Sources {
  /** Number of the player. */
  readonly ownNumber: number;
  readonly planetIds: ReadonlySet<string>;
  /** Of the player, the newest first. */
  readonly events: readonly GameEvent[];
  readonly legs: Iterable<Leg>;
  readonly missions: readonly string[];
}

/** Returns them, the next to arrive first; some may have arrived. */
export function incomingFleets({ ownNumber, planetIds, events, legs, missions }: Sources): IncomingFleet[] {
  const found = new Map<number, IncomingFleet>();
  for (const leg of legs) {
    if (leg.owner === ownNumber || leg.isReturning) continue;
    const targetPlanetId = `planet-${leg.to.galaxy}-${leg.to.system}-${leg.to.slot}`;
    if (planetIds.has(targetPlanetId)) found.set(leg.fleet, seenOnMap(leg, targetPlanetId, missions));
  }
  for (const event of events.toReversed()) {
    if (event.type === 'incoming_fleet') found.set(numberOf(event.data.fleetId), warnedOf(event.at, event.data));
    if (event.type === 'incoming_fleet_gone') found.delete(numberOf(event.data.fleetId));
  }
  return Array.from(found.values()).sort((one, other) => one.arrivesAtMs - other.arrivesAtMs);
}

function seenOnMap(leg: Leg, targetPlanetId: string, missions: readonly string[]): IncomingFleet {
  return {
    number: leg.fleet,
    senderId: `player-${leg.owner}`,
    mission: missions[leg.mission] ?? null,
    origin: { galaxy: leg.from.galaxy, system: leg.from.system },
    targetPlanetId,
    shipCount: null,
    ships: null,
    departsAtMs: leg.departsAtMs,
    arrivesAtMs: leg.arrivesAtMs,
  };
}

function warnedOf(at: string, data: EventData<'incoming_fleet'>): IncomingFleet {
  const { fleetId, senderId, mission, originSystem, targetPlanetId, shipCount, ships, arrivesAt } = data;
  return {
    number: numberOf(fleetId),
    senderId,
    mission,
    origin: { galaxy: originSystem.galaxyIndex, system: originSystem.index },
    targetPlanetId,
    shipCount,
    ships,
    departsAtMs: Date.parse(at),
    arrivesAtMs: Date.parse(arrivesAt),
  };
}

function numberOf(fleetId: string): number {
  return Number(fleetId.replace('fleet-', ''));
}
