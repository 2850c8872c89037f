// grant_resources: the operator gives whole units to a planet that has an owner.
import { refuse } from '../rejections.js';
import { type Planet, touchPlanet } from '../state.js';
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
  encode: ({ planetKey, amounts }) => [planetKey, amounts],
  decode: ([planetKey, amounts]) => ({ type: 'grant_resources', planetKey, amounts }) as GrantResources,

  execute(world, { planetKey, amounts }) {
    if (!world.universe.holds(planetKey)) return refuse('planet_not_found');
    const planet = world.planets.get(planetKey);
    if (planet === undefined) return refuse('not_owner', { reason: 'Nobody owns the planet.' });
    // commit
    deposit(world, planet, amounts, world.nowMs);
    touchPlanet(world, planet);
    return planet;
  },
};
