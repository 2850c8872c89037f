// The feed informs watchers of events and sends replies once a record is durable, and not before. Replay and recovery lead to the same
// entries and events as the live run.
import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import type { Command, CommandResult } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { type EventKind, OPEN_WORLD_TOPIC, WORLD_TOPIC, type WorldEvent } from '../../../engine/events/kinds.js';
import { isRefusal, type Refusal } from '../../../engine/terms/rejections.js';
import { AMPLE_SPACE } from '../../../persistence/files/disk-space.js';
import { MAX_BATCH_ENTRIES } from '../../../persistence/limits.js';
import { Batch, NO_PREVIOUS_HASH, recordHash } from '../../../persistence/log/batch-record.js';
import type { CommandLog } from '../../../persistence/log/log.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';
import { recover, recoverToWrite } from '../../../persistence/recovery/recovery.js';
import { type ReplayedEntry, replay } from '../../../persistence/recovery/replay.js';
import { writeSnapshot } from '../../../persistence/snapshots/snapshot-writer.js';
import { ManualClock } from '../../../persistence/time/clock.js';
import { type Durability, type EventWatcher, GroupCommit } from '../../../persistence/writer/group-commit.js';
import { Sequencer } from '../../../persistence/writer/sequencer.js';
import { FaultyLog, turns } from '../../support/faulty-log.js';
import { appendRecords } from '../../support/log-writing.js';
import { drawSeed } from '../../support/process/draws.js';
import fc from '../../support/properties.js';
import { type Choose, chooseCommand, chooseWaitMs, listedChoice, settleBots } from '../../support/random-play.js';
import { MemorySnapshots } from '../../support/stores/memory-snapshots.js';
import { HOUR_MS, START_MS, WorldStory } from '../../support/world-story.js';
import { Replies } from './replies.js';

/** Keeps the calls of a watcher. */
class Watched implements EventWatcher {
  readonly calls: (readonly number[])[] = [];

  released(receivers: readonly number[]): void {
    this.calls.push([...receivers]);
  }
}

async function begin(t: Test, durability: Durability = 'durable') {
  const log = new FaultyLog({ isHeld: true });
  t.teardown(() => log.finishAll());
  const { engine } = new WorldStory();
  const fatal: Error[] = [];
  const onFatal = (error: Error): void => void fatal.push(error);
  const tail = { lastSeq: 1, hash: NO_PREVIOUS_HASH };
  const begun = log.cut(log.epoch, tail.lastSeq + 1);
  await log.finish();
  await begun;
  const commit = new GroupCommit({ log, epoch: log.epoch, tail, rulesVersion: () => 1, durability, onFatal });
  const clock = new ManualClock(START_MS);
  const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace: AMPLE_SPACE });
  await sequencer.start();
  return { log, engine, fatal, sequencer, watched: new Watched(), replies: new Replies() };
}

function bot(name: string) {
  return { type: 'create_player', name, isBot: true, keyHash: null, nameKey: name } as const;
}

const RESEARCH = { type: 'start_research', playerNumber: 1, researchType: 0 } as const;
/** What a watcher gets of the first bot: its own event, and the public one. */
const CREATED = [1, WORLD_TOPIC, OPEN_WORLD_TOPIC];

t.test('the receivers of events are released record by record, once these are durable', async (t) => {
  const { log, sequencer, watched } = await begin(t);
  sequencer.watchEvents(watched);
  sequencer.submit(bot('one'));
  sequencer.submit(RESEARCH);
  sequencer.submit(RESEARCH);
  await turns();
  sequencer.advanceTo(START_MS + HOUR_MS);
  await turns();
  t.ok(log.isWaiting);
  t.same(watched.calls, [], 'nothing is on disk yet');
  await log.finish();
  t.same(watched.calls, [[...CREATED, 1]], 'the refused research has no event, and the second record is being written');
  await log.finish();
  t.same(watched.calls.slice(1), [[1]], 'the research has ended');
});

t.test('replies leave in the release of their record, after the events', async (t) => {
  const { log, sequencer } = await begin(t);
  const order: string[] = [];
  sequencer.watchEvents({ released: () => void order.push('events') });
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, { durable: () => order.push('reply to 2') });
  await turns();
  sequencer.submit(bot('two'));
  sequencer.holdUntilDurable(3, { durable: () => order.push('reply to 3') });
  await log.finishAll();
  t.same(order, ['events', 'reply to 2', 'events', 'reply to 3']);
});

t.test('under relaxed durability events wait for the disk, though replies do not', async (t) => {
  const { log, sequencer, watched, replies } = await begin(t, 'relaxed');
  sequencer.watchEvents(watched);
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, replies.reply('at once'));
  await turns();
  t.same([replies.sent, watched.calls], [['at once'], []]);
  await log.finish();
  t.same(watched.calls, [CREATED]);
});

t.test('a unit is released as a whole, and a small one with the record that it shares', async (t) => {
  const { log, sequencer, watched } = await begin(t);
  sequencer.watchEvents(watched);
  const count = MAX_BATCH_ENTRIES + 1;
  const unitOf = (names: readonly string[]): void => {
    sequencer.run(() => {
      for (const name of names) sequencer.submit(bot(name));
    });
  };
  sequencer.submit(bot('before'));
  unitOf(Array.from({ length: count }, (_, index) => `bot ${index}`));
  unitOf(['small', 'unit']);
  await log.finishAll();
  const entries = () => watched.calls.map(({ length }) => length / CREATED.length);
  t.same(entries(), [1, count, 2], 'a unit that is larger than other records is a record of its own');
  sequencer.submit(bot('again before'));
  unitOf(['small 2', 'unit 2']);
  await log.finishAll();
  t.equal(entries().at(-1), 3);
});

t.test('a watcher that has left gets nothing more', async (t) => {
  const { log, sequencer, watched } = await begin(t);
  const leave = sequencer.watchEvents(watched);
  sequencer.submit(bot('one'));
  await log.finishAll();
  leave();
  sequencer.submit(bot('two'));
  await log.finishAll();
  t.same(watched.calls, [CREATED]);
});

t.test('a failed write releases nothing, and neither does anything after it', async (t) => {
  const { log, sequencer, watched, replies, fatal } = await begin(t);
  sequencer.watchEvents(watched);
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, replies.reply('one'));
  await turns();
  sequencer.submit(bot('two'));
  await log.fail(new Error('the disk is broken'));
  await turns();
  t.equal(fatal.length, 1);
  t.same([watched.calls, replies.sent], [[], []]);
});

t.test('a watcher that throws is fatal, and the replies after it do not leave', async (t) => {
  const { log, sequencer, replies, fatal } = await begin(t);
  sequencer.watchEvents({
    released: () => {
      throw new Error('cannot take it');
    },
  });
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, replies.reply('one'));
  await log.finishAll();
  t.same([fatal.map(({ message }) => message), replies.sent], [['cannot take it'], []]);
});

/** @returns the entries that an engine applies from now on, with their events */
function recordedBy(engine: Engine): readonly ReplayedEntry[] {
  const entries: ReplayedEntry[] = [];
  const apply = engine.apply.bind(engine);
  const record = (atMs: number, command: Command): CommandResult | Refusal | null => {
    const events: WorldEvent[] = [];
    const outcome = apply(atMs, command, events);
    if (outcome === null || !isRefusal(outcome)) entries.push({ seq: engine.seq, atMs, command, events });
    return outcome;
  };
  engine.apply = record as Engine['apply'];
  return entries;
}

/** A move is a list of choices; leaving one out does not change what the others mean. */
const moves = fc.array(fc.array(fc.nat(1_000_000), { minLength: 14, maxLength: 14 }), {
  minLength: 50,
  maxLength: 200,
});

interface Played {
  readonly log: CommandLog;
  readonly story: WorldStory;
  /** What recovery replayed, then what happened live. */
  readonly lived: readonly ReplayedEntry[];
  readonly engine: Engine;
}

/** The entries of a story as records of some seven entries each. */
async function write(story: WorldStory, log: CommandLog): Promise<void> {
  let previousHash: Uint8Array = NO_PREVIOUS_HASH;
  for (let first = 0; first < story.entries.length; first += 7) {
    const batch = new Batch(first + 1);
    for (const { atMs, row } of story.entries.slice(first, first + 7)) batch.tryAdd(atMs, row);
    const bytes = batch.encode(1, previousHash);
    previousHash = recordHash(bytes);
    await appendRecords(log, [{ firstSeq: batch.firstSeq, bytes }]);
  }
}

/** A world of bots whose story is recovered from its log and then continues live: commands, units, timers, batches. */
async function play(seed: number, moves: readonly (readonly number[])[]): Promise<Played> {
  const story = new WorldStory({ seed, systemsPerGalaxy: 2 });
  settleBots(story, 8);
  const log = new MemoryLog();
  await write(story, log);
  const settled: ReplayedEntry[] = [];
  const { engine, recovery, epoch } = await recoverToWrite(log, new MemorySnapshots(), {
    onEntries: (entries) => settled.push(...entries),
  });
  const onFatal = (error: Error): never => {
    throw error;
  };
  const commit = new GroupCommit({
    log,
    epoch,
    tail: recovery.tail,
    rulesVersion: () => 1,
    durability: 'durable',
    onFatal,
  });
  const live = recordedBy(engine);
  const sequencer = new Sequencer({
    engine,
    clock: new ManualClock(engine.nowMs),
    log,
    commit,
    freeSpace: AMPLE_SPACE,
  });
  await sequencer.start();
  for (const numbers of moves) await move(engine, sequencer, listedChoice(numbers));
  await sequencer.stop();
  return { log, story, lived: [...settled, ...live], engine };
}

async function move(engine: Engine, sequencer: Sequencer, choose: Choose): Promise<void> {
  const { nowMs } = sequencer;
  sequencer.advanceTo(nowMs + chooseWaitMs({ engine, nowMs }, choose));
  const command = chooseCommand(engine.world, choose);
  const way = choose(4);
  if (way > 0) sequencer.submit(command);
  else {
    sequencer.run(() => {
      sequencer.submit(command);
      sequencer.submit(chooseCommand(engine.world, choose));
      sequencer.advanceTo(sequencer.nowMs + choose(60_000));
    });
  }
  if (way === 1) await turns();
}

/** Takes a snapshot of the world as of a record's end. */
async function snapshotUntil(log: CommandLog, seq: number): Promise<MemorySnapshots> {
  const snapshots = new MemorySnapshots();
  const engine = Engine.create();
  const { tail } = await replay(log, engine, { until: { seq } });
  await writeSnapshot({ engine, logHash: tail.hash, store: snapshots, createdAtMs: 1 });
  return snapshots;
}

t.test('replay and recovery lead to the entries and events of the live run, also from a snapshot', async (t) => {
  const kinds = new Set<EventKind>();
  let livedCount = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(1000), moves, fc.nat(), async (seed, moves, place) => {
      const { log, story, lived, engine } = await play(seed, moves);
      const ofStory = lived.slice(0, story.entries.length).flatMap(({ events }) => events);
      requireSame(ofStory, story.events, 'the story that was recovered');
      const seqs = Array.from({ length: engine.seq }, (_, index) => index + 1);
      requireSame(
        lived.map(({ seq }) => seq),
        seqs,
        'the seqs',
      );

      const records: (readonly ReplayedEntry[])[] = [];
      const again = Engine.create();
      await replay(log, again, { onEntries: (entries) => records.push(entries) });
      requireSame(records.flat(), lived, 'the replay');
      requireSame(again.stateHash(), engine.stateHash(), 'the state');

      const ends = records.map((entries) => entries.at(-1)?.seq ?? 0);
      const seq = ends[place % ends.length] ?? 1;
      const behind: (readonly ReplayedEntry[])[] = [];
      const onEntries = (entries: readonly ReplayedEntry[]): void => void behind.push(entries);
      const { recovery } = await recover(log, await snapshotUntil(log, seq), { onEntries });
      requireSame(recovery.snapshot?.seq, seq, 'the snapshot');
      requireSame(
        behind,
        records.filter(([first]) => (first?.seq ?? 0) > seq),
        'the recovery from a snapshot',
      );

      for (const { events } of lived) for (const { kind } of events) kinds.add(kind);
      livedCount += lived.length - story.entries.length;
    }),
    { numRuns: 40, seed: drawSeed(t) },
  );
  t.comment(`${livedCount} entries were accepted live, with ${kinds.size} kinds of events`);
  t.ok(livedCount > 0);
});

function requireSame(found: unknown, wanted: unknown, what: string): void {
  if (isDeepStrictEqual(found, wanted)) return;
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  throw new Error(`${what} differs: ${a?.slice(0, 2_000)} and not ${b?.slice(0, 2_000)}`);
}
