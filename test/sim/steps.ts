// What can happen in a step of a run, and how often. The draws of a step depend only on its own number, so that other steps can be
// left out without changing it.
import { grant } from '../support/command-words.js';
import type { Draws } from '../support/process/draws.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../support/world-story.js';
import { chooseDeal } from './deals.js';
import { SNAPSHOT_DAMAGES, type SnapshotDamage, WRITE_FAULTS, type WriteFault } from './folder/disk.js';
import { FolderStore } from './folder/folder-store.js';
import type { RunKind } from './kinds.js';
import {
  choosePlanning,
  chooseSettling,
  firstOrder,
  harbour,
  harbourBusyUntilMs,
  nextSettler,
  planDeadlines,
} from './moves.js';
import type { SimulatedProcess } from './process.js';
import { CALL_FAULTS, type CallKind, type LinkState } from './shared/link.js';
import { SharedStore } from './shared/shared-store.js';
import type { Simulation } from './simulation.js';

/** Two times as many are more than is kept of a player. */
const GRANTS = 1_100;
/** Lanes that wait longer are not waited for. */
const LANE_WAIT_MS_MAX = 6 * HOUR_MS;
/** Maximum time for which a link is cut or the store is down: some lease times. */
const CUT_MS = 6 * SECOND_MS;
const DOWN_MS = 3 * SECOND_MS;
/** Maximum time of the steps that let time pass or stop a process. In a world of many processes, much happens in a second. */
const SPAN_MS: Readonly<Record<RunKind, { while: number; seconds: number; stop: number; deadline: number }>> = {
  single: { while: 20, seconds: 10 * SECOND_MS, stop: 20 * SECOND_MS, deadline: 10 * MINUTE_MS },
  shared: { while: 60, seconds: 3 * SECOND_MS, stop: 8 * SECOND_MS, deadline: 5 * SECOND_MS },
};

/** How often it happens, by kind of run; 0 for never. */
type Weights = Readonly<Record<RunKind, number>>;
/** @returns whether there was anything to do */
type Run = (simulation: Simulation, draws: Draws) => Promise<boolean> | boolean;

interface StepKind {
  readonly name: string;
  readonly weights: Weights;
  /** Whether some runs have none of it, and others have more. */
  readonly varies: boolean;
  readonly run: Run;
}

const kind = (name: string, single: number, shared: number, run: Run): StepKind => ({
  name,
  weights: { single, shared },
  varies: false,
  run,
});
const fault = (name: string, single: number, shared: number, run: Run): StepKind => ({
  ...kind(name, single, shared, run),
  varies: true,
});
/** A fault of the disk of the only process. */
const diskFault = (name: string, weight: number, run: (store: FolderStore, draws: Draws) => boolean): StepKind =>
  fault(name, weight, 0, ({ store }, draws) => store instanceof FolderStore && run(store, draws));
/** A fault of the shared store, or of the link of a machine to it. */
const storeFault = (
  name: string,
  weight: number,
  run: (store: SharedStore, simulation: Simulation, draws: Draws) => void,
): StepKind =>
  fault(name, 0, weight, (simulation, draws) => {
    const { store } = simulation;
    if (store instanceof SharedStore) run(store, simulation, draws);
    return true;
  });

/** Calls that have faults of their own; `append` most of all. */
const FAULTY_CALLS: readonly (readonly [CallKind, number])[] = [
  ['append', 5],
  ['claim', 3],
  ['renew', 2],
  ['release', 3],
  ['read', 2],
  ['lease', 2],
  ['member', 1],
  ['cut', 1],
  ['snapshot', 1],
];

const STEPS: readonly StepKind[] = [
  kind('turn', 300, 300, (simulation) => simulation.turn()),
  kind('act', 350, 350, ({ clients }) => clients.act()),
  kind('look', 40, 150, ({ clients }) => clients.look()),
  kind('read events', 80, 80, ({ readers }) => readers.move()),
  kind('a while', 120, 120, (simulation, draws) => wait(simulation, draws.below(spanOf(simulation).while))),
  kind('until the next deadline', 80, 40, untilDeadline),
  kind('settle', 100, 30, settle),
  kind('plan', 70, 30, plan),
  kind('deal', 100, 30, deal),
  kind('seconds', 20, 20, (simulation, draws) => wait(simulation, draws.below(spanOf(simulation).seconds))),
  kind('many grants', 40, 10, grantOften),
  kind('an hour', 4, 0, (simulation, draws) => wait(simulation, draws.below(HOUR_MS))),
  kind('clients lose patience', 5, 20, ({ clients }) => clients.losePatience()),
  kind(
    'orderly stop',
    4,
    2,
    withProcess((_, process) => process.stop()),
  ),
  kind(
    'stop of the leader',
    0,
    2,
    withLeader((_, process) => process.stop()),
  ),
  kind('handover', 0, 5, (simulation, draws) => simulation.wantLeader(draws)),
  kind('snapshot', 25, 12, ({ leader }) => leader?.takeSnapshot() === true),
  fault(
    'a process is killed',
    20,
    2,
    withProcess((simulation, process) => simulation.kill(process)),
  ),
  fault(
    'the leader is killed',
    0,
    3,
    withLeader((simulation, process) => simulation.kill(process)),
  ),
  fault('a process is stopped', 6, 2, withProcess(suspend)),
  fault('the leader is stopped', 0, 3, withLeader(suspend)),
  fault('the leader is stopped in a write', 3, 4, stopInWrite),
  fault('a clock is set', 4, 3, setClock),
  fault('lost replies', 20, 15, ({ clients }, draws) => clients.loseReplies(draws.between(1, 3))),
  fault('readers lose their connections', 10, 6, ({ readers }) => readers.loseConnections()),
  diskFault('the disk is low', 4, (store) => store.changeSpace(true)),
  { ...diskFault('the disk has room', 40, (store) => store.changeSpace(false)), varies: false },
  diskFault('bit flip', 8, (store, draws) => store.flip(draws)),
  ...WRITE_FAULTS.map((name) => diskFault(name, name === 'slow' ? 10 : 5, armed('log', name))),
  ...(['no space', 'input/output error'] as const).map((name) => diskFault(name, 4, armed('snapshots', name))),
  ...SNAPSHOT_DAMAGES.map((name) => diskFault(`snapshot damage: ${name}`, 2, damaged(name))),
  diskFault('a read fails', 3, ({ disk }) => {
    disk.isReadFailing = true;
    return true;
  }),
  diskFault('a cut is refused', 4, ({ disk }) => {
    disk.isCutRefused = true;
    return true;
  }),
  diskFault('another process acquires the log', 3, (store) => store.takeOver()),
  diskFault('the process that takes snapshots dies', 3, (store) => store.killTaker()),
  storeFault('a link is silent', 3, cut('silent')),
  storeFault('a link is refused', 2, cut('refused')),
  storeFault('the store crashes', 2, ({ server }, _, draws) => server.crash(draws.below(DOWN_MS))),
  ...FAULTY_CALLS.flatMap(([call, weight]) =>
    CALL_FAULTS.map((name) =>
      storeFault(`${call}: ${name}`, weight, (store, { machineCount }, draws) => {
        store.linkOf(draws.between(1, machineCount))?.arm(call, name);
      }),
    ),
  ),
];

/** Factors of the weights of faults, drawn for each fault and run: a fault that never happens cannot hide another. */
const FACTORS = [0, 1, 1, 3] as const;

/** The kinds of steps of one run, each with the weight that the seed gives to it. */
export class StepTable {
  readonly #weights: readonly number[];
  readonly #sum: number;

  constructor(runKind: RunKind, draws: Draws) {
    this.#weights = STEPS.map(({ weights, varies }) => weights[runKind] * (varies ? draws.pick(FACTORS) : 1));
    this.#sum = this.#weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** Runs the step that is drawn for this number. @returns whether there was anything to do */
  async run(simulation: Simulation, draws: Draws, index: number): Promise<boolean> {
    const { name, run } = this.#kindFor(draws.below(this.#sum));
    simulation.stage.story.tell(`step ${index}: ${name}`);
    return await run(simulation, draws);
  }

  #kindFor(drawn: number): StepKind {
    let left = drawn;
    const at = this.#weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    return STEPS[at] as StepKind;
  }
}

async function wait(simulation: Simulation, forMs: number): Promise<boolean> {
  await simulation.passTime(forMs);
  return true;
}

type ProcessRun = (simulation: Simulation, process: SimulatedProcess, draws: Draws) => Promise<void> | void;

function withProcess(run: ProcessRun): Run {
  return async (simulation, draws) => {
    const { processes } = simulation;
    if (processes.length > 0) await run(simulation, draws.pick(processes), draws);
    return processes.length > 0;
  };
}

function withLeader(run: ProcessRun): Run {
  return async (simulation, draws) => {
    const { leader } = simulation;
    if (leader !== undefined) await run(simulation, leader, draws);
    return leader !== undefined;
  };
}

async function untilDeadline(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { engine, sequencer } = simulation.leader?.serving ?? {};
  const waitMs = (engine?.nextDeadlineMs() ?? 0) - (sequencer?.nowMs ?? 0);
  if (!(waitMs > 0 && waitMs < spanOf(simulation).deadline)) return false;
  return await wait(simulation, waitMs - draws.below(2));
}

/**
 * Continues a settlement; it waits for a landing, and the first order on the colony arrives just then or just before.
 */
async function settle(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { clients, clockKind, stage, leader } = simulation;
  const { engine, sequencer } = leader?.serving ?? {};
  if (clockKind === 'manual' || leader === undefined || engine === undefined || sequencer === undefined) return false;
  // A read brings the world's time to that of its clock.
  leader.run(() => void sequencer.readNow());
  const origin = harbour(engine.world);
  if (origin === undefined) return false;
  const settler = nextSettler(engine.world);
  const untilMs = settler?.arrivesAtMs ?? harbourBusyUntilMs(origin);
  if (untilMs === undefined) return clients.command(chooseSettling(engine.world, origin, draws));
  const waitMs = untilMs - sequencer.nowMs;
  if (!(waitMs > 0 && waitMs < 6 * spanOf(simulation).deadline)) return false;
  const earlyMs = draws.oneIn(4) ? 0 : draws.between(1, simulation.travelMs);
  await simulation.passTime(Math.max(waitMs - earlyMs, 0));
  if (settler === undefined) return true;
  stage.count('landings waited for');
  // The key is used as soon as the colony has an owner.
  return clients.command(firstOrder(settler), clients.keyOfLaunch(settler));
}

/** Somebody plans for a poor planet, or time passes until the next lane can pay or until just before. */
async function plan(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { clients, clockKind, leader } = simulation;
  const { engine, sequencer } = leader?.serving ?? {};
  if (engine === undefined || sequencer === undefined) return false;
  const { world } = engine;
  if (world.rules.set.plans === undefined || world.planets.size === 0) return false;
  const waitMs = Math.min(...planDeadlines(world)) - sequencer.nowMs;
  const waitMsMax = Math.min(LANE_WAIT_MS_MAX, 36 * spanOf(simulation).deadline);
  const canWait = clockKind === 'real' && waitMs > 0 && waitMs < waitMsMax;
  if (!canWait || draws.oneIn(3)) return clients.command(choosePlanning(world, draws));
  return await wait(simulation, waitMs - draws.below(2));
}

/** Somebody offers or proposes something, or answers somebody. */
function deal({ clients, leader }: Simulation, draws: Draws): boolean {
  const { engine } = leader?.serving ?? {};
  if (engine === undefined || engine.world.planets.size === 0) return false;
  const command = chooseDeal(engine.world, draws);
  return command !== undefined && clients.command(command);
}

/** In some runs one player receives so many events that the oldest ones are dropped. */
function grantOften({ clients, leader, isLoud }: Simulation): boolean {
  const { engine } = leader?.serving ?? {};
  const planet = engine && harbour(engine.world);
  if (!isLoud || planet === undefined) return false;
  return clients.batch(Array.from({ length: GRANTS }, () => grant(planet, { iron: 1 })));
}

/** SIGSTOP, or a suspended machine; the others go on, if there are any. */
async function suspend(simulation: Simulation, process: SimulatedProcess, draws: Draws): Promise<void> {
  const forMs = draws.below(spanOf(simulation).stop);
  simulation.suspend(process, forMs);
  if (simulation.machineCount === 1) await simulation.passTime(forMs);
}

/** A command reaches the leader, and then it is stopped, at some point on the way to the reply. */
async function stopInWrite(simulation: Simulation, draws: Draws): Promise<boolean> {
  const { leader, clients } = simulation;
  if (leader === undefined || !clients.act([leader])) return false;
  await simulation.passTime(draws.below(8));
  if (!leader.isOver) await suspend(simulation, leader, draws);
  return true;
}

function setClock(simulation: Simulation, draws: Draws): boolean {
  simulation.setClock(draws, draws.between(-6, 6) * HOUR_MS);
  return true;
}

function spanOf({ machineCount }: Simulation): (typeof SPAN_MS)[RunKind] {
  return machineCount === 1 ? SPAN_MS.single : SPAN_MS.shared;
}

function damaged(damage: SnapshotDamage): (store: FolderStore, draws: Draws) => boolean {
  return (store, draws) => store.damageSnapshot(damage, draws);
}

function armed(of: 'log' | 'snapshots', fault: WriteFault): (store: FolderStore, draws: Draws) => boolean {
  return ({ disk }, draws) => {
    disk.armed[of] = { fault, inWrites: draws.between(1, 3) };
    return true;
  };
}

function cut(state: LinkState): (store: SharedStore, simulation: Simulation, draws: Draws) => void {
  return (store, simulation, draws) => {
    const machine = draws.between(1, simulation.machineCount);
    const forMs = draws.below(CUT_MS);
    store.setLink(machine, state);
    simulation.stage.tell(`the link of machine ${machine} is ${state} for ${forMs} ms`);
    simulation.stage.count(`fault: link ${state}`);
    simulation.later(forMs, () => store.setLink(machine, 'up'));
  };
}
