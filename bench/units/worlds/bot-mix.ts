// What bots do, for measuring an engine under a mix of commands with their timers. Every bot acts once in a pass, in a
// drawn order; what it does depends only on the state and on drawn numbers.
import type { WorldCommand } from '../../../engine/commands/table.js';
import { ATTACK, ESPIONAGE, TRANSPORT as TRANSPORT_MISSION } from '../../../engine/terms/missions.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../../engine/world/state.js';
import type { SeededDraws } from '../../seeded-draws.js';
import { SCOUT, TRANSPORT } from './engine-world.js';

/** Per cent of all choices; what is left over is research. */
const BUILDING_SHARE = 40;
const SHIPS_SHARE = 25;
const FLEET_SHARE = 25;
/** One in so many takes back what was begun. */
const SECOND_THOUGHT_ONE_IN = 6;
const SHIPS_PER_ORDER = 3;
/** Fleets fly to players whose numbers are this near: they live in the same part of a galaxy. */
const NEIGHBOURS = 20;
const MISSIONS: readonly number[] = [ATTACK, TRANSPORT_MISSION, ESPIONAGE];

/** The next thing a bot does. Most of it is accepted; some is refused, as with real agents. */
export function chooseCommand(world: ReadonlyWorld, player: ReadonlyPlayer, draws: SeededDraws): WorldCommand {
  const planet = player.planets[draws.below(player.planets.length)] as ReadonlyPlanet;
  const choice = draws.below(100);
  if (choice < BUILDING_SHARE) return chooseBuilding(world, planet, draws);
  if (choice < BUILDING_SHARE + SHIPS_SHARE) return chooseShips(planet, draws);
  if (choice < BUILDING_SHARE + SHIPS_SHARE + FLEET_SHARE) return chooseFleet(world, player, planet, draws);
  return {
    type: 'start_research',
    playerNumber: player.number,
    researchType: draws.below(world.rules.research.length),
  };
}

function chooseBuilding(
  { rules }: ReadonlyWorld,
  { key, upgrade, levels }: ReadonlyPlanet,
  draws: SeededDraws,
): WorldCommand {
  if (upgrade !== null && draws.below(SECOND_THOUGHT_ONE_IN) === 0) {
    return { type: 'cancel_building', planetKey: key, queueNumber: upgrade.queueNumber };
  }
  const buildingType = draws.below(rules.buildings.length);
  const type = levels[buildingType] === 0 ? 'construct_building' : 'upgrade_building';
  return { type, planetKey: key, buildingType };
}

function chooseShips({ key, orders }: ReadonlyPlanet, draws: SeededDraws): WorldCommand {
  const running = orders[0];
  if (running !== undefined && draws.below(SECOND_THOUGHT_ONE_IN) === 0) {
    return { type: 'cancel_ships', planetKey: key, shipType: running.shipType };
  }
  const shipType = running?.shipType ?? (draws.below(2) === 0 ? SCOUT : TRANSPORT);
  return { type: 'build_ships', planetKey: key, shipType, count: 1 + draws.below(SHIPS_PER_ORDER) };
}

function chooseFleet(
  world: ReadonlyWorld,
  player: ReadonlyPlayer,
  origin: ReadonlyPlanet,
  draws: SeededDraws,
): WorldCommand {
  const outbound = player.fleets.find(({ isReturning }) => !isReturning);
  if (outbound !== undefined && draws.below(SECOND_THOUGHT_ONE_IN) === 0) {
    return { type: 'recall_fleet', playerNumber: player.number, fleetNumber: outbound.number };
  }
  const mission = MISSIONS[draws.below(MISSIONS.length)] as number;
  const target = neighbourOf(world, player, draws);
  const flown = mission === ESPIONAGE ? SCOUT : TRANSPORT;
  return {
    type: 'launch_fleet',
    playerNumber: player.number,
    originKey: origin.key,
    targetKey: target.planets.at(-1)?.key ?? origin.key,
    ships: world.rules.ships.map((_, type) => (type === flown ? 1 : 0)),
    mission,
    cargo: mission === TRANSPORT_MISSION ? [100, 50, 0, 0] : [0, 0, 0, 0],
    drive: null,
  };
}

function neighbourOf(world: ReadonlyWorld, player: ReadonlyPlayer, draws: SeededDraws): ReadonlyPlayer {
  const number = 1 + ((player.number + draws.below(NEIGHBOURS)) % world.playerCount);
  return world.players[number] ?? player;
}
