// The log in PostgreSQL while its server fails in every way that leaves the outcome of an append open: each record is stored
// once or not at all, and is acknowledged only if it is on the standby too. A real server with a synchronous standby.
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { POSTGRES_APPEND_MAX_MS } from '../../../../persistence/limits.js';
import { appendForCertain } from '../../../../persistence/log/append.js';
import type { CommandLog } from '../../../../persistence/log/log.js';
import { StoreUnreachable } from '../../../../persistence/log/log.js';
import { PostgresConnection } from '../../../../persistence/log/postgres/connection.js';
import { PostgresStore } from '../../../../persistence/log/postgres/postgres-store.js';
import { parsePostgresUrl } from '../../../../persistence/log/postgres/postgres-url.js';
import { NODE_SCHEDULER, type Scheduler } from '../../../../persistence/time/scheduler.js';
import { startPostgres } from '../../../support/postgres/postgres.js';
import type { StopMode } from '../../../support/postgres/postgres-server.js';
import { ONLY_LONG, shortOrLong } from '../../../support/process/lengths.js';
import { recordsOf } from '../log-contract.js';
import { soundRecord } from '../sound-record.js';

const found = await startPostgres(t, { standby: true });
if (found === null) process.exit(0);
const postgres = found;

const ROUNDS = shortOrLong(3, 100);
const MODES = shortOrLong<readonly StopMode[]>(['immediate'], ['fast', 'immediate']);

const WRITER = "application_name = 'galaxyd log writer'";
const WAITS = "wait_event = 'SyncRep'";

/** While a server starts, on a machine that may be busy, no attempt to find out an outcome is used up. */
let isUp: Promise<unknown> = Promise.resolve();
const PATIENT: Scheduler = {
  ...NODE_SCHEDULER,
  after: (delayMs, run, ...given) => NODE_SCHEDULER.after(delayMs, () => void isUp.then(() => run(...given))),
};

let worldCount = 0;

interface Writer {
  readonly store: PostgresStore;
  readonly log: CommandLog;
  /** Appends the next record, of one entry, and finds out how that ended. */
  append(): Promise<void>;
}

/** A log with two records. */
async function writerAt(t: Test, url: string): Promise<Writer> {
  const store = new PostgresStore(url);
  const { log } = await store.leadership.openShared();
  t.teardown(() => log.close());
  const epoch = await log.acquire();
  let lastSeq = 0;
  const next = () => ({ epoch, expectedSeq: lastSeq, lastSeq: lastSeq + 1, bytes: soundRecord(lastSeq + 1).bytes });
  const writer: Writer = {
    store,
    log,
    append: async () => {
      await appendForCertain(log, next(), PATIENT, () => false);
      lastSeq += 1;
    },
  };
  await writer.append();
  await writer.append();
  return writer;
}

function newWorld(): string {
  worldCount += 1;
  return `world_${worldCount}`;
}

/** Records as another process reads them. */
async function stored({ store }: Writer): Promise<number> {
  const log = await store.openLog();
  const records = await recordsOf(log, 1);
  await log.close();
  records.forEach((record, index) => {
    if (Buffer.compare(record.bytes, soundRecord(index + 1).bytes) !== 0)
      throw new Error(`record ${index + 1} differs`);
  });
  return records.length;
}

/** Settles once a statement of the writer waits for the standby. */
async function untilItWaits(): Promise<void> {
  while ((await postgres.psql(`SELECT count(*) FROM pg_stat_activity WHERE ${WRITER} AND ${WAITS}`)) === '0')
    await delay(10);
}

/** Acts while a record is committed on the primary and not yet on the standby. */
async function whileAppendWaits(writer: Writer, act: () => Promise<void>): Promise<void> {
  await postgres.stopStandby('fast');
  const appending = writer.append();
  let hasSettled = false;
  const settle = (): void => {
    hasSettled = true;
  };
  appending.then(settle, settle);
  await untilItWaits();
  await act();
  // Reading finds the record now, but it is on one machine only.
  while ((await stored(writer)) < 3) await delay(10);
  await delay(100);
  if (hasSettled) throw new Error('it was acknowledged without the standby');
  await postgres.startStandby();
  await appending;
}

t.test('a wait for the standby that is cancelled: acknowledged only once the standby has it', async (t) => {
  const writer = await writerAt(t, postgres.url(newWorld()));
  await whileAppendWaits(writer, async () => {
    await postgres.psql(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${WRITER} AND ${WAITS}`);
  });
  await writer.append();
  t.equal(await stored(writer), 4);
});

t.test('a connection that is ended while it waits for the standby: the same', { skip: ONLY_LONG }, async (t) => {
  const writer = await writerAt(t, postgres.url(newWorld()));
  await whileAppendWaits(writer, async () => {
    await postgres.psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${WRITER} AND ${WAITS}`);
  });
  await writer.append();
  t.equal(await stored(writer), 4);
});

t.test('a connection that is lost between two appends, or beside one, stores each record once', async (t) => {
  const proxied = await postgres.proxy();
  const writer = await writerAt(t, proxied.url(newWorld()));
  proxied.drop();
  await writer.append();
  for (let round = 0; round < ROUNDS; round += 1) {
    const appending = writer.append();
    if (round % 2 === 0) await new Promise(setImmediate);
    proxied.drop();
    await appending;
  }
  t.equal(await stored(writer), 3 + ROUNDS);
});

t.test('a network that swallows the answer: the record was stored, and is not stored again', async (t) => {
  const proxied = await postgres.proxy();
  const writer = await writerAt(t, proxied.url(newWorld()));
  proxied.hang('replies');
  const appending = writer.append();
  const count = `SELECT count(*) FROM world_${worldCount}.log_0000000000000001`;
  while ((await postgres.psql(count)) !== '3') await delay(10);
  proxied.drop();
  proxied.resume();
  await appending;
  await writer.append();
  t.equal(await stored(writer), 4);
});

t.test('a network that swallows everything: reads fail in time, and the record is stored once', async (t) => {
  const proxied = await postgres.proxy();
  const writer = await writerAt(t, proxied.url(newWorld()));
  const lease = await writer.store.leadership.read();
  proxied.hang('both ways');
  const appending = writer.append();
  await t.rejects(writer.store.leadership.claim({ id: 'a', url: '', leaseMs: 500 }, lease), StoreUnreachable);
  // What was sent meanwhile arrives late, and must not be stored beside what is sent again.
  await delay(POSTGRES_APPEND_MAX_MS);
  proxied.resume();
  await appending;
  t.equal(await stored(writer), 3);
});

t.test('a server that is restarted in mid-append', async (t) => {
  for (const mode of MODES) {
    const writer = await writerAt(t, postgres.url(newWorld()));
    const appending = (async () => {
      for (let count = 0; count < 50; count += 1) await writer.append();
    })();
    isUp = postgres.stopPrimary(mode).then(async () => {
      await t.rejects(writer.log.refresh(), StoreUnreachable);
      await postgres.startPrimary();
    });
    await isUp;
    await appending;
    t.equal(await stored(writer), 52, mode);
  }
});

t.test('a primary that is lost: the log goes on at the promoted standby, with every acknowledged record', async (t) => {
  await postgres.standbyIsSynchronous();
  const writer = await writerAt(t, postgres.url(newWorld()));
  const follower = await writer.store.openLog();
  t.teardown(() => follower.close());
  const following = follower.follow(0, AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
  t.same([(await following.next()).value?.firstSeq, (await following.next()).value?.firstSeq], [1, 2]);
  isUp = postgres.losePrimary().then(() => postgres.promoteStandby());
  const appending = writer.append();
  await isUp;
  await appending;
  await writer.append();
  t.equal(await stored(writer), 4);
  t.ok((await writer.store.leadership.read()).epoch === 0);
});

t.test(
  'a primary that was replaced and comes back: no connection uses it once another has seen the new one',
  { skip: ONLY_LONG },
  async (t) => {
    if (postgres.standby === null) await postgres.addStandby();
    const place = parsePostgresUrl(postgres.url(newWorld()));
    const old = postgres.primary;
    const first = new PostgresConnection({ place, schema: place.world, purpose: 'test' });
    const portOf = async (connection: PostgresConnection): Promise<number> =>
      Number((await connection.query('SELECT inet_server_port() AS port')).rows[0]?.['port']);
    t.equal(await portOf(first), old.port);
    await old.stop('fast');
    await postgres.promoteStandby();
    await old.start();
    t.teardown(() => old.stop('SIGKILL'));
    const ports: number[] = [];
    while (ports.length < 30) {
      const connection = new PostgresConnection({ place, schema: place.world, purpose: 'test' });
      const port = await portOf(connection);
      if (port !== old.port || ports.length > 0) ports.push(port, await portOf(first));
      await connection.close();
    }
    await first.close();
    t.same([...new Set(ports)], [postgres.primary.port]);
  },
);
