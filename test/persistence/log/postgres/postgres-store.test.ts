// A world in PostgreSQL: the contracts of every store of worlds and of snapshots over a real server.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import t from 'tap';
import { PostgresConnection } from '../../../../persistence/log/postgres/connection.js';
import { durabilityWarnings, PostgresStore } from '../../../../persistence/log/postgres/postgres-store.js';
import { parsePostgresUrl } from '../../../../persistence/log/postgres/postgres-url.js';
import { openWorld } from '../../../../persistence/open-world.js';
import { verifyWorld } from '../../../../persistence/upkeep/verify.js';
import { createPlayers, durable } from '../../../support/opened-world.js';
import { DATABASE, PASSWORD, startPostgres, USER } from '../../../support/postgres/postgres.js';
import { testSnapshotStoreContract } from '../../snapshots/snapshot-store-contract.js';
import { testLeadershipContract } from '../../stores/leadership-contract.js';
import { testWorldStoreContract } from '../../stores/world-store-contract.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const postgres = await startPostgres(t, { settings: ['fsync = off', 'max_connections = 200'] });
if (postgres === null) process.exit(0);

const PLACE = postgres;
let worldCount = 0;

function newStore(): PostgresStore {
  worldCount += 1;
  return new PostgresStore(PLACE.url(`world_${worldCount}`));
}

/** A connection to the schema of a world. */
function connectionTo(store: PostgresStore): PostgresConnection {
  return new PostgresConnection({ place: parsePostgresUrl(store.url), schema: store.name, purpose: 'test' });
}

/** A process that is stopped in the middle of a transaction, as by SIGSTOP, while it has locked the fence. */
async function stoppedBesideFence(store: PostgresStore): Promise<void> {
  await (await store.leadership.openShared()).log.close();
  const connection = connectionTo(store);
  await new Promise<void>((resolve, reject) => {
    connection
      .transaction(async (run) => {
        await run('SELECT * FROM fence FOR UPDATE');
        resolve();
        await new Promise<never>(() => {});
      })
      .catch(reject);
  });
}

const lockedStore = newStore();
await stoppedBesideFence(lockedStore);

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

/** A URL of a world that nobody has used, with another user, password, host or database. */
function changedUrl(change: (url: URL) => void): string {
  worldCount += 1;
  const url = new URL(PLACE.url(`world_${worldCount}`));
  change(url);
  return url.href;
}

await t.test(
  'snapshots are taken in a process of their own, and the tables of pruned segments are dropped',
  async (t) => {
    const store = newStore();
    const world = await openWorld({ store, clock: 'manual' });
    t.teardown(() => world.close());
    const { sequencer, snapshots } = world;
    for (let round = 1; round <= 2; round += 1) {
      sequencer.submit(createPlayers(2, `round-${round}`));
      await durable(world);
      const { manifest } = (await snapshots?.take()) ?? {};
      t.match(manifest, { seq: sequencer.durableSeq, stateHash: world.engine.stateHash() });
    }
    const tables = `SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class
    WHERE relname ~ '^log_[0-9]*$' AND relnamespace = '${store.name}'::regnamespace`;
    const segmentAt = (seq: number | undefined): string => `log_${String((seq ?? 0) + 1).padStart(16, '0')}`;
    t.equal(await PLACE.psql(tables), (await store.snapshots.list()).map(segmentAt).join(' '));
    t.equal((await verifyWorld(store)).stateHash, world.engine.stateHash());
  },
);

await t.test('what is wrong with the server or its tables is said in a sentence, without the password', async (t) => {
  await PLACE.psql("CREATE ROLE guest LOGIN PASSWORD 'of-a-guest'");
  const asGuest = changedUrl((url) => {
    url.username = 'guest';
    url.password = 'of-a-guest';
  });
  const foreign = newStore();
  await PLACE.psql(`CREATE SCHEMA ${foreign.name} AUTHORIZATION galaxyd`);
  await PLACE.psql(`CREATE TABLE ${foreign.name}.things (thing integer)`);
  const newer = newStore();
  await (await newer.leadership.openShared()).log.close();
  await PLACE.psql(`UPDATE ${newer.name}.format SET version = 2`);
  const rows: [store: PostgresStore, name: string, reason: RegExp][] = [
    [new PostgresStore(changedUrl((url) => (url.port = '1'))), 'StoreUnreachable', /accepts writes: .*ECONNREFUSED/],
    [new PostgresStore(changedUrl((url) => (url.password = 'wrong'))), 'StoreRefused', /not let the user galaxyd in/],
    [new PostgresStore(changedUrl((url) => (url.pathname = '/none'))), 'StoreRefused', /has no database none/],
    [new PostgresStore(asGuest), 'StoreRefused', /permission denied/],
    [foreign, 'StoreRefused', /something that galaxyd did not make/],
    [newer, 'StoreRefused', /format version 2, and this program knows version 1; use a newer galaxyd/],
  ];
  for (const [store, name, message] of rows) {
    const error: unknown = await store.open().catch((thrown: unknown) => thrown);
    t.match(error, { name, message }, String(message));
    t.notMatch(inspect(error, { depth: 10 }), /secret-of-a-test|wrong|of-a-guest/, 'not even among its properties');
  }
  await t.rejects(newer.openLog(), { name: 'StoreRefused' });
  await t.rejects(newer.requireWorld(), { name: 'StoreRefused' });
  await t.rejects(foreign.requireFree(), { name: 'CannotCreate' });
});

await t.test('the password may be in PGPASSWORD or in the password file', async (t) => {
  const url = changedUrl((changed) => (changed.password = ''));
  const path = join(await temporaryFolder(t), 'pgpass');
  await writeFile(path, `127.0.0.1:*:${DATABASE}:${USER}:${PASSWORD}\n`, { mode: 0o600 });
  for (const [name, value] of [
    ['PGPASSWORD', PASSWORD],
    ['PGPASSFILE', path],
  ] as const) {
    process.env[name] = value;
    t.equal(await newStoreAt(url).isInUse(), false, name);
    delete process.env[name];
  }
  process.env['PGPASSFILE'] = `${path}-missing`;
  await t.rejects(newStoreAt(url).isInUse(), { name: 'StoreRefused', message: /PGPASSWORD or ~\/.pgpass/ });
  delete process.env['PGPASSFILE'];
});

await t.test('reading creates nothing', async (t) => {
  const store = newStore();
  await t.rejects(store.openLog(), { name: 'LogUnreadable', message: /is missing/ });
  await t.rejects(store.snapshots.manifest(1), { name: 'SnapshotDamaged' });
  t.equal(await store.isInUse(), false);
  t.equal(await PLACE.psql(`SELECT count(*) FROM pg_namespace WHERE nspname = '${store.name}'`), '0');
});

await t.test('a world that another process leads is locked, until its lease has run out', async (t) => {
  const store = newStore();
  const held = await store.open();
  t.equal(await store.isInUse(), true);
  await t.rejects(newStoreAt(store.url).open(), { name: 'WorldLocked', message: /is led by another process/ });
  // Stands for the death of its process.
  await held.log.close();
  await PLACE.psql(`UPDATE ${store.name}.lease SET leader_id = 'dead', epoch = epoch + 1, lease_ms = 300`);
  await PLACE.psql(`UPDATE ${store.name}.fence SET epoch = epoch + 1`);
  const next = await newStoreAt(store.url).open();
  await held.release();
  t.equal(await store.isInUse(), true, 'the one that was replaced releases nothing');
  await next.log.close();
  await next.release();
  t.equal(await store.isInUse(), false);
});

await t.test('a process that is stopped in the middle of a transaction keeps no lock', async (t) => {
  const { leadership } = lockedStore;
  const claim = { id: 'next', url: 'http://next', leaseMs: 2_000 };
  let lease = await leadership.read();
  while (lease.leaderId !== 'next') {
    await leadership.claim(claim, lease).catch(() => {});
    lease = await leadership.read();
  }
  t.pass('another process leads');
  await leadership.close();
});

await t.test('a lock that was released is free at once, however slow the server is', async (t) => {
  const store = newStore();
  const lock = await store.lockSnapshots();
  const pid = Number.parseInt(await PLACE.psql("SELECT pid FROM pg_locks WHERE locktype = 'advisory'"), 10);
  process.kill(pid, 'SIGSTOP');
  setTimeout(() => process.kill(pid, 'SIGCONT'), 300);
  await lock.release();
  await (await store.lockSnapshots()).release();
  t.pass('its next holder has it');
});

await t.test('a world that is damaged, and the table of somebody else, are in the way of a new world', async (t) => {
  const begin = { origin: null, write: async () => {} };
  const damages = [
    'DELETE FROM lease',
    'DELETE FROM fence',
    'DROP TABLE origin',
    'CREATE VIEW mine AS SELECT 1',
    'CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
  ];
  for (const damage of damages) {
    const store = newStore();
    const held = await store.open();
    const { log } = held;
    const isWorld = !damage.startsWith('CREATE');
    const bytes = Buffer.of(1);
    if (isWorld) await log.append({ epoch: await log.acquire(), expectedSeq: 0, lastSeq: 1, bytes });
    await log.close();
    await held.release();
    await PLACE.psql(`SET search_path = ${store.name}; ${damage}`);
    await t.rejects(store.create(begin), { name: /CannotCreate|StoreRefused/ }, damage);
    t.equal(await PLACE.psql(`SELECT version FROM ${store.name}.format`), '1', 'nothing is dropped');
  }
});

await t.test('a read that is cancelled can be tried again', async (t) => {
  const store = newStore();
  const { log } = await store.leadership.openShared();
  const other = connectionTo(store);
  await other.transaction(async (run) => {
    await run('LOCK TABLE fence IN ACCESS EXCLUSIVE MODE');
    const reading = log.refresh();
    reading.catch(() => {});
    const cancel = `SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
      WHERE application_name = 'galaxyd log reader' AND wait_event_type = 'Lock'`;
    while ((await PLACE.psql(cancel)) === '0') await delay(10);
    await t.rejects(reading, { name: 'StoreUnreachable', message: /has cancelled it/ });
  });
  await log.refresh();
  await log.close();
  await other.close();
});

await t.test('the operator is warned of what the server does not promise', async (t) => {
  const { url, label } = newStore();
  const rows: [settings: string, standbys: string, warning: RegExp | null][] = [
    ['off', '', /synchronous_commit = off: .* loses the last acknowledged commands/],
    ['on', '', /no synchronous standby \(synchronous_standby_names is empty\): .* not the loss of its machine/],
    ['local', 'standby', /no synchronous standby \(synchronous_commit = local\)/],
    ['remote_write', 'standby', /remote_write: a crash of both machines/],
    ['on', 'standby', null],
    ['remote_apply', 'standby', null],
  ];
  for (const [commit, standbys, warning] of rows) {
    await PLACE.psql(`ALTER ROLE galaxyd SET synchronous_commit = ${commit}`);
    await PLACE.psql(`ALTER ROLE postgres SET synchronous_commit = local`);
    await PLACE.psql(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
    await PLACE.psql('SELECT pg_reload_conf()');
    while ((await PLACE.psql('SHOW synchronous_standby_names')) !== standbys) await delay(10);
    const place = parsePostgresUrl(url);
    const connection = new PostgresConnection({ place, schema: place.world, purpose: 'test' });
    const [fsync, ...others] = await durabilityWarnings(connection, label);
    await connection.close();
    t.match(fsync, /fsync = off: a crash of its machine can destroy the whole world/);
    t.match(others, warning === null ? [] : [warning], `${commit} with standbys "${standbys}"`);
  }
});

function newStoreAt(url: string): PostgresStore {
  return new PostgresStore(url);
}
