// galaxyd snapshots and galaxyd snapshot: list the snapshots of a world, and write one now.
import type { Command } from 'commander';
import { LogUnreadable } from '../../persistence/log/log.js';
import { SnapshotDamaged, type SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import { storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { type Coverage, coverageOf, coverageSentence } from '../../persistence/upkeep/coverage.js';
import { takeSnapshot } from '../../persistence/upkeep/snapshot-taking.js';
import { type SnapshotRow, size, snapshotRow } from '../output/summaries.js';
import { type OperatorOptions, operatorCommand, printResult, runToExitCode, withProgress } from './command.js';
import { DamageFound } from './exit-codes.js';
import { dataOption } from './options.js';

export function snapshotsCommand(): Command {
  return operatorCommand({
    name: 'snapshots',
    summary: 'Lists snapshots: seq, world time, size, state hash; and how far back history reaches.',
    examples: ['galaxyd snapshots --data ./data', 'galaxyd snapshots --data ./data --json'],
    remarks:
      'It reads only the manifests; galaxyd verify checks everything. If a manifest is damaged, the others are still listed\n' +
      'and the exit code is 3; in JSON the damaged one has only its seq and a problem.\n' +
      'In JSON each row has the same coveredFromSeq: the first seq that can be restored, or null if that cannot be read.\n' +
      'Without any snapshot it is seq 1.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode('snapshots', () => list(options)));
}

async function list(options: OperatorOptions): Promise<void> {
  const store = storeAt(options.data);
  await store.requireWorld();
  const found: (SnapshotRow | DamagedRow)[] = [];
  const seqs = await store.snapshots.list();
  for (const seq of seqs) {
    const row = await rowOf(store.snapshots, seq);
    if (row !== null) found.push(row);
  }
  const past = await pastOf(store, seqs);
  const coveredFromSeq = typeof past === 'object' ? (past?.firstSeq ?? null) : null;
  const sound = found.filter((row): row is SnapshotRow => !('problem' in row));
  const none = found.length === 0 ? 'no snapshot yet' : 'no sound snapshot';
  printResult(
    options,
    found.map((row) => ({ ...row, coveredFromSeq })),
    () => {
      const listed = sound.length === 0 ? [`galaxyd found ${none} in ${store.label}`] : table(sound);
      return [...listed, pastSentence(past)];
    },
  );
  const problems = found.flatMap((row) => ('problem' in row ? [row.problem] : []));
  if (problems.length > 0) throw new DamageFound(problems.join('; '));
}

/** @returns null if no seq can be restored; a sentence if the log cannot be read */
async function pastOf(store: WorldStore, seqs: readonly number[]): Promise<Coverage | string | null> {
  try {
    const log = await store.openLog();
    try {
      return await coverageOf(log, store.snapshots, seqs);
    } finally {
      await log.close();
    }
  } catch (error) {
    if (!(error instanceof LogUnreadable)) throw error;
    return error.message;
  }
}

function pastSentence(past: Coverage | string | null): string {
  if (typeof past === 'string') return `galaxyd cannot tell how far back history reaches: ${past}`;
  if (past === null) return 'no seq can be restored: the log does not continue any snapshot';
  return `history reaches from ${coverageSentence(past)}`;
}

/** A snapshot whose manifest is damaged. */
interface DamagedRow {
  readonly seq: number;
  readonly problem: string;
}

/** @returns null if a running server has removed the snapshot meanwhile */
async function rowOf(snapshots: SnapshotStore, seq: number): Promise<SnapshotRow | DamagedRow | null> {
  try {
    return snapshotRow(await snapshots.manifest(seq));
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    return error.fault === 'missing' ? null : { seq, problem: error.message };
  }
}

function table(rows: readonly SnapshotRow[]): string[] {
  const cells = [
    ['seq', 'world time', 'size', 'state hash', 'taken at'],
    ...rows.map((row) => [`${row.seq}`, row.worldTime, size(row.byteCount), row.stateHash, row.takenAt]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  return cells.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function snapshotCommand(): Command {
  return operatorCommand({
    name: 'snapshot',
    summary: 'Writes a snapshot now, with or without a running server.',
    examples: ['galaxyd snapshot --data ./data', 'galaxyd snapshot --data ./data --json'],
    remarks:
      'It reads the newest snapshot, replays the log after it and writes the state. Beside a running server it covers what is\n' +
      'durable. Run it as the user of the server, which must be able to remove the snapshot.\n' +
      'Two snapshots are kept: a running server removes the others after it has taken its next one.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode('snapshot', () => snapshot(options)));
}

async function snapshot(options: OperatorOptions): Promise<void> {
  const store = storeAt(options.data);
  await store.requireWorld();
  await store.requireOwner();
  const taken = await withProgress((onProgress) => takeSnapshot(store, undefined, onProgress));
  const row: SnapshotRow = snapshotRow(taken.manifest);
  const damaged = taken.damaged.map(({ message }) => `galaxyd snapshot skipped another one: ${message}`);
  printResult(
    options,
    { ...row, isNew: taken.isNew, damaged: taken.damaged, durationMs: Math.round(taken.durationMs) },
    () => {
      const did = taken.isNew ? 'wrote' : 'found nothing changed since';
      const found = `(${row.worldTime}, ${size(row.byteCount)}), state hash ${row.stateHash}`;
      return [...damaged, `galaxyd ${did} the snapshot at seq ${row.seq} ${found}`];
    },
  );
}
