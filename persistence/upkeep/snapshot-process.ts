// The program of the process that takes snapshots beside a server: it is told the URL of the store and the seqs as arguments, and
// tells the outcome by message. A process of its own, so that neither its memory nor its haste is the server's.
import { asError } from '../fatal.js';
import { storeAt } from '../store-url.js';
import { takeSnapshot } from './snapshot-taking.js';
import type { SnapshotMessage } from './snapshot-worker.js';

const [storeUrl = '', seq, auditSeq] = process.argv.slice(2);

// Whoever asked is gone: the half of a snapshot is of no use to anybody, and is swept away by the next one.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

try {
  const taken = await takeSnapshot(storeAt(storeUrl), { seq: Number(seq), auditSeq: Number(auditSeq) });
  tell({ type: 'taken', taken });
} catch (error) {
  tell({ type: 'failed', message: asError(error).message });
}

function tell(message: SnapshotMessage): void {
  // Whoever asked may be gone in this very moment.
  process.send?.(message, undefined, undefined, () => process.connected && process.disconnect());
}
