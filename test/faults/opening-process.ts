// Opens folders for folder-opener.ts, in a process of its own, by the code of `galaxyd verify` and of `galaxyd serve`.
import { failureOf } from '../../cli/commands/exit-codes.js';
import type { Engine } from '../../engine/engine.js';
import { openWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';
import { verifyParts, verifyWorld } from '../../persistence/upkeep/verify.js';
import { playOn } from './folder-fuzz/played-on.js';
import type { Opened, OpeningAnswer, OpeningRequest, Refused } from './folder-opener.js';

/** Resolves when the world can be written to again, and is closed. */
async function openedToWrite(place: string, isPlayed: boolean): Promise<Opened> {
  // A fatal error ends this process, which is a fault of the program.
  const world = await openWorld({ store: storeAt(place), clock: 'manual' });
  const opened = shown(world.engine, world.isNew);
  await world.close();
  if (isPlayed) playOn(world.engine);
  return opened;
}

async function openedToRead(place: string): Promise<Opened> {
  const store = storeAt(place);
  const log = await store.openLog();
  try {
    return shown((await verifyParts(log, store.snapshots)).engine, false);
  } finally {
    await log.close();
  }
}

function shown(engine: Engine, isNew: boolean): Opened {
  const names = [...engine.world.players.values()].map(({ name }) => name);
  return { kind: 'opened', isNew, seq: engine.seq, stateHash: engine.stateHash(), names };
}

/** @throws every error that is a fault of the program, and not a refusal */
function refusal(error: unknown): Refused {
  const failure = failureOf(error);
  if (failure === null) throw error;
  return { kind: 'refused', exitCode: failure.code, sentence: failure.lines.join('\n') };
}

async function answer({ place, depth }: OpeningRequest): Promise<void> {
  const isOnlyRead = depth === 'read';
  const verified = isOnlyRead ? null : await verifyWorld(storeAt(place)).then(() => null, refusal);
  const opening = isOnlyRead ? openedToRead(place) : openedToWrite(place, depth === 'played on');
  const opened = await opening.catch(refusal);
  const memoryMib = Math.ceil(process.resourceUsage().maxRSS / 1_024);
  const answer: OpeningAnswer = { verified, opened, memoryMib };
  process.send?.(answer);
}

process.on('message', (request: OpeningRequest) => {
  // Any other error ends this process with its stack.
  void answer(request);
});
process.on('disconnect', () => process.exit());
