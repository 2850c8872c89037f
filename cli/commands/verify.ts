// galaxyd verify: replays everything that is there and checks every hash.
import type { Command } from 'commander';
import { placesOf } from '../../persistence/data-folder.js';
import { LmdbLog } from '../../persistence/lmdb-log.js';
import { SnapshotFolder } from '../../persistence/snapshot-files.js';
import { type VerifiedWorld, verifyWorld } from '../../persistence/verify.js';
import { EXIT_CODES, exitCodeOf } from '../exit-codes.js';
import { type OperatorOptions, operatorCommand, tell, withProgress } from '../operator-command.js';
import { dataOption } from '../shared-options.js';
import { snapshotRow } from '../snapshot-row.js';

const NAME = 'verify';

export function verifyCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Replays everything that is there and checks every hash.',
    examples: ['galaxyd verify --data ./data', 'galaxyd verify --data ./data --json'],
    remarks:
      'It reads each snapshot whole, replays the log from its beginning, and compares the state at each snapshot with it.\n' +
      'It changes nothing, and may run beside the server. The first thing that is wrong is told, with exit code 1.',
  })
    .addOption(dataOption())
    .action(verify);
}

async function verify(options: OperatorOptions): Promise<void> {
  try {
    const world = await withProgress((bar) => verified(options.data, bar.show));
    const { firstSeq, lastSeq, stateHash } = world;
    const snapshots = world.snapshots.map(snapshotRow);
    tell(options, { isSound: true, firstSeq, lastSeq, stateHash, snapshots }, () => {
      const counted = snapshots.length === 1 ? '1 snapshot' : `${snapshots.length} snapshots`;
      return `galaxyd found all sound: seqs ${firstSeq} to ${lastSeq} of the log and ${counted}; state hash ${stateHash}`;
    });
  } catch (error) {
    if (exitCodeOf(error) === null || !(error instanceof Error)) throw error;
    if (options.json) console.log(JSON.stringify({ isSound: false, problem: error.message }));
    else console.error(`galaxyd ${NAME}: ${error.message}`);
    process.exitCode = EXIT_CODES.failed.code;
  }
}

async function verified(data: string, onProgress: Parameters<typeof verifyWorld>[2]): Promise<VerifiedWorld> {
  const { logPath, snapshotsPath } = placesOf(data);
  const log = await LmdbLog.openReadOnly(logPath);
  try {
    return await verifyWorld(log, new SnapshotFolder(snapshotsPath), onProgress);
  } finally {
    await log.close();
  }
}
