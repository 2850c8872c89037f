// A process of its own that writes to a world as fast as it can and says on standard output which seq its clients were
// promised, until it is killed or kills itself (crash.test.ts).
import { writeSync } from 'node:fs';
import type { Held } from '../../persistence/batch.js';
import { openWorld } from '../../persistence/open-world.js';

const COMMANDS_PER_TURN = 20;

const { sequencer } = await openWorld({ dataFolder: process.argv[2] ?? '', clock: 'manual', diskFloorBytes: 1 });

/** One promise to a client: what it says is true after any crash. */
function promiseOf(seq: number): Held {
  return { durable: () => writeSync(1, `${seq}\n`) };
}

function turn(): void {
  for (let count = 0; count < COMMANDS_PER_TURN; count += 1) {
    const name = `bot ${sequencer.lastSeq}`;
    sequencer.submit({ type: 'create_player', name, isBot: true, keyHash: null });
    sequencer.holdUntilDurable(sequencer.lastSeq, promiseOf(sequencer.lastSeq));
  }
  setImmediate(turn);
}
turn();
