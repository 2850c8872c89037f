// What scouts have seen: the newest report about each foreign planet, and flights of scouts to those without a fresh report.
import type { PlayerPort } from '../../bot.js';
import type { EventData, GameEvent } from '../../galaxyd-client.js';
import type { Flight } from './flights.js';
import { byDistance, GalaxyMap } from './galaxy-map.js';
import { hoursBetween, type Plan } from './plan.js';

export type Report = EventData<'espionage_report'> & { readonly at: string };

/** Nearest planets of others that scouts visit. */
const NEIGHBOURS = 30;
/** World hours, at speed 1, for which a report is fresh. */
const FRESH_HOURS = 10;

export class Espionage {
  readonly #galaxyMap = new GalaxyMap();
  readonly #reports = new Map<string, Report>();
  /** Who owned each planet of which there was a report. */
  readonly #owners = new Map<string, string>();
  /** When each planet was last attacked, which makes its report useless. */
  readonly #attacks = new Map<string, string>();

  learn(events: readonly GameEvent[]): void {
    for (const event of events) {
      if (event.type !== 'espionage_report') continue;
      this.#reports.set(event.data.planetId, { ...event.data, at: event.at });
      this.#owners.set(event.data.planetId, event.data.defenderId);
    }
  }

  /** Who owned a planet when scouts last saw it. */
  ownerOf(planetId: string): string | undefined {
    return this.#owners.get(planetId);
  }

  attacked(planetId: string, at: string): void {
    this.#attacks.set(planetId, at);
    this.#reports.delete(planetId);
  }

  /** The reports that are fresh. */
  fresh(port: PlayerPort): Report[] {
    return [...this.#reports.values()].filter(({ at }) => isFresh(port, at));
  }

  /** Flights of scouts to the nearest foreign planets without a fresh report, as many as there are scouts for. */
  async flights(plan: Plan, scoutsPerFlight: number): Promise<Flight[]> {
    const { port, state } = plan;
    const underWay = new Set(state.fleets.map(({ targetPlanetId }) => targetPlanetId));
    const flights: Flight[] = [];
    for (const from of state.planets) {
      const teams = Math.floor(plan.ships(from, plan.roles.scout) / scoutsPerFlight);
      if (teams === 0) continue;
      const places = await this.#galaxyMap.placesAround(port, from);
      const others = places.filter(({ ownerId }) => ownerId !== null && ownerId !== port.playerId);
      const unknown = byDistance(port, from, others)
        .slice(0, NEIGHBOURS)
        .filter(({ planetId }) => !underWay.has(planetId) && !this.#isKnown(port, planetId));
      for (const { planetId } of unknown.slice(0, teams)) {
        underWay.add(planetId);
        const ships = [{ type: plan.roles.scout, count: scoutsPerFlight }];
        flights.push({ from, targetId: planetId, mission: 'espionage', ships });
      }
    }
    return flights;
  }

  #isKnown(port: PlayerPort, planetId: string): boolean {
    const attackedAt = this.#attacks.get(planetId);
    return isFresh(port, this.#reports.get(planetId)?.at) || isFresh(port, attackedAt) || isLooted(port, attackedAt);
  }
}

const isFresh = (port: PlayerPort, at: string | undefined): boolean => hoursSince(port, at) < FRESH_HOURS;

/** Whether what a planet had when it was attacked is still all that attackers get. */
const isLooted = (port: PlayerPort, attackedAt: string | undefined): boolean =>
  hoursSince(port, attackedAt) < (port.catalog.war?.lootPeriodSeconds ?? 0) / 3_600;

/** World hours at speed 1. */
function hoursSince({ now, catalog }: PlayerPort, at: string | undefined): number {
  return at === undefined ? Number.POSITIVE_INFINITY : hoursBetween(at, now) * catalog.speed;
}
