// What can happen in a step of a run with one process, and how often.
import { grant } from '../support/command-words.js';
import type { Draws } from '../support/process/draws.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../support/world-story.js';
import { choosePlanning, planDeadlines } from './planners.js';
import { chooseSettling, firstOrder, harbour, harbourBusyUntilMs, nextSettler } from './settlers.js';
import { SNAPSHOT_DAMAGES, type SnapshotDamage, WRITE_FAULTS, type WriteFault } from './simulated-disk.js';
import type { Simulation } from './simulation.js';
import type { StepKind } from './step-table.js';

/** Two times as many are more than is kept of a player. */
const GRANTS = 1_100;
/** Lanes that wait longer are not waited for. */
const LANE_WAIT_MS_MAX = 6 * HOUR_MS;

type Kind = StepKind<Simulation>;
type Run = Kind['run'];

const kind = (name: string, weight: number, run: Run): Kind => ({ name, weight, run, varies: false });
const fault = (name: string, weight: number, run: Run): Kind => ({ name, weight, run, varies: true });

export const STEPS: readonly Kind[] = [
  kind('turn', 300, turn),
  kind('act', 350, ({ clients }) => clients.act()),
  kind('look', 40, ({ clients }) => clients.look()),
  kind('read events', 80, ({ readers }) => readers.move()),
  kind('a while', 120, (simulation, draws) => wait(simulation, draws.below(20))),
  kind('until the next deadline', 80, untilDeadline),
  kind('settle', 100, settle),
  kind('plan', 70, plan),
  kind('seconds', 20, (simulation, draws) => wait(simulation, draws.below(10 * SECOND_MS))),
  kind('many grants', 20, grantOften),
  kind('an hour', 4, (simulation, draws) => wait(simulation, draws.below(HOUR_MS))),
  kind('stop', 4, stop),
  kind('snapshot', 25, (simulation) => simulation.takeSnapshot()),
  fault('crash', 20, crash),
  fault('freeze', 6, freeze),
  fault('the clock is set', 4, setClock),
  fault('lost replies', 20, loseReplies),
  fault('readers lose their connections', 10, loseReaders),
  fault('the disk is low', 4, (simulation) => changeSpace(simulation, true)),
  kind('the disk has room', 40, (simulation) => changeSpace(simulation, false)),
  fault('bit flip', 8, flip),
  ...WRITE_FAULTS.map((name) => fault(name, name === 'slow' ? 10 : 5, armed('log', name))),
  ...(['no space', 'input/output error'] as const).map((name) => fault(name, 4, armed('snapshots', name))),
  ...SNAPSHOT_DAMAGES.map((name) => fault(`snapshot damage: ${name}`, 2, damaged(name))),
  fault('a read fails', 3, failRead),
  fault('a cut is refused', 4, refuseCut),
  fault('another process acquires the log', 3, takeOver),
  fault('the process that takes snapshots dies', 3, killTaker),
];

export async function turn(simulation: Simulation): Promise<boolean> {
  const { life, stage } = simulation;
  if (life === undefined) return false;
  // With nothing to do now, the loop sleeps until a device has a result; beyond that, time passes only in steps of its
  // own.
  if (life.scheduler.isIdle && life.scheduler.nextNewsMs <= stage.time.elapsedMs() + SECOND_MS) {
    await simulation.passTime(life.scheduler.nextNewsMs - stage.time.elapsedMs());
  } else await simulation.turn();
  return true;
}

async function wait(simulation: Simulation, forMs: number): Promise<boolean> {
  await simulation.passTime(forMs);
  return true;
}

async function untilDeadline(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { serving } = simulation;
  const waitMs = (serving?.engine.nextDeadlineMs() ?? 0) - (serving?.sequencer.nowMs ?? 0);
  if (!(waitMs > 0 && waitMs < 10 * MINUTE_MS)) return false;
  await simulation.passTime(waitMs - draws.below(2));
  return true;
}

/**
 * Continues a settlement; it waits for a landing, and the first order on the colony arrives just then or just before.
 */
async function settle(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { clients, clockKind, stage } = simulation;
  if (clockKind === 'manual') return false;
  // A read brings the world's time to that of its clock.
  clients.look();
  const { serving } = simulation;
  const origin = serving && harbour(serving.engine.world);
  if (serving === undefined || origin === undefined) return false;
  const settler = nextSettler(serving.engine.world);
  const untilMs = settler?.arrivesAtMs ?? harbourBusyUntilMs(origin);
  if (untilMs === undefined) return clients.command(chooseSettling(serving.engine.world, origin, draws));
  const waitMs = untilMs - serving.sequencer.nowMs;
  if (!(waitMs > 0 && waitMs < HOUR_MS)) return false;
  await simulation.passTime(waitMs - (draws.oneIn(4) ? 0 : 1));
  if (settler === undefined) return true;
  stage.count('landings waited for');
  // With a key that is used as soon as the colony has an owner.
  return clients.command(firstOrder(settler), clients.keyOfLaunch(settler));
}

/** Somebody plans for a poor planet, or time passes until the next lane can pay or until just before. */
async function plan(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { clients, clockKind, serving } = simulation;
  const world = serving?.engine.world;
  if (serving === undefined || world?.rules.set.plans === undefined || world.planets.size === 0) return false;
  const waitMs = Math.min(...planDeadlines(world)) - serving.sequencer.nowMs;
  const canWait = clockKind === 'real' && waitMs > 0 && waitMs < LANE_WAIT_MS_MAX;
  if (!canWait || draws.oneIn(3)) return clients.command(choosePlanning(world, draws));
  await simulation.passTime(waitMs - draws.below(2));
  return true;
}

/** In some runs one player receives so many events that the oldest ones are dropped. */
function grantOften({ clients, serving, isLoud }: Simulation): boolean {
  const planet = serving && harbour(serving.engine.world);
  if (!isLoud || planet === undefined) return false;
  return clients.batch(Array.from({ length: GRANTS }, () => grant(planet, { iron: 1 })));
}

function crash(simulation: Simulation): boolean {
  if (simulation.life === undefined) return false;
  simulation.crash();
  return true;
}

function stop(simulation: Simulation): boolean {
  if (simulation.serving === undefined) return false;
  simulation.life?.stop();
  return true;
}

async function freeze(simulation: Simulation, draws: Draws): Promise<boolean> {
  if (simulation.life === undefined) return false;
  simulation.stage.count('fault: frozen');
  await simulation.freeze(draws.below(20 * SECOND_MS));
  return true;
}

function setClock(simulation: Simulation, draws: Draws): boolean {
  simulation.stage.count('fault: clock set');
  simulation.stage.time.setWallClock(draws.between(-6, 6) * HOUR_MS);
  return true;
}

function loseReplies(simulation: Simulation, draws: Draws): boolean {
  simulation.clients.loseReplies(draws.between(1, 3));
  return true;
}

function loseReaders({ serving, readers }: Simulation): boolean {
  if (serving === undefined) return false;
  readers.loseConnections();
  return true;
}

function changeSpace(simulation: Simulation, isLow: boolean): boolean {
  if (simulation.freeSpace.isLow === isLow) return false;
  simulation.freeSpace.isLow = isLow;
  if (isLow) simulation.stage.count('fault: disk low');
  return true;
}

function flip(simulation: Simulation, draws: Draws): boolean {
  const { disk, stage } = simulation;
  if (isRecovering(simulation)) return false;
  const record = disk.flip(draws);
  if (record === undefined) return false;
  stage.tell(`a bit of the record at seq ${record.firstSeq} flips`);
  stage.count('fault: bit flip');
  return true;
}

function damaged(damage: SnapshotDamage): (simulation: Simulation, draws: Draws) => boolean {
  return (simulation, draws) => {
    const { disk, stage } = simulation;
    if (isRecovering(simulation)) return false;
    const seq = disk.damageSnapshot(damage, draws);
    if (seq === undefined) return false;
    stage.tell(`the snapshot at seq ${seq} is damaged: ${damage}`);
    stage.count(`fault: snapshot damage: ${damage}`);
    return true;
  };
}

/** Recovery can no longer refuse what it has read already. */
function isRecovering({ life, serving }: Simulation): boolean {
  return life !== undefined && serving === undefined;
}

function failRead({ disk }: Simulation): boolean {
  disk.isReadFailing = true;
  return true;
}

function refuseCut({ disk }: Simulation): boolean {
  disk.isCutRefused = true;
  return true;
}

/** Another process acquires the log, and does not write. The next start acquires it again. */
function takeOver({ life, disk, stage }: Simulation): boolean {
  if (life === undefined) return false;
  disk.epoch += 1;
  stage.tell(`another process acquires the log, epoch ${disk.epoch}`);
  stage.count('fault: taken over');
  return true;
}

function killTaker({ life, stage }: Simulation): boolean {
  if (life === undefined) return false;
  life.taker.stop();
  stage.count('fault: taker killed');
  return true;
}

function armed(of: 'log' | 'snapshots', fault: WriteFault): (simulation: Simulation, draws: Draws) => boolean {
  return ({ disk }, draws) => {
    disk.armed[of] = { fault, inWrites: draws.between(1, 3) };
    return true;
  };
}
