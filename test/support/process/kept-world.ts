// A world with two snapshots and a pruned log, and its state hash at every seq, so that restores can be checked against
// the original states.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Static } from 'typebox';
import type { StateHash } from '../../../http/schemas/world.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import type { Client } from './client.js';
import type { GalaxydProcess } from './galaxyd-process.js';
import { ADMIN_KEY, serveArgs, start } from './operator.js';

export interface KeptWorld {
  readonly folder: string;
  /** Seqs of its two snapshots, ascending; the log contains the entries after the older one. */
  readonly snapshotSeqs: readonly [number, number];
  /** State hashes by seq, as the server reported them. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly lastSeq: number;
}

const ROUNDS = ['first', 'second', 'third'];
const BOTS_A_ROUND = 4;

/** The same world in a folder of its own. */
export async function copyOf(t: Test, world: KeptWorld): Promise<KeptWorld> {
  const folder = join(await temporaryFolder(t), 'world');
  await cp(world.folder, folder, { recursive: true });
  return { ...world, folder };
}

/** Serves it with a clock that stands still. */
export async function served(
  t: Test,
  { folder }: Pick<KeptWorld, 'folder'>,
): Promise<{ galaxyd: GalaxydProcess; client: Client }> {
  return await start(t, {
    args: serveArgs(folder, '--clock', 'manual', '--min-free-mib', '0', '--admin-key', ADMIN_KEY),
  });
}

/** Creates bots on a server, in rounds of an hour with a snapshot after each, and stops it. */
export async function keptWorld(t: Test): Promise<KeptWorld> {
  const folder = await temporaryFolder(t);
  const { galaxyd, client } = await served(t, { folder });
  const hashes = new Map<number, string>();
  const snapshotSeqs: number[] = [];
  const note = async (): Promise<number> => {
    const { body } = await client.get<Static<typeof StateHash>>('/api/admin/state-hash');
    hashes.set(body.seq, body.hash);
    return body.seq;
  };
  const comeBots = async (round: string): Promise<void> => {
    for (let number = 1; number <= BOTS_A_ROUND; number += 1) {
      await client.post('/api/game/player', { name: `${round}-${number}`, isBot: true });
      await note();
    }
  };
  for (const round of ROUNDS) {
    await comeBots(round);
    await client.post('/api/admin/clock/advance', { seconds: 3600 });
    const { status, body } = await client.post<{ seq: number }>('/api/admin/snapshot');
    if (status >= 300) throw new Error(`a snapshot is answered with ${status}`);
    snapshotSeqs.push(body.seq);
    await note();
  }
  await comeBots('last');
  const lastSeq = await note();
  const [, older = 0, newer = 0] = snapshotSeqs;
  await galaxyd.stop();
  return { folder, snapshotSeqs: [older, newer], hashes, lastSeq };
}
