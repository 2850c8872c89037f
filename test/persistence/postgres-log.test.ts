// The log in PostgreSQL: the contract of every log over a real server, and what is specific to it.
import t, { type Test } from 'tap';
import { PostgresConnection } from '../../persistence/log/postgres/connection.js';
import { PostgresLog } from '../../persistence/log/postgres/postgres-log.js';
import { parsePostgresUrl } from '../../persistence/log/postgres/postgres-url.js';
import { createTables } from '../../persistence/log/postgres/schema.js';
import { startPostgres } from '../support/postgres/postgres.js';
import { testLogContract } from './log-contract.js';

const postgres = await startPostgres(t, { settings: ['fsync = off'] });
if (postgres === null) process.exit(0);

let worldCount = 0;

async function openLog(t: Test, url = postgres?.url(`world_${++worldCount}`) ?? ''): Promise<PostgresLog> {
  const place = parsePostgresUrl(url);
  const connection = new PostgresConnection({ place, schema: place.world, purpose: 'test' });
  await createTables(connection, place.world, place.label);
  await connection.close();
  const log = await PostgresLog.open({ place, isShared: true });
  t.teardown(() => log.close());
  return log;
}

await testLogContract(t, (t) => openLog(t));
