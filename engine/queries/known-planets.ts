// What a player knows of the richness of planets: that of all planets in the systems where it has one, of those that its planets
// and those of players who share their sight see, and of those that its reports of scouts are about. Everything follows from what it has, so nothing is stored.

import { sightPartners } from '../diplomacy/pacts.js';
import { richnessOf } from '../map/richness.js';
import { distanceBetween, type PlanetKey } from '../map/universe.js';
import { sum } from '../numbers/arithmetic.js';
import { SLOTS_PER_SYSTEM } from '../rules/limits.js';
import type { Rules } from '../rules/rules.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../world/state.js';
import { planetsInReach } from './reach.js';

export interface KnownPlanet {
  readonly key: PlanetKey;
  /** Number of its owner; 0 if nobody owns it. */
  readonly ownerNumber: number;
  /** In per cent, by shippable resource. */
  readonly richness: readonly number[];
}

/** A planet that a player could colonize. */
export interface FreePlanet extends KnownPlanet {
  /** In the units of flights. */
  readonly distance: number;
}

/** Returns the planets whose richness a player knows, by key; none under rules without richness. */
export function knownPlanets(world: ReadonlyWorld, player: ReadonlyPlayer): KnownPlanet[] {
  const { universe, planets } = world;
  const { richness } = world.rules;
  if (richness === null) return [];
  const systems = new Set(player.planets.map(({ key }) => Math.floor(key / SLOTS_PER_SYSTEM)));
  const keys = new Set([...systems].flatMap((systemKey) => universe.planetKeys(systemKey)));
  for (const key of planetsInReach(world, player, player.planets)) keys.add(key);
  for (const partnerNumber of sightPartners(world, player.number)) {
    const partner = world.players.get(partnerNumber) as ReadonlyPlayer;
    for (const key of planetsInReach(world, partner, partner.planets)) keys.add(key);
  }
  for (const { type, planetKey } of player.reports) if (type === 'espionage') keys.add(planetKey);
  return [...keys]
    .sort((one, other) => one - other)
    .map((key) => ({
      key,
      ownerNumber: planets.get(key)?.ownerNumber ?? 0,
      richness: richnessOf(universe, key, richness),
    }));
}

/**
 * Returns the known planets without an owner that produce the most, all resources together, with one level of each building; of those with
 * as much, the nearest to a planet first.
 *
 * @param countMax how many are returned at most
 */
export function bestFreePlanets(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  from: PlanetKey,
  countMax: number,
): FreePlanet[] {
  const { rules, universe } = world;
  const position = universe.positionOf(from);
  return knownPlanets(world, player)
    .filter(({ ownerNumber }) => ownerNumber === 0)
    .map((planet) => ({
      planet: { ...planet, distance: distanceBetween(position, universe.positionOf(planet.key)) },
      output: outputOf(rules, planet),
    }))
    .sort((one, other) => other.output - one.output || one.planet.distance - other.planet.distance)
    .slice(0, countMax)
    .map(({ planet }) => planet);
}

/** Hundredths of units that one level of each building produces in an hour. */
function outputOf({ producers }: Rules, { richness }: KnownPlanet): number {
  return sum(
    richness.map((percent, resource) => {
      const units = (producers[resource] ?? []).map(({ unitsPerHour }) => unitsPerHour[1] ?? 0);
      return percent * sum(units);
    }),
  );
}
