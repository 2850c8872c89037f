// A process of its own that writes to a world as fast as it can and prints which seq was acknowledged to its clients,
// until it is killed or kills itself (crash.test.ts).
import { writeSync } from 'node:fs';
import { killOnUncaughtException } from '../../persistence/fatal.js';
import type { DurabilityWaiter } from '../../persistence/log/batch-record.js';
import { openWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';

const COMMANDS_PER_TURN = 20;

// If the size of files is limited, the write must fail instead of a signal ending the process.
if (process.platform !== 'win32') process.on('SIGXFSZ', () => {});
killOnUncaughtException();
const store = storeAt(process.argv[2] ?? '', { diskFloorBytes: 1 });
const { sequencer } = await openWorld({ store, clock: 'manual' });

/** One acknowledgement to a client: it holds after any crash. */
function promiseOf(seq: number): DurabilityWaiter {
  return { durable: () => say(`${seq}\n`) };
}

/** Prints it before anything else happens, even if the reader is slow and the pipe is full. */
function say(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

function turn(): void {
  for (let count = 0; count < COMMANDS_PER_TURN; count += 1) {
    const name = `bot ${sequencer.lastSeq}`;
    sequencer.submit({ type: 'create_player', name, isBot: true, keyHash: null, nameKey: name });
    sequencer.holdUntilDurable(sequencer.lastSeq, promiseOf(sequencer.lastSeq));
  }
  setImmediate(turn);
}
turn();
