// The program of the process that takes snapshots beside a server: it receives the URL of the store in its
// environment and the seqs as arguments, and reports the outcome in a message. It is a separate process so that its
// memory and CPU use do not affect the server.
import { asError } from '../fatal.js';
import { killSelf, onParentEnd } from '../parent-process.js';
import { storeOfParent } from '../store-url.js';
import { takeSnapshot } from './snapshot-taking.js';
import type { SnapshotMessage } from './snapshot-worker.js';

const [seq, auditSeq] = process.argv.slice(2);

// The server is gone: half a snapshot is of no use, and the next snapshot sweeps it away.
onParentEnd(killSelf);

try {
  const taken = await takeSnapshot(storeOfParent(), { seq: Number(seq), auditSeq: Number(auditSeq) });
  report({ type: 'taken', taken });
} catch (error) {
  report({ type: 'failed', message: asError(error).message });
}

function report(message: SnapshotMessage): void {
  // The server may disappear at this moment.
  process.send?.(message, undefined, undefined, () => process.connected && process.disconnect());
}
