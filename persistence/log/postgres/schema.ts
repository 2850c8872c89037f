// The tables of a world in PostgreSQL: one schema for each world, with the version of its format. docs/formats.md describes
// them.
import { createHash } from 'node:crypto';
import { NoWorld, StoreRefused } from '../../stores/world-store.js';
import { LogUnreadable } from '../log.js';
import { type PostgresConnection, type Result, type Run, sqlStateOf } from './connection.js';

const POSTGRES_FORMAT_VERSION = 1;

/** SQLSTATE undefined_table, also for a schema that does not exist. */
export const UNDEFINED_TABLE = '42P01';

/**
 * Rows of a table with one row have the key `one`. The fence is written with each append, so its page has room for new
 * versions of the row. Its `claim` is random for each epoch: a standby that was promoted without the newest epoch gives the
 * same number a second time, and the two writers must still be distinguished. Records and chunks are compact already:
 * compressing them again would only cost time.
 */
const TABLES = `
CREATE TABLE format (version integer NOT NULL);
CREATE TABLE fence (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL DEFAULT 0,
  claim uuid NOT NULL DEFAULT gen_random_uuid(),
  last_seq bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
CREATE TABLE segments (first_seq bigint PRIMARY KEY);
CREATE TABLE lease (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  epoch bigint NOT NULL DEFAULT 0,
  leader_id text,
  leader_url text,
  beat bigint NOT NULL DEFAULT 0,
  lease_ms integer NOT NULL DEFAULT 0,
  wanted_id text,
  renewed_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 10);
CREATE TABLE members (
  id text PRIMARY KEY,
  url text NOT NULL,
  role text NOT NULL,
  seq bigint NOT NULL,
  version text NOT NULL,
  obstacle text,
  reported_at timestamptz NOT NULL
);
CREATE TABLE origin (one boolean PRIMARY KEY DEFAULT true CHECK (one), origin text NOT NULL);
CREATE TABLE operator_lines (trail text NOT NULL, number bigint NOT NULL, line text NOT NULL, PRIMARY KEY (trail, number));
CREATE TABLE operator_document (one boolean PRIMARY KEY DEFAULT true CHECK (one), text text NOT NULL);
CREATE TABLE snapshots (seq bigint PRIMARY KEY, id uuid NOT NULL UNIQUE, manifest bytea NOT NULL);
CREATE TABLE chunks (
  id uuid NOT NULL,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (id, position)
);
ALTER TABLE chunks ALTER bytes SET STORAGE EXTERNAL;
INSERT INTO fence DEFAULT VALUES;
INSERT INTO lease DEFAULT VALUES;
INSERT INTO format VALUES (${POSTGRES_FORMAT_VERSION});
`;

/** Takes the log for a new writer. */
export const RAISE_EPOCH = 'UPDATE fence SET epoch = epoch + 1, claim = gen_random_uuid() RETURNING epoch, claim';

const TABLE_NAMES = [
  ...['chunks', 'fence', 'format', 'lease', 'members', 'operator_document', 'operator_lines', 'origin'],
  ...['segments', 'snapshots'],
];

/** Names of the tables, views and sequences of a schema. */
export async function tablesIn(run: Run, schema: string): Promise<readonly string[]> {
  const { rows } = await run(
    `SELECT relname FROM pg_class WHERE relkind NOT IN ('i', 'I')
      AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) ORDER BY relname COLLATE "C"`,
    [schema],
  );
  return rows.map(({ relname }) => String(relname));
}

/** Whether these are the tables of a world that has no segment, and nothing else. */
export function areOfEmptyWorld(names: readonly string[]): boolean {
  return names.join(' ') === TABLE_NAMES.join(' ');
}

/** Drops the tables of a world that has no segment, and its schema. Fails if there is anything else in it. */
export async function dropTables(run: Run, schema: string): Promise<void> {
  await run(`DROP TABLE IF EXISTS ${TABLE_NAMES.map((name) => `"${schema}".${name}`).join(', ')}`);
  await run(`DROP SCHEMA IF EXISTS "${schema}"`);
}

/** Name of the table of a segment, which holds the records from a cut up to the next. */
export function segmentTable(firstSeq: number): string {
  return `log_${String(firstSeq).padStart(16, '0')}`;
}

export const SEGMENT_TABLE_PATTERN = '^log_[0-9]{16}$';

/** Creates the table of a segment, and lists it. */
export function createSegment(firstSeq: number): string {
  const table = segmentTable(firstSeq);
  return `
CREATE TABLE ${table} (
  first_seq bigint PRIMARY KEY,
  last_seq bigint NOT NULL,
  epoch bigint NOT NULL,
  bytes bytea NOT NULL
);
ALTER TABLE ${table} ALTER bytes SET STORAGE EXTERNAL;
INSERT INTO segments VALUES (${firstSeq});
`;
}

/** A number for pg_advisory_lock(), which is one for all of the database. */
export function lockNumber(schema: string, purpose: 'tables' | 'snapshots' | 'create'): string {
  return createHash('sha256').update(`galaxyd ${purpose} ${schema}`).digest().readBigInt64BE().toString();
}

/**
 * Creates the tables of a world, if they are missing.
 *
 * @param connection whose schema it is
 * @throws StoreRefused, StoreUnreachable
 */
export async function createTables(connection: PostgresConnection, schema: string, label: string): Promise<void> {
  if ((await formatVersion(connection)) === null) {
    await connection.transaction(async (run) => {
      await run('SELECT pg_advisory_xact_lock($1)', [lockNumber(schema, 'tables')]);
      await createTablesIn(run, schema);
    });
  }
  await requireFormat(connection, label);
}

/** The same in a transaction. Does nothing if another process was faster. */
export async function createTablesIn(run: Run, schema: string): Promise<void> {
  // Asking for the permission to create a schema would be in the way of a user who may only use this one.
  const { rows } = await run('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await run(`CREATE SCHEMA "${schema}"`);
  const names = await tablesIn(run, schema);
  if (names.includes('format')) return;
  if (names.length > 0) throw new StoreRefused(`the schema ${schema} holds something that galaxyd did not make`);
  await run(TABLES);
}

/** A handler for catch(): no rows if the table does not exist. @throws every other error again */
export function noRowsWithoutTable(error: unknown): Pick<Result, 'rows'> {
  if (sqlStateOf(error) === UNDEFINED_TABLE) return { rows: [] };
  throw error;
}

/**
 * Checks that the tables are there and have a known format.
 *
 * @throws NoWorld if they are missing
 * @throws StoreRefused
 */
export async function requireTables(connection: PostgresConnection, label: string): Promise<void> {
  if (!(await requireFormat(connection, label))) throw new NoWorld(`there is no world in ${label}`);
}

/** The same for the log. @throws LogUnreadable if the tables are missing */
export async function requireLogTables(connection: PostgresConnection, label: string): Promise<void> {
  if (!(await requireFormat(connection, label))) throw new LogUnreadable(`the log in ${label} is missing`);
}

/** @returns false if there are no tables */
async function requireFormat(connection: PostgresConnection, label: string): Promise<boolean> {
  const version = await formatVersion(connection);
  if (version === null) return false;
  if (version === POSTGRES_FORMAT_VERSION) return true;
  throw new StoreRefused(
    `${label} has tables of format version ${version}, and this program knows version ${POSTGRES_FORMAT_VERSION}; ` +
      'use a newer galaxyd',
  );
}

/** Null if there are no tables. */
async function formatVersion(connection: PostgresConnection): Promise<number | null> {
  try {
    const { rows } = await connection.query('SELECT version FROM format');
    return Number(rows[0]?.['version'] ?? 0);
  } catch (error) {
    if (sqlStateOf(error) === UNDEFINED_TABLE) return null;
    throw error;
  }
}
