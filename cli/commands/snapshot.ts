// galaxyd snapshot: writes a snapshot of a world now, also beside its running server.
import type { Command } from 'commander';
import { takeSnapshot } from '../../persistence/snapshot-taking.js';
import { type OperatorOptions, operatorCommand, runToExitCode, tell, withProgress } from '../operator-command.js';
import { dataOption } from '../shared-options.js';
import { type SnapshotRow, snapshotRow } from '../snapshot-row.js';

const NAME = 'snapshot';

export function snapshotCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Writes a snapshot now, also beside a running server.',
    examples: ['galaxyd snapshot --data ./data', 'galaxyd snapshot --data ./data --json'],
    remarks:
      'It reads the newest snapshot, replays what the log holds behind it and writes the state. Beside a running server it\n' +
      'covers what is safely on disk; where that takes a wait of some seconds, it waits.',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => snapshot(options)));
}

async function snapshot(options: OperatorOptions): Promise<void> {
  const taken = await withProgress((bar) => takeSnapshot(options.data, undefined, bar.show));
  const row: SnapshotRow = snapshotRow(taken.manifest);
  const damaged = taken.damaged.map(({ message }) => `galaxyd ${NAME} passed over another one: ${message}\n`).join('');
  tell(
    options,
    { ...row, isNew: taken.isNew, damaged: taken.damaged, durationMs: Math.round(taken.durationMs) },
    () => {
      const did = taken.isNew ? 'wrote' : 'found, as nothing has changed since,';
      return `${damaged}galaxyd ${did} the snapshot at seq ${row.seq} at ${row.worldTime}, state hash ${row.stateHash}`;
    },
  );
}
