// The feed releases entries with their events in order of seq, once they are durable and not before; and replay and
// recovery release the same as the live run did.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Command } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import type { EventKind, WorldEvent } from '../../engine/events/kinds.js';
import { AMPLE_SPACE } from '../../persistence/files/disk-space.js';
import { MAX_BATCH_ENTRIES } from '../../persistence/limits.js';
import { Batch } from '../../persistence/log/batch.js';
import { NO_PREVIOUS_HASH, recordHash } from '../../persistence/log/batch-record.js';
import type { CommandLog } from '../../persistence/log/log.js';
import { MemoryLog } from '../../persistence/log/memory-log.js';
import { type RecoveredWorld, recover, recoverToWrite } from '../../persistence/recovery/recovery.js';
import { replay } from '../../persistence/recovery/replay.js';
import { MemorySnapshots } from '../../persistence/snapshots/memory-snapshots.js';
import { writeSnapshot } from '../../persistence/snapshots/snapshot-writer.js';
import { ManualClock } from '../../persistence/writer/clock.js';
import type { FeedEntry, Follower } from '../../persistence/writer/feed.js';
import { type Durability, GroupCommit } from '../../persistence/writer/group-commit.js';
import { Sequencer } from '../../persistence/writer/sequencer.js';
import { appendRecords } from '../support/log-writing.js';
import { drawSeed } from '../support/process/draws.js';
import { type Choose, chooseCommand, chooseWaitMs, listedChoice, settleBots } from '../support/random-play.js';
import { START_MS, WorldStory } from '../support/world-story.js';
import { HandLog, turns } from './hand-log.js';
import { Replies } from './replies.js';

/** The duration of the first level of a research at speed 1. */
const RESEARCH_MS = 120_000;

/** Keeps what is released to it, call by call. */
class Notes implements Follower {
  readonly taken: (readonly FeedEntry[])[] = [];

  take(entries: readonly FeedEntry[]): void {
    this.taken.push(entries);
  }

  get entries(): FeedEntry[] {
    return this.taken.flat();
  }

  /** Seqs, call by call. */
  get seqs(): number[][] {
    return this.taken.map((entries) => entries.map(({ seq }) => seq));
  }
}

/** An engine that remembers whether it was asked to record what its last entry caused. */
class WatchedEngine extends Engine {
  wasRecording = false;

  override apply(atMs: number, command: Command, events?: WorldEvent[]): never {
    this.wasRecording = events !== undefined;
    return super.apply(atMs, command, events) as never;
  }
}

async function begin(t: Test, durability: Durability = 'durable') {
  const log = new HandLog();
  t.teardown(() => log.finishAll());
  const engine = new WatchedEngine();
  const settings = { seed: 1, systemsPerGalaxy: 10, speedThousandths: 1000, rulesVersion: 1, startMs: START_MS };
  engine.apply(START_MS, { type: 'genesis', ...settings });
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
  return { log, engine, fatal, sequencer, notes: new Notes(), replies: new Replies() };
}

function bot(name: string) {
  return { type: 'create_player', name, isBot: true, keyHash: null, nameKey: name } as const;
}

const RESEARCH = { type: 'start_research', playerNumber: 1, researchType: 0 } as const;

/** The kinds of events, entry by entry. */
function kindsOf(entries: readonly FeedEntry[]): EventKind[][] {
  return entries.map(({ events }) => events.map(({ kind }) => kind));
}

t.test('entries are released with their events, record by record, once they are durable', async (t) => {
  const { log, sequencer, notes } = await begin(t);
  sequencer.follow(notes);
  sequencer.submit(bot('one'));
  sequencer.submit(RESEARCH);
  await turns();
  sequencer.submit(bot('two'));
  await turns();
  t.ok(log.isAppending);
  t.same(notes.taken, [], 'nothing is on disk yet');
  await log.finish();
  t.same(notes.seqs, [[2, 3]], 'the second record is still being written');
  t.same(kindsOf(notes.entries), [['player_created', 'player_joined'], ['research_started']]);
  t.match(notes.entries, [
    { seq: 2, atMs: START_MS, command: bot('one') },
    { seq: 3, atMs: START_MS, command: RESEARCH },
  ]);
  await log.finish();
  t.same(notes.seqs, [[2, 3], [4]]);
});

t.test('events of timers are released with the tick, and a refusal releases nothing', async (t) => {
  const { log, sequencer, notes } = await begin(t);
  sequencer.follow(notes);
  sequencer.submit(bot('one'));
  sequencer.submit(RESEARCH);
  sequencer.submit(RESEARCH);
  sequencer.advanceTo(START_MS + RESEARCH_MS + 1);
  await log.finishAll();
  t.same(kindsOf(notes.entries), [['player_created', 'player_joined'], ['research_started'], ['research_completed']]);
  t.match(notes.entries.at(-1), {
    seq: 4,
    atMs: START_MS + RESEARCH_MS + 1,
    command: { type: 'advance_time' },
    events: [{ atMs: START_MS + RESEARCH_MS, playerNumber: 1, level: 1 }],
  });
});

t.test('a reply leaves in the release of its record, after the events', async (t) => {
  const { log, sequencer } = await begin(t);
  const order: string[] = [];
  sequencer.follow({ take: (entries) => order.push(...entries.map(({ seq }) => `events of ${seq}`)) });
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, { durable: () => order.push('reply to 2') });
  await turns();
  sequencer.submit(bot('two'));
  sequencer.holdUntilDurable(3, { durable: () => order.push('reply to 3') });
  await log.finishAll();
  t.same(order, ['events of 2', 'reply to 2', 'events of 3', 'reply to 3']);
});

t.test('under relaxed durability events wait for the disk, though replies do not', async (t) => {
  const { log, sequencer, notes, replies } = await begin(t, 'relaxed');
  sequencer.follow(notes);
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, replies.reply('at once'));
  await turns();
  t.same([replies.sent, notes.taken], [['at once'], []]);
  await log.finish();
  t.same(notes.seqs, [[2]]);
});

t.test('a request can begin to follow: its later commands are released', async (t) => {
  const { log, sequencer, notes } = await begin(t);
  sequencer.atOneInstant(() => {
    sequencer.submit(bot('before'));
    sequencer.follow(notes);
    sequencer.submit(bot('after'));
  });
  await log.finishAll();
  t.same(notes.seqs, [[3]]);
});

t.test('a unit is released as a whole', async (t) => {
  const { log, sequencer, notes } = await begin(t);
  sequencer.follow(notes);
  sequencer.submit(bot('before'));
  const count = MAX_BATCH_ENTRIES + 1;
  sequencer.together(() => {
    for (let number = 0; number < count; number += 1) sequencer.submit(bot(`bot ${number}`));
    t.throws(() => sequencer.follow(new Notes()), /in the middle of a unit/);
  });
  sequencer.together(() => {
    sequencer.submit(bot('small'));
    sequencer.submit(bot('unit'));
  });
  await log.finishAll();
  t.same(
    notes.taken.map(({ length }) => length),
    [1, count, 2],
    'a unit that is larger than other records is a record of its own',
  );
  sequencer.submit(bot('again before'));
  sequencer.together(() => {
    sequencer.submit(bot('small 2'));
    sequencer.submit(bot('unit 2'));
  });
  await log.finishAll();
  t.equal(notes.taken.at(-1)?.length, 3, 'a small unit shares a record, and is released with it');
  t.same(
    notes.entries.map(({ seq }) => seq),
    Array.from({ length: count + 6 }, (_, index) => index + 2),
  );
});

t.test('a follower gets the entries that are applied from then on, until it leaves', async (t) => {
  const { log, sequencer, engine, notes } = await begin(t);
  sequencer.submit(bot('unseen'));
  t.notOk(engine.wasRecording, 'nothing is recorded while there is no follower');
  const leave = sequencer.follow(notes);
  sequencer.submit(bot('seen'));
  t.ok(engine.wasRecording);
  const second = new Notes();
  const leaveToo = sequencer.follow(second);
  sequencer.submit(bot('seen by both'));
  await log.finishAll();
  t.same([notes.seqs, second.seqs], [[[3, 4]], [[4]]], 'all of it is one record');
  sequencer.submit(bot('lost to the first'));
  leave();
  await log.finishAll();
  t.same([notes.seqs, second.seqs], [[[3, 4]], [[4], [5]]]);
  leaveToo();
  sequencer.submit(bot('unseen again'));
  t.notOk(engine.wasRecording);
  await log.finishAll();
  t.same([notes.seqs, second.seqs], [[[3, 4]], [[4], [5]]]);
});

t.test('without a follower no events are kept with an entry', async (t) => {
  const log = new HandLog();
  t.teardown(() => log.finishAll());
  const batches = [new Batch(1), new Batch(2)] as const;
  for (const batch of batches) batch.tryAdd(START_MS, [2]);
  t.equal(batches[0].followed, batches[1].followed, 'both share one empty list');
  t.throws(() => Object.assign(batches[0].followed, [1]), TypeError);
});

t.test('a failed write releases nothing, and neither does anything after it', async (t) => {
  const { log, sequencer, notes, replies, fatal } = await begin(t);
  sequencer.follow(notes);
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, replies.reply('one'));
  await turns();
  sequencer.submit(bot('two'));
  await log.fail(new Error('the disk is broken'));
  await turns();
  t.equal(fatal.length, 1);
  t.same([notes.taken, replies.sent], [[], []]);
});

t.test('a follower that throws is fatal, and the replies after it do not leave', async (t) => {
  const { log, sequencer, replies, fatal } = await begin(t);
  sequencer.follow({
    take: () => {
      throw new Error('cannot take it');
    },
  });
  sequencer.submit(bot('one'));
  sequencer.holdUntilDurable(2, replies.reply('one'));
  await log.finishAll();
  t.same([fatal.map(({ message }) => message), replies.sent], [['cannot take it'], []]);
});

/** A move is a list of choices; leaving one out does not change what the others mean. */
const moves = fc.array(fc.array(fc.nat(1_000_000), { minLength: 14, maxLength: 14 }), {
  minLength: 50,
  maxLength: 200,
});

interface Played {
  readonly log: CommandLog;
  readonly story: WorldStory;
  readonly live: Notes;
  /** The same world, recovered from the log before it continued. */
  readonly settled: Notes;
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
  const settled = new Notes();
  const { engine, recovery, epoch } = await recoverToWrite(log, new MemorySnapshots(), {
    follower: settled,
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
  const sequencer = new Sequencer({
    engine,
    clock: new ManualClock(engine.nowMs),
    log,
    commit,
    freeSpace: AMPLE_SPACE,
  });
  const live = new Notes();
  sequencer.follow(live);
  await sequencer.start();
  for (const numbers of moves) await move(engine, sequencer, listedChoice(numbers));
  await sequencer.stop();
  return { log, story, live, settled, engine };
}

async function move(engine: Engine, sequencer: Sequencer, choose: Choose): Promise<void> {
  const { nowMs } = sequencer;
  sequencer.advanceTo(nowMs + chooseWaitMs({ engine, nowMs }, choose));
  const command = chooseCommand(engine.world, choose);
  const way = choose(4);
  if (way > 0) sequencer.submit(command);
  else {
    sequencer.together(() => {
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

function recoverWith(log: CommandLog, snapshots: MemorySnapshots, follower: Follower): Promise<RecoveredWorld> {
  return recover(log, snapshots, { follower });
}

t.test('replay and recovery release the same as the live run, also from a snapshot', async (t) => {
  const kinds = new Set<EventKind>();
  let liveEntries = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(1000), moves, fc.nat(), async (seed, moves, place) => {
      const { log, story, live, settled, engine } = await play(seed, moves);
      requireSame(
        settled.entries.flatMap(({ events }) => events),
        story.events,
        'the story that was recovered',
      );
      const lived = [...settled.entries, ...live.entries];
      const seqs = lived.map(({ seq }) => seq);
      requireSame(
        seqs,
        Array.from({ length: engine.seq }, (_, index) => index + 1),
        'the seqs',
      );

      const replayed = new Notes();
      const again = Engine.create();
      await replay(log, again, { follower: replayed });
      requireSame(replayed.entries, lived, 'the replay');
      requireSame(again.stateHash(), engine.stateHash(), 'the state');

      const ends = replayed.taken.map((entries) => entries.at(-1)?.seq ?? 0);
      const seq = ends[place % ends.length] ?? 1;
      const behind = new Notes();
      const { recovery } = await recoverWith(log, await snapshotUntil(log, seq), behind);
      requireSame(recovery.snapshot?.seq, seq, 'the snapshot');
      requireSame(behind.entries, lived.slice(seq), 'the recovery from a snapshot');
      requireSame(
        behind.seqs,
        replayed.seqs.filter(([first = 0]) => first > seq),
        'the records',
      );

      for (const { events } of live.entries) for (const { kind } of events) kinds.add(kind);
      liveEntries += live.entries.length;
    }),
    { numRuns: 40, seed: drawSeed(t) },
  );
  t.comment(`${liveEntries} entries were released live, with ${kinds.size} kinds of events`);
  t.ok(liveEntries > 0);
});

function requireSame(found: unknown, wanted: unknown, what: string): void {
  if (isDeepStrictEqual(found, wanted)) return;
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  throw new Error(`${what} differs: ${a?.slice(0, 2_000)} and not ${b?.slice(0, 2_000)}`);
}
