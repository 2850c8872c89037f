// Opens folders for folder-opener.ts, in a process of its own, by the code of `galaxyd verify` and of `galaxyd serve`.
import { failureOf } from '../../cli/commands/exit-codes.js';
import { openWorld } from '../../persistence/open-world.js';
import { storeAt } from '../../persistence/store-url.js';
import { verifyWorld } from '../../persistence/upkeep/verify.js';
import type { Opened, OpeningRequest, Refused } from './folder-opener.js';

/** Resolves when the world can be written to again. */
async function opened(folder: string): Promise<Opened> {
  // A fatal error ends this process, which is a fault of the program.
  const world = await openWorld({ store: storeAt(folder), clock: 'manual' });
  const { engine, isNew } = world;
  const { seq, stateHash } = { seq: engine.seq, stateHash: engine.stateHash() };
  const names = engine.world.players.flatMap((player) => (player === undefined ? [] : [player.name]));
  await world.close();
  return { kind: 'opened', isNew, seq, stateHash, names };
}

/** @throws what is no refusal but a fault of the program */
function refusal(error: unknown): Refused {
  const failure = failureOf(error);
  if (failure === null) throw error;
  return { kind: 'refused', exitCode: failure.code, sentence: failure.lines.join('\n') };
}

async function answer({ folder, isVerified }: OpeningRequest): Promise<void> {
  const verified = isVerified ? await verifyWorld(storeAt(folder)).then(() => null, refusal) : null;
  process.send?.({ verified, opened: await opened(folder).catch(refusal) });
}

process.on('message', (request: OpeningRequest) => {
  // What is no refusal ends this process with its stack.
  void answer(request);
});
process.on('disconnect', () => process.exit());
