// The stores keep the contract of every store, and are found by their URLs.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { LmdbStore } from '../../../persistence/log/lmdb/lmdb-store.js';
import { openWorld } from '../../../persistence/open-world.js';
import { storeAt } from '../../../persistence/store-url.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { testWorldStoreContract } from './world-store-contract.js';

await t.test('in memory', (t) => testWorldStoreContract(t, async () => new MemoryStore()));

await t.test('in a folder', (t) =>
  testWorldStoreContract(t, async (t) => storeAt(join(await temporaryFolder(t), 'world'), { diskFloorBytes: 1 })),
);

t.test('a path and a file URL name a folder, even one with characters that are special in URLs', async (t) => {
  const folder = join(await temporaryFolder(t), '100%41 #1 ?');
  const store = storeAt(folder);
  await (await openWorld({ store, clock: 'manual' })).close();
  t.same([store.label, store.name, store.url], [folder, '100%41 #1 ?', pathToFileURL(folder).href]);
  const again = storeAt(store.url ?? '');
  t.equal(again.label, folder);
  await again.requireWorld();
  t.equal(new LmdbStore('.').label, process.cwd());
});

t.test('other URLs are refused, and nothing is created', (t) => {
  for (const url of [
    'redis://localhost/world',
    'HTTP://localhost/',
    'file://another-machine/world',
    'postgres://host',
    'postgres:/world',
    ' postgres://host/world',
  ]) {
    t.throws(() => storeAt(url), { name: 'UnknownStore' }, url);
  }
  for (const path of ['C:\\worlds\\one', './postgres:/world', './a://b'])
    t.ok(storeAt(path).label.startsWith(process.cwd()), path);
  t.end();
});
