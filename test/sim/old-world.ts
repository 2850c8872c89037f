// Puts a world on a simulated disk as a program from before events left it: with a genesis that does not mention them.
import { type Command, encodeCommand } from '../../engine/commands/table.js';
import { Engine } from '../../engine/engine.js';
import { isRefusal } from '../../engine/rejections.js';
import { RULES_VERSION } from '../../engine/rules/shipped.js';
import { Batch } from '../../persistence/log/batch.js';
import { NO_PREVIOUS_HASH } from '../../persistence/log/batch-record.js';
import { construct, grant } from '../support/command-words.js';
import { PLENTY } from '../support/world-story.js';
import type { History } from './history.js';
import type { SimulatedDisk } from './simulated-disk.js';
import type { WorldSettings } from './simulation.js';

const PLAYERS = 3;

/** @param startMs world time at which it begins, and at which all of its entries are */
export function putOldWorld(
  disk: SimulatedDisk,
  history: History,
  { seed, speed, systemsPerGalaxy }: WorldSettings,
  startMs: number,
): void {
  const engine = Engine.create();
  const batch = new Batch(1);
  const add = (command: Command): void => {
    const outcome = engine.apply(startMs, command);
    if (outcome !== null && isRefusal(outcome))
      throw new Error(`the old world cannot ${command.type}: ${outcome.code}`);
    const row = encodeCommand(command);
    history.add(engine.seq, { atMs: startMs, row, request: undefined });
    batch.tryAdd(startMs, row);
  };
  const speedThousandths = speed * 1_000;
  add({ type: 'genesis', seed, systemsPerGalaxy, speedThousandths, rulesVersion: RULES_VERSION, startMs });
  add({ type: 'create_players', count: PLAYERS, namePrefix: 'settler', keyHashes: [], namePrefixKey: 'settler' });
  for (const planet of [...engine.world.planets.values()]) {
    add(grant(planet, PLENTY));
    add(construct(planet, 'shipyard'));
  }
  const bytes = batch.encode(RULES_VERSION, NO_PREVIOUS_HASH);
  disk.put({ firstSeq: 1, lastSeq: batch.lastSeq, bytes, written: bytes, isFlushed: true });
}
