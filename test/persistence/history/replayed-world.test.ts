// The past of a world, at any position: the same as the replay of the log gives, whichever way it is reached.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { decodeCommand } from '../../../engine/commands/table.js';
import { Engine } from '../../../engine/engine.js';
import { EVENT_KINDS, type WorldEvent } from '../../../engine/events/kinds.js';
import { MadeSnapshots } from '../../../persistence/history/made-snapshots.js';
import { Past } from '../../../persistence/history/past.js';
import { OutsideHistory, ReplayedWorld } from '../../../persistence/history/replayed-world.js';
import { TIMELINE_BATTLES_MAX, TIMELINE_BUCKETS_MAX } from '../../../persistence/limits.js';
import { storeAt } from '../../../persistence/store-url.js';
import type { WorldStore } from '../../../persistence/stores/world-store.js';
import { until } from '../../http/support/waiting.js';
import { chooseCommand, chooseWaitMs, seededChoice, settleBots } from '../../support/random-play.js';
import { WorldStory } from '../../support/world-story.js';
import { HistoryWriter, type WrittenHistory } from '../../support/written-history.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { indexed } from './indexed-history.js';

/** What the replay of a story gives: after each entry the hash of the state, its instant, and whether it is a step. */
interface Told {
  readonly hash: string;
  readonly nowMs: number;
  readonly nextDeadlineMs: number;
  readonly events: readonly WorldEvent[];
}

/** A world in which a few bots have fought. */
function playedStory(moves = 600): WorldStory {
  const story = new WorldStory();
  const choose = seededChoice(7);
  settleBots(story, 6);
  for (let move = 0; move < moves; move += 1) {
    story.advance(chooseWaitMs(story, choose));
    story.attempt(chooseCommand(story.world, choose));
  }
  return story;
}

const story = playedStory();
const told: readonly Told[] = tell(story);
const length = told.length;
/** Snapshots that the log continues; between two of them are entries in the middle of a record. */
const SNAPSHOT_SEQS = [Math.floor(length / 3), Math.floor((2 * length) / 3)];

function tell({ entries }: WorldStory): Told[] {
  const engine = Engine.create();
  return entries.map(({ atMs, row }) => {
    const events: WorldEvent[] = [];
    engine.apply(atMs, decodeCommand(row), events);
    const { nowMs } = engine.world;
    return { hash: engine.stateHash(), nowMs, nextDeadlineMs: engine.nextDeadlineMs(), events };
  });
}

const at = (seq: number): Told => told[seq - 1] as Told;
const isPublic = ({ kind }: WorldEvent): boolean => EVENT_KINDS[kind].audience.openWorld;
const isBattle = ({ kind }: WorldEvent): boolean => kind === 'battle';

async function written(t: Test, options: Partial<WrittenHistory> = {}): Promise<WorldStore> {
  const store = options.store ?? storeAt(await temporaryFolder(t), { diskFloorBytes: 1 });
  const writer = await HistoryWriter.open({ store, snapshotSeqs: SNAPSHOT_SEQS, ...options });
  await writer.write(story.entries);
  await writer.close();
  return store;
}

interface Opening {
  readonly at?: number;
  readonly made?: MadeSnapshots;
  readonly elapsedMs?: () => number;
}

async function opened(t: Test, store: WorldStore, { made, ...options }: Opening = {}) {
  const past = await Past.open(store, made ?? new MadeSnapshots(await temporaryFolder(t)));
  const onFailure = (error: unknown): void => void t.fail(String(error));
  const timeline = { latest: null, stop: async () => {} };
  const replay = await ReplayedWorld.open({ past, timeline, origin: null, onFailure, ...options });
  t.teardown(() => replay.close());
  return replay;
}

t.test('the story has what the tests are about', async (t) => {
  t.ok(told.filter(({ events }) => events.some(isBattle)).length > 3);
  t.ok(length > 300);
});

t.test('every position has the state that the log gives, forward and back', async (t) => {
  const replay = await opened(t, await written(t));
  t.equal(replay.engine.seq, 1, 'it begins with the genesis');
  const choose = seededChoice(11);
  const near = [...SNAPSHOT_SEQS, length].flatMap((seq) => [seq - 1, seq, seq + 1]);
  const seqs = [...near.filter((seq) => seq <= length), 1, 2, ...Array.from({ length: 30 }, () => 1 + choose(length))];
  let replaced = 0;
  replay.onReplaced = () => {
    replaced += 1;
  };
  for (const seq of seqs) {
    await replay.move({ seq });
    t.equal(replay.engine.seq, seq);
    t.equal(replay.engine.stateHash(), at(seq).hash, `seq ${seq}`);
    t.equal(replay.sequencer.readNow(), at(seq).nowMs);
  }
  t.ok(replaced > 5 && replaced < seqs.length, 'back it begins with a snapshot; forward it goes on if that is shorter');
});

t.test('nothing is written to the store, and the log is read to its end', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await written(t, { store: storeAt(folder, { diskFloorBytes: 1 }) });
  const before = await contentOf(folder);
  const replay = await opened(t, store);
  for (const seq of [length, 5, SNAPSHOT_SEQS[1] ?? 0]) await replay.move({ seq });
  await replay.step('battle', 1);
  await replay.close();
  t.same(await contentOf(folder), before);
});

t.test('an instant lies after all entries up to then', async (t) => {
  const replay = await opened(t, await written(t));
  const choose = seededChoice(3);
  const { first, last } = await replay.state();
  for (let count = 0; count < 20; count += 1) {
    const atMs = first.atMs + choose(last.atMs - first.atMs);
    await replay.move({ atMs });
    const { seq } = replay.engine;
    t.ok((story.entries[seq - 1]?.atMs ?? 0) <= atMs && (story.entries[seq]?.atMs ?? Infinity) > atMs, `${atMs}`);
    t.equal(replay.engine.stateHash(), at(seq).hash);
    t.equal(replay.sequencer.readNow(), Math.min(atMs, at(seq).nextDeadlineMs), 'unless a timer is due before');
  }
});

t.test('it plays, and never shows an instant that the next entry or timer may have changed', async (t) => {
  let elapsedMs = 0;
  const replay = await opened(t, await written(t), { at: 40, elapsedMs: () => elapsedMs });
  const startMs = at(40).nowMs;
  replay.play(1_000);
  let seenMs = 0;
  while (replay.engine.seq < 52) {
    elapsedMs += 50;
    const playedMs = startMs + elapsedMs * 1_000;
    const { seq } = replay.engine;
    const nowMs = replay.sequencer.readNow();
    t.ok(nowMs >= seenMs && nowMs <= playedMs, 'time goes on, as fast as it is played');
    t.ok(nowMs <= Math.min(story.entries[seq]?.atMs ?? 0, at(seq).nextDeadlineMs), 'not past the next entry or timer');
    seenMs = nowMs;
    const due = (story.entries[seq]?.atMs ?? Infinity) <= playedMs;
    if (due) await until(() => replay.engine.seq > seq);
    t.equal(replay.engine.stateHash(), at(replay.engine.seq).hash);
  }
  replay.pause();
  const { seq, atMs } = await replay.state();
  elapsedMs += 1_000_000;
  t.match(await replay.state(), { seq, atMs, isPlaying: false, speed: 1_000 }, 'it stands still');
});

t.test('playing ends at the end', async (t) => {
  let elapsedMs = 0;
  const replay = await opened(t, await written(t), { at: length - 3, elapsedMs: () => elapsedMs });
  replay.play(100_000);
  elapsedMs = 1_000_000_000;
  await until(() => replay.engine.seq === length);
  let state = await replay.state();
  while (state.isPlaying) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    state = await replay.state();
  }
  t.match(state, { seq: length, atMs: at(length).nowMs });
});

t.test('steps lead from event to event and from battle to battle, both ways', async (t) => {
  const replay = await opened(t, await written(t));
  for (const [step, isStep] of [
    ['event', isPublic],
    ['battle', isBattle],
  ] as const) {
    const seqs = told.flatMap(({ events }, index) => (events.some(isStep) ? [index + 1] : []));
    const wanted = seqs.slice(-6);
    await replay.move({ seq: (wanted[0] ?? 0) - 1 });
    for (const seq of wanted) {
      await replay.step(step, 1);
      t.equal(replay.engine.seq, seq, `${step} ${seq}`);
    }
    for (const seq of wanted.slice(0, -1).reverse()) {
      await replay.step(step, -1);
      t.equal(replay.engine.seq, seq, `back to ${step} ${seq}`);
      t.equal(replay.engine.stateHash(), at(seq).hash);
    }
  }
  await replay.move({ seq: 2 });
  await replay.step('battle', -1);
  t.equal(replay.engine.seq, 1, 'to the beginning, if there is none before');
  await replay.move({ seq: length });
  await replay.step('battle', 1);
  t.equal(replay.engine.seq, length, 'and to the end, if there is none after');
  const { atMs } = await replay.state();
  await replay.step('day', -1);
  const dayBefore = (await replay.state()).atMs;
  t.ok(dayBefore <= atMs - 86_400_000, 'a day back');
});

t.test('a newer movement replaces one that has not ended', async (t) => {
  const replay = await opened(t, await written(t));
  const all = [length, 3, 200, 17].map((seq) => replay.move({ seq }));
  await Promise.all(all);
  t.equal(replay.engine.seq, 17);
  t.equal(replay.engine.stateHash(), at(17).hash);
});

t.test('two who read on at once get the same next entry', async (t) => {
  const past = await Past.open(await written(t), new MadeSnapshots(await temporaryFolder(t)));
  const { cursor } = await past.worldAt({ seq: past.first.seq });
  const seqs: number[] = [];
  while ((await Promise.all([cursor.fill(), cursor.fill()])).includes(true)) {
    seqs.push(cursor.next?.seq ?? 0);
    cursor.take();
  }
  t.same(
    seqs,
    Array.from({ length: length - past.first.seq }, (_, index) => past.first.seq + index + 1),
  );
  await cursor.close();
  await past.close();
});

t.test('only what is kept can be reached, and what a server deletes meanwhile no longer', async (t) => {
  const store = storeAt(await temporaryFolder(t), { diskFloorBytes: 1 });
  const writer = await HistoryWriter.open({ store, snapshotSeqs: SNAPSHOT_SEQS });
  t.teardown(() => writer.close());
  const [older = 0, newer = 0] = SNAPSHOT_SEQS;
  await writer.write(story.entries.slice(0, newer));
  const replay = await opened(t, store);
  t.match(await replay.state(), { seq: 1, first: { seq: 1 }, last: { seq: newer } });
  await t.rejects(replay.move({ seq: newer + 1 }), OutsideHistory);
  await t.rejects(replay.move({ atMs: at(1).nowMs - 1 }), OutsideHistory);
  t.equal(replay.engine.seq, 1, 'nothing has changed');

  await writer.write(story.entries);
  await writer.log.prune(writer.epoch, older + 1);
  let state = await replay.state();
  while (state.last.seq < length) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    state = await replay.state();
  }
  t.match(state, { seq: 1, first: { seq: older, atMs: at(older).nowMs }, last: { seq: length } }, 'beside a server');
  await replay.move({ seq: length });
  t.equal(replay.engine.stateHash(), at(length).hash, 'what was written since can be reached');
  await t.rejects(replay.move({ seq: older - 1 }), OutsideHistory);
  await replay.move({ seq: older });
  t.equal(replay.engine.stateHash(), at(older).hash);
});

t.test('a world whose players have keys is recognised', async (t) => {
  const writtenBy = async (keyHash: string | null): Promise<WorldStore> => {
    const world = new WorldStory();
    world.does({ type: 'create_player', name: 'ada', isBot: true, keyHash, nameKey: 'ada' });
    const store = storeAt(await temporaryFolder(t), { diskFloorBytes: 1 });
    const writer = await HistoryWriter.open({ store });
    await writer.write(world.entries);
    await writer.close();
    return store;
  };
  const made = new MadeSnapshots(await temporaryFolder(t));
  const open = await Past.open(await writtenBy(null), made);
  t.notOk(await open.hasKeys());
  await open.close();
  const store = await writtenBy('x'.repeat(43));
  const past = await Past.open(store, made);
  t.ok(await past.hasKeys());
  await past.close();
  const replay = await opened(t, store);
  t.notOk(replay.hasKeys, 'nobody has one yet');
  await replay.step('event', 1);
  t.ok(replay.hasKeys);
});

t.test('the timeline counts what the log holds, and its snapshots shorten jumps', async (t) => {
  const store = await written(t);
  const made = new MadeSnapshots(await temporaryFolder(t), 100);
  const timeline = await indexed(store, made);
  t.equal(timeline.indexedTo.seq, length);
  const sum = (name: 'entries' | 'events' | 'battles'): number =>
    timeline.buckets.reduce((total, bucket) => total + bucket[name], 0);
  t.equal(sum('entries'), length);
  t.equal(sum('events'), told.flatMap(({ events }) => events.filter(isPublic)).length);
  const battles = told.flatMap(({ events }, index) => events.filter(isBattle).map(() => index + 1));
  t.equal(sum('battles'), battles.length);
  t.same(
    timeline.battles.map(({ seq }) => seq),
    battles,
  );
  t.ok(timeline.buckets.length <= TIMELINE_BUCKETS_MAX && timeline.battles.length <= TIMELINE_BATTLES_MAX);
  t.ok(timeline.samples.length > 10);
  const seqs = await made.snapshots.list();
  t.ok(seqs.length > 2, `${seqs.length} snapshots`);
  const replay = await opened(t, store, { made, at: length });
  for (const seq of seqs.filter((seq) => seq < length)) {
    await replay.move({ seq: seq + 1 });
    t.equal(replay.engine.stateHash(), at(seq + 1).hash);
  }
});

/** The hash of each file. */
async function contentOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const hashes = files.map(async (file) => [
    file,
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  ]);
  return Object.fromEntries(await Promise.all(hashes));
}
