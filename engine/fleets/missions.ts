// The table of missions, by name and by number on disk, and what happens when a fleet arrives at its target and at its origin.
import { MISSIONS, type MissionName } from '../terms/missions.js';
import type { FleetRow } from '../world/fleet-table.js';
import type { World } from '../world/state.js';
import { NO_TIMER } from '../world/timer-queue.js';
import { attack } from './attack.js';
import { colonize } from './colonize.js';
import { deploy } from './deploy.js';
import { espionage } from './espionage.js';
import { destroyFleet, eventFieldsOf, homeAtMs, sendHome, stationFleet } from './fleets.js';
import { harvest } from './harvest.js';
import type { Mission } from './mission.js';
import { support } from './support.js';
import { transport } from './transport.js';

/** A table without one of the missions does not compile. */
const BY_NAME: Readonly<Record<MissionName, Mission>> = {
  attack,
  transport,
  deploy,
  colonize,
  espionage,
  harvest,
  support,
};
const BY_NUMBER: readonly Mission[] = MISSIONS.map((name) => BY_NAME[name]);

/**
 * Returns the rules of a mission.
 *
 * @param mission its index into MISSIONS
 * @throws Error if there is no such mission
 */
export function missionRules(mission: number): Mission {
  const rules = BY_NUMBER[mission];
  if (rules === undefined) throw new Error(`there is no mission ${mission}`);
  return rules;
}

/** A fleet reaches its target: its mission takes effect, and the fleet turns round or ends. */
export function arriveFleet(world: World, row: FleetRow): void {
  const fleet = world.fleets.at(row);
  fleet.timer = NO_TIMER;
  world.events.push({
    kind: 'fleet_arrived',
    ...eventFieldsOf(world, fleet),
    ships: fleet.ships,
    cargo: fleet.cargo,
    returnsAtMs: fleet.returnsAtMs,
  });
  const arrival = missionRules(fleet.mission).arrive(world, fleet);
  if (arrival === 'returns') sendHome(world, fleet, homeAtMs(fleet));
  else if (arrival === 'ends' && world.fleets.has(fleet.number)) destroyFleet(world, fleet);
}

/** A fleet is back at its origin: its ships and cargo land there. */
export function returnFleet(world: World, row: FleetRow): void {
  const fleet = world.fleets.at(row);
  const origin = world.planets.get(fleet.originKey);
  if (origin === undefined) throw new Error(`fleet ${fleet.number} has no origin planet ${fleet.originKey}`);
  stationFleet(world, fleet, origin);
  world.events.push({
    kind: 'fleet_returned',
    ...eventFieldsOf(world, fleet),
    ships: fleet.ships,
    cargo: fleet.cargo,
  });
}
