// galaxyd snapshots: lists the snapshots of a world.
import type { Command } from 'commander';
import { LogUnreadable } from '../../persistence/log/log.js';
import { SnapshotDamaged, type SnapshotStore } from '../../persistence/snapshots/snapshot-store.js';
import { storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { type Coverage, coverageOf, coverageSentence } from '../../persistence/upkeep/coverage.js';
import { DamageFound } from '../exit-codes.js';
import { type OperatorOptions, operatorCommand, printResult, runToExitCode, size } from '../operator-command.js';
import { dataOption } from '../shared-options.js';
import { type SnapshotRow, snapshotRow } from '../snapshot-row.js';

const NAME = 'snapshots';

export function snapshotsCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Lists snapshots: seq, world time, size, state hash; and how far back history reaches.',
    examples: ['galaxyd snapshots --data ./data', 'galaxyd snapshots --data ./data --json'],
    remarks:
      'It reads only their manifests; galaxyd verify checks everything. If a manifest is damaged, the others are still listed\n' +
      'and the exit code is 3; in JSON the damaged one has only its seq and a problem.\n' +
      'In JSON each row has the same coveredFromSeq: the first seq that can be restored, or null if that cannot be read.\n' +
      'Without any snapshot it is seq 1.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => list(options)));
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

/** @returns null if nothing is covered; a sentence if the log cannot be read */
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

/** @returns null if a running server has removed it meanwhile */
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
