// galaxyd snapshots: lists the snapshots of a world.
import type { Command } from 'commander';
import { requireWorld } from '../../persistence/data-folder.js';
import { SnapshotFolder } from '../../persistence/snapshot-files.js';
import { SnapshotDamaged } from '../../persistence/snapshot-store.js';
import { DamageFound } from '../exit-codes.js';
import { type OperatorOptions, operatorCommand, runToExitCode, size, tell } from '../operator-command.js';
import { dataOption } from '../shared-options.js';
import { type SnapshotRow, snapshotRow } from '../snapshot-row.js';

const NAME = 'snapshots';

export function snapshotsCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Lists snapshots: seq, world time, size, state hash.',
    examples: ['galaxyd snapshots --data ./data', 'galaxyd snapshots --data ./data --json'],
    remarks:
      'It reads their manifests alone; galaxyd verify checks all of them. Where a manifest is damaged, the others are listed\n' +
      'all the same, and the exit code is 3; in JSON the damaged one has a problem in the place of everything but its seq.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => list(options)));
}

async function list(options: OperatorOptions): Promise<void> {
  const { path, snapshotsPath } = await requireWorld(options.data);
  const store = new SnapshotFolder(snapshotsPath);
  const found: (SnapshotRow | DamagedRow)[] = [];
  for (const seq of await store.list()) {
    const row = await rowOf(store, seq);
    if (row !== null) found.push(row);
  }
  const sound = found.filter((row): row is SnapshotRow => !('problem' in row));
  const none = found.length === 0 ? 'there is no snapshot yet' : 'there is no sound snapshot';
  tell(options, found, () => (sound.length === 0 ? `galaxyd found: ${none} in ${path}` : table(sound)));
  const problems = found.flatMap((row) => ('problem' in row ? [row.problem] : []));
  if (problems.length > 0) throw new DamageFound(problems.join('; '));
}

/** A snapshot whose manifest is damaged. */
interface DamagedRow {
  readonly seq: number;
  readonly problem: string;
}

/** @returns null for one that a running server has removed meanwhile */
async function rowOf(store: SnapshotFolder, seq: number): Promise<SnapshotRow | DamagedRow | null> {
  try {
    return snapshotRow(await store.manifest(seq));
  } catch (error) {
    if (!(error instanceof SnapshotDamaged)) throw error;
    return error.fault === 'missing' ? null : { seq, problem: error.message };
  }
}

function table(rows: readonly SnapshotRow[]): string {
  const cells = [
    ['seq', 'world time', 'size', 'state hash', 'taken at'],
    ...rows.map((row) => [`${row.seq}`, row.worldTime, size(row.byteCount), row.stateHash, row.takenAt]),
  ];
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0))) ?? [];
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
