// Who may look into a replay: who has the key of the operator; without such a key everybody, as long as no player has a key.
import t, { type Test } from 'tap';
import { newApiKey } from '../../../http/admission/identity.js';
import type { WorldStore } from '../../../persistence/stores/world-store.js';
import { WorldStory } from '../../support/world-story.js';
import { HistoryWriter } from '../../support/written-history.js';
import { FrameClient } from '../support/frame-client.js';
import { ADMIN_KEY, beginReplay, storeOnDisk } from '../support/serving.js';

/** A world whose players join with keys of these hashes, one after the other; null for none. */
async function storeOf(t: Test, keyHashes: readonly (string | null)[]): Promise<WorldStore> {
  const world = new WorldStory();
  for (const [index, keyHash] of keyHashes.entries())
    world.does({ type: 'create_player', name: `bot ${index}`, isBot: true, keyHash, nameKey: `bot ${index}` });
  const store = await storeOnDisk(t, { diskFloorBytes: 1 });
  const writer = await HistoryWriter.open({ store });
  await writer.write(world.entries);
  await writer.close();
  return store;
}

t.test('without a key, frames end once the replay shows a player who has a key', async (t) => {
  const store = await storeOf(t, [null, newApiKey().hash]);
  const { replay, port, client } = await beginReplay(t, { store, at: 2 });
  const socket = await FrameClient.open(port);
  const subscribed = await socket.ask({ op: 'subscribe', id: 1, topic: 'map' });
  t.match(subscribed, { op: 'subscribed', lastSeq: 1 });
  await replay.step('event', 1);
  t.match(await client.refusal('GET', '/api/map'), { code: 'unauthenticated' });
  const told = await socket.take(({ topic }) => topic === 'map');
  t.match(told, { op: 'error', topic: 'map', problem: { code: 'unauthenticated' } });
  socket.close();
});

t.test('the key of a player opens nothing', async (t) => {
  const { key, hash } = newApiKey();
  const { port } = await beginReplay(t, { store: await storeOf(t, [hash]), at: 2, adminKey: ADMIN_KEY });
  const socket = await FrameClient.open(port);
  const refused = { op: 'error', problem: { code: 'unauthenticated' } };
  t.match(await socket.ask({ op: 'hello', id: 1, key }), refused);
  t.match(await socket.ask({ op: 'subscribe', id: 2, topic: 'map' }), refused);
  t.match(await socket.ask({ op: 'hello', id: 3, key: ADMIN_KEY }), { op: 'welcome' });
  t.match(await socket.ask({ op: 'subscribe', id: 4, topic: 'map' }), { op: 'subscribed' });
  socket.close();
});
