// What the events of a player say beyond its state: which fleets approach its planets, and when a ship order was begun.
import type { EventData, GameEvent } from 'galaxyd-client';
import { planetIdOf } from '../../parts/format.js';
import type { Leg, Place } from '../../world/map-state.js';

type Warning = EventData<'incoming_fleet'>;

/** What the player may not know is null. */
export interface IncomingFleet extends Pick<Warning, 'senderId' | 'targetPlanetId' | 'shipCount' | 'ships'> {
  readonly number: number;
  readonly mission: string | null;
  readonly origin: Pick<Place, 'galaxy' | 'system'>;
  /** World time in ms since 1970. */
  readonly departsAtMs: number;
  readonly arrivesAtMs: number;
}

interface Sources {
  /** Number of the player. */
  readonly ownNumber: number;
  readonly planetIds: ReadonlySet<string>;
  /** Events of the player, the newest first. */
  readonly events: readonly GameEvent[];
  readonly legs: Iterable<Leg>;
  readonly missions: readonly string[];
}

/**
 * Returns the fleets of others on their way to a player's planets, the next to arrive first; some may have arrived. The map shows some,
 * and the player was warned of some. If both know a fleet, the warning says what the player may see of it.
 */
export function incomingFleets({ ownNumber, planetIds, events, legs, missions }: Sources): IncomingFleet[] {
  const found = new Map<number, IncomingFleet>();
  for (const leg of legs) {
    if (leg.owner === ownNumber || leg.isReturning) continue;
    const targetPlanetId = planetIdOf(leg.to);
    if (planetIds.has(targetPlanetId)) found.set(leg.fleet, seenOnMap(leg, targetPlanetId, missions));
  }
  for (const event of events.toReversed()) {
    if (event.type === 'incoming_fleet') found.set(numberOf(event.data.fleetId), warnedOf(event.at, event.data));
    if (event.type === 'incoming_fleet_gone') found.delete(numberOf(event.data.fleetId));
  }
  return Array.from(found.values()).sort((one, other) => one.arrivesAtMs - other.arrivesAtMs);
}

function seenOnMap(leg: Leg, targetPlanetId: string, missions: readonly string[]): IncomingFleet {
  const { fleet: number, from: origin, departsAtMs, arrivesAtMs } = leg;
  const mission = missions[leg.mission] ?? null;
  const unknown = { shipCount: null, ships: null };
  return {
    number,
    origin,
    departsAtMs,
    arrivesAtMs,
    mission,
    targetPlanetId,
    senderId: `player-${leg.owner}`,
    ...unknown,
  };
}

function warnedOf(at: string, data: Warning): IncomingFleet {
  const { fleetId, originSystem, arrivesAt, ...rest } = data;
  const origin = { galaxy: originSystem.galaxyIndex, system: originSystem.index };
  return {
    ...rest,
    origin,
    number: numberOf(fleetId),
    departsAtMs: Date.parse(at),
    arrivesAtMs: Date.parse(arrivesAt),
  };
}

const numberOf = (fleetId: string): number => Number(fleetId.replace('fleet-', ''));

/**
 * Returns when the shipyard began an order: when it was ordered, or when the one before it was delivered. The API says only when it ends.
 *
 * @param events of the player, the newest first
 * @param finishAt end of the order
 * @returns world time; null if the order is older than the events
 */
export function shipOrderStart(
  events: readonly GameEvent[],
  planetId: string,
  shipType: string,
  finishAt: string,
): string | null {
  let deliveredAt: string | null = null;
  for (const { type, at, data } of events) {
    if (type === 'ships_completed' && data.planetId === planetId && data.shipType === shipType) deliveredAt ??= at;
    if (type !== 'ships_ordered' || data.planetId !== planetId || data.finishAt !== finishAt) continue;
    return deliveredAt !== null && deliveredAt > at ? deliveredAt : at;
  }
  return null;
}
