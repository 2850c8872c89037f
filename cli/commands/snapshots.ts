// galaxyd snapshots: lists the snapshots of a world.
import type { Command } from 'commander';
import { placesOf } from '../../persistence/data-folder.js';
import { SnapshotFolder } from '../../persistence/snapshot-files.js';
import { mebibytes, type OperatorOptions, operatorCommand, runToExitCode, tell } from '../operator-command.js';
import { dataOption } from '../shared-options.js';
import { type SnapshotRow, snapshotRow } from '../snapshot-row.js';

const NAME = 'snapshots';

export function snapshotsCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Lists snapshots: seq, world time, size, state hash.',
    examples: ['galaxyd snapshots --data ./data', 'galaxyd snapshots --data ./data --json'],
    remarks: 'It reads their manifests alone; galaxyd verify checks all of them.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => list(options)));
}

async function list(options: OperatorOptions): Promise<void> {
  const store = new SnapshotFolder(placesOf(options.data).snapshotsPath);
  const rows: SnapshotRow[] = [];
  for (const seq of await store.list()) rows.push(snapshotRow(await store.manifest(seq)));
  tell(options, rows, () => (rows.length === 0 ? 'galaxyd has no snapshots there' : table(rows)));
}

function table(rows: readonly SnapshotRow[]): string {
  const cells = [
    ['seq', 'world time', 'size', 'state hash', 'taken at'],
    ...rows.map((row) => [`${row.seq}`, row.worldTime, mebibytes(row.byteCount), row.stateHash, row.takenAt]),
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
