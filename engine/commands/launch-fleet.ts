// launch_fleet: ships leave a planet on a mission. The six rules of the contract are checked in its order, then what
// the fleet is to carry, then what the mission itself asks for.
import { sum } from '../arithmetic.js';
import { fleetEventHead } from '../fleets.js';
import { bestOption, cargoCapacity, type FlightOption, flightBetween, hangarExcess } from '../flight.js';
import { tellIncoming } from '../incoming-fleets.js';
import { missionRules } from '../missions/index.js';
import type { Launch } from '../missions/mission.js';
import { type Refusal, refuse, refuseAtLimit } from '../rejections.js';
import { type Amounts, H2 } from '../resources.js';
import { FLEETS_PER_PLAYER_MAX } from '../rules/limits.js';
import type { ShipRule } from '../rules/rule-set.js';
import type { Rules } from '../rules/rules.js';
import { type Fleet, scheduleTimer, touchPlanet, type World } from '../state.js';
import { refuseIfUnaffordable, spend, stockUnits } from '../stocks.js';
import { NO_TIMER, TIMER_KINDS } from '../timer-queue.js';
import type { PlanetKey } from '../universe.js';
import type { CommandDefinition } from './command.js';

export interface LaunchFleet {
  readonly type: 'launch_fleet';
  readonly playerNumber: number;
  readonly originKey: PlanetKey;
  readonly targetKey: PlanetKey;
  /** Counts by ship type, at least one in all. */
  readonly ships: readonly number[];
  readonly mission: number;
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
}

export const launchFleet: CommandDefinition<LaunchFleet, Fleet> = {
  type: 'launch_fleet',
  code: 13,
  encode: (command) => [
    command.playerNumber,
    command.originKey,
    command.targetKey,
    command.ships,
    command.mission,
    command.cargo,
  ],
  decode: ([playerNumber, originKey, targetKey, ships, mission, cargo]) =>
    ({ type: 'launch_fleet', playerNumber, originKey, targetKey, ships, mission, cargo }) as LaunchFleet,

  execute(world, command) {
    const { playerNumber, originKey, targetKey, ships, cargo } = command;
    const player = world.players[playerNumber];
    if (player === undefined) return refuse('player_not_found');
    if (!world.universe.holds(originKey) || !world.universe.holds(targetKey)) return refuse('planet_not_found');
    const origin = world.planets.get(originKey);
    if (origin === undefined || origin.ownerNumber !== playerNumber) return refuse('not_owner');
    if (player.fleets.length >= FLEETS_PER_PLAYER_MAX) {
      return refuseAtLimit('FLEETS_PER_PLAYER_MAX', FLEETS_PER_PLAYER_MAX);
    }
    const launch: Launch = { player, origin, targetKey, target: world.planets.get(targetKey), ships };
    const flight = flightBetween(world, player.researchLevels, originKey, targetKey, ships);
    const option = bestOption(world, flight);
    const shortOfShips = refuseMissingShips(world.rules, launch);
    if (shortOfShips !== null) return shortOfShips;
    if (option === null) return refuse('no_drive_available');
    const refusal =
      refuseFlight(world, launch, option, cargo) ?? missionRules(command.mission).refusal(launch, world.rules);
    if (refusal !== null) return refusal;
    // commit
    return depart(world, launch, command, option, flight.distance);
  },
};

/** Rule 2: the origin planet holds enough of each listed ship. */
function refuseMissingShips(rules: Rules, { origin, ships }: Launch): Refusal | null {
  let missing: Record<string, number> | null = null;
  for (let type = 0; type < ships.length; type += 1) {
    const short = (ships[type] as number) - origin.shipCount(type);
    if (short <= 0) continue;
    missing ??= {};
    missing[(rules.ships[type] as ShipRule).type] = short;
  }
  return missing === null ? null : refuse('insufficient_ships', { missing });
}

/** Rules 4 to 6, then the stocks that are to be shipped. */
function refuseFlight(world: World, launch: Launch, option: FlightOption, cargo: readonly number[]): Refusal | null {
  const { origin, ships } = launch;
  const excess = hangarExcess(world.rules, ships);
  if (excess > 0) return refuse('hangar_capacity_exceeded', { missing: { hangar: excess } });
  const h2Short = option.h2Cost - stockUnits(world, origin, H2, world.nowMs);
  if (h2Short > 0) return refuse('insufficient_h2', { missing: { h2: h2Short } });
  const cargoExcess = sum(cargo) - cargoCapacity(world.rules, ships);
  if (cargoExcess > 0) return refuse('cargo_capacity_exceeded', { missing: { cargo: cargoExcess } });
  const unaffordable = refuseIfUnaffordable(world, origin, launchCost(cargo, option.h2Cost), world.nowMs);
  if (unaffordable !== null) return unaffordable;
  if (origin.key === launch.targetKey) return refuse('mission_not_possible', { reason: 'The fleet is already there.' });
  return null;
}

/** What leaves the stocks of the origin: the cargo, and the fuel there and back. */
function launchCost(cargo: readonly number[], h2Cost: number): Amounts {
  const [iron, silver, ember, h2] = cargo as readonly [number, number, number, number];
  return [iron, silver, ember, h2 + h2Cost, 0];
}

function depart(world: World, launch: Launch, command: LaunchFleet, option: FlightOption, distance: number): Fleet {
  const { player, origin, targetKey } = launch;
  spend(world, origin, launchCost(command.cargo, option.h2Cost), world.nowMs);
  for (let type = 0; type < command.ships.length; type += 1) {
    origin.setShipCount(type, origin.shipCount(type) - (command.ships[type] as number));
  }
  world.lastFleetNumber += 1;
  const arrivesAtMs = world.nowMs + option.flightMs;
  const fleet: Fleet = {
    number: world.lastFleetNumber,
    owner: player,
    mission: command.mission,
    originKey: origin.key,
    targetKey,
    ships: command.ships.slice(),
    cargo: command.cargo.slice(),
    drive: option.drive,
    distance,
    flightMs: option.flightMs,
    h2Cost: option.h2Cost,
    launchedAtMs: world.nowMs,
    arrivesAtMs,
    returnsAtMs: missionRules(command.mission).isReturning ? arrivesAtMs + option.flightMs : null,
    recalledAtMs: null,
    isReturning: false,
    timer: NO_TIMER,
  };
  fleet.timer = scheduleTimer(world, arrivesAtMs, TIMER_KINDS.fleet_arrive, fleet);
  world.fleets.set(fleet.number, fleet);
  player.fleets.push(fleet);
  touchPlanet(world, origin);
  world.events?.push({
    kind: 'fleet_launched',
    ...fleetEventHead(world, fleet),
    ships: command.ships,
    cargo: command.cargo,
    h2Cost: fleet.h2Cost,
    arrivesAtMs,
    returnsAtMs: fleet.returnsAtMs,
  });
  tellIncoming(world, fleet);
  return fleet;
}
