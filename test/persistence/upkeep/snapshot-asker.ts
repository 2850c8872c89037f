// A process of its own that requests snapshots with few descriptors left: one for each number in its arguments. It
// prints one line of JSON with the reason of each failure. The caller has set a low limit on its files.
import { SnapshotWorker } from '../../../persistence/upkeep/snapshot-worker.js';
import { Hoard } from '../../support/process/hoard.js';

const [storeUrl = '', ...freeFileCounts] = process.argv.slice(2);
const hoard = new Hoard();
const worker = new SnapshotWorker(storeUrl);
const reasons: string[] = [];
for (const freeFiles of freeFileCounts) {
  hoard.takeAllBut(Number(freeFiles));
  reasons.push(await worker.take({ seq: 1, auditSeq: 1 }).then(String, ({ message }: Error) => message));
  hoard.giveBack();
}
console.log(JSON.stringify(reasons));
