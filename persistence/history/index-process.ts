// The program of the process that indexes a history beside a replay: it receives the URL of the store in its
// environment and the folder for its snapshots as an argument, and reports the timeline in messages. It is a separate process so
// that it does not delay replies.
import { rmSync } from 'node:fs';
import { asError } from '../fatal.js';
import { killSelf, onParentEnd } from '../parent-process.js';
import { storeOfParent } from '../store-url.js';
import { indexHistory } from './history-index.js';
import type { IndexMessage } from './index-worker.js';
import { MadeSnapshots } from './made-snapshots.js';

const [folder = ''] = process.argv.slice(2);

// A terminal sends its signals to the replay and to this process. The replay decides when this one ends; if it dies instead, the
// snapshots have to be removed.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});

// The replay has died: nobody else removes the snapshots.
const stopListening = onParentEnd(() => {
  rmSync(folder, { recursive: true, force: true });
  killSelf();
});

try {
  await indexHistory({
    store: storeOfParent(),
    made: new MadeSnapshots(folder),
    onTimeline: (timeline) => report({ type: 'timeline', timeline }),
    signal: new AbortController().signal,
  });
} catch (error) {
  report({ type: 'failed', message: asError(error).message });
  process.exitCode = 1;
  stopListening();
  process.disconnect?.();
}

function report(message: IndexMessage): void {
  process.send?.(message, undefined, undefined, () => {});
}
