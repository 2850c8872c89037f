// A world that an operator restores and serves: it goes on from the state that the log of the original leads to.
import type { Test } from 'tap';
import { storeAt } from '../../../persistence/store-url.js';
import type { Client } from './client.js';
import { done, galaxyd, manualArgs, start, stateOf } from './operator.js';
import { hashOfRestored, keptLog } from './replayed-log.js';

/** @param last state of the world. @returns a client of the server of the copy */
export async function serveRestored(
  t: Test,
  folder: string,
  to: string,
  last: { readonly seq: number; readonly hash: string },
): Promise<Client> {
  done(t, await galaxyd(t, 'restore', '--data', folder, '--to', to));
  const { client } = await start(t, { args: manualArgs(to), rules: null });
  const origin = await storeAt(to).origin();
  if (origin === null) throw new Error('a restored world has an origin');
  t.match(origin, { seq: last.seq, stateHash: last.hash }, 'it goes on from that state');
  const { records } = await keptLog(folder);
  t.equal((await stateOf(client)).hash, hashOfRestored(records, origin), 'restored');
  return client;
}
