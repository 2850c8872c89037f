// The server broken on purpose, one thing at a time. Each breakage puts a part of its own in the place of an honest one; a
// simulation that lets one of them pass would be worth nothing.
import type { Command, CommandRow } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import type { KeptReply } from '../../engine/kept-replies.js';
import type { TimerTarget, World } from '../../engine/state.js';
import type { TimerQueue } from '../../engine/timer-queue.js';
import type { Held } from '../../persistence/batch.js';
import { GroupCommit } from '../../persistence/group-commit.js';
import { recover } from '../../persistence/recovery.js';
import type { ReplayableEngine } from '../../persistence/replayable-engine.js';
import {
  HastyLog,
  MisreadLog,
  MiswrittenLog,
  oneByOne,
  StubbornLog,
  swapped,
  withForgivenTail,
  withoutChecksum,
  withoutSecond,
} from './broken-logs.js';
import { type Answer, FrontDesk, type Send } from './front-desk.js';
import { HONEST_PARTS, type Parts } from './parts.js';

/** By name: the parts that replace honest ones. */
export const BREAKAGES: Readonly<Record<string, Partial<Parts>>> = {
  'a reply leaves before the flush': { commit: (options) => new GroupCommit({ ...options, durability: 'relaxed' }) },
  'a reply leaves one entry early': { commit: (options) => new EarlyCommit(options) },
  'a refusal is answered at once': { frontDesk: (options) => new HastyDesk(options, 'refused') },
  'a read is answered at once': { frontDesk: (options) => new CarelessDesk(options) },
  'a write counts as done when it begins': { log: (log) => new HastyLog(log) },
  'a failed write is tried again': { log: (log) => new StubbornLog(log) },
  'the process outlives a fatal error': { commit: (options) => new GroupCommit({ ...options, onFatal: () => {} }) },
  'a write may hang for ever': { commit: (options) => new GroupCommit({ ...options, flushStallMs: 1_000_000_000 }) },
  'an entry is applied and not logged': { commit: (options) => new ForgetfulCommit(options) },
  'an entry in the middle of a batch is lost': { log: (log) => new MiswrittenLog(log, withoutSecond) },
  'two entries of a batch change places': { log: (log) => new MiswrittenLog(log, swapped) },
  'the entries of a batch are records of their own': { log: (log) => new MiswrittenLog(log, oneByOne) },
  'keys are not looked up': { frontDesk: (options) => new ForgetfulDesk(options) },
  'checksums are not looked at': { log: (log) => new MisreadLog(log, withoutChecksum) },
  'any damage at the end is dropped': { log: (log) => new MisreadLog(log, withForgivenTail) },
  'the newest record is forgotten': {
    log: (log) => new MisreadLog(log, (record, newest) => (record.firstSeq === newest.firstSeq ? undefined : record)),
  },
  'a record in the middle is forgotten': {
    log: (log) => new MisreadLog(log, (record) => (record.firstSeq > 5 && record.firstSeq < 10 ? undefined : record)),
  },
  'a tick is skipped in replay': { recover: recoverThrough((engine) => withoutTicks(engine)) },
  'a timer id is given again after recovery': { recover: recoverWith((world) => (world.lastTimerId -= 1)) },
  'a fleet number is given again after recovery': { recover: recoverWith((world) => (world.lastFleetNumber -= 1)) },
  'a timer is put off': { recover: recoverWith((world) => delayTimers(world.timers)) },
};

/** The honest parts, but for those of a breakage. */
export function brokenParts(name: string): Parts {
  const broken = BREAKAGES[name];
  if (broken === undefined) throw new RangeError(`there is no breakage "${name}"`);
  return { ...HONEST_PARTS, ...broken };
}

class EarlyCommit extends GroupCommit {
  override holdUntilDurable(seq: number, waiter: Held): boolean {
    return super.holdUntilDurable(seq - 1, waiter);
  }
}

class ForgetfulCommit extends GroupCommit {
  #count = 0;

  override add(atMs: number, row: CommandRow): void {
    this.#count += 1;
    if (this.#count % 7 !== 0) super.add(atMs, row);
  }
}

class HastyDesk extends FrontDesk {
  constructor(
    options: ConstructorParameters<typeof FrontDesk>[0],
    private readonly hasty: Answer,
  ) {
    super(options);
  }

  protected override answer(answer: Answer, seq: number, send: Send): void {
    if (answer === this.hasty) send(answer, seq);
    else super.answer(answer, seq, send);
  }
}

class CarelessDesk extends FrontDesk {
  override read(planetKey: number, send: Send): void {
    const planet = this.engine.world.planets.get(planetKey);
    send('accepted', planet?.changedSeq ?? 0);
  }
}

class ForgetfulDesk extends FrontDesk {
  protected override keptReply(): KeptReply | undefined {
    return undefined;
  }

  override command(command: Parameters<FrontDesk['command']>[0], key: string, send: Send): void {
    this.#repeats += 1;
    super.command(command, `${key} ${this.#repeats}`, send);
  }

  #repeats = 0;
}

/** Recovers through an engine that is not what it should be. */
function recoverThrough(change: (engine: Engine) => ReplayableEngine): Parts['recover'] {
  return (log, engine, options) => recover(log, change(engine), options);
}

/** Recovers, and then changes the world. */
function recoverWith(change: (world: World) => void): Parts['recover'] {
  return async (log, engine, options) => {
    const recovery = await HONEST_PARTS.recover(log, engine, options);
    // Nobody outside of the engine can, which is why it has to be forced.
    if (engine.seq > 0) change(engine.world as unknown as World);
    return recovery;
  };
}

function withoutTicks(engine: Engine): ReplayableEngine {
  return {
    get seq() {
      return engine.seq;
    },
    get nowMs() {
      return engine.nowMs;
    },
    nextDeadlineMs: () => engine.nextDeadlineMs(),
    apply: (atMs: number, command: Command) =>
      engine.apply(command.type === 'advance_time' ? engine.nowMs : atMs, command),
  } as ReplayableEngine;
}

/** Timers that are set from now on ring a millisecond late. */
function delayTimers(queue: TimerQueue<TimerTarget>): void {
  const { schedule } = queue;
  queue.schedule = (id, deadlineMs, kind, target) => schedule.call(queue, id, deadlineMs + 1, kind, target);
}
