// The server broken on purpose, one thing at a time. Each breakage replaces an honest part by a broken one; a
// simulation that does not catch all of them would be worthless.

import type { Command, CommandRow } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { writeFields } from '../../engine/events/event-record.js';
import { OPEN_WORLD_TOPIC, WORLD_TOPIC } from '../../engine/events/kinds.js';
import { forgetTimer } from '../../engine/plans/plans.js';
import { LANES } from '../../engine/terms/plan-step.js';
import { KeptReplies } from '../../engine/world/kept-replies.js';
import { type PlanTable, planLaneRow } from '../../engine/world/plan-table.js';
import type { World } from '../../engine/world/state.js';
import { NO_TIMER, TIMER_KINDS, type TimerQueue } from '../../engine/world/timer-queue.js';
import { EventHub } from '../../http/events/event-hub.js';
import type { DurabilityWaiter } from '../../persistence/log/batch-record.js';
import { Fenced, StoreUnreachable } from '../../persistence/log/log.js';
import { recover, recoverToWrite } from '../../persistence/recovery/recovery.js';
import type { ReplayableEngine } from '../../persistence/recovery/replay.js';
import { replay } from '../../persistence/recovery/replay.js';
import type { SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import { takeFrom } from '../../persistence/upkeep/snapshot-taking.js';
import { GroupCommit } from '../../persistence/writer/group-commit.js';
import { altered } from '../support/altered.js';
import {
  blindLog,
  greedyLog,
  hastyLog,
  jealousLog,
  misreadLog,
  miswrittenLog,
  oneByOne,
  skippingLog,
  stubbornLog,
  swapped,
  touchyLog,
  trustingLog,
  withForgivenTail,
  withoutChecksum,
  withoutSecond,
} from './broken-logs.js';
import {
  BoldHandler,
  CarelessHandler,
  CurtHandler,
  DeafSequencer,
  EarlyHub,
  ForgetfulHandler,
  ForgivingHub,
  forgiving,
  HastyHandler,
  HastySequencer,
  ImpatientHandler,
  jealous,
  LateHub,
  released,
  SkippingHub,
  TwoInstantsHandler,
  withoutStops,
  withoutTail,
} from './broken-parts.js';
import { RUN_KINDS, type RunKind } from './kinds.js';
import { HONEST_PARTS, type Parts } from './parts.js';

interface Breakage {
  /** The kinds of runs that must catch it. */
  readonly kinds: readonly RunKind[];
  /** They replace honest ones. */
  readonly parts: Partial<Parts>;
}

const single = (parts: Partial<Parts>): Breakage => ({ kinds: ['single'], parts });
const shared = (parts: Partial<Parts>): Breakage => ({ kinds: ['shared'], parts });
const both = (parts: Partial<Parts>): Breakage => ({ kinds: RUN_KINDS, parts });

/** Indexed by name. */
export const BREAKAGES: Readonly<Record<string, Breakage>> = {
  'a reply leaves before the flush': both({
    commit: (options) => new GroupCommit({ ...options, durability: 'relaxed' }),
  }),
  'events are released before the flush': single({ commit: (options) => new TalkativeCommit(options) }),
  'a reply leaves one entry early': single({ commit: (options) => new EarlyCommit(options) }),
  'a refusal is answered at once': single({ handler: (options) => new HastyHandler(options, 'refused') }),
  'a read is answered at once': single({ handler: (options) => new CarelessHandler(options) }),
  'a write counts as done when it begins': single({ log: hastyLog }),
  'a failed write is retried': single({ log: stubbornLog }),
  'an append of unknown outcome is retried blindly': both({
    commit: (options) => new GroupCommit({ ...options, log: blindLog(options.log) }),
  }),
  'an append of unknown outcome counts as done': both({
    commit: (options) => new GroupCommit({ ...options, log: trustingLog(options.log) }),
  }),
  'a fenced process takes the log back': single({ log: jealousLog }),
  'the process ends itself on a refused cut': single({ log: touchyLog }),
  'the process outlives a fatal error': single({
    commit: (options) => new GroupCommit({ ...options, onFatal: () => {} }),
  }),
  'a write may hang forever': single({
    commit: (options) => new GroupCommit({ ...options, flushStallMs: 1_000_000_000 }),
  }),
  'an entry is applied and not logged': single({ commit: (options) => new ForgetfulCommit(options) }),
  'an entry in the middle of a batch is lost': single({ log: (log) => miswrittenLog(log, withoutSecond) }),
  'two entries of a batch are swapped': single({ log: (log) => miswrittenLog(log, swapped) }),
  'the entries of a batch are records of their own': single({ log: (log) => miswrittenLog(log, oneByOne) }),
  'a key is looked up at an earlier instant than its request is handled': single({
    handler: (options) => new TwoInstantsHandler(options),
  }),
  'keys are not looked up': single({ handler: (options) => new ForgetfulHandler(options) }),
  'checksums are not checked': single({ log: (log) => misreadLog(log, withoutChecksum) }),
  'any damage at the end is dropped': single({ log: (log) => misreadLog(log, withForgivenTail) }),
  'the newest record is forgotten': single({
    log: (log) => misreadLog(log, (record, newest) => (record.firstSeq === newest.firstSeq ? undefined : record)),
  }),
  'a record in the middle is forgotten': single({
    log: (log) => misreadLog(log, (record) => (record.firstSeq > 5 && record.firstSeq < 10 ? undefined : record)),
  }),
  'a tick is skipped in replay': single({ recover: recoverThrough((engine) => withoutTicks(engine)) }),
  'a timer id is reused after recovery': single({ recover: recoverWith((world) => (world.lastTimerId -= 1)) }),
  'a fleet number is reused after recovery': single({
    recover: recoverWith((world) => (world.lastFleetNumber -= 1)),
  }),
  'a snapshot is one entry off': single({
    takeFrom: (log, snapshots, request) => takeFrom(log, snapshots, request && { ...request, seq: request.seq - 1 }),
  }),
  'a snapshot is written without its rows': single({ snapshots: emptySnapshots }),
  'kept replies are dropped on load': single({ recover: recoverFromSnapshotWith(dropKeptReplies) }),
  'timers are set anew on load': single({ recover: recoverFromSnapshotWith((world) => (world.lastTimerId += 1)) }),
  'the log after a snapshot is not replayed': single({ recover: recoverToSnapshot() }),
  'too much of the log is pruned': single({ log: greedyLog }),
  'events are shown before they are durable': single({
    hub: (parts) => new EventHub({ ...parts, sequencer: new HastySequencer(parts.sequencer) }),
  }),
  'a release wakes no reader': single({
    hub: (parts) => new EventHub({ ...parts, sequencer: new DeafSequencer(parts.sequencer) }),
  }),
  'a reader resumes one event early': both({ hub: (parts) => new EarlyHub(parts) }),
  'a reader resumes one event late': both({ hub: (parts) => new LateHub(parts) }),
  'a reader that is ahead of a restored world is not refused': single({ hub: (parts) => new ForgivingHub(parts) }),
  'expired events are skipped silently': single({ hub: (parts) => new SkippingHub(parts) }),
  'events are counted anew after recovery': single({
    recover: recoverWith((world) => world.eventLog.drop(WORLD_TOPIC)),
  }),
  'the events of a snapshot are dropped on load': single({ recover: recoverFromSnapshotWith(dropEvents) }),
  'an event of a snapshot is kept twice on load': single({ recover: recoverFromSnapshotWith(repeatEvent) }),
  'a timer fires late': single({ recover: recoverWith((world) => delayTimers(world.timers)) }),
  'timers of plans are not restored from a snapshot': single({
    recover: recoverFromSnapshotWith((world) => changePlanTimers(world)),
  }),
  'a timer of a plan is restored for another lane': single({
    recover: recoverFromSnapshotWith((world) =>
      changePlanTimers(world, (id, deadlineMs, row, lane) =>
        world.timers.schedule(id, deadlineMs, TIMER_KINDS.plan_lane, planLaneRow(row, (lane + 1) % LANES.length)),
      ),
    ),
  }),
  'plans are not examined after recovery': single({ recover: recoverWith(({ plans }) => (plans.mark = () => {})) }),
  'a step of a plan starts twice': single({ recover: recoverWith(({ plans }) => repeatSteps(plans)) }),
  'the term ignores the time for which the process was stopped': shared({ source: withoutStops }),
  'a renewal of unknown outcome counts as done': shared({
    leadership: (leadership) => altered(leadership, { renew: forgiving(leadership, StoreUnreachable) }),
  }),
  'a fenced leader goes on': shared({
    leadership: (leadership) => altered(leadership, { renew: forgiving(leadership, Fenced) }),
  }),
  'the lease is read and not renewed': shared({
    leadership: (leadership) => altered(leadership, { renew: () => leadership.read() }),
  }),
  'a standby claims without waiting': shared({
    leadership: (leadership) => altered(leadership, { read: async () => released(await leadership.read()) }),
  }),
  'a release is lost': shared({ leadership: (leadership) => altered(leadership, { release: async () => {} }) }),
  'the wish for a handover is not heard': shared({
    leadership: (leadership) =>
      altered(leadership, { renew: async (epoch) => ({ ...(await leadership.renew(epoch)), wantedId: null }) }),
  }),
  'a fenced leader takes the lease back': shared({ leadership: jealous }),
  'the new leader does not replay the tail': shared({ leadership: withoutTail }),
  'a follower skips a record': shared({ log: skippingLog }),
  'a leader that is past its term answers reads': shared({ handler: (options) => new BoldHandler(options) }),
  'commands are denied in a handover': shared({ handler: (options) => new CurtHandler(options) }),
  'x-min-seq is ignored': shared({ handler: (options) => new ImpatientHandler(options) }),
};

/** The honest parts, except for those of a breakage. */
export function brokenParts(name: string): Parts {
  const broken = BREAKAGES[name];
  if (broken === undefined) throw new RangeError(`there is no breakage "${name}"`);
  return { ...HONEST_PARTS, ...broken.parts };
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

/** Stores no rows, but reports that it has. */
function emptySnapshots(store: SnapshotStore): SnapshotStore {
  return altered(store, { begin: async (seq) => altered(await store.begin(seq), { append: async () => {} }) });
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
function delayTimers(queue: TimerQueue): void {
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
