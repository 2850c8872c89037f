// A world in PostgreSQL: the contracts of every store of worlds and of snapshots over a real server.
import t from 'tap';
import { PostgresStore } from '../../persistence/log/postgres/postgres-store.js';
import { startPostgres } from '../support/postgres/postgres.js';
import { testLeadershipContract } from './leadership-contract.js';
import { testSnapshotStoreContract } from './snapshot-store-contract.js';
import { testWorldStoreContract } from './world-store-contract.js';

const postgres = await startPostgres(t, { settings: ['fsync = off', 'max_connections = 200'] });
if (postgres === null) process.exit(0);

let worldCount = 0;

function newStore(): PostgresStore {
  worldCount += 1;
  return new PostgresStore(postgres?.url(`world_${worldCount}`) ?? '');
}

await t.test('the contract of stores of worlds', (t) => testWorldStoreContract(t, async () => newStore()));

await t.test('the contract of shared stores', (t) =>
  testLeadershipContract(t, async () => {
    const { url } = newStore();
    return () => new PostgresStore(url);
  }),
);

await t.test('the contract of stores of snapshots', (t) =>
  testSnapshotStoreContract(t, async () => {
    const store = newStore();
    await (await store.leadership.openShared()).log.close();
    return store.snapshots;
  }),
);
