// What `galaxyd verify` finds, in this process.
import { placesOf } from '../../../persistence/data-folder.js';
import { LmdbLog } from '../../../persistence/lmdb-log.js';
import { SnapshotFolder } from '../../../persistence/snapshot-files.js';
import { verifyWorld } from '../../../persistence/verify.js';

/** @returns the state hash of a data folder that is sound. @throws what is wrong with it */
export async function verifiedHash(dataFolder: string): Promise<string> {
  const { logPath, snapshotsPath } = placesOf(dataFolder);
  const log = await LmdbLog.openReadOnly(logPath);
  try {
    return (await verifyWorld(log, new SnapshotFolder(snapshotsPath))).stateHash;
  } finally {
    await log.close();
  }
}
