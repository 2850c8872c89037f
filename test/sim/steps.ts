// What can happen in a step, and how often. A step draws what it does from its own number alone, so that others can be left
// out without changing it.
import type { Draws } from '../support/process/draws.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../support/world-story.js';
import { WRITE_FAULTS, type WriteFault } from './simulated-disk.js';
import type { Simulation } from './simulation.js';

interface StepKind {
  readonly name: string;
  readonly weight: number;
  /** @returns whether there was anything to do */
  readonly run: (simulation: Simulation, draws: Draws) => Promise<boolean> | boolean;
}

const STEPS: readonly StepKind[] = [
  { name: 'turn', weight: 300, run: turn },
  { name: 'act', weight: 350, run: act },
  { name: 'a while', weight: 120, run: (simulation, draws) => wait(simulation, draws.below(20)) },
  { name: 'until the next deadline', weight: 80, run: untilDeadline },
  { name: 'seconds', weight: 20, run: (simulation, draws) => wait(simulation, draws.below(10 * SECOND_MS)) },
  { name: 'an hour', weight: 4, run: (simulation, draws) => wait(simulation, draws.below(HOUR_MS)) },
  { name: 'read', weight: 40, run: read },
  { name: 'crash', weight: 25, run: crash },
  { name: 'stop', weight: 4, run: stop },
  { name: 'freeze', weight: 6, run: freeze },
  { name: 'the clock is set', weight: 4, run: setClock },
  { name: 'lost replies', weight: 20, run: loseReplies },
  { name: 'disk low', weight: 4, run: lowSpace },
  { name: 'bit flip', weight: 8, run: flip },
  ...WRITE_FAULTS.map((fault) => ({ name: fault, weight: fault === 'slow' ? 10 : 5, run: armed(fault) })),
];

const WEIGHT = STEPS.reduce((sum, { weight }) => sum + weight, 0);

/** Runs the step that chance gives to this number; a turn of the event loop where there is nothing to do for it. */
export async function runStep(simulation: Simulation, draws: Draws, index: number): Promise<void> {
  const { name, run } = kindFor(draws.below(WEIGHT));
  simulation.stage.story.tell(`step ${index}: ${name}`);
  const isDone = await run(simulation, draws);
  if (!isDone) await turn(simulation);
}

function kindFor(drawn: number): StepKind {
  let left = drawn;
  for (const kind of STEPS) {
    if (left < kind.weight) return kind;
    left -= kind.weight;
  }
  throw new RangeError('the weights do not add up');
}

async function turn(simulation: Simulation): Promise<boolean> {
  const { life, stage } = simulation;
  if (life === undefined) return false;
  // With nothing to do now, the loop sleeps until a device has news; further than that, time passes only in steps of its own.
  if (life.turns.isIdle && life.turns.nextNewsMs <= stage.time.elapsedMs() + SECOND_MS) {
    await simulation.passTime(life.turns.nextNewsMs - stage.time.elapsedMs());
  } else await simulation.turn();
  return true;
}

function act(simulation: Simulation, draws: Draws): boolean {
  const free = simulation.bots.filter(({ isWaiting }) => !isWaiting);
  if (simulation.serving === undefined || free.length === 0) return false;
  simulation.act(draws.pick(free));
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

function read(simulation: Simulation): boolean {
  simulation.read();
  return simulation.serving !== undefined;
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

function freeze(simulation: Simulation, draws: Draws): boolean {
  if (simulation.life === undefined) return false;
  simulation.stage.count('fault: frozen');
  simulation.freeze(draws.below(20 * SECOND_MS));
  return true;
}

function setClock(simulation: Simulation, draws: Draws): boolean {
  simulation.stage.count('fault: clock set');
  simulation.stage.time.setWallClock(draws.between(-6, 6) * HOUR_MS);
  return true;
}

function loseReplies(simulation: Simulation, draws: Draws): boolean {
  simulation.repliesToLose += draws.between(1, 3);
  return true;
}

function lowSpace(simulation: Simulation): boolean {
  simulation.freeSpace.isLow = !simulation.freeSpace.isLow;
  simulation.stage.count('fault: disk low');
  return true;
}

function flip({ disk, stage, life, serving }: Simulation, draws: Draws): boolean {
  // What recovery has read already can no longer be refused by it.
  if (life !== undefined && serving === undefined) return false;
  const record = disk.flip(draws);
  if (record === undefined) return false;
  stage.tell(`a bit of the record at seq ${record.firstSeq} flips`);
  stage.count('fault: bit flip');
  return true;
}

function armed(fault: WriteFault): (simulation: Simulation, draws: Draws) => boolean {
  return ({ disk }, draws) => {
    disk.armed = { fault, inWrites: draws.between(1, 3) };
    return true;
  };
}
