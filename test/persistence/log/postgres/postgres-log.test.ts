// The log in PostgreSQL: the contract of every log over a real server, and what is specific to it.
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Append, Fenced } from '../../../../persistence/log/log.js';
import { PostgresConnection } from '../../../../persistence/log/postgres/connection.js';
import { PostgresLog } from '../../../../persistence/log/postgres/postgres-log.js';
import { parsePostgresUrl } from '../../../../persistence/log/postgres/postgres-url.js';
import { createTables } from '../../../../persistence/log/postgres/schema.js';
import { startPostgres } from '../../../support/postgres/postgres.js';
import { seqsOf, testLogContract } from '../log-contract.js';
import { soundRecord } from '../sound-record.js';

const postgres = await startPostgres(t, { settings: ['fsync = off'] });
if (postgres === null) process.exit(0);

const PLACE = postgres;
let worldCount = 0;

async function openLog(t: Test, url?: string): Promise<PostgresLog> {
  worldCount += 1;
  const place = parsePostgresUrl(url ?? PLACE.url(`world_${worldCount}`));
  const connection = new PostgresConnection({ place, schema: place.world, purpose: 'test' });
  await createTables(connection, place.world, place.label);
  await connection.close();
  const log = await PostgresLog.open({ place, isShared: true });
  t.teardown(() => log.close());
  return log;
}

await testLogContract(t, (t) => openLog(t));

/** The record of the tests at a seq, with one entry. */
function appendOf(epoch: number, firstSeq: number): Append {
  return { epoch, expectedSeq: firstSeq - 1, lastSeq: firstSeq, bytes: soundRecord(firstSeq).bytes };
}

await t.test('another process reads beside the writer, sees what it has refreshed, and is woken', async (t) => {
  const url = PLACE.url('beside');
  const writer = await openLog(t, url);
  const epoch = await writer.acquire();
  await writer.append(appendOf(epoch, 1));
  const reader = await PostgresLog.open({ place: parsePostgresUrl(url) });
  t.teardown(() => reader.close());
  await writer.append(appendOf(epoch, 2));
  t.same(await seqsOf(reader, 1), [1], 'a read does not see what came after the last refresh');
  await reader.refresh();
  t.same(await seqsOf(reader, 1), [1, 2]);
  const following = reader.follow(2, AbortSignal.timeout(60_000))[Symbol.asyncIterator]();
  const third = following.next();
  await writer.append(appendOf(epoch, 3));
  t.match(await third, { value: { firstSeq: 3 } });
  await writer.cut(epoch, 4);
  await writer.append(appendOf(epoch, 4));
  await writer.prune(epoch, 4);
  await t.rejects(seqsOf(reader, 1), { name: 'LogUnreadable', message: /pruned while it was read/ });
  t.match(await following.next(), { value: { firstSeq: 4 } }, 'a follower has read enough');
});

await t.test('a prune and the appends after it do not wait for a reader of what is pruned', async (t) => {
  const url = PLACE.url('pruned');
  const writer = await openLog(t, url);
  const epoch = await writer.acquire();
  await writer.append(appendOf(epoch, 1));
  await writer.cut(epoch, 2);
  const place = parsePostgresUrl(url);
  const reading = new PostgresConnection({ place, schema: place.world, purpose: 'test' });
  await reading.transaction(async (run) => {
    await run('SELECT * FROM log_0000000000000001');
    await writer.prune(epoch, 2);
    await writer.append(appendOf(epoch, 2));
    t.equal((await run('SELECT * FROM log_0000000000000001')).rowCount, 1, 'its table is still there');
  });
  await writer.cut(epoch, 3);
  await writer.prune(epoch, 3);
  t.same(
    (
      await reading.query(
        "SELECT relname FROM pg_class WHERE relname ~ '^log_[0-9]+$' AND relnamespace = 'pruned'::regnamespace",
      )
    ).rows,
    [{ relname: 'log_0000000000000003' }],
  );
  await reading.close();
});

await t.test('a connection that is aborted while it opens runs nothing, and leaves no session', async (t) => {
  const place = parsePostgresUrl(PLACE.url('aborted'));
  const connection = new PostgresConnection({ place, schema: place.world, purpose: 'aborted test' });
  const call = connection.query('CREATE TABLE public.of_an_aborted_call ()');
  setImmediate(() => connection.abort());
  await t.rejects(call, { message: 'the connection is closed' });
  t.equal(await PLACE.psql("SELECT count(*) FROM pg_class WHERE relname = 'of_an_aborted_call'"), '0');
  const sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'galaxyd aborted test'";
  while ((await PLACE.psql(sessions)) !== '0') await delay(10);
});

await t.test(
  'a record is stored with the epoch of its writer, and comes back after the log was opened again',
  async (t) => {
    const url = PLACE.url('again');
    for (const epoch of [1, 2, 3]) {
      const log = await openLog(t, url);
      t.equal(await log.acquire(), epoch);
      await log.append(appendOf(epoch, epoch));
      await log.close();
      await t.rejects(log.append(appendOf(epoch, epoch + 1)), { message: 'the log is closed' });
    }
    t.equal(
      await PLACE.psql("SELECT string_agg(epoch::text, ' ' ORDER BY first_seq) FROM again.log_0000000000000001"),
      '1 2 3',
    );
    t.same(await seqsOf(await openLog(t, url), 1), [1, 2, 3]);
  },
);

await t.test('an epoch that a promoted standby has given away twice fences the first that has it', async (t) => {
  const url = PLACE.url('twice');
  const first = await openLog(t, url);
  const epoch = await first.acquire();
  await first.append(appendOf(epoch, 1));
  // Stands for a standby that did not receive the claim of the first.
  await PLACE.psql('UPDATE twice.fence SET epoch = epoch - 1');
  const second = await openLog(t, url);
  t.equal(await second.acquire(), epoch);
  await t.rejects(first.append(appendOf(epoch, 2)), Fenced);
  await t.rejects(first.cut(epoch, 2), Fenced);
  await t.rejects(first.prune(epoch, 2), Fenced);
  await t.rejects(first.currentEpoch(), Fenced);
  await second.append(appendOf(epoch, 2));
  t.same(await seqsOf(second, 1), [1, 2]);
});
