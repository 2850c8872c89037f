// The damage that can happen on disk, a row each, and its required outcome.
import { cp, mkdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  changeKey,
  copyOver,
  cutBehindHeads,
  cutToHalf,
  dataOf,
  emptied,
  flipMiddle,
  flipRecord,
  graft,
  manifestOf,
  overwrite,
  type Patient,
  rowsIn,
  segment,
  snapshot,
  snapshotName,
} from './damages.js';

/** The true world, from the snapshot of that age or from the genesis; or the message of a refusal. */
type Outcome = 'newest' | 'older' | 'genesis' | RegExp;

export interface Row {
  readonly damage: string;
  readonly inflict: (patient: Patient) => Promise<unknown>;
  readonly serve: Outcome;
  /** Null if it finds everything sound. */
  readonly verify: RegExp | null;
  /** Null if the restored world is the true one. */
  readonly restore: RegExp | null;
}

/**
 * Segments from the oldest on: up to the newest snapshot, after it, and the newest. Both snapshots are older than
 * segments 1 and 2.
 */
export const LOG_ROWS: readonly Row[] = [
  row('no damage', async () => {}, ...sound('newest')),
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
    'a bit of the first record after the newest snapshot',
    (p) => flipRecord(p, () => (p.snapshotSeqs.at(-1) ?? 0) + 1),
    ...all(/from seq \d+ on: .*wrong_checksum/),
  ),
  row(
    'a bit of a record before the newest snapshot',
    (p) => flipRecord(p, () => (p.snapshotSeqs[0] ?? 0) + 1),
    ...reported('newest', /from seq \d+ on: .*wrong_checksum/),
  ),
  row(
    'a bit of the record that the newest snapshot ends with',
    (p) => flipRecord(p, (seqs) => seqs.findLast((seq) => seq <= (p.snapshotSeqs[1] ?? 0))),
    ...all(/from seq \d+ on: /),
  ),
  row(
    'a bit of the key of the first record of the newest segment',
    (p) => changeKey(p, -1, (seqs) => seqs[0], 2n ** 55n),
    ...all(/records are missing, since the newest one reaches to seq \d+|is not a seq|begins at seq/),
  ),
  row(
    'a bit of the key of the last record',
    (p) => changeKey(p, -1, (seqs) => seqs.at(-1), -64n),
    ...all(/records are missing|begins at|is damaged/),
  ),
  row(
    'the newest segment, cut after its heads',
    (p) => cutBehindHeads(dataOf(p, -1)),
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
    ...reported('newest', /the log begins at seq \d+/),
  ),
  row(
    'the oldest segment, cut after its heads',
    (p) => cutBehindHeads(dataOf(p, 0)),
    ...all(/log segment .* is damaged: /),
  ),
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
    'a copy of the newest segment after it',
    (p) => copyOver(segment(p, -1), `${segment(p, -1).slice(0, -4)}9999`),
    ...all(/begins at seq/),
  ),
  row('an empty folder named like a segment', (p) => mkdir(`${segment(p, -1).slice(0, -4)}9999`), ...all(/is missing/)),
  row("the newest segment's lock file, gone", (p) => rm(join(segment(p, -1), 'lock.mdb')), ...sound('newest')),
  row(
    "the newest segment's lock file, nonsense",
    (p) => overwrite(join(segment(p, -1), 'lock.mdb'), 0x5a),
    ...sound('newest'),
  ),
  row('a foreign file in the log', (p) => writeFile(join(p.folder, 'log', 'notes.txt'), 'hello'), ...sound('newest')),
  row(
    'an unfinished segment',
    (p) => copyOver(segment(p, -1), join(p.folder, 'log', '.begun-log-9')),
    ...sound('newest'),
  ),
  row(
    'a half-removed segment',
    (p) => copyOver(segment(p, 0), join(p.folder, 'log', '.pruned-log-9')),
    ...sound('newest'),
  ),
];

export const SNAPSHOT_ROWS: readonly Row[] = [
  row(
    'a bit of the rows of the newest snapshot',
    (p) => flipMiddle(rowsIn(p, -1)),
    ...reported('older', /wrong_checksum/),
  ),
  row(
    'the rows of the newest snapshot, cut to a half',
    (p) => cutToHalf(rowsIn(p, -1)),
    ...reported('older', /cut_short/),
  ),
  row(
    'the rows of the newest snapshot, emptied',
    (p) => truncate(rowsIn(p, -1), 0),
    ...reported('older', /wrong_counts/),
  ),
  row('the rows of the newest snapshot, gone', (p) => rm(rowsIn(p, -1)), ...reported('older', /no_rows/)),
  row(
    'the rows of the newest snapshot, those of the older',
    (p) => cp(rowsIn(p, 0), rowsIn(p, -1)),
    ...reported('older', /foreign_chunk/),
  ),
  row(
    'a bit of the manifest of the newest snapshot',
    (p) => flipMiddle(manifestOf(p)),
    ...reported('older', /_manifest/),
  ),
  row(
    'the manifest of the newest snapshot, cut to a half',
    (p) => cutToHalf(manifestOf(p)),
    ...reported('older', /damaged_manifest/),
  ),
  row('the manifest of the newest snapshot, gone', (p) => rm(manifestOf(p)), ...reported('older', /no_manifest/)),
  row(
    'the manifest of the newest snapshot, that of the older',
    (p) => cp(join(snapshot(p, 0), 'manifest.json'), manifestOf(p)),
    ...reported('older', /foreign_manifest/),
  ),
  row('the newest snapshot, an empty folder', (p) => emptied(snapshot(p, -1)), ...reported('older', /no_manifest/)),
  row('the newest snapshot, gone', (p) => rm(snapshot(p, -1), { recursive: true }), ...sound('older')),
  row(
    'the newest snapshot, one seq further by its name',
    (p) => rename(snapshot(p, -1), join(p.folder, 'snapshots', snapshotName((p.snapshotSeqs[1] ?? 0) + 1))),
    ...reported('older', /foreign_manifest/),
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
  row('the older snapshot, its rows gone', (p) => rm(rowsIn(p, 0)), ...reported('newest', /no_rows/)),
  row('the older snapshot, gone', (p) => rm(snapshot(p, 0), { recursive: true }), ...sound('newest')),
  row(
    'a bit of the rows of both snapshots',
    async (p) => {
      for (const index of [0, 1]) await flipMiddle(rowsIn(p, index));
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
    'an unfinished snapshot',
    (p) => copyOver(snapshot(p, 0), join(p.folder, 'snapshots', '.partial-9')),
    ...sound('newest'),
  ),
  row(
    "the record of the world's origin",
    (p) => writeFile(join(p.folder, 'origin.json'), 'ships'),
    /origin\.json is damaged/,
    /origin\.json is damaged/,
    null,
  ),
];

/** The same for a log that still reaches back to the genesis. */
export const YOUNG_ROWS: readonly Row[] = [
  row(
    'the only snapshot of a log that begins with the genesis, gone',
    (p) => emptied(join(p.folder, 'snapshots')),
    ...sound('genesis'),
  ),
  row('a bit of it', (p) => flipMiddle(rowsIn(p, 0)), ...reported('genesis', /wrong_checksum/)),
  row('the segment before it, gone', (p) => rm(segment(p, 0), { recursive: true }), ...sound('newest')),
  row(
    'it and the segment before it, gone',
    async (p) => {
      await emptied(join(p.folder, 'snapshots'));
      await rm(segment(p, 0), { recursive: true });
    },
    ...all(/seq \d+/),
  ),
];

function row(
  damage: string,
  inflict: Row['inflict'],
  serve: Row['serve'],
  verify: Row['verify'],
  restore: Row['restore'],
): Row {
  return { damage, inflict, serve, verify, restore };
}

/** Nothing is wrong, and a server begins there. */
function sound(serve: Outcome): [Outcome, null, null] {
  return [serve, null, null];
}

/** Verify reports it, and a server begins elsewhere or does not need it. */
function reported(serve: Outcome, sentence: RegExp): [Outcome, RegExp, null] {
  return [serve, sentence, null];
}

/** All three refuse. */
function all(sentence: RegExp): [RegExp, RegExp, RegExp] {
  return [sentence, sentence, sentence];
}
