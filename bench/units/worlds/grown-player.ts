// A player as it is after a while: three planets with all buildings at the same level, ships, and a fleet under way.

import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import { TRANSPORT as TRANSPORT_MISSION } from '../../../engine/terms/missions.js';
import type { ReadonlyPlanet, ReadonlyPlayer } from '../../../engine/world/state.js';
import { GROWN_LEVEL } from '../../limits.js';
import { type EngineWorld, SCOUT, TRANSPORT } from './engine-world.js';

const SHIPS_OF_EACH_TYPE = 10;

/** Grows a player that has its first starter planet and nothing else. */
export function growPlayer(bench: EngineWorld, player: ReadonlyPlayer): void {
  bench.does({ type: 'create_second_starter', playerNumber: player.number });
  const planetKey = freeKeyBeside(bench, player.planets[0] as ReadonlyPlanet);
  bench.does({ type: 'colonize_planet', playerNumber: player.number, planetKey });
  bench.grantPlenty([player]);
  for (let level = 1; level <= GROWN_LEVEL; level += 1) {
    for (let buildingType = 0; buildingType < STANDARD_1.buildings.length; buildingType += 1)
      raiseAll(bench, player, buildingType, level);
  }
  for (const shipType of [SCOUT, TRANSPORT]) bench.buildFleets([player], shipType, SHIPS_OF_EACH_TYPE);
  bench.does({
    type: 'launch_fleet',
    playerNumber: player.number,
    originKey: player.planets[0]?.key ?? -1,
    targetKey: player.planets[2]?.key ?? -1,
    ships: [0, 0, 1, 0],
    mission: TRANSPORT_MISSION,
    cargo: [100, 50, 0, 0],
    drive: null,
  });
}

/** Raises a building on every planet that has it below a level. */
function raiseAll(bench: EngineWorld, player: ReadonlyPlayer, buildingType: number, level: number): void {
  for (const { key, levels } of player.planets) {
    if ((levels[buildingType] ?? 0) >= level) continue;
    const type = level === 1 ? 'construct_building' : 'upgrade_building';
    bench.does({ type, planetKey: key, buildingType });
  }
  bench.passUntilIdle();
}

function freeKeyBeside({ world }: EngineWorld, { key }: ReadonlyPlanet): number {
  const { galaxy, system } = world.universe.positionOf(key);
  const keys = world.universe.planetKeys(world.universe.systemKey(galaxy, system));
  const free = keys.find((candidate) => !world.planets.has(candidate));
  if (free === undefined) throw new Error('the system of the grown player has no free planet');
  return free;
}
