// grant_resources: the operator gives whole units of resources to a planet that has an owner.

import type { Planet } from '../planet-table.js';
import { ownedPlanet } from '../planets.js';
import { isRefusal } from '../rejections.js';
import { RESOURCES } from '../resources.js';
import { RESOURCE_UNITS_MAX } from '../rules/limits.js';
import { touchPlanet } from '../state.js';
import { deposit } from '../stocks.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';

export interface GrantResources {
  readonly type: 'grant_resources';
  readonly planetKey: PlanetKey;
  /** Whole units in the order of RESOURCES. */
  readonly amounts: readonly number[];
}

export const grantResources: CommandDefinition<GrantResources, Planet> = {
  type: 'grant_resources',
  code: 15,
  decode: (row) => ({
    type: 'grant_resources',
    planetKey: row.integer('planet'),
    amounts: row.integers('amounts', RESOURCES.length, 0, RESOURCE_UNITS_MAX),
  }),

  execute(world, { planetKey, amounts }) {
    const planet = ownedPlanet(world, planetKey);
    if (isRefusal(planet)) return planet;
    // commit
    deposit(world, planet, amounts, world.nowMs);
    touchPlanet(world, planet);
    world.events.push({
      kind: 'resources_granted',
      atMs: world.nowMs,
      playerNumber: planet.ownerNumber,
      planetKey,
      amounts,
    });
    return planet;
  },
};
