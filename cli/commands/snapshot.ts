// galaxyd snapshot: writes a snapshot of a world now, with or without a running server.
import type { Command } from 'commander';
import { storeAt } from '../../persistence/store-url.js';
import { takeSnapshot } from '../../persistence/upkeep/snapshot-taking.js';
import {
  type OperatorOptions,
  operatorCommand,
  printResult,
  runToExitCode,
  size,
  withProgress,
} from '../operator-command.js';
import { dataOption } from '../shared-options.js';
import { type SnapshotRow, snapshotRow } from '../snapshot-row.js';

const NAME = 'snapshot';

export function snapshotCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Writes a snapshot now, with or without a running server.',
    examples: ['galaxyd snapshot --data ./data', 'galaxyd snapshot --data ./data --json'],
    remarks:
      'It reads the newest snapshot, replays the log after it and writes the state. Beside a running server it covers what is\n' +
      'durable. Run it as the user that the server runs as: the server must be able to remove the snapshot.\n' +
      'Two snapshots are kept: a running server removes the others after it has taken its next one.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => snapshot(options)));
}

async function snapshot(options: OperatorOptions): Promise<void> {
  const store = storeAt(options.data);
  await store.requireWorld();
  await store.requireOwner();
  const taken = await withProgress((onProgress) => takeSnapshot(store, undefined, onProgress));
  const row: SnapshotRow = snapshotRow(taken.manifest);
  const damaged = taken.damaged.map(({ message }) => `galaxyd ${NAME} skipped another one: ${message}`);
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
