// The row of a fleet: on its way out or back, or stationed at its target.

import type { PlanetKey } from '../map/universe.js';
import { addFleetTo } from '../planets/points.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import { MISSIONS, SUPPORT } from '../terms/missions.js';
import { COURSES, type Fleet } from '../world/fleet-table.js';
import type { World } from '../world/state.js';
import { NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function writeFleet(world: World, fleet: Fleet): Row {
  return [
    ROW_KINDS.fleet,
    fleet.number,
    fleet.ownerNumber,
    fleet.mission,
    fleet.originKey,
    fleet.targetKey,
    fleet.ships,
    fleet.cargo,
    fleet.drive,
    fleet.distance,
    fleet.flightMs,
    fleet.h2Cost,
    fleet.launchedAtMs,
    fleet.arrivesAtMs,
    fleet.returnsAtMs,
    fleet.recalledAtMs,
    fleet.course,
    fleet.timer === NO_TIMER ? null : world.timers.idOf(fleet.timer),
  ];
}

export function readFleet(draft: WorldDraft, row: RowReader): void {
  row.requireLength(18);
  const { world, owner } = draft;
  const number = row.integer('number', 1, world.lastFleetNumber);
  if (world.fleets.has(number)) throw new Error(`fleet ${number} has two rows`);
  row.integer('owner', owner.number, owner.number);
  const fleet = world.fleets.add(owner, {
    number,
    mission: row.integer('mission', 0, MISSIONS.length - 1),
    originKey: originOf(draft, row.integer('origin')),
    targetKey: targetOf(draft, row.integer('target')),
    ships: row.integers('ships', world.rules.ships.length),
    cargo: row.integers('cargo', CARGO_RESOURCE_COUNT),
    drive: row.integer('drive', 0, world.rules.drives.length - 1),
    distance: row.integer('distance'),
    flightMs: row.integer('flight time'),
    h2Cost: row.integer('h2 cost'),
    launchedAtMs: row.integer('launch time', 0, world.nowMs),
    arrivesAtMs: row.integer('arrival time'),
    returnsAtMs: row.integerOrNull('return time'),
  });
  fleet.recalledAtMs = row.integerOrNull('recall time', 0, world.nowMs);
  const course = COURSES[row.integer('course', 0, COURSES.length - 1)];
  const timerId = row.integerOrNull('timer', 1, world.lastTimerId);
  if (course === 'stationed') station(draft, fleet, timerId);
  else if (timerId === null) throw new Error('it is under way without a timer');
  else {
    if (course === 'returning') fleet.turnRound();
    scheduleFlight(draft, fleet, timerId);
  }
  addFleetTo(draft.points, world.rules, fleet);
}

function scheduleFlight(draft: WorldDraft, fleet: Fleet, timerId: number): void {
  if (!fleet.isReturning) {
    fleet.timer = draft.schedule(timerId, fleet.arrivesAtMs, TIMER_KINDS.fleet_arrive, fleet.row);
    return;
  }
  if (fleet.returnsAtMs === null) throw new Error('it is on its way back without a return time');
  fleet.timer = draft.schedule(timerId, fleet.returnsAtMs, TIMER_KINDS.fleet_return, fleet.row);
}

function station(draft: WorldDraft, fleet: Fleet, timerId: number | null): void {
  if (timerId !== null) throw new Error('it is stationed, and has a timer');
  if (fleet.mission !== SUPPORT || draft.world.rules.support === null)
    throw new Error('it is stationed without supporting');
  if (fleet.returnsAtMs !== null) throw new Error('it is stationed, and returns');
  draft.station(fleet);
}

/** The origin must be a planet of the fleet's owner: an owner loses planets and fleets together. Rows of planets come first. */
function originOf({ world, owner }: WorldDraft, key: PlanetKey): PlanetKey {
  if (world.planets.get(key)?.ownerNumber === owner.number) return key;
  throw new Error(`its origin, planet ${key}, does not belong to player ${owner.number}`);
}

function targetOf({ world }: WorldDraft, key: PlanetKey): PlanetKey {
  if (world.universe.holds(key)) return key;
  throw new Error(`its target, planet ${key}, does not exist`);
}
