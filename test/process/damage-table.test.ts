// What is damaged on disk, and what comes of it: the real server either serves exactly the world that there was, or refuses
// with a sentence; so do verify and restore. Never another world.
import { cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { failureOf } from '../../cli/exit-codes.js';
import { placesOf } from '../../persistence/data-folder.js';
import { LmdbLog } from '../../persistence/lmdb-log.js';
import { restoreWorld } from '../../persistence/restore.js';
import { SnapshotFolder } from '../../persistence/snapshot-files.js';
import { verifyWorld } from '../../persistence/verify.js';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, refused, serveArgs } from '../support/process/operator.js';
import { keptLog } from '../support/process/replayed-log.js';
import { hashOf, type SnapshotWorld, worldWithSnapshots } from '../support/process/snapshot-worlds.js';

/** A damaged copy of a world; `other` is one that began with another seed and went the same way. */
interface Patient extends SnapshotWorld {
  readonly other: SnapshotWorld;
}

/** The true world, from the snapshot of that age or from the genesis; or a sentence. */
type Outcome = 'newest' | 'older' | 'genesis' | RegExp;

interface Row {
  readonly damage: string;
  readonly inflict: (patient: Patient) => Promise<unknown>;
  readonly serve: Outcome;
  /** Null: it finds all sound. */
  readonly verify: RegExp | null;
  /** Null: the restored world is the true one. */
  readonly restore: RegExp | null;
}

const segment = ({ folder, segmentSeqs }: SnapshotWorld, index: number): string =>
  join(folder, 'log', `log-${String(segmentSeqs.at(index)).padStart(16, '0')}`);
const snapshot = ({ folder, snapshotSeqs }: SnapshotWorld, index: number): string =>
  join(folder, 'snapshots', snapshotName(snapshotSeqs.at(index)));
const snapshotName = (seq = 0): string => `snapshot-${String(seq).padStart(16, '0')}`;

/** Segments from the oldest on: up to the newest snapshot, behind it, and the newest. Both snapshots are older than 1, 2. */
const ROWS: readonly Row[] = [
  row('nothing at all', async () => {}, 'newest', null, null),

  // The log.
  row(
    'a bit of the last record',
    (p) => flipRecord(p, (seqs) => seqs.at(-1)),
    ...all(/from seq \d+ on: .*wrong_checksum/),
  ),
  row(
    'a bit of the first record of the newest segment',
    (p) => flipRecord(p, () => p.segmentSeqs.at(-1)),
    ...all(/from seq \d+ on: .*wrong_checksum/),
  ),
  row(
    'a bit of the first record behind the newest snapshot',
    (p) => flipRecord(p, () => (p.snapshotSeqs.at(-1) ?? 0) + 1),
    ...all(/from seq \d+ on: .*wrong_checksum/),
  ),
  row(
    'a bit of a record that stands before the newest snapshot',
    (p) => flipRecord(p, () => (p.snapshotSeqs[0] ?? 0) + 1),
    'newest',
    /from seq \d+ on: .*wrong_checksum/,
    null,
  ),
  row(
    'a bit of the record that the newest snapshot ends with',
    (p) => flipRecord(p, (seqs) => seqs.findLast((seq) => seq <= (p.snapshotSeqs[1] ?? 0))),
    ...all(/from seq \d+ on: /),
  ),
  row(
    'the newest segment, cut to a half',
    (p) => cutToHalf(dataOf(p, -1)),
    ...all(/log segment .* is damaged: it is cut short/),
  ),
  row('the newest segment, cut within its first page', (p) => truncate(dataOf(p, -1), 100), ...all(/too short/)),
  row('the newest segment, emptied', (p) => truncate(dataOf(p, -1), 0), ...all(/too short/)),
  row('the newest segment, zeros', (p) => overwrite(dataOf(p, -1), 0), ...all(/does not begin like/)),
  row('the newest segment, its file gone', (p) => rm(dataOf(p, -1)), ...all(/data\.mdb is missing/)),
  row('the newest segment, gone', (p) => rm(segment(p, -1), { recursive: true }), ...all(/log-\d+ is missing/)),
  row('the one before it, gone', (p) => rm(segment(p, -2), { recursive: true }), ...all(/log-\d+ is missing/)),
  row(
    'the oldest segment, gone',
    (p) => rm(segment(p, 0), { recursive: true }),
    'newest',
    /the log begins at seq \d+ only/,
    null,
  ),
  row('the oldest segment, cut to a half', (p) => cutToHalf(dataOf(p, 0)), ...all(/log segment .* is damaged: /)),
  row('all segments, gone', (p) => emptied(join(p.folder, 'log')), ...all(/there is no log|no world/)),
  row(
    'the log, gone',
    (p) => rm(join(p.folder, 'log'), { recursive: true }),
    /there is no log/,
    /log is missing/,
    /log is missing/,
  ),
  row(
    'the newest segment, of another world',
    (p) => graft(segment, p, -1),
    ...all(/from seq \d+ on: .*wrong_previous_hash/),
  ),
  row(
    'the one before it, of another world',
    (p) => graft(segment, p, -2),
    ...all(/from seq \d+ on: .*wrong_previous_hash/),
  ),
  row(
    'the oldest segment, of another world',
    (p) => graft(segment, p, 0),
    ...all(/from seq \d+ on: .*(not the one that the snapshot|wrong_previous_hash)/),
  ),
  row(
    'another segment under the name of the newest',
    (p) => copyOver(segment(p, 0), segment(p, -1)),
    ...all(/begins at seq/),
  ),
  row(
    'the newest segment under another name',
    (p) => rename(segment(p, -1), `${segment(p, -1).slice(0, -4)}9999`),
    ...all(/is missing|begins at seq/),
  ),
  row(
    'a copy of the newest segment behind it',
    (p) => copyOver(segment(p, -1), `${segment(p, -1).slice(0, -4)}9999`),
    ...all(/begins at seq/),
  ),
  row('an empty folder named like a segment', (p) => mkdir(`${segment(p, -1).slice(0, -4)}9999`), ...all(/is missing/)),
  row("the newest segment's lock file, gone", (p) => rm(join(segment(p, -1), 'lock.mdb')), 'newest', null, null),
  row(
    "the newest segment's lock file, nonsense",
    (p) => overwrite(join(segment(p, -1), 'lock.mdb'), 0x5a),
    'newest',
    null,
    null,
  ),
  row(
    'a file that is none of ours in the log',
    (p) => writeFile(join(p.folder, 'log', 'notes.txt'), 'hello'),
    'newest',
    null,
    null,
  ),
  row(
    'a segment that was being made',
    (p) => copyOver(segment(p, -1), join(p.folder, 'log', '.begun-log-9')),
    'newest',
    null,
    null,
  ),
  row(
    'a segment that was on its way out',
    (p) => copyOver(segment(p, 0), join(p.folder, 'log', '.pruned-log-9')),
    'newest',
    null,
    null,
  ),

  // Snapshots.
  row(
    'a bit of the rows of the newest snapshot',
    (p) => flipMiddle(join(snapshot(p, -1), 'rows')),
    'older',
    /wrong_checksum/,
    null,
  ),
  row(
    'the rows of the newest snapshot, cut to a half',
    (p) => cutToHalf(join(snapshot(p, -1), 'rows')),
    'older',
    /cut_short/,
    null,
  ),
  row(
    'the rows of the newest snapshot, emptied',
    (p) => truncate(join(snapshot(p, -1), 'rows'), 0),
    'older',
    /wrong_counts/,
    null,
  ),
  row('the rows of the newest snapshot, gone', (p) => rm(join(snapshot(p, -1), 'rows')), 'older', /no_rows/, null),
  row(
    'the rows of the newest snapshot, those of the older',
    (p) => cp(join(snapshot(p, 0), 'rows'), join(snapshot(p, -1), 'rows')),
    'older',
    /foreign_chunk/,
    null,
  ),
  row('a bit of the manifest of the newest snapshot', (p) => flipMiddle(manifestOf(p)), 'older', /_manifest/, null),
  row(
    'the manifest of the newest snapshot, cut to a half',
    (p) => cutToHalf(manifestOf(p)),
    'older',
    /damaged_manifest/,
    null,
  ),
  row('the manifest of the newest snapshot, gone', (p) => rm(manifestOf(p)), 'older', /no_manifest/, null),
  row(
    'the manifest of the newest snapshot, that of the older',
    (p) => cp(join(snapshot(p, 0), 'manifest.json'), manifestOf(p)),
    'older',
    /foreign_manifest/,
    null,
  ),
  row('the newest snapshot, an empty folder', (p) => emptied(snapshot(p, -1)), 'older', /no_manifest/, null),
  row('the newest snapshot, gone', (p) => rm(snapshot(p, -1), { recursive: true }), 'older', null, null),
  row(
    'the newest snapshot, one seq further by its name',
    (p) => rename(snapshot(p, -1), join(p.folder, 'snapshots', snapshotName((p.snapshotSeqs[1] ?? 0) + 1))),
    'older',
    /foreign_manifest/,
    null,
  ),
  row(
    'the newest snapshot, beyond the log by its name',
    (p) => rename(snapshot(p, -1), join(p.folder, 'snapshots', snapshotName(p.lastSeq + 9))),
    /records are missing, since there is a snapshot at seq/,
    /foreign_manifest/,
    /records are missing, since there is a snapshot at seq/,
  ),
  row(
    'the newest snapshot, of another world',
    (p) => graft(snapshot, p, -1),
    ...all(/not the one that the snapshot at seq \d+ ends with|wrong_state_hash/),
  ),
  row('the older snapshot, its rows gone', (p) => rm(join(snapshot(p, 0), 'rows')), 'newest', /no_rows/, null),
  row('the older snapshot, gone', (p) => rm(snapshot(p, 0), { recursive: true }), 'newest', null, null),
  row(
    'a bit of the rows of both snapshots',
    async (p) => {
      for (const index of [0, 1]) await flipMiddle(join(snapshot(p, index), 'rows'));
    },
    /the log begins at seq \d+, and no snapshot before it can be read; the snapshot at seq \d+ .*; the snapshot at seq/,
    /wrong_checksum/,
    /no snapshot before it can be read/,
  ),
  row(
    'all snapshots, gone',
    (p) => rm(join(p.folder, 'snapshots'), { recursive: true }),
    ...all(/the log begins at seq \d+/),
  ),
  row(
    'a snapshot that was being written',
    (p) => copyOver(snapshot(p, 0), join(p.folder, 'snapshots', '.partial-9')),
    'newest',
    null,
    null,
  ),
  row(
    'the note of where the world came from',
    (p) => writeFile(join(p.folder, 'origin.json'), 'ships'),
    /origin\.json is damaged/,
    null,
    null,
  ),
];

/** The same with the log still reaching back to the genesis. */
const YOUNG_ROWS: readonly Row[] = [
  row(
    'the only snapshot of a log that begins with the genesis, gone',
    (p) => emptied(join(p.folder, 'snapshots')),
    'genesis',
    null,
    null,
  ),
  row('a bit of it', (p) => flipMiddle(join(snapshot(p, 0), 'rows')), 'genesis', /wrong_checksum/, null),
  row('the segment before it, gone', (p) => rm(segment(p, 0), { recursive: true }), 'newest', null, null),
  row(
    'it and the segment before it, gone',
    async (p) => {
      await emptied(join(p.folder, 'snapshots'));
      await rm(segment(p, 0), { recursive: true });
    },
    ...all(/seq \d+/),
  ),
];

t.test('each damage has one outcome, and none of them is another world', async (t) => {
  for (const [rows, snapshots] of [
    [ROWS, 2],
    [YOUNG_ROWS, 1],
  ] as const) {
    const world = await worldWithSnapshots(t, { snapshots, crowd: 50 });
    const other = await worldWithSnapshots(t, { snapshots, crowd: 50, seed: 2 });
    t.same(other.segmentSeqs, world.segmentSeqs, 'the other world went the same way');
    t.not(other.stateHash, world.stateHash);
    for (const each of rows) t.test(each.damage, (t) => holdTo(t, each, world, other));
  }
});

async function holdTo(t: Test, { inflict, serve, verify, restore }: Row, world: SnapshotWorld, other: SnapshotWorld) {
  const folder = join(await temporaryFolder(t), 'world');
  await cp(world.folder, folder, { recursive: true });
  await inflict({ ...world, folder, other });
  const damaged = await bytesIn(folder);

  const verified = await verdict(async () => (await verifyHash(folder)) ?? '');
  expectHash(t, verified, verify, world, 'verify');
  const to = join(await temporaryFolder(t), 'restored');
  const restored = await verdict(async () => {
    return (await restoreWorld({ kind: 'restore', source: { dataFolder: folder }, to })).stateHash;
  });
  expectHash(t, restored, restore, world, 'restore');
  t.same(await readdir(join(to, '..')), restore === null ? ['restored'] : [], 'whole, or nothing');
  t.same(await bytesIn(folder), damaged, 'neither has changed anything');

  const args = serveArgs(folder, '--clock', 'manual', '--admin-key', ADMIN_KEY);
  if (serve instanceof RegExp) {
    refused(t, await runGalaxyd(t, { args }), 3, serve);
    t.same(await bytesIn(folder), damaged, 'and the damaged folder is as it was');
    return;
  }
  const galaxyd = await GalaxydProcess.start(t, { args });
  t.equal(await hashOf(galaxyd.url), world.stateHash, 'the server has the true world');
  const seq = serve === 'genesis' ? undefined : world.snapshotSeqs.at(serve === 'older' ? 0 : -1);
  const told = /recovered .*: (?:the snapshot at seq (\d+) )?/.exec(galaxyd.stdout)?.[1];
  t.equal(told, seq === undefined ? undefined : String(seq), 'and says from where');
  await galaxyd.kill();
}

interface Verdict {
  readonly hash: string | null;
  readonly message: string;
  readonly exitCode: number | null;
}

async function verdict(find: () => Promise<string>): Promise<Verdict> {
  try {
    return { hash: await find(), message: '', exitCode: 0 };
  } catch (error) {
    return { hash: null, message: String(error), exitCode: failureOf(error)?.code ?? null };
  }
}

function expectHash(t: Test, found: Verdict, refusal: RegExp | null, world: SnapshotWorld, by: string): void {
  if (refusal === null) {
    t.same(found, { hash: world.stateHash, message: '', exitCode: 0 }, `${by} has the true world`);
    return;
  }
  t.equal(found.hash, null, `${by} refuses`);
  t.match(found.message, refusal);
  t.ok(found.exitCode === 3 || found.message.startsWith('RestoreRefused'), `${by} has an exit code for it`);
}

async function verifyHash(folder: string): Promise<string> {
  const { logPath, snapshotsPath } = placesOf(folder);
  const log = await LmdbLog.openReadOnly(logPath);
  try {
    return (await verifyWorld(log, new SnapshotFolder(snapshotsPath))).stateHash;
  } finally {
    await log.close();
  }
}

function row(
  damage: string,
  inflict: Row['inflict'],
  serve: Row['serve'],
  verify: Row['verify'],
  restore: Row['restore'],
): Row {
  return { damage, inflict, serve, verify, restore };
}

/** All three refuse. */
function all(sentence: RegExp): [RegExp, RegExp, RegExp] {
  return [sentence, sentence, sentence];
}

const dataOf = (world: SnapshotWorld, index: number): string => join(segment(world, index), 'data.mdb');
const manifestOf = (world: SnapshotWorld): string => join(snapshot(world, -1), 'manifest.json');

/** Turns a bit of a record round, wherever its bytes stand: pages are copied when they change. */
async function flipRecord({ folder }: Patient, choose: (firstSeqs: number[]) => number | undefined): Promise<void> {
  const { records } = await keptLog(folder);
  const chosen = choose(records.map(({ firstSeq }) => firstSeq));
  const record = records.find(({ firstSeq }) => firstSeq === chosen);
  if (record === undefined) throw new Error(`there is no record at seq ${chosen}`);
  let count = 0;
  for (const name of await readdir(join(folder, 'log'))) {
    const path = join(folder, 'log', name, 'data.mdb');
    const bytes = await readFile(path);
    for (let at = bytes.indexOf(record.bytes); at >= 0; at = bytes.indexOf(record.bytes, at)) {
      const last = at + record.bytes.length - 1;
      bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
      count += 1;
    }
    await writeFile(path, bytes);
  }
  if (count === 0) throw new Error(`the record at seq ${chosen} was not found in any file`);
}

async function flipMiddle(path: string): Promise<void> {
  const bytes = await readFile(path);
  const at = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
  await writeFile(path, bytes);
}

async function cutToHalf(path: string): Promise<void> {
  await truncate(path, Math.floor((await readFile(path)).length / 2));
}

async function overwrite(path: string, byte: number): Promise<void> {
  await writeFile(path, Buffer.alloc((await readFile(path)).length, byte));
}

async function emptied(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
}

async function copyOver(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
}

/** Puts what stands at the same place in the other world there. */
async function graft(place: typeof segment, patient: Patient, index: number): Promise<void> {
  await copyOver(place(patient.other, index), place(patient, index));
}

/** Everything on disk but LMDB's lock files, which hold nothing. */
async function bytesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'lock.mdb');
  const bytes = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length), (await readFile(path)).toString('base64')] as const;
  });
  return Object.fromEntries(await Promise.all(bytes));
}
