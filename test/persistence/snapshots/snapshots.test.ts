// Snapshots from end to end: the world that is read equals the world that was written, every damage is reported by
// name, and a snapshot that could not be written leaves nothing.
import { crc32 } from 'node:zlib';
import t from 'tap';
import type { Engine } from '../../../engine/engine.js';
import type { Row } from '../../../engine/rows/world-rows.js';
import { WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { NUMBER_MAX } from '../../../engine/rules/record-limits.js';
import { SNAPSHOT_CHUNK_BYTES, SNAPSHOT_CHUNK_BYTES_MAX, SNAPSHOT_CHUNK_ROWS } from '../../../persistence/limits.js';
import { CHUNK_HEADER_LENGTH, decodeManifest, encodeManifest } from '../../../persistence/snapshots/snapshot-codec.js';
import { SnapshotFolder } from '../../../persistence/snapshots/snapshot-files.js';
import { readSnapshot, verifySnapshot } from '../../../persistence/snapshots/snapshot-reader.js';
import {
  SNAPSHOT_FAULTS,
  SnapshotExists,
  type SnapshotFault,
  type SnapshotManifest,
  type SnapshotSink,
  type SnapshotStore,
} from '../../../persistence/snapshots/snapshot-store.js';
import { type SnapshotOrder, writeSnapshot } from '../../../persistence/snapshots/snapshot-writer.js';
import { fullScene } from '../../support/full-scene.js';
import { createPlayers } from '../../support/opened-world.js';
import fc from '../../support/properties.js';
import { chooseCommand, chooseWaitMs, listedChoice, settleBots } from '../../support/random-play.js';
import { MemorySnapshots, type StoredSnapshot } from '../../support/stores/memory-snapshots.js';
import { WorldStory } from '../../support/world-story.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { chunksIn } from './snapshot-store-contract.js';

const LOG_HASH = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const CREATED_AT_MS = 1_800_000_000_000;

function write(engine: SnapshotOrder['engine'], store: SnapshotStore, more: Partial<SnapshotOrder> = {}) {
  return writeSnapshot({ engine, logHash: LOG_HASH, store, createdAtMs: CREATED_AT_MS, ...more });
}

/** A world with a number of bots: a row for each, one for its planet, and one for the world. */
function crowd(count: number): Engine {
  const story = new WorldStory();
  story.does(createPlayers(count, 'bot'));
  return story.engine;
}

t.test('a snapshot contains the world, and its manifest describes it', async (t) => {
  const { engine } = fullScene().story;
  for (const store of [new MemorySnapshots(), new SnapshotFolder(await temporaryFolder(t))]) {
    const manifest = await write(engine, store);
    const chunks = await chunksIn(store, engine.seq);
    t.same(manifest, {
      formatVersion: 1,
      rulesVersion: 1,
      seq: engine.seq,
      worldTimeMs: engine.nowMs,
      stateHash: engine.stateHash(),
      logHash: LOG_HASH.toString('hex'),
      rowCount: [...engine.rows()].length,
      chunkCount: 1,
      byteCount: chunks[0]?.length,
      createdAtMs: CREATED_AT_MS,
    });
    t.same(await verifySnapshot(store, engine.seq), manifest);
    const loaded = await readSnapshot(store, engine.seq);
    t.same(loaded.manifest, manifest);
    t.same([...loaded.engine.rows()], [...engine.rows()]);
    t.equal(loaded.engine.nextDeadlineMs(), engine.nextDeadlineMs());
  }
});

t.test('any world that bots have played in is restored, with names in all scripts', async () => {
  const choices = fc.array(fc.nat(1_000_000), { minLength: 12, maxLength: 12 });
  const moves = fc.array(choices, { maxLength: 60, size: 'max' });
  await fc.assert(
    fc.asyncProperty(fc.nat(1000), moves, fc.string({ unit: 'grapheme', minLength: 1 }), async (seed, moves, name) => {
      const story = new WorldStory({ seed, systemsPerGalaxy: 2 });
      settleBots(story, 4);
      story.human(name);
      for (const numbers of moves) {
        const choose = listedChoice(numbers);
        story.advance(chooseWaitMs(story, choose));
        story.attempt(chooseCommand(story.world, choose));
      }
      const store = new MemorySnapshots();
      const { stateHash } = await write(story.engine, store);
      const { engine } = await readSnapshot(store, story.engine.seq);
      if (engine.stateHash() !== story.engine.stateHash() || stateHash !== engine.stateHash()) throw new Error('hash');
      if (engine.nextDeadlineMs() !== story.engine.nextDeadlineMs()) throw new Error('timers');
    }),
    { numRuns: 30 },
  );
});

t.test('writing and reading report progress, and yield to the event loop', async (t) => {
  const engine = crowd(1_500);
  const rowCount = [...engine.rows()].length;
  const store = new MemorySnapshots();
  const told: [done: number, total: number | undefined][] = [];
  const onProgress = (done: number, total: number | undefined): void => void told.push([done, total]);
  const counted = async (work: Promise<unknown>): Promise<number> => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    await work;
    clearImmediate(turning);
    return turns;
  };
  const written: [step: string, done: number, total: number | undefined][] = [];
  const order = { onProgress: (...told: (typeof written)[number]) => void written.push(told) };
  t.ok((await counted(write(engine, store, order))) >= 8, 'chunk by chunk, in writing and in reading back');
  t.same(
    written,
    [['written rows', undefined] as const, ['verified rows', rowCount] as const].flatMap(([step, total]) =>
      [1_000, 2_000, 3_000, rowCount].map((done) => [step, done, total]),
    ),
  );
  t.ok((await counted(verifySnapshot(store, engine.seq, { onProgress }))) >= 4);
  t.same(
    told.splice(0),
    [1_000, 2_000, 3_000, rowCount].map((done) => [done, rowCount]),
  );
  t.ok((await counted(readSnapshot(store, engine.seq, { onProgress }))) >= 7, 'also while hashing');
  t.same(
    told,
    [1_000, 2_000, 3_000, rowCount].map((done) => [done, rowCount]),
  );
});

t.test('a chunk has as many rows as fit into its bounds', async (t) => {
  const store = new MemorySnapshots();
  const { seq, nowMs, world } = crowd(1);
  const large: Row = [1, 'x'.repeat(SNAPSHOT_CHUNK_BYTES)];
  const rows: Row[] = [...Array.from({ length: SNAPSHOT_CHUNK_ROWS + 1 }, (): Row => [2]), [3], large, [4], large];
  await write({ seq, nowMs, world, snapshotRows: () => rows }, store);
  const counts = (await chunksIn(store, seq)).map((bytes) => bytes.readUInt32BE(16));
  t.same(counts, [SNAPSHOT_CHUNK_ROWS, 3, 2]);
  const tooLarge: Row = [1, 'x'.repeat(SNAPSHOT_CHUNK_BYTES_MAX)];
  const order = { seq: seq + 1, nowMs, world, snapshotRows: () => [tooLarge] };
  await t.rejects(write(order, store), {
    name: 'SnapshotWriteFailed',
    message: /a chunk would have \d+ bytes, more than the maximum of \d+/,
  });
  t.same(await store.list(), [seq]);
});

/** A sound snapshot of three chunks, and another one of the same world with another log. */
async function soundSnapshots() {
  const engine = crowd(1_200);
  const store = new MemorySnapshots();
  await write(engine, store);
  const foreign = new MemorySnapshots();
  await write(engine, foreign, { logHash: Buffer.alloc(16, 9) });
  return { engine, store, seq: engine.seq, sound: storedIn(store, engine), foreign: storedIn(foreign, engine) };
}

function storedIn(store: MemorySnapshots, { seq }: Pick<Engine, 'seq'>): StoredSnapshot {
  const stored = store.stored.get(seq);
  if (stored === undefined) throw new Error('nothing is stored');
  return stored;
}

interface Pair {
  readonly sound: StoredSnapshot;
  readonly foreign: StoredSnapshot;
}

/** snapshot-files.test.ts tests the faults of files. */
type TestedFault = Exclude<SnapshotFault, 'missing' | 'unreadable' | 'no_manifest' | 'no_rows'>;

/** Each fault with the damages that must be reported as it. */
const damages: Record<Exclude<TestedFault, 'impossible_rows' | 'foreign_world'>, ((pair: Pair) => StoredSnapshot)[]> = {
  damaged_manifest: [
    ({ sound }) => ({ ...sound, manifest: Buffer.alloc(0) }),
    ({ sound }) => ({ ...sound, manifest: Buffer.from(String(sound.manifest).replace('"seq"', '"sEq"')) }),
    ({ sound }) => ({ ...sound, manifest: Buffer.from(String(sound.manifest).replace('\n', '')) }),
    ({ sound }) => ({ ...sound, manifest: Buffer.from('null') }),
  ],
  wrong_manifest: [
    (pair) => changed(pair, { stateHash: '0123' }),
    (pair) => changed(pair, { logHash: 'g'.repeat(32) }),
    (pair) => changed(pair, { chunkCount: -1 }),
    (pair) => changed(pair, { rowCount: 0.5 }),
    (pair) => changed(pair, { worldTimeMs: WORLD_TIME_MS_MAX + 1 }),
    (pair) => changed(pair, { createdAtMs: 9e15 }),
    (pair) => changed(pair, { byteCount: NUMBER_MAX + 1 }),
  ],
  foreign_manifest: [(pair) => changed(pair, { seq: 1 })],
  unknown_format: [
    (pair) => changed(pair, { formatVersion: 2 }),
    ({ sound }) => withChunk(sound, 1, (bytes) => resealed(overwrite(bytes, 12, [0, 2]))),
  ],
  unknown_rules: [(pair) => changed(pair, { rulesVersion: 3 })],
  cut_short: [
    ({ sound }) => withChunk(sound, 1, (bytes) => bytes.subarray(0, -1)),
    ({ sound }) => withChunk(sound, 2, (bytes) => bytes.subarray(0, CHUNK_HEADER_LENGTH - 1)),
    ({ sound }) => withChunk(sound, 0, () => Buffer.alloc(0)),
  ],
  wrong_magic: [({ sound }) => withChunk(sound, 1, (bytes) => overwrite(bytes, 3, [0x64]))],
  wrong_length: [
    ({ sound }) => withChunk(sound, 1, (bytes) => Buffer.concat([bytes, Buffer.alloc(1)])),
    ({ sound }) => withChunk(sound, 1, (bytes) => overwrite(bytes, 8, [0x10])),
  ],
  wrong_checksum: [
    ({ sound }) => withChunk(sound, 1, (bytes) => overwrite(bytes, bytes.length - 1, [0x21])),
    ({ sound }) => withChunk(sound, 1, (bytes) => overwrite(bytes, 5, [bytes[5] === 0 ? 1 : 0])),
  ],
  foreign_chunk: [
    ({ sound, foreign }) => ({ ...sound, chunks: sound.chunks.with(1, foreign.chunks[1] as Uint8Array) }),
    ({ sound, foreign }) => ({ ...sound, manifest: foreign.manifest }),
    ({ sound }) => withChunk(sound, 1, (bytes) => resealed(overwrite(bytes, 27, [77]))),
    ({ sound }) => withChunk(sound, 1, (bytes) => resealed(overwrite(bytes, 15, [77]))),
  ],
  wrong_order: [
    ({ sound }) => ({ ...sound, chunks: sound.chunks.toSpliced(0, 1) }),
    ({ sound }) => ({ ...sound, chunks: sound.chunks.toSpliced(1, 1) }),
    ({ sound }) => ({ ...sound, chunks: sound.chunks.toReversed() }),
    ({ sound }) => ({ ...sound, chunks: [...sound.chunks, sound.chunks[0] as Uint8Array] }),
  ],
  undecodable_chunk: [
    ({ sound }) => withChunk(sound, 1, (bytes) => resealed(overwrite(bytes, CHUNK_HEADER_LENGTH, [0xc1]))),
    ({ sound }) => withChunk(sound, 1, (bytes) => resealed(overwrite(bytes, CHUNK_HEADER_LENGTH, [0x01]))),
  ],
  wrong_row_count: [({ sound }) => withChunk(sound, 1, (bytes) => resealed(overwrite(bytes, 19, [1])))],
  wrong_counts: [
    ({ sound }) => ({ ...sound, chunks: sound.chunks.slice(0, -1) }),
    ({ sound }) => ({ ...sound, chunks: [] }),
    (pair) => changed(pair, { rowCount: 2_402 }),
    (pair) => changed(pair, { byteCount: 1 }),
  ],
  wrong_state_hash: [(pair) => changed(pair, { stateHash: '0123456789abcdef' })],
};

const snapshots = await soundSnapshots();
for (const [fault, cases] of Object.entries(damages)) {
  t.test(`a snapshot is refused with ${fault}`, async (t) => {
    const { seq, sound, foreign } = snapshots;
    for (const damage of cases) {
      const store = new MemorySnapshots();
      store.stored.set(seq, damage({ sound, foreign }));
      const refusal = { name: 'SnapshotDamaged', seq, fault, message: sentenceOf(fault as SnapshotFault) };
      await t.rejects(readSnapshot(store, seq), refusal, String(damage));
      await t.rejects(verifySnapshot(store, seq), refusal, String(damage));
    }
  });
}

t.test('a snapshot is refused with impossible_rows if its rows make no world, and the row is named', async (t) => {
  const { engine } = fullScene().story;
  const { seq, nowMs, world } = engine;
  const rows = [...engine.rows()];
  const lies: [rows: Row[], sentence: RegExp][] = [
    [rows.toSpliced(3, 1), /row 4 \(fleet\) is invalid: its origin, planet 25, does not belong to player 1/],
    [rows.slice(0, 9), /the 9 rows contradict each other: player 2 has 0 planets, but its starter count is 1/],
    [[], /there are no rows/],
  ];
  for (const [told, sentence] of lies) {
    const store = new MemorySnapshots();
    await write({ seq, nowMs, world, snapshotRows: () => told }, store);
    await t.rejects(readSnapshot(store, seq), {
      fault: 'impossible_rows',
      name: 'SnapshotDamaged',
      message: sentence,
    });
  }
});

t.test('a snapshot is refused with foreign_world if its rows have another instant or seq', async (t) => {
  const { engine } = fullScene().story;
  const { seq, nowMs, world } = engine;
  const snapshotRows = () => engine.rows();
  for (const told of [
    { seq, nowMs: nowMs + 1 },
    { seq: seq + 1, nowMs },
  ]) {
    const store = new MemorySnapshots();
    await write({ ...told, world, snapshotRows }, store);
    await t.rejects(readSnapshot(store, told.seq), { name: 'SnapshotDamaged', fault: 'foreign_world' });
  }
});

t.test('any single flipped bit in a snapshot is detected', async (t) => {
  const { engine } = fullScene().story;
  const { seq } = engine;
  const store = new MemorySnapshots();
  await write(engine, store);
  const sound = storedIn(store, engine);
  const unseen: string[] = [];
  const look = async (what: string, bytes: Uint8Array, damaged: (bytes: Buffer) => StoredSnapshot): Promise<void> => {
    for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      store.stored.set(seq, damaged(flipped));
      const error: unknown = await verifySnapshot(store, seq).then(
        () => undefined,
        (error) => error,
      );
      if (!(error instanceof Error) || error.name !== 'SnapshotDamaged')
        unseen.push(`${what} ${bit}: ${String(error)}`);
    }
  };
  await look('manifest', sound.manifest, (manifest) => ({ ...sound, manifest }));
  await look('chunk', sound.chunks[0] as Uint8Array, (chunk) => ({ ...sound, chunks: [chunk] }));
  t.same(unseen, []);
});

/** Fails at the nth of its calls, and counts them. */
class FailingSnapshots extends MemorySnapshots {
  calls = 0;

  constructor(readonly failsAt: number) {
    super();
  }

  override async begin(seq: number): Promise<SnapshotSink> {
    await this.#call();
    const sink = await super.begin(seq);
    return {
      append: async (bytes) => {
        await this.#call();
        await sink.append(bytes);
      },
      finish: async (manifest) => {
        await this.#call();
        await sink.finish(manifest);
      },
      abandon: async () => {
        await sink.abandon();
        this.abandoned += 1;
      },
    };
  }

  abandoned = 0;

  async #call(): Promise<void> {
    this.calls += 1;
    if (this.calls === this.failsAt) throw new Error('ENOSPC: no space left on device');
  }
}

t.test('wherever writing fails, the reason is reported and nothing is left', async (t) => {
  const { engine } = snapshots;
  for (let failsAt = 1; failsAt <= 5; failsAt += 1) {
    const store = new FailingSnapshots(failsAt);
    await t.rejects(write(engine, store), {
      name: 'SnapshotWriteFailed',
      seq: engine.seq,
      message: `the snapshot at seq ${engine.seq} could not be written: ENOSPC: no space left on device`,
    });
    t.equal(store.calls, failsAt, 'nothing is called after it');
    t.equal(store.abandoned, failsAt === 1 ? 0 : 1);
    t.same(await store.list(), []);
  }
  const store = new FailingSnapshots(6);
  await write(engine, store);
  t.same(await store.list(), [engine.seq], 'there are no more calls');
});

t.test('a store that does not return what was written is detected while the snapshot is written', async (t) => {
  const { engine } = snapshots;
  class Forgetful extends MemorySnapshots {
    override async *chunks(seq: number): AsyncGenerator<Uint8Array> {
      let index = 0;
      for await (const bytes of super.chunks(seq)) {
        const copy = Buffer.from(bytes);
        if (index === 1) copy.writeUInt8(copy.readUInt8(500) ^ 4, 500);
        index += 1;
        yield copy;
      }
    }
  }
  const store = new Forgetful();
  await t.rejects(write(engine, store), { name: 'SnapshotWriteFailed', message: /wrong_checksum.*chunk 2 of 3/ });
  t.same(await store.list(), []);
  class Mistaken extends MemorySnapshots {
    override async begin(seq: number): Promise<SnapshotSink> {
      const sink = await super.begin(seq);
      const lost = (manifest: SnapshotManifest) => ({ ...manifest, createdAtMs: 0 });
      return { ...sink, finish: (manifest) => sink.finish(lost(manifest)) };
    }
  }
  const mistaken = new Mistaken();
  await t.rejects(write(engine, mistaken), {
    name: 'SnapshotWriteFailed',
    message: /its manifest differs from the one that was written/,
  });
  t.same(await mistaken.list(), []);
});

t.test('a world that changes while it is written makes no snapshot', async (t) => {
  const { engine, nowMs } = new WorldStory();
  engine.apply(nowMs, { type: 'create_players', count: 1_200, namePrefix: 'bot', keyHashes: [], namePrefixKey: 'bot' });
  const store = new MemorySnapshots();
  const onProgress = (): void => void engine.apply(nowMs, { type: 'advance_time' });
  await t.rejects(write(engine, store, { onProgress }), {
    name: 'SnapshotWriteFailed',
    message: /the world has moved on to seq 3 in the meantime/,
  });
  t.same(await store.list(), []);
});

t.test('an existing snapshot stays, and writing it again is refused', async (t) => {
  const { engine } = snapshots;
  const store = new MemorySnapshots();
  const manifest = await write(engine, store);
  await t.rejects(write(engine, store, { createdAtMs: 5 }), SnapshotExists);
  t.same(await store.manifest(engine.seq), manifest);
});

function changed({ sound }: Pair, change: Partial<SnapshotManifest>): StoredSnapshot {
  const manifest = decodeManifest(sound.manifest, snapshots.seq);
  if (typeof manifest === 'string') throw new Error(manifest);
  return { ...sound, manifest: encodeManifest({ ...manifest, ...change }) };
}

function withChunk(sound: StoredSnapshot, index: number, change: (bytes: Buffer) => Buffer): StoredSnapshot {
  return { ...sound, chunks: sound.chunks.with(index, change(Buffer.from(sound.chunks[index] as Uint8Array))) };
}

function overwrite(bytes: Buffer, at: number, values: readonly number[]): Buffer {
  bytes.set(values, at);
  return bytes;
}

/** Gives a changed chunk the checksum that belongs to it, as another program would have. */
function resealed(bytes: Buffer): Buffer {
  bytes.writeUInt32BE(crc32(bytes.subarray(8)), 4);
  return bytes;
}

function sentenceOf(fault: SnapshotFault): RegExp {
  return new RegExp(`cannot be used \\(${fault}\\): ${SNAPSHOT_FAULTS[fault]}`);
}
