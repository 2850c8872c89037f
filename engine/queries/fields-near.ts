// Finds what lies in space near a planet; everybody may know it.
import { fieldsIn } from '../fleets/fields.js';
import type { PlanetKey } from '../map/universe.js';
import type { ReadonlyWorld } from '../world/state.js';
import { type Near, nearestTo } from './nearest.js';

/** Units that lie beside a planet, by shippable resource. */
export type NearField = Near<readonly number[]>;

/** Returns the fields that are nearest to a planet, the nearest first; none without `fields`. @param countMax how many are returned at most */
export function fieldsNear(world: ReadonlyWorld, key: PlanetKey, countMax: number): NearField[] {
  return world.rules.fields === null ? [] : nearestTo(world, key, countMax, (systemKey) => fieldsIn(world, systemKey));
}
