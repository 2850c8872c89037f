// What can happen in a step of a run with several processes, and how often.
import type { Draws } from '../../support/process/draws.js';
import type { StepKind } from '../step-table.js';
import type { SharedSimulation } from './shared-simulation.js';
import { CALL_FAULTS, type CallFault, type CallKind, type LinkState } from './store-link.js';

type Kind = StepKind<SharedSimulation>;
type Run = Kind['run'];

/** Maximum time for which a process is stopped, a link is cut or the store is down: some lease times. */
const STOPPED_MS = 8_000;
const CUT_MS = 6_000;
const DOWN_MS = 3_000;
const CLOCK_JUMP_MS = 3_600_000;

const kind = (name: string, weight: number, run: Run): Kind => ({ name, weight, run, varies: false });
const fault = (name: string, weight: number, run: Run): Kind => ({ name, weight, run, varies: true });

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

export const SHARED_STEPS: readonly Kind[] = [
  kind('turn', 300, (simulation) => simulation.turn()),
  kind('act', 350, ({ clients }) => clients.act()),
  kind('look', 150, ({ clients }) => clients.look()),
  kind('read events', 80, ({ readers }) => readers.move()),
  kind('a while', 120, (simulation, draws) => wait(simulation, draws.below(60))),
  kind('until the next deadline', 40, untilDeadline),
  kind('seconds', 20, (simulation, draws) => wait(simulation, draws.below(3_000))),
  kind('clients lose patience', 20, ({ clients }) => clients.losePatience()),
  kind('orderly stop', 2, (simulation, draws) => simulation.withProcess(draws, (process) => process.stop())),
  kind('stop of the leader', 2, (simulation) => simulation.withLeader((process) => process.stop())),
  kind('handover', 5, (simulation, draws) => simulation.wantLeader(draws)),
  kind('snapshot', 12, (simulation) => simulation.withLeader((process) => process.takeSnapshot())),
  fault('a process is killed', 2, (simulation, draws) =>
    simulation.withProcess(draws, (process) => simulation.kill(process)),
  ),
  fault('the leader is killed', 3, (simulation) => simulation.withLeader((process) => simulation.kill(process))),
  fault(
    'a process is stopped',
    2,
    stopped((simulation, draws, run) => simulation.withProcess(draws, run)),
  ),
  fault(
    'the leader is stopped',
    3,
    stopped((simulation, _, run) => simulation.withLeader(run)),
  ),
  fault('the leader is stopped in a write', 4, stopInWrite),
  fault('a link is silent', 3, cut('silent')),
  fault('a link is refused', 2, cut('refused')),
  fault('the store crashes', 2, (simulation, draws) => simulation.crashStore(draws.below(DOWN_MS))),
  fault('a clock is set', 3, setClock),
  fault('lost replies', 15, ({ clients }, draws) => loseReplies(clients, draws)),
  fault('readers lose their connections', 6, ({ readers }) => loseReaders(readers)),
  ...FAULTY_CALLS.flatMap(([call, weight]) =>
    CALL_FAULTS.map((name) => fault(`${call}: ${name}`, weight, armed(call, name))),
  ),
];

async function wait(simulation: SharedSimulation, forMs: number): Promise<boolean> {
  await simulation.passTime(forMs);
  return true;
}

async function untilDeadline(simulation: SharedSimulation, draws: Draws): Promise<boolean> {
  const { sequencer, engine } = simulation.leader?.serving ?? {};
  const waitMs = (engine?.nextDeadlineMs() ?? 0) - (sequencer?.nowMs ?? 0);
  if (!(waitMs > 0 && waitMs < 5_000)) return false;
  await simulation.passTime(waitMs - draws.below(2));
  return true;
}

type Chooser = (
  simulation: SharedSimulation,
  draws: Draws,
  run: Parameters<SharedSimulation['withLeader']>[0],
) => boolean;

function stopped(choose: Chooser): Run {
  return (simulation, draws) =>
    choose(simulation, draws, (process) => simulation.suspend(process, draws.below(STOPPED_MS)));
}

/** A command reaches the leader, and then it is stopped, at some point on the way to the reply. */
async function stopInWrite(simulation: SharedSimulation, draws: Draws): Promise<boolean> {
  const { leader, clients } = simulation;
  if (leader === undefined || !clients.act([leader])) return false;
  await simulation.passTime(draws.below(8));
  if (!leader.isOver) simulation.suspend(leader, draws.below(STOPPED_MS));
  return true;
}

function cut(state: LinkState): Run {
  return (simulation, draws) => simulation.cutLink(draws, state, draws.below(CUT_MS));
}

function setClock(simulation: SharedSimulation, draws: Draws): boolean {
  return simulation.withProcess(draws, ({ id, loop }) => {
    const byMs = draws.between(-CLOCK_JUMP_MS, CLOCK_JUMP_MS);
    simulation.stage.tell(`the clock of ${id} is set by ${byMs} ms`);
    simulation.stage.count('fault: clock set');
    loop.setWallClock(byMs);
  });
}

function loseReplies(clients: SharedSimulation['clients'], draws: Draws): boolean {
  clients.loseReplies(draws.between(1, 3));
  return true;
}

function loseReaders(readers: SharedSimulation['readers']): boolean {
  readers.loseConnections();
  return true;
}

function armed(call: CallKind, name: CallFault): Run {
  return (simulation, draws) => simulation.withProcess(draws, ({ link }) => link.arm(call, name));
}
