// The JSON of a player's state: rendered afresh, after a change of one planet, and with nothing changed but time. The players have grown:
// three planets with all buildings at the same level, ships, and a fleet under way.

import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { TRANSPORT as TRANSPORT_MISSION } from '../../engine/terms/missions.js';
import type { ReadonlyPlanet, ReadonlyPlayer } from '../../engine/world/state.js';
import { SystemView } from '../../http/views/galaxy-view.js';
import { PlanetView } from '../../http/views/planet-view.js';
import { StateView } from '../../http/views/state-view.js';
import { TextWriter } from '../../http/views/text-writer.js';
import { GROWN_LEVEL } from '../limits.js';
import { EngineWorld, SCOUT, TRANSPORT } from './engine-world.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';

/** Players whose states are read in turn. */
const READ_PLAYERS = 64;
const GRANT = [1, 1, 1, 1, 1];

export const viewUnits: UnitGroup = function* ({ seed }) {
  const bench = new EngineWorld(seed);
  const players = bench.addBots(READ_PLAYERS);
  for (const player of players) growPlayer(bench, player);
  const { world } = bench;
  let turn = 0;
  const nextPlayer = (): ReadonlyPlayer => {
    turn += 1;
    // Each reader comes a second after the one before: the numbers have moved.
    bench.nowMs += 1_000;
    return players[turn % players.length] as ReadonlyPlayer;
  };

  const writer = new TextWriter();
  const tagOf = (version: string) => `W/"${version}"`;
  const lastEventSeq = (playerNumber: number) => world.eventLog.lastSeq(playerNumber);
  const planets = new PlanetView(world, writer);
  yield replyCase('state of 3 grown planets, afresh', () => {
    const view = new StateView(world, planets, writer, tagOf, lastEventSeq);
    return view.bytes(nextPlayer(), bench.nowMs);
  });
  const kept = new StateView(world, planets, writer, tagOf, lastEventSeq);
  yield replyCase('state of 3 grown planets, one of them changed (with its grant_resources)', () => {
    const player = nextPlayer();
    bench.passTo(bench.nowMs);
    bench.does({ type: 'grant_resources', planetKey: player.planets[turn % 3]?.key ?? -1, amounts: GRANT });
    return kept.bytes(player, bench.nowMs);
  });
  yield replyCase('state of 3 grown planets, nothing changed but time', () => kept.bytes(nextPlayer(), bench.nowMs));
  yield replyCase('planet, as after a command', () => {
    const planet = nextPlayer().planets[0];
    if (planet === undefined) throw new Error('a grown player has no planet');
    return planets.text(planet, bench.nowMs);
  });
  const nextSystem = () => world.universe.positionOf(nextPlayer().planets[0]?.key ?? -1);
  yield replyCase('star system, afresh', () => {
    const { galaxy, system } = nextSystem();
    return new SystemView(world, planets, writer, tagOf).text(galaxy, system).bytes;
  });
  const systems = new SystemView(world, planets, writer, tagOf);
  yield replyCase('star system, no planet of it found an owner', () => {
    const { galaxy, system } = nextSystem();
    return systems.text(galaxy, system).bytes;
  });
};

function replyCase(name: string, run: () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'reply', countPerRun: 1, prepare: () => run };
}

const SHIPS_OF_EACH_TYPE = 10;

/** Grows a player that has its first starter planet and nothing else. */
function growPlayer(bench: EngineWorld, player: ReadonlyPlayer): void {
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
