// What scouts have seen: the newest report of each foreign planet, and the flights of scouts that look again.
import type { Hand } from '../../bot.js';
import type { EventData, GameEvent } from '../../galaxyd-client.js';
import { Atlas, byDistance } from './atlas.js';
import type { Flight } from './flights.js';
import { hoursBetween, type Plan } from './plan.js';

export type Report = EventData<'espionage_report'> & { readonly at: string };

/** Neighbours that are looked at, the nearest first. */
const NEIGHBOURS = 30;
/** A report is good for so many hours, at speed 1. */
const FRESH_HOURS = 10;

export class Espionage {
  readonly #atlas = new Atlas();
  readonly #reports = new Map<string, Report>();
  /** When a planet was last attacked: what is known of it is worth nothing then. */
  readonly #attacks = new Map<string, string>();

  learn(events: readonly GameEvent[]): void {
    for (const event of events) {
      if (event.type === 'espionage_report') this.#reports.set(event.data.planetId, { ...event.data, at: event.at });
    }
  }

  attacked(planetId: string, at: string): void {
    this.#attacks.set(planetId, at);
    this.#reports.delete(planetId);
  }

  /** The reports that can be relied on. */
  fresh(hand: Hand): Report[] {
    return [...this.#reports.values()].filter(({ at }) => isFresh(hand, at));
  }

  /** Flights of scouts to the nearest foreign planets of which nothing is known: as many as there are teams for. */
  async flights(plan: Plan, scoutsPerFlight: number): Promise<Flight[]> {
    const { hand, state } = plan;
    const underWay = new Set(state.fleets.map(({ targetPlanetId }) => targetPlanetId));
    const flights: Flight[] = [];
    for (const from of state.planets) {
      const teams = Math.floor(plan.ships(from, plan.roles.scout) / scoutsPerFlight);
      if (teams === 0) continue;
      const places = await this.#atlas.placesAround(hand, from);
      const others = places.filter(({ ownerId }) => ownerId !== null && ownerId !== hand.playerId);
      const unknown = byDistance(hand, from, others)
        .slice(0, NEIGHBOURS)
        .filter(({ planetId }) => !underWay.has(planetId) && !this.#isKnown(hand, planetId));
      for (const { planetId } of unknown.slice(0, teams)) {
        underWay.add(planetId);
        const ships = [{ type: plan.roles.scout, count: scoutsPerFlight }];
        flights.push({ from, targetId: planetId, mission: 'espionage', ships });
      }
    }
    return flights;
  }

  #isKnown(hand: Hand, planetId: string): boolean {
    return isFresh(hand, this.#reports.get(planetId)?.at) || isFresh(hand, this.#attacks.get(planetId));
  }
}

const isFresh = ({ now, catalog }: Hand, at: string | undefined): boolean =>
  at !== undefined && hoursBetween(at, now) * catalog.speed < FRESH_HOURS;
