// Finds planets that have an owner, and founds new ones. No other code gives a planet its owner.

import type { PlanetKey } from '../map/universe.js';
import { PLANETS_PER_PLAYER_MAX } from '../rules/limits.js';
import { type Amounts, FREE } from '../rules/resources.js';
import { offerId, planetId, playerId } from '../terms/ids.js';
import { isRefusal, type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import {
  markLaunchesTo,
  type ReadonlyPlanet,
  type ReadonlyPlayer,
  type ReadonlyWorld,
  touchPlanet,
  type World,
} from '../world/state.js';
import { addBuildingPoints } from './points.js';

/** Returns a planet that has an owner, or the refusal if there is none. */
export function ownedPlanet(world: World, key: PlanetKey): Planet | Refusal {
  if (!world.universe.holds(key)) return refuse('planet_not_found');
  return world.planets.get(key) ?? refuseFreePlanet(world, key);
}

/** Returns the refusal of a request that needs the owner of a planet which has none. */
export function refuseFreePlanet({ universe }: ReadonlyWorld, key: PlanetKey): Refusal {
  return refuse('not_owner', { reason: `Nobody owns ${planetId(universe, key)}.` });
}

/** Returns the refusal of a request that acts for a player and names a planet that is not the player's. Who owns a planet is public. */
export function refuseForeignPlanet(world: ReadonlyWorld, key: PlanetKey, playerNumber: number): Refusal {
  const planet = world.planets.get(key);
  if (planet === undefined) return refuseFreePlanet(world, key);
  const { number, name, isBot } = planet.owner;
  const owner = { id: playerId(world, number), name, isBot };
  const reason = `${planetId(world.universe, key)} belongs to ${owner.id}, not to ${playerId(world, playerNumber)}.`;
  return refuse('not_owner', { reason, owner });
}

/** The same for an offer. Whose it is stays public. */
export function refuseForeignOffer(world: ReadonlyWorld, offerNumber: number, playerNumber: number): Refusal {
  return refuse('not_owner', { reason: `${offerId(offerNumber)} is no offer of ${playerId(world, playerNumber)}.` });
}

/** The same for a request that names another player. */
export function refuseForeignPlayer(world: ReadonlyWorld, named: number, playerNumber: number): Refusal {
  const reason = `The request names ${playerId(world, named)}, and acts for ${playerId(world, playerNumber)}.`;
  return refuse('not_owner', { reason });
}

/** The same for a command of its owner, who may be suspended. */
export function commandedPlanet(world: World, key: PlanetKey): Planet | Refusal {
  const planet = ownedPlanet(world, key);
  return isRefusal(planet) ? planet : (refuseSuspended(world, planet.ownerNumber) ?? planet);
}

/** Returns the refusal of a command of a suspended player; else null. Each command of players asks it; those of the operator do not. */
export function refuseSuspended({ players }: ReadonlyWorld, playerNumber: number): Refusal | null {
  return players.isSuspended(playerNumber) ? refuse('player_suspended') : null;
}

export function refuseOccupied(world: ReadonlyWorld, { owner: { number, name, isBot } }: ReadonlyPlanet): Refusal {
  return refuse('planet_occupied', { owner: { id: playerId(world, number), name, isBot } });
}

/**
 * Returns the refusal if a player has the maximum number of planets; else null. It is for planets that no fleet takes: the limit of the rules
 * is for fleets, and the specification has none for a second starter and the development mode.
 */
export function refuseAnotherPlanet(player: ReadonlyPlayer): Refusal | null {
  if (player.planetCount < PLANETS_PER_PLAYER_MAX) return null;
  return refuseAtLimit('PLANETS_PER_PLAYER_MAX', PLANETS_PER_PLAYER_MAX);
}

/** Returns the refusal of another starter planet; null if the player can take one. */
export function refuseStarter(world: ReadonlyWorld, player: ReadonlyPlayer): Refusal | null {
  if (!hasStarterLeft(world, player)) return refuse('starter_limit_reached');
  return refuseAnotherPlanet(player) ?? (world.starters.nextKey() < 0 ? refuse('universe_full') : null);
}

/** Whether the rules give a player another starter planet. */
export function hasStarterLeft({ rules }: ReadonlyWorld, { starterCount }: ReadonlyPlayer): boolean {
  return starterCount < rules.set.starter.perPlayerMax;
}

/** Gives a player its next starter planet. Call it only after starters.nextKey() has found one. */
export function foundStarter(world: World, player: Player): Planet {
  const key = world.starters.take();
  player.starterCount += 1;
  return foundPlanet(world, player, key, world.rules.starterBuildings, world.rules.set.starter.stock);
}

/** Gives a player a planet that nobody owns. */
export function foundColony(world: World, player: Player, key: PlanetKey): Planet {
  return foundPlanet(world, player, key, world.rules.colonyBuildings, FREE);
}

function foundPlanet(
  world: World,
  owner: Player,
  key: PlanetKey,
  buildings: readonly number[],
  stock: Amounts,
): Planet {
  world.starters.freed.remove(key);
  const planet = world.planets.add(key, owner);
  for (let resource = 0; resource < stock.length; resource += 1) {
    planet.setStockAt(resource, (stock[resource] as number) * 1000, world.nowMs);
  }
  let units = 0;
  for (const buildingType of buildings) {
    planet.setLevel(buildingType, 1);
    units += world.rules.buildingPoints(buildingType, 1);
  }
  addBuildingPoints(world, planet, units);
  touchPlanet(world, planet);
  markLaunchesTo(world, key);
  return planet;
}
