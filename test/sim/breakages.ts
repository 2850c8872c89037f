// The server broken on purpose, one thing at a time. Each breakage replaces an honest part by a broken one; a
// simulation that does not catch all of them would be worthless.

import type { Command, CommandRow } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { writeFields } from '../../engine/events/event-codec.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../engine/events/receivers.js';
import { KeptReplies } from '../../engine/kept-replies.js';
import { LANES } from '../../engine/plans/plan-step.js';
import { type PlanTable, planLaneRow } from '../../engine/plans/plan-table.js';
import { forgetTimer } from '../../engine/plans/plans.js';
import type { TimerTarget, World } from '../../engine/state.js';
import { NO_TIMER, TIMER_KINDS, type TimerQueue } from '../../engine/timer-queue.js';
import { EventHub } from '../../http/events/event-hub.js';
import { KeyedExecution } from '../../http/pipeline/keyed-execution.js';
import type { DurabilityWaiter } from '../../persistence/log/batch.js';
import { recover, recoverToWrite } from '../../persistence/recovery/recovery.js';
import { type ReplayableEngine, replay } from '../../persistence/recovery/replay.js';
import { takeFrom } from '../../persistence/upkeep/snapshot-taking.js';
import { GroupCommit } from '../../persistence/writer/group-commit.js';
import { DeafSequencer, EarlyHub, ForgivingHub, HastySequencer, LateHub, SkippingHub } from './broken-hubs.js';
import {
  BlindLog,
  GreedyLog,
  HastyLog,
  JealousLog,
  MisreadLog,
  MiswrittenLog,
  oneByOne,
  StubbornLog,
  swapped,
  TouchyLog,
  TrustingLog,
  withForgivenTail,
  withoutChecksum,
  withoutSecond,
} from './broken-logs.js';
import { EmptySnapshots } from './broken-snapshots.js';
import { type Answer, FrontDesk, type Send } from './front-desk.js';
import { KeyedCommand } from './keyed-command.js';
import { HONEST_PARTS, type Parts } from './parts.js';
import type { PlayerRequest } from './player-bot.js';

/** By name, the parts that replace honest ones. */
export const BREAKAGES: Readonly<Record<string, Partial<Parts>>> = {
  'a reply leaves before the flush': { commit: (options) => new GroupCommit({ ...options, durability: 'relaxed' }) },
  'events are released before the flush': { commit: (options) => new TalkativeCommit(options) },
  'a reply leaves one entry early': { commit: (options) => new EarlyCommit(options) },
  'a refusal is answered at once': { frontDesk: (options) => new HastyDesk(options, 'refused') },
  'a read is answered at once': { frontDesk: (options) => new CarelessDesk(options) },
  'a write counts as done when it begins': { log: (log) => new HastyLog(log) },
  'a failed write is retried': { log: (log) => new StubbornLog(log) },
  'an append of unknown outcome is retried blindly': {
    commit: (options) => new GroupCommit({ ...options, log: new BlindLog(options.log) }),
  },
  'an append of unknown outcome counts as done': {
    commit: (options) => new GroupCommit({ ...options, log: new TrustingLog(options.log) }),
  },
  'a fenced process takes the log back': { log: (log) => new JealousLog(log) },
  'the process ends itself on a refused cut': { log: (log) => new TouchyLog(log) },
  'the process outlives a fatal error': { commit: (options) => new GroupCommit({ ...options, onFatal: () => {} }) },
  'a write may hang forever': { commit: (options) => new GroupCommit({ ...options, flushStallMs: 1_000_000_000 }) },
  'an entry is applied and not logged': { commit: (options) => new ForgetfulCommit(options) },
  'an entry in the middle of a batch is lost': { log: (log) => new MiswrittenLog(log, withoutSecond) },
  'two entries of a batch are swapped': { log: (log) => new MiswrittenLog(log, swapped) },
  'the entries of a batch are records of their own': { log: (log) => new MiswrittenLog(log, oneByOne) },
  'a key is looked up at an earlier instant than its request is handled': {
    frontDesk: (options) => new TwoInstantsDesk(options),
  },
  'keys are not looked up': { frontDesk: (options) => new ForgetfulDesk(options) },
  'checksums are not checked': { log: (log) => new MisreadLog(log, withoutChecksum) },
  'any damage at the end is dropped': { log: (log) => new MisreadLog(log, withForgivenTail) },
  'the newest record is forgotten': {
    log: (log) => new MisreadLog(log, (record, newest) => (record.firstSeq === newest.firstSeq ? undefined : record)),
  },
  'a record in the middle is forgotten': {
    log: (log) => new MisreadLog(log, (record) => (record.firstSeq > 5 && record.firstSeq < 10 ? undefined : record)),
  },
  'a tick is skipped in replay': { recover: recoverThrough((engine) => withoutTicks(engine)) },
  'a timer id is reused after recovery': { recover: recoverWith((world) => (world.lastTimerId -= 1)) },
  'a fleet number is reused after recovery': { recover: recoverWith((world) => (world.lastFleetNumber -= 1)) },
  'a snapshot is one entry off': {
    takeFrom: (log, snapshots, request) => takeFrom(log, snapshots, request && { ...request, seq: request.seq - 1 }),
  },
  'a snapshot is written without its rows': { snapshots: (store) => new EmptySnapshots(store) },
  'kept replies are dropped on load': { recover: recoverFromSnapshotWith(dropKeptReplies) },
  'timers are set anew on load': { recover: recoverFromSnapshotWith((world) => (world.lastTimerId += 1)) },
  'the log after a snapshot is not replayed': { recover: recoverToSnapshot() },
  'too much of the log is pruned': { log: (log) => new GreedyLog(log) },
  'events are shown before they are durable': {
    hub: (parts) => new EventHub({ ...parts, sequencer: new HastySequencer(parts.sequencer) }),
  },
  'a release wakes no reader': {
    hub: (parts) => new EventHub({ ...parts, sequencer: new DeafSequencer(parts.sequencer) }),
  },
  'a reader resumes one event early': { hub: (parts) => new EarlyHub(parts) },
  'a reader resumes one event late': { hub: (parts) => new LateHub(parts) },
  'a reader that is ahead of a restored world is not refused': { hub: (parts) => new ForgivingHub(parts) },
  'expired events are skipped silently': { hub: (parts) => new SkippingHub(parts) },
  'events are counted anew after recovery': { recover: recoverWith((world) => world.eventLog.drop(WORLD_TOPIC)) },
  'the events of a snapshot are dropped on load': { recover: recoverFromSnapshotWith(dropEvents) },
  'an event of a snapshot is kept twice on load': { recover: recoverFromSnapshotWith(repeatEvent) },
  'a timer fires late': { recover: recoverWith((world) => delayTimers(world.timers)) },
  'timers of plans are not restored from a snapshot': {
    recover: recoverFromSnapshotWith((world) => changePlanTimers(world)),
  },
  'a timer of a plan is restored for another lane': {
    recover: recoverFromSnapshotWith((world) =>
      changePlanTimers(world, (id, deadlineMs, row, lane) =>
        world.timers.schedule(id, deadlineMs, TIMER_KINDS.plan_lane, planLaneRow(row, (lane + 1) % LANES.length)),
      ),
    ),
  },
  'plans are not examined after recovery': { recover: recoverWith(({ plans }) => (plans.stir = () => {})) },
  'a step of a plan starts twice': { recover: recoverWith(({ plans }) => repeatSteps(plans)) },
};

/** The honest parts, except for those of a breakage. */
export function brokenParts(name: string): Parts {
  const broken = BREAKAGES[name];
  if (broken === undefined) throw new RangeError(`there is no breakage "${name}"`);
  return { ...HONEST_PARTS, ...broken };
}

class EarlyCommit extends GroupCommit {
  override holdUntilDurable(seq: number, waiter: DurabilityWaiter): boolean {
    return super.holdUntilDurable(seq - 1, waiter);
  }
}

/** Releases events at once, as if they were durable. */
class TalkativeCommit extends GroupCommit {
  #lastSeq = 0;

  override get durableSeq(): number {
    return Math.max(super.durableSeq, this.#lastSeq);
  }

  override add(atMs: number, row: CommandRow, eventReceivers: readonly number[]): void {
    super.add(atMs, row, eventReceivers);
    if (this.#lastSeq === 0) this.#lastSeq = super.durableSeq;
    this.#lastSeq += 1;
    this.feed.release({ waiters: [], eventReceivers: [...eventReceivers] });
  }
}

class ForgetfulCommit extends GroupCommit {
  #count = 0;

  override add(atMs: number, row: CommandRow, eventReceivers: readonly number[]): void {
    this.#count += 1;
    if (this.#count % 7 !== 0) super.add(atMs, row, eventReceivers);
  }
}

class HastyDesk extends FrontDesk {
  constructor(
    options: ConstructorParameters<typeof FrontDesk>[0],
    private readonly hasty: Answer['kind'],
  ) {
    super(options);
  }

  override answer(answer: Answer, seq: number, send: Send): void {
    if (answer.kind === this.hasty) send(answer, seq);
    else super.answer(answer, seq, send);
  }
}

class CarelessDesk extends FrontDesk {
  override read(planetKey: number, send: Send): void {
    const planet = this.world.planets.get(planetKey);
    send({ kind: 'shown', seqs: [] }, planet?.changedSeq ?? 0);
  }
}

/** The race that a colony ship wins if it lands between the lookup of the key and the handler. */
class EarlyLook extends KeyedExecution {
  constructor(
    private readonly desk: FrontDesk,
    request: KeyedCommand,
  ) {
    super(desk, request);
  }

  override run(): void {
    const kept = this.look();
    this.desk.sequencer.run(() => this.answer(kept));
  }
}

class TwoInstantsDesk extends FrontDesk {
  override post(request: PlayerRequest, send: Send): void {
    this.sequencer.readNow();
    new EarlyLook(this, new KeyedCommand(this, request, send)).run();
  }
}

class ForgetfulDesk extends FrontDesk {
  override post(request: PlayerRequest, send: Send): void {
    this.#posts += 1;
    super.post({ ...request, key: `${request.key} ${this.#posts}` }, send);
  }

  #posts = 0;
}

/** Replays through a changed engine. */
function recoverThrough(change: (engine: Engine) => ReplayableEngine): Parts['recover'] {
  return async (log, snapshots, options) => {
    const newest = (await snapshots.list()).at(-1) ?? 0;
    const { engine, recovery } = await recover(log, snapshots, { ...options, until: { seq: newest } });
    const epoch = await log.acquire();
    const replayed = await replay(log, change(engine), { startHash: recovery.tail.hash });
    if (replayed.tornTail !== undefined) await log.dropLast(epoch, replayed.tornTail.firstSeq);
    return { engine, recovery: { ...recovery, ...replayed }, epoch };
  };
}

/** Recovers, and then changes the world. */
function recoverWith(change: (world: World) => void): Parts['recover'] {
  return async (log, snapshots, options) => {
    const world = await recoverToWrite(log, snapshots, options);
    // The types forbid this outside of the engine, so it needs a cast.
    if (world.engine.seq > 0) change(world.engine.world as unknown as World);
    return world;
  };
}

/** The same, but only if the world was recovered from a snapshot. */
function recoverFromSnapshotWith(change: (world: World) => void): Parts['recover'] {
  return async (log, snapshots, options) => {
    const world = await recoverToWrite(log, snapshots, options);
    if (world.recovery.snapshot !== null) change(world.engine.world as unknown as World);
    return world;
  };
}

function dropKeptReplies(world: World): void {
  Object.assign(world, { keptReplies: new KeptReplies() });
}

function dropEvents({ eventLog, lastPlayerNumber }: World): void {
  for (let receiver = OPEN_WORLD_TOPIC; receiver <= lastPlayerNumber; receiver += 1) eventLog.drop(receiver);
}

function repeatEvent({ eventLog }: World): void {
  const firstSeq = eventLog.oldestSeq(OPEN_WORLD_TOPIC);
  const kept = eventLog.read(OPEN_WORLD_TOPIC, firstSeq - 1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  const lastEntrySeq = kept.at(-1)?.entrySeq ?? 0;
  for (const { event } of kept.toReversed()) {
    if (event.kind !== 'fleet_arrived' && event.kind !== 'player_joined') continue;
    writeFields(eventLog.numbers, event);
    eventLog.append(OPEN_WORLD_TOPIC, lastEntrySeq, event.atMs, event.playerNumber);
    return;
  }
}

function recoverToSnapshot(): Parts['recover'] {
  return async (log, snapshots, options) => {
    const newest = (await snapshots.list()).at(-1);
    if (newest === undefined) return recoverToWrite(log, snapshots, options);
    const world = await recover(log, snapshots, { ...options, until: { seq: newest } });
    return { ...world, epoch: await log.acquire() };
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

/** Timers that are set from now on fire a millisecond late. */
function delayTimers(queue: TimerQueue<TimerTarget>): void {
  const { schedule } = queue;
  queue.schedule = (id, deadlineMs, kind, target) => schedule.call(queue, id, deadlineMs + 1, kind, target);
}

/** Cancels the timers of all plans. @param set sets one in place of each; without it there is none */
function changePlanTimers(
  world: World,
  set?: (id: number, deadlineMs: number, row: number, lane: number) => number,
): void {
  for (const { row } of world.planets.values()) {
    const plan = world.plans.get(row);
    for (const [lane, timer] of plan?.timers.entries() ?? []) {
      if (plan === undefined || timer === NO_TIMER) continue;
      const id = world.timers.idOf(timer);
      const deadlineMs = plan.deadlinesMs[lane] as number;
      world.timers.cancel(timer);
      forgetTimer(world, row, lane);
      if (set === undefined) continue;
      plan.timers[lane] = set(id, deadlineMs, row, lane);
      plan.deadlinesMs[lane] = deadlineMs;
    }
  }
}

/** Plans that are put from now on take their first step twice. */
function repeatSteps(plans: PlanTable): void {
  const { set } = plans;
  plans.set = (row, plan) => {
    const { dropHead } = plan;
    plan.dropHead = () => {
      plan.dropHead = dropHead;
    };
    set.call(plans, row, plan);
  };
}
