// Help in war: half of the warships of a planet are stationed where a partner was attacked, until its pact is over.
import { operation } from '../../galaxyd-client.js';
import { total } from './amounts.js';
import { lowest } from './building.js';
import { launch } from './flights.js';
import { distance, placeOf } from './galaxy-map.js';
import type { Plan } from './plan.js';
import type { Battle } from './trust.js';

const HELP_SHARE = 0.5;
/** Smallest worth of the warships that are sent, in units of resources. */
const HELP_MIN = 5_000;

export class Assistance {
  /** Who owned each planet where warships of the player are stationed. */
  readonly #hosts = new Map<string, string>();

  /** @param battles what was fought since the last wake. @param partners players whom it helps */
  async help(plan: Plan, battles: readonly Battle[], partners: ReadonlySet<string>): Promise<void> {
    this.#fetchHome(plan, partners);
    const { catalog } = plan.port;
    const aided = new Set(plan.state.fleets.map(({ targetPlanetId }) => targetPlanetId));
    // Ships that need a hangar stay at home.
    const warships = catalog.ships.filter(({ attack, hangarSize }) => attack > 0 && hangarSize === 0);
    for (const { planetId, defenderId } of battles) {
      if (!partners.has(defenderId) || aided.has(planetId)) continue;
      const place = placeOf(planetId);
      const able = plan.state.planets.filter((planet) => {
        const worth = warships.reduce((sum, { type, cost }) => sum + plan.ships(planet, type) * total(cost), 0);
        return planet.system.galaxyIndex === place.galaxyIndex && worth * HELP_SHARE >= HELP_MIN;
      });
      const from = lowest(able, (planet) => distance(plan.port, planet, place));
      if (from === undefined) continue;
      aided.add(planetId);
      this.#hosts.set(planetId, defenderId);
      const ships = warships.map(({ type }) => ({ type, count: Math.floor(plan.ships(from, type) * HELP_SHARE) }));
      await launch(plan, [{ from, targetId: planetId, mission: 'support', ships }]);
    }
  }

  #fetchHome(plan: Plan, partners: ReadonlySet<string>): void {
    const { port, state } = plan;
    const [home] = state.planets;
    for (const fleet of state.fleets) {
      if (fleet.mission !== 'support' || fleet.state === 'returning' || home === undefined) continue;
      if (partners.has(this.#hosts.get(fleet.targetPlanetId) ?? '')) continue;
      const params = { path: { fleetId: fleet.id } };
      plan.command(home, operation.post('/api/fleet/{fleetId}/recall', { params, body: { playerId: port.playerId } }));
    }
  }
}
