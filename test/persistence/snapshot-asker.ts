// A process of its own that asks for snapshots with as few descriptors left as it is told, one number after the other. It prints one
// line of JSON: why each of them failed. The caller has set a low limit on its files.
import { SnapshotWorker } from '../../persistence/upkeep/snapshot-worker.js';
import { Hoard } from '../support/process/hoard.js';

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
