// The single writer: order, time, ticks, units and stopping.
import t, { type Test } from 'tap';
import { type Command, type CommandRow, encodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { KEY_HASH_LENGTH_MAX } from '../../../engine/rules/record-limits.js';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { isRefusal } from '../../../engine/terms/rejections.js';
import type { FreeSpace, LostFile } from '../../../persistence/files/disk-space.js';
import { INSTANT_MARK_MS, MAX_HELD_REPLIES, TOGETHER_BYTES_MAX } from '../../../persistence/limits.js';
import { decodeRecord, entriesOf, recordHash } from '../../../persistence/log/batch-record.js';
import { beginWorld } from '../../../persistence/recovery/genesis.js';
import { type Clock, ManualClock, RealClock } from '../../../persistence/time/clock.js';
import { NODE_SCHEDULER, type Scheduler } from '../../../persistence/time/scheduler.js';
import { GroupCommit } from '../../../persistence/writer/group-commit.js';
import { DiskNearlyFull, Sequencer, SequencerStopped } from '../../../persistence/writer/sequencer.js';
import { altered } from '../../support/altered.js';
import { FaultyLog, turns } from '../../support/faulty-log.js';
import { createPlayers } from '../../support/opened-world.js';
import { VirtualScheduler, VirtualTime } from '../../support/virtual-scheduler.js';
import { Replies } from './replies.js';

const START_MS = 1_000_000;
const CREATE_PLAYER = { type: 'create_player', name: 'Ada', isBot: false, keyHash: null, nameKey: 'Ada' } as const;
const START_RESEARCH = { type: 'start_research', playerNumber: 1, researchType: 0 } as const;
/** The duration of the first level of a research at speed 1. */
const RESEARCH_MS = 120_000;

/** An engine that throws at a command, as one with a bug would. */
class BrokenEngine extends Engine {
  breaksAt: Command['type'] | undefined;

  override apply(atMs: number, command: Command): never {
    if (command.type === this.breaksAt) throw new Error('an invariant is broken');
    return super.apply(atMs, command) as never;
  }
}

interface Options {
  readonly clock?: (startMs: number) => Clock;
  readonly freeSpace?: FreeSpace;
  readonly speed?: number;
  readonly scheduler?: Scheduler;
  readonly marksInstants?: boolean;
}

async function begin(t: Test, options: Options = {}) {
  const log = new FaultyLog({ isHeld: true });
  t.teardown(() => log.finishAll());
  const engine = new BrokenEngine();
  const replies = new Replies();
  const fatal: Error[] = [];
  // Rules without shocks, which are always pending.
  const settings = { speed: options.speed ?? 1, rules: STANDARD_1_RULES };
  const genesis = beginWorld(engine, log, log.epoch, settings, START_MS);
  await log.finish();
  const tail = await genesis;
  const commit = new GroupCommit({
    log,
    epoch: log.epoch,
    tail,
    rulesVersion: () => 1,
    durability: 'durable',
    onFatal: (error) => fatal.push(error),
  });
  const clock = options.clock?.(START_MS) ?? new ManualClock(START_MS);
  const freeSpace = options.freeSpace ?? { isLow: false };
  const { scheduler = NODE_SCHEDULER, marksInstants = false } = options;
  const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace, scheduler, marksInstants });
  await sequencer.start();
  return { log, engine, replies, fatal, clock, sequencer };
}

/** Everything logged since genesis. */
async function loggedEntries(log: FaultyLog): Promise<[atMs: number, row: CommandRow][]> {
  await log.finishAll();
  const entries: [number, CommandRow][] = [];
  let firstSeq = 1;
  let previousHash: Uint8Array = Buffer.alloc(16);
  for (const { bytes } of log.begun) {
    const record = decodeRecord(bytes, { firstSeq, previousHash });
    if (typeof record === 'string') throw new Error(record);
    for (const [atMs, row] of entriesOf(record)) entries.push([atMs, row]);
    firstSeq += record.count;
    previousHash = recordHash(bytes);
  }
  return entries.slice(1);
}

const ROWS = {
  createPlayer: encodeCommand(CREATE_PLAYER),
  startResearch: encodeCommand(START_RESEARCH),
  advanceTime: encodeCommand({ type: 'advance_time' }),
};

t.test('an accepted command gets the next seq and is logged with its instant', async (t) => {
  const { log, sequencer } = await begin(t);
  t.equal(sequencer.lastSeq, 1, 'genesis');
  sequencer.submit(CREATE_PLAYER);
  t.equal(sequencer.lastSeq, 2);
  t.equal(sequencer.durableSeq, 1);
  await turns();
  t.same(await loggedEntries(log), [[START_MS, ROWS.createPlayer]]);
  t.equal(sequencer.durableSeq, 2);
});

t.test('a refused command is not logged, and its reply waits for what it depends on', async (t) => {
  const { log, sequencer, replies } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  const outcome = sequencer.submit(START_RESEARCH);
  t.match(outcome, { code: 'research_in_progress' });
  t.equal(sequencer.lastSeq, 3);
  sequencer.holdUntilDurable(sequencer.lastSeq, replies.reply('refusal'));
  await turns();
  t.same(replies.sent, [], 'the research it depends on is not durable yet');
  await log.finish();
  t.same(replies.sent, ['refusal']);
  t.same(await loggedEntries(log), [
    [START_MS, ROWS.createPlayer],
    [START_MS, ROWS.startResearch],
  ]);
});

t.test('due timers fire in an entry of their own before a command', async (t) => {
  const clock = handClock();
  const { log, engine, sequencer } = await begin(t, { clock: () => clock });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  clock.atMs = START_MS + RESEARCH_MS;
  t.notOk(isRefusal(sequencer.submit(START_RESEARCH)), 'the first research is over');
  t.equal(engine.world.players.get(1)?.researchLevel(0), 1);
  await turns();
  t.same((await loggedEntries(log)).slice(2), [
    [clock.atMs, ROWS.advanceTime],
    [clock.atMs, ROWS.startResearch],
  ]);
  await sequencer.stop();
});

t.test('a read sees everything that is due, and time that passes without a timer is not logged', async (t) => {
  const clock = handClock();
  const { log, engine, sequencer } = await begin(t, { clock: () => clock });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  clock.atMs = START_MS + RESEARCH_MS - 1;
  t.equal(sequencer.readNow(), clock.atMs);
  t.equal(engine.world.players.get(1)?.researchLevel(0), 0);
  clock.atMs += 1;
  t.equal(sequencer.readNow(), clock.atMs);
  t.equal(engine.world.players.get(1)?.researchLevel(0), 1);
  await turns();
  t.same((await loggedEntries(log)).slice(2), [[clock.atMs, ROWS.advanceTime]]);
  await sequencer.stop();
});

t.test('time never runs backwards, whatever the clock says', async (t) => {
  const clock = handClock();
  const { sequencer } = await begin(t, { clock: () => clock });
  clock.atMs = START_MS + 500;
  t.equal(sequencer.readNow(), START_MS + 500);
  clock.atMs = 3;
  t.equal(sequencer.readNow(), START_MS + 500);
  sequencer.submit(CREATE_PLAYER);
  t.equal(sequencer.nowMs, START_MS + 500);
});

t.test('at rest, the timer wakes at the deadline and fires without any request', async (t) => {
  const { log, engine, sequencer } = await begin(t, { clock: (startMs) => runningClock(startMs), speed: 2_000 });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  const dueMs = engine.nextDeadlineMs();
  while (engine.world.players.get(1)?.researchLevel(0) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const entries = await loggedEntries(log);
  const [firedAtMs, row] = entries.at(-1) ?? [];
  t.same(row, ROWS.advanceTime);
  t.ok(Number(firedAtMs) >= dueMs);
  t.equal(entries.length, 3, 'one tick');
  await sequencer.stop();
});

t.test('a manual clock stands still until it is moved', async (t) => {
  const { log, engine, sequencer } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  t.equal(sequencer.readNow(), START_MS);
  t.equal(sequencer.advanceTo(START_MS + RESEARCH_MS - 1), START_MS + RESEARCH_MS - 1);
  t.equal(engine.world.players.get(1)?.researchLevel(0), 0);
  t.equal(sequencer.advanceTo(START_MS + RESEARCH_MS), START_MS + RESEARCH_MS);
  t.equal(engine.world.players.get(1)?.researchLevel(0), 1);
  await turns();
  t.same(
    (await loggedEntries(log)).slice(2),
    [
      [START_MS + RESEARCH_MS - 1, ROWS.advanceTime],
      [START_MS + RESEARCH_MS, ROWS.advanceTime],
    ],
    'time that is moved by order is logged, with or without due timers',
  );
});

t.test('a manual clock moved to its present position logs nothing', async (t) => {
  const { engine, sequencer } = await begin(t);
  t.equal(sequencer.advanceTo(START_MS), START_MS);
  t.equal(engine.seq, 1);
});

t.test('more timers than fit into one tick all fire, tick after tick at the same instant', async (t) => {
  const { log, engine, sequencer } = await begin(t);
  const count = 2_500;
  sequencer.submit(createPlayers(count, 'bot'));
  for (let playerNumber = 1; playerNumber <= count; playerNumber += 1) {
    sequencer.submit({ type: 'start_research', playerNumber, researchType: 0 });
  }
  sequencer.advanceTo(START_MS + RESEARCH_MS);
  t.equal(engine.nextDeadlineMs(), Number.POSITIVE_INFINITY);
  await turns();
  const ticks = (await loggedEntries(log)).filter(([, row]) => row[0] === ROWS.advanceTime[0]);
  t.same(
    ticks.map(([atMs]) => atMs),
    [START_MS + RESEARCH_MS, START_MS + RESEARCH_MS, START_MS + RESEARCH_MS],
  );
});

t.test('a backlog is fired in slices before serving, and a command in between finds nothing due', async (t) => {
  const clock = handClock();
  const { log, engine, sequencer } = await begin(t, { clock: () => clock });
  const count = 5_000;
  sequencer.submit(createPlayers(count, 'bot'));
  for (let playerNumber = 1; playerNumber <= count; playerNumber += 1) {
    sequencer.submit({ type: 'start_research', playerNumber, researchType: 0 });
  }
  clock.atMs = START_MS + RESEARCH_MS;
  const started = sequencer.start();
  t.ok(engine.nextDeadlineMs() <= clock.atMs, 'start() has yielded to the event loop');
  t.notOk(isRefusal(sequencer.submit({ ...START_RESEARCH, playerNumber: count })), 'its first research is over');
  t.ok(engine.nextDeadlineMs() > clock.atMs);
  await started;
  await log.finishAll();
  await sequencer.stop();
});

t.test('a clock that runs by itself cannot be moved, and no clock runs backwards', async (t) => {
  const real = await begin(t, { clock: (startMs) => runningClock(startMs) });
  t.throws(() => real.sequencer.advanceTo(START_MS + 1_000_000), TypeError);
  const manual = await begin(t);
  t.throws(() => manual.sequencer.advanceTo(START_MS - 1), RangeError);
  t.throws(() => manual.sequencer.advanceTo(START_MS + 0.5), RangeError);
  t.equal(manual.sequencer.readNow(), START_MS);
});

t.test('admission is open, until the disk is low, a file is lost, or the queues are full', async (t) => {
  const freeSpace: { isLow: boolean; lostFile?: LostFile | undefined } = { isLow: false };
  const { sequencer, replies } = await begin(t, { freeSpace });
  t.equal(sequencer.availability(), 'open');
  freeSpace.isLow = true;
  t.equal(sequencer.availability(), 'storage_unavailable');
  freeSpace.isLow = false;
  freeSpace.lostFile = { path: '/anywhere/data.mdb', descriptor: 21, isRemoved: true };
  t.equal(sequencer.availability(), 'storage_unavailable');
  freeSpace.lostFile = undefined;
  sequencer.submit(CREATE_PLAYER);
  for (let count = 0; count < MAX_HELD_REPLIES; count += 1) sequencer.holdUntilDurable(2, replies.reply('held'));
  t.equal(sequencer.availability(), 'overloaded');
});

t.test('stop waits for the disk, sends held replies, and accepts nothing more', async (t) => {
  const { log, sequencer, replies } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.holdUntilDurable(2, replies.reply('held'));
  const stopped = sequencer.stop();
  t.equal(sequencer.availability(), 'shutting_down');
  t.throws(() => sequencer.submit(START_RESEARCH), SequencerStopped);
  t.throws(() => sequencer.advanceTo(START_MS + 1), SequencerStopped);
  await turns();
  t.notOk(log.isClosed);
  await log.finish();
  await stopped;
  t.ok(log.isClosed);
  t.same(replies.sent, ['held']);
  t.equal(sequencer.readNow(), START_MS, 'reads go on');
  await sequencer.stop();
});

t.test('a command that breaks an invariant is fatal before it is logged', async (t) => {
  const { log, engine, sequencer, replies, fatal } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.holdUntilDurable(2, replies.reply('before it'));
  engine.breaksAt = 'start_research';
  t.throws(() => sequencer.submit(START_RESEARCH), { message: 'an invariant is broken' });
  await turns();
  t.same(
    fatal.map(({ message }) => message),
    ['an invariant is broken'],
  );
  t.equal(log.begun.length, 1, 'nothing but genesis');
  t.same(replies.sent, []);
  t.equal(sequencer.availability(), 'shutting_down');
  t.throws(() => sequencer.submit(CREATE_PLAYER), SequencerStopped);
  await sequencer.stop();
  t.notOk(log.isClosed, 'after a fatal error the log is left as it is');
});

t.test('a firing that breaks an invariant is fatal, even without a request', async (t) => {
  const { engine, sequencer, fatal } = await begin(t, { clock: (startMs) => runningClock(startMs), speed: 2_000 });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  engine.breaksAt = 'advance_time';
  while (fatal.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  t.equal(fatal.length, 1);
  t.throws(() => sequencer.submit(START_RESEARCH), SequencerStopped);
});

/** A clock and a scheduler that fail on demand. */
function failing() {
  const clock = handClock();
  const time = new VirtualTime();
  const alarms = new VirtualScheduler(time);
  const faults = { clock: false, arming: false };
  const nowMs = (): number => {
    if (faults.clock) throw new Error('the clock cannot be read');
    return clock.atMs;
  };
  const scheduler = altered<Scheduler>(NODE_SCHEDULER, {
    after(delayMs, callback, ...given) {
      if (faults.arming) throw new Error('the timer cannot be armed');
      return alarms.after(delayMs, callback, ...given);
    },
    cancel: (alarm) => alarms.cancel(alarm),
  });
  return { alarms, at: clock, faults, options: { clock: (): Clock => ({ kind: 'real', nowMs }), scheduler } };
}

t.test('a timer that cannot read the clock, or cannot be armed again, is fatal', async (t) => {
  for (const [fault, message] of [
    ['clock', 'the clock cannot be read'],
    ['arming', 'the timer cannot be armed'],
  ] as const) {
    const { alarms, at, faults, options } = failing();
    const { sequencer, fatal } = await begin(t, options);
    sequencer.submit(CREATE_PLAYER);
    sequencer.submit(START_RESEARCH);
    t.equal(alarms.size, 1);
    // It wakes before the deadline, as a timer does that can only sleep for weeks, and has to sleep again.
    at.atMs += 1;
    faults[fault] = true;
    alarms.next();
    t.match(fatal, [{ message }]);
    t.equal(sequencer.availability(), 'shutting_down');
  }
});

t.test('a request that cannot read the clock, or cannot arm the timer, is fatal', async (t) => {
  const unread = failing();
  const reading = await begin(t, unread.options);
  unread.faults.clock = true;
  t.throws(() => reading.sequencer.readNow(), { message: 'the clock cannot be read' });
  t.match(reading.fatal, [{ message: 'the clock cannot be read' }]);
  const unarmed = failing();
  const arming = await begin(t, unarmed.options);
  arming.sequencer.submit(CREATE_PLAYER);
  unarmed.faults.arming = true;
  const research = () => arming.sequencer.submit(START_RESEARCH);
  t.throws(() => arming.sequencer.run(research), { message: 'the timer cannot be armed' });
  t.match(arming.fatal, [{ message: 'the timer cannot be armed' }]);
});

/** A clock that the test sets, but that counts as a running one. */
function handClock(): Clock & { atMs: number } {
  return {
    kind: 'real',
    atMs: START_MS,
    nowMs() {
      return this.atMs;
    },
  };
}

/** A clock that runs from the world's start, not from this machine's present. */
function runningClock(startMs: number): Clock {
  return new RealClock(startMs, { wallMs: () => 0, elapsedMs: () => performance.now() });
}

t.test('a unit happens at one instant, and timers due by then have fired before it', async (t) => {
  const clock = handClock();
  const { log, engine, sequencer } = await begin(t, { clock: () => clock });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  await log.finishAll();
  const recordsBefore = log.begun.length;
  clock.atMs = START_MS + RESEARCH_MS;
  sequencer.run(() => {
    t.equal(engine.world.players.get(1)?.researchLevel(0), 1, 'the research was due');
    sequencer.submit(START_RESEARCH);
    clock.atMs += 10 * RESEARCH_MS;
    t.equal(sequencer.readNow(), START_MS + RESEARCH_MS);
    sequencer.submit({ ...CREATE_PLAYER, name: 'Grace', nameKey: 'Grace', isBot: true });
    t.equal(
      sequencer.run(() => sequencer.readNow()),
      START_MS + RESEARCH_MS,
      'a unit inside a unit is part of it',
    );
  });
  t.equal(sequencer.readNow(), clock.atMs, 'afterwards time advances');
  t.equal(engine.world.players.get(1)?.researchLevel(0), 2);
  const unitMs = START_MS + RESEARCH_MS;
  t.same((await loggedEntries(log)).slice(2, 5), [
    [unitMs, ROWS.advanceTime],
    [unitMs, ROWS.startResearch],
    [unitMs, encodeCommand({ ...CREATE_PLAYER, name: 'Grace', nameKey: 'Grace', isBot: true })],
  ]);
  t.equal(log.begun.length, recordsBefore + 1, 'one record contains all of it');
  await sequencer.stop();
});

t.test('at one instant the clock is read once, and nothing falls due meanwhile', async (t) => {
  const clock = handClock();
  const { log, engine, sequencer } = await begin(t, { clock: () => clock });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  const dueMs = START_MS + RESEARCH_MS;
  clock.atMs = dueMs - 1;
  sequencer.run(() => {
    clock.atMs = dueMs;
    t.equal(sequencer.readNow(), dueMs - 1);
    t.match(sequencer.submit(START_RESEARCH), { code: 'research_in_progress' }, 'the first one is not finished yet');
    t.equal(
      sequencer.run(() => sequencer.run(() => sequencer.readNow())),
      dueMs - 1,
      'a nested instant is part of it',
    );
    sequencer.submit({ ...CREATE_PLAYER, name: 'Grace', nameKey: 'Grace', isBot: true });
  });
  t.equal(engine.world.players.get(1)?.researchLevel(0), 0);
  const fails = (): never => {
    throw new Error('the handler broke');
  };
  t.throws(() => sequencer.run(fails), /the handler broke/);
  t.equal(sequencer.readNow(), dueMs, 'afterwards time advances, after an error too');
  t.equal(engine.world.players.get(1)?.researchLevel(0), 1);
  await log.finishAll();
  t.same((await loggedEntries(log)).slice(2), [
    [dueMs - 1, encodeCommand({ ...CREATE_PLAYER, name: 'Grace', nameKey: 'Grace', isBot: true })],
    [dueMs, ROWS.advanceTime],
  ]);
  await sequencer.stop();
});

t.test('a manual clock can be moved inside a unit, and all timers that fire are part of the unit', async (t) => {
  const { log, engine, sequencer } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  await log.finishAll();
  const recordsBefore = log.begun.length;
  const laterMs = START_MS + RESEARCH_MS + 1;
  sequencer.run(() => {
    t.equal(sequencer.advanceTo(laterMs), laterMs);
    t.equal(sequencer.readNow(), laterMs);
    t.equal(engine.world.players.get(1)?.researchLevel(0), 1);
    sequencer.submit(START_RESEARCH);
  });
  t.equal(sequencer.readNow(), laterMs);
  await log.finishAll();
  t.equal(log.begun.length, recordsBefore + 1, 'one record');
  t.same((await loggedEntries(log)).slice(2), [
    [laterMs, ROWS.advanceTime],
    [laterMs, ROWS.startResearch],
  ]);
  await sequencer.stop();
});

t.test('a unit that has grown too large admits nothing more, and the next one does', async (t) => {
  const { log, sequencer } = await begin(t);
  // A character counts as three bytes.
  const count = Math.ceil(TOGETHER_BYTES_MAX / (3 * KEY_HASH_LENGTH_MAX));
  const hashesOf = (prefix: string): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`.padEnd(KEY_HASH_LENGTH_MAX, '.'));
  const huge = {
    type: 'create_players',
    count,
    namePrefix: 'bot',
    keyHashes: hashesOf('a'),
    namePrefixKey: 'bot',
  } as const;
  sequencer.run(() => {
    t.equal(sequencer.availability(), 'open');
    sequencer.submit(huge);
    t.equal(sequencer.availability(), 'overloaded');
  });
  t.equal(sequencer.availability(), 'open');
  sequencer.run(() => {
    sequencer.submit({ ...huge, namePrefix: 'droid', namePrefixKey: 'droid', keyHashes: hashesOf('b') });
    t.equal(sequencer.availability(), 'overloaded');
    sequencer.beginUnit();
    t.equal(sequencer.availability(), 'open', 'at the same instant');
  });
  await log.finishAll();
});

t.test('the largest timer lag of a running clock is reported once', async (t) => {
  const clock = handClock();
  const { log, sequencer } = await begin(t, { clock: () => clock });
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  t.equal(sequencer.takeTimerLagMs(), 0);
  clock.atMs = START_MS + RESEARCH_MS + 250;
  sequencer.readNow();
  sequencer.submit(START_RESEARCH);
  clock.atMs += 2 * RESEARCH_MS;
  sequencer.readNow();
  const lagMs = sequencer.takeTimerLagMs();
  t.ok(lagMs >= 250 && lagMs < 2 * RESEARCH_MS, `${lagMs} ms`);
  t.equal(sequencer.takeTimerLagMs(), 0, 'only once');
  await log.finishAll();
  await sequencer.stop();
});

t.test('an operator who skips time causes no timer lag', async (t) => {
  const { log, sequencer } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  sequencer.advanceTo(START_MS + 10 * RESEARCH_MS);
  t.equal(sequencer.takeTimerLagMs(), 0);
  await log.finishAll();
});

t.test('commands are counted by type and outcome, and each record with its entries', async (t) => {
  const { log, sequencer } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  sequencer.submit(START_RESEARCH);
  sequencer.submit(START_RESEARCH);
  await log.finishAll();
  const told: [string, string, number][] = [];
  sequencer.commandCounts.visit((type, outcome, count) => {
    if (count > 0) told.push([type, outcome, count]);
  });
  t.same(told, [
    ['create_player', 'accepted', 1],
    ['start_research', 'accepted', 1],
    ['start_research', 'research_in_progress', 1],
  ]);
  const { batchEntries, flushSeconds } = sequencer.commitFigures;
  t.equal(batchEntries.sum, 2);
  t.equal(flushSeconds.count, batchEntries.count);
  t.equal(sequencer.heldReplies, 0);
});

t.test('the log is cut between two records, and commands go on', async (t) => {
  const { log, sequencer } = await begin(t);
  sequencer.submit(CREATE_PLAYER);
  await turns();
  const cut = sequencer.cut();
  sequencer.submit(START_RESEARCH);
  await log.finish();
  t.same(log.cutsBegun, [3]);
  t.ok(sequencer.bytesSinceCut > 0);
  await log.finish();
  t.equal(await cut, 2);
  await log.finish();
  t.equal(sequencer.durableSeq, 3);
});

t.test('a log is not cut on a disk that is nearly full, nor after stop', async (t) => {
  const freeSpace = { isLow: true };
  const { log, sequencer, fatal } = await begin(t, { freeSpace });
  await t.rejects(sequencer.cut(), DiskNearlyFull);
  freeSpace.isLow = false;
  await sequencer.stop();
  await t.rejects(sequencer.cut(), SequencerStopped);
  t.same(log.cutsBegun, []);
  t.same(fatal, []);
});

t.test('instants are logged at intervals if nothing else is, and at the end, unless the clock stands', async (t) => {
  let passedMs = 0;
  const source = { wallMs: () => START_MS + passedMs, elapsedMs: () => passedMs };
  const alarms: (() => void)[] = [];
  const scheduler: Scheduler = {
    ...NODE_SCHEDULER,
    after(delayMs, callback, ...given) {
      if (delayMs === INSTANT_MARK_MS) alarms.push(() => callback(...given));
      return {};
    },
    cancel: () => {},
  };
  const clock = (startMs: number) => new RealClock(startMs, source);
  const { log, engine, sequencer } = await begin(t, { clock, scheduler, marksInstants: true });
  const wakeAfter = (ms: number): void => {
    passedMs += ms;
    alarms.shift()?.();
  };
  wakeAfter(INSTANT_MARK_MS);
  passedMs += INSTANT_MARK_MS - 1;
  sequencer.submit(CREATE_PLAYER);
  wakeAfter(1);
  t.equal(engine.seq, 3, 'the command was an instant of its own');
  wakeAfter(INSTANT_MARK_MS);
  sequencer.pauseClock();
  wakeAfter(INSTANT_MARK_MS);
  t.equal(engine.seq, 5, 'time stands');
  sequencer.resumeClock();
  passedMs += 7;
  const stopped = sequencer.stop();
  const instants = (await loggedEntries(log)).map(([atMs]) => atMs - START_MS);
  const pausedMs = 3 * INSTANT_MARK_MS;
  t.same(instants, [INSTANT_MARK_MS, 2 * INSTANT_MARK_MS - 1, pausedMs, pausedMs, pausedMs, pausedMs + 7]);
  await stopped;
  t.equal(alarms.length, 1, 'the last alarm was cancelled');
});

t.test('a clock that an operator moves has no such instants', async (t) => {
  const { engine, sequencer, log } = await begin(t, { marksInstants: true });
  const stopped = sequencer.stop();
  await log.finishAll();
  await stopped;
  t.equal(engine.seq, 1);
});
