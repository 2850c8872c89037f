// Which free planets are worth a colony ship: richer ones produce more, and near ones sooner.
import type { Planet, PlayerPort } from '../../bot.js';
import { operation, type Shapes } from '../../galaxyd-client.js';
import { byDistance, distance, type Place } from './galaxy-map.js';
import type { Plan } from './plan.js';

/** A flight over this distance has to bring twice the output of a planet that is neither rich nor poor. */
const DISTANCE_PER_DOUBLE = 2_000;

/** Sorts places by what they produce, as far as the player knows, less what the flight is worth; else by distance. */
export async function byWorth(plan: Plan, from: Planet, free: readonly Place[]): Promise<Place[]> {
  const near = byDistance(plan.port, from, free);
  const { catalog } = plan.port;
  if (catalog.richness === undefined) return near;
  const read = operation.get('/api/game/richness/{playerId}', { params: { path: { playerId: plan.state.id } } });
  const { planets } = await plan.port.read(read);
  const outputs = new Map(planets.map(({ planetId, richness }) => [planetId, relativeOutput(catalog, richness)]));
  const worth = (place: Place): number =>
    (outputs.get(place.planetId) ?? 1) - distance(plan.port, from, place) / DISTANCE_PER_DOUBLE;
  return near.sort((one, other) => worth(other) - worth(one));
}

/** Output of one level of each building together, compared with a planet that is neither rich nor poor. */
function relativeOutput({ resources, buildings }: PlayerPort['catalog'], richness: Shapes['Richness']): number {
  let [rich, average] = [0, 0];
  for (const [resource, name] of resources.entries()) {
    if (name === 'energy') continue;
    const units = buildings.reduce((sum, { outputsPerHour }) => sum + (outputsPerHour[0]?.[resource] ?? 0), 0);
    rich += (units * richness[name]) / 100;
    average += units;
  }
  return rich / average;
}
