// The end of a run. There are no further faults: a leader must be found and replaced in time, every client must get its answer,
// everything must be as the log says, and the books must balance.
import type { EventKind } from '../../engine/events/kinds.js';
import { TIMER_KINDS } from '../../engine/world/timer-queue.js';
import { recover } from '../../persistence/recovery/recovery.js';
import { decodeManifest } from '../../persistence/snapshots/snapshot-codec.js';
import { checkBooks } from './books.js';
import type { SimulatedProcess } from './process.js';
import type { Simulation } from './simulation.js';
import { require } from './violation.js';

/** Maximum time until a world without faults has a leader that answers. */
const PEACE_MS = 20_000;
/** Maximum time until everybody has an answer and has applied everything then. */
const CALM_MS = 10_000;
/** What a takeover takes besides the lease. */
const TAKEOVER_MS = 900;
/** Maximum time without a leader in a handover. */
const HANDOVER_MS = 450;
/** Maximum time until a leader that renews its lease begins a handover that is wanted. */
const ASKED_MS = 2_500;
/** How long clients go on after a handover that is observed. */
const AFTERMATH_MS = 300;
/** Number of seqs that are restored. */
const RESTORES = 3;

/** What is counted of the events of a history. */
const COUNTED_EVENTS: Readonly<Record<string, EventKind>> = {
  'steps started by plans': 'plan_step_started',
  'fields harvested': 'field_harvested',
  'fleets stationed': 'fleet_stationed',
  'messages received': 'message_received',
  'offers made': 'offer_made',
  'offers ended': 'offer_ended',
  'trades agreed': 'trade_agreed',
  'goods arrived': 'goods_arrived',
  'pacts proposed': 'pact_proposed',
  'pacts begun': 'pact_began',
  'shocks begun': 'shock_began',
};

/** @throws Violation */
export async function conclude(simulation: Simulation): Promise<void> {
  const { stage, truth, clients, readers, durability, store } = simulation;
  simulation.drawFrom(-2);
  endFaults(simulation);
  await findLeader(simulation, 'once all faults have ended', PEACE_MS);
  await answerAll(simulation);
  if (store.failover !== null) {
    await checkTakeover(simulation, store.failover.leaseMs);
    await checkHandover(simulation);
  }
  await checkStop(simulation);
  await answerAll(simulation);
  await until(simulation, 'that was asked to has stopped', CALM_MS, () => {
    return !simulation.processes.some(({ isStopping }) => isStopping);
  });
  await until(simulation, 'applies everything', CALM_MS, () => isComplete(simulation));
  for (const process of simulation.processes) {
    simulation.compare(process);
    readers.finish(process);
  }
  // In relaxed mode a crash may undo what a reply said.
  if (durability === 'durable') clients.check();
  checkSnapshots(simulation);
  simulation.stop();
  await checkRestores(simulation);
  const { log, snapshots } = store.open();
  const { engine } = await recover(log, snapshots);
  const events = checkBooks(truth, engine);
  const { firings, lastSeq } = truth;
  for (const [name, wanted] of Object.entries(COUNTED_EVENTS))
    stage.count(name, events.filter(({ kind }) => kind === wanted).length);
  stage.count('entries', lastSeq);
  stage.count('timers fired', firings.length);
  stage.count('timers of plans fired', firings.filter(({ kind }) => kind === TIMER_KINDS.plan_lane).length);
}

function endFaults(simulation: Simulation): void {
  const { stage, store, processes, clients } = simulation;
  stage.tell('no more faults');
  store.endFaults();
  for (const process of processes) {
    process.loop.stop(false);
    // Nobody else takes over from a process with a write that failed or hangs.
    if (store.failover === null) simulation.kill(process);
  }
  clients.stopLosing();
}

/** @returns the time that it took */
async function until(
  simulation: Simulation,
  what: string,
  limitMs: number,
  isReached: () => boolean,
  meanwhile = () => {},
): Promise<number> {
  return await waitFor(simulation, `within ${limitMs} ms, not everybody ${what}`, limitMs, isReached, meanwhile);
}

async function findLeader(
  simulation: Simulation,
  when: string,
  limitMs: number,
  isWanted = (_: SimulatedProcess) => true,
  meanwhile = () => {},
): Promise<number> {
  const isFound = (): boolean => simulation.leader !== undefined && isWanted(simulation.leader);
  return await waitFor(simulation, `${when}, nobody leads within ${limitMs} ms`, limitMs, isFound, meanwhile);
}

async function waitFor(
  simulation: Simulation,
  sentence: string,
  limitMs: number,
  isReached: () => boolean,
  meanwhile: () => void,
): Promise<number> {
  const { time } = simulation.stage;
  const beganAtMs = time.elapsedMs();
  while (!isReached()) {
    require(time.elapsedMs() - beganAtMs < limitMs, () => sentence);
    await simulation.passTime(10);
    meanwhile();
  }
  return time.elapsedMs() - beganAtMs;
}

async function answerAll(simulation: Simulation): Promise<void> {
  const { clients } = simulation;
  let waitedMs = 0;
  await until(simulation, 'has an answer', CALM_MS, () => {
    if (waitedMs % 500 === 0) clients.losePatience();
    if (waitedMs % 100 === 0) clients.insist();
    waitedMs += 10;
    return clients.pendingCount === 0;
  });
}

/** A leader that dies is replaced in time, if nothing else is wrong. */
async function checkTakeover(simulation: Simulation, leaseMs: number): Promise<void> {
  const { stage } = simulation;
  const { leader } = await getReady(simulation);
  simulation.kill(leader);
  const tookMs = await findLeader(simulation, 'after the death of the leader', leaseMs * 1.02 + TAKEOVER_MS);
  stage.count('takeovers timed');
  stage.count('takeovers timed, ms', tookMs);
}

/** A handover that is asked for takes place, with a short pause. */
async function checkHandover(simulation: Simulation): Promise<void> {
  const { stage } = simulation;
  const { leader, others } = await getReady(simulation);
  const [next] = others;
  if (next === undefined) return;
  let tookMs = 0;
  await withoutDenial(simulation, 'a handover', async (act) => {
    simulation.want(next);
    await until(simulation, 'hands over', ASKED_MS, () => simulation.leader !== leader, act);
    tookMs = await findLeader(simulation, 'in a handover', HANDOVER_MS, (found) => found === next, act);
  });
  stage.count('handovers timed');
  stage.count('handovers timed, ms', tookMs);
}

/** An orderly stop of the leader hands over, too, if there is another process. */
async function checkStop(simulation: Simulation): Promise<void> {
  const { leader, others } = await getReady(simulation);
  const hasStopped = (): boolean => simulation.leader !== leader;
  if (others.length === 0) {
    leader.stop();
    await until(simulation, 'stops', CALM_MS, hasStopped);
    return;
  }
  await withoutDenial(simulation, 'an orderly stop of the leader', async (act) => {
    leader.stop();
    await until(simulation, 'stops', CALM_MS, hasStopped, act);
    await findLeader(simulation, 'after an orderly stop of the leader', HANDOVER_MS, undefined, act);
  });
}

/**
 * Clients send commands meanwhile; no process that serves now may deny one because nobody leads.
 *
 * @param happen calls `act` while it waits
 */
async function withoutDenial(
  simulation: Simulation,
  what: string,
  happen: (act: () => void) => Promise<void>,
): Promise<void> {
  const { clients, processes: serving, stage } = simulation;
  const { deniedCount } = clients;
  const act = (): void => void clients.act(serving.filter((process) => !process.isOver));
  await happen(act);
  const endMs = stage.time.elapsedMs() + AFTERMATH_MS;
  await until(simulation, 'settles', 2 * AFTERMATH_MS, () => stage.time.elapsedMs() >= endMs, act);
  const denied = clients.deniedCount - deniedCount;
  require(denied === 0, () => `in ${what}, ${denied} commands were denied because nobody leads`);
}

/** All machines have a process, and all know each other. */
async function getReady(simulation: Simulation): Promise<{ leader: SimulatedProcess; others: SimulatedProcess[] }> {
  await findLeader(simulation, 'without any fault', PEACE_MS);
  await until(simulation, 'serves', CALM_MS, () => {
    const { processes, machineCount } = simulation;
    const isSound = processes.every(({ serving, isStopping }) => serving !== undefined && !isStopping);
    return processes.length === machineCount && isSound;
  });
  await simulation.passTime(2_000);
  await findLeader(simulation, 'without any fault', PEACE_MS);
  const leader = simulation.leader as SimulatedProcess;
  return { leader, others: simulation.processes.filter((process) => process !== leader) };
}

function isComplete({ processes, machineCount, truth: { lastSeq } }: Simulation): boolean {
  if (processes.length !== machineCount) return false;
  return processes.every(({ serving }) => serving?.engine.seq === lastSeq && serving.sequencer.durableSeq === lastSeq);
}

/** Every snapshot that claims to be complete must equal the world at its seq. */
function checkSnapshots({ store, truth, stage }: Simulation): void {
  for (const [seq, manifest] of store.manifests) {
    const decoded = manifest && decodeManifest(manifest, seq);
    require(typeof decoded === 'object', () => `the snapshot at seq ${seq} was finished without a sound manifest`);
    const was = truth.hashAt(seq);
    require(decoded.stateHash === was, () => `the snapshot at seq ${seq} is ${decoded.stateHash}, it was ${was}`);
    stage.count('snapshots compared');
  }
}

/** Any covered seq can be restored, and recovery can begin with any snapshot. */
async function checkRestores({ store, truth, stage, readers, parts }: Simulation): Promise<void> {
  const { log, snapshots } = store.open();
  const { lastSeq } = truth;
  const snapshotSeqs = await snapshots.list();
  const firstSeq = log.firstSeq === 1 ? 1 : (snapshotSeqs[0] ?? lastSeq);
  for (let restored = 0; restored < RESTORES; restored += 1) {
    const seq = stage.draws.between(firstSeq, lastSeq);
    const { engine } = await recover(log, snapshots, { until: { seq } });
    const [is, was] = [engine.stateHash(), truth.hashAt(seq)];
    require(is === was, () => `restored to seq ${seq} the world is ${is}, and the log says ${was}`);
    stage.count('restores');
    readers.checkRestored(engine, (options) => parts.hub(options));
  }
  for (const seq of snapshotSeqs) {
    const { engine } = await recover(log, snapshots, { fromSnapshot: seq });
    const [is, was] = [engine.stateHash(), truth.hashAt(lastSeq)];
    require(is === was, () => `from the snapshot at seq ${seq} the world is ${is}, and the log says ${was}`);
    stage.count('recoveries from each snapshot');
  }
}
