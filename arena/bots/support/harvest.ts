// Harvests what lies in space near planets: freighters that are at home fly out to the nearest fields, and a planet with a field in its
// system builds a few for that.
import type { Planet, PlanStep } from '../../bot.js';
import { operation, type Shapes } from '../../galaxyd-client.js';
import { total } from './amounts.js';
import { freightersOf, levelOf, type Ship } from './building.js';
import { type Flight, launch } from './flights.js';
import type { Plan } from './plan.js';

type Field = Shapes['Field'];

/** A planet builds freighters that empty the fields of its system in this many flights. */
const FLIGHTS_PER_FIELD = 6;
const FREIGHTERS_MAX = 25;
const FREIGHTERS_PER_STEP_MAX = 5;
/** A smaller field is not worth its fuel, in units. */
const FIELD_MIN = 1_000;

/** What is known of the fields near each planet, and who is on the way to them. */
export class Harvests {
  readonly #near = new Map<string, readonly Field[]>();

  /** Reads what lies near the planets that could send freighters, and sends those that are at home. */
  async harvest(plan: Plan): Promise<void> {
    if (plan.port.catalog.fields === undefined) return;
    const bases = plan.state.planets.filter((planet) => levelOf(planet, plan.roles.shipyard) > 0);
    const reads = bases.map(({ id }) =>
      plan.port.read(operation.get('/api/game/fields/{planetId}', { params: { path: { planetId: id } } })),
    );
    for (const { planetId, fields } of await Promise.all(reads)) {
      this.#near.set(
        planetId,
        fields.filter(({ resources }) => total(resources) >= FIELD_MIN),
      );
    }
    await launch(plan, this.#flights(plan));
  }

  /** The freighters that a planet should build next; none if nothing lies in its system. */
  steps(plan: Plan, planet: Planet): PlanStep[] {
    const freighter = freighterOf(plan);
    if (freighter === undefined || levelOf(planet, plan.roles.shipyard) === 0) return [];
    const units = (this.#near.get(planet.id) ?? [])
      .filter(({ distance }) => distance < Number(plan.port.catalog.constants['betweenSystemsBase']))
      .reduce((sum, { resources }) => sum + total(resources), 0);
    const wanted = Math.min(FREIGHTERS_MAX, Math.ceil(units / freighter.cargo / FLIGHTS_PER_FIELD));
    const flying = plan.state.fleets
      .filter(({ originPlanetId }) => originPlanetId === planet.id)
      .flatMap(({ ships }) => ships.filter(({ type }) => type === freighter.type))
      .reduce((sum, { count }) => sum + count, 0);
    const atHome = plan.ships(planet, freighter.type) + plan.away(planet, freighter.type);
    const count = Math.min(FREIGHTERS_PER_STEP_MAX, wanted - atHome - flying - plan.ordered(planet, freighter.type));
    return count > 0 ? [{ action: 'build_ships', shipType: freighter.type, count }] : [];
  }

  /** Each planet sends its freighters to the nearest fields that nobody of the player empties already. */
  #flights(plan: Plan): Flight[] {
    const freighter = freighterOf(plan);
    if (freighter === undefined) return [];
    const coming = new Map<string, number>();
    const come = (id: string, ships: number): void =>
      void coming.set(id, (coming.get(id) ?? 0) + ships * freighter.cargo);
    for (const { mission, state, targetPlanetId, ships } of plan.state.fleets) {
      if (mission === 'harvest' && state === 'outbound')
        for (const { type, count } of ships) if (type === freighter.type) come(targetPlanetId, count);
    }
    return plan.state.planets.flatMap((from) => {
      let left = plan.ships(from, freighter.type);
      const flights: Flight[] = [];
      for (const { planetId: targetId, resources } of this.#near.get(from.id) ?? []) {
        const count = Math.min(left, Math.ceil((total(resources) - (coming.get(targetId) ?? 0)) / freighter.cargo));
        if (count <= 0 || targetId === from.id) continue;
        come(targetId, count);
        left -= count;
        flights.push({
          from,
          targetId,
          mission: 'harvest',
          ships: [{ type: freighter.type, count }],
          isLeisurely: true,
        });
      }
      return flights;
    });
  }
}

function freighterOf(plan: Plan): Ship | undefined {
  return freightersOf(plan)[0];
}
