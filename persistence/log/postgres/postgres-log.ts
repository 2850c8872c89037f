// The log of a world in PostgreSQL: a row for each record, a table for each segment. One row, the fence, holds the epoch and
// the last seq; every write compares and changes it in its own transaction, so an older or mistaken writer changes nothing.
import { setTimeout as delay } from 'node:timers/promises';
import { asError } from '../../fatal.js';
import {
  BYTES_PER_READ,
  FOLLOW_POLL_MS,
  OUTCOME_ATTEMPTS_MAX,
  OUTCOME_WAIT_MS,
  POSTGRES_APPEND_MAX_MS,
  POSTGRES_DROP_WAIT_MS,
  POSTGRES_READ_ATTEMPTS_MAX,
  POSTGRES_READ_MAX_MS,
  RECORDS_PER_READ,
  RELISTS_MAX,
} from '../../limits.js';
import { StoreRefused } from '../../stores/world-store.js';
import {
  type Append,
  CutRefused,
  Fenced,
  LogConflict,
  LogUnreadable,
  LogWriteFailed,
  Misplaced,
  type NewLog,
  type StoredRecord,
  StoreUnreachable,
  UnknownOutcome,
} from '../log.js';
import { LogFollowers } from '../log-followers.js';
import { PostgresConnection, type Result, type Row, type Run, sqlStateOf } from './connection.js';
import { LogNotifications } from './log-notifications.js';
import type { PostgresPlace } from './postgres-url.js';
import {
  createSegment,
  RAISE_EPOCH,
  requireLogTables,
  SEGMENT_TABLE_PATTERN,
  segmentTable,
  UNDEFINED_TABLE,
} from './schema.js';

/** SQLSTATEs of a lock that was not to be had in time: lock_timeout, statement_timeout, deadlock. */
const LOCKED: ReadonlySet<string | undefined> = new Set(['55P03', '57014', '40P01']);
/** SQLSTATEs of a record or table that is there already. */
const TAKEN: ReadonlySet<string | undefined> = new Set(['23505', '42P07']);

const LOOK = {
  name: 'look',
  text: `SELECT last_seq, (SELECT string_agg(first_seq::text, ',' ORDER BY first_seq) FROM segments) AS segments FROM fence`,
};
const LOOK_AT_FENCE = 'SELECT epoch, claim, last_seq FROM fence';
const UNLISTED = `SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
  AND relname ~ '${SEGMENT_TABLE_PATTERN}'
  AND NOT EXISTS (SELECT 1 FROM segments WHERE relname = 'log_' || lpad(first_seq::text, 16, '0'))`;
const LIMIT_DROP_WAIT = `SET LOCAL lock_timeout = ${POSTGRES_DROP_WAIT_MS}`;

export interface PostgresLogOptions {
  readonly place: PostgresPlace;
  /** Holds its tables; the schema of the world by default. */
  readonly schema?: string;
  /** Whether its process serves the world beside others; false by default. */
  readonly isShared?: boolean;
}

/** An epoch as one process has claimed it. */
interface EpochClaim {
  readonly epoch: number;
  readonly id: string;
}

interface Page {
  readonly records: readonly StoredRecord[];
  /** Last seq of the last of them; undefined if there is none. */
  readonly lastSeq: number | undefined;
}

export class PostgresLog implements NewLog {
  readonly #place: PostgresPlace;
  readonly #schema: string;
  /** Appends, and what must not wait for reads. */
  readonly #writing: PostgresConnection;
  readonly #reading: PostgresConnection;
  readonly #notifications: LogNotifications;
  readonly #followers = new LogFollowers(FOLLOW_POLL_MS);
  /** First seqs of the segments, ascending. */
  #segments: readonly number[] = [];
  /** Records after it are not read until the next refresh(). */
  #lastSeq = 0;
  /** Number of writes of this process, so that a refresh() that ran beside one looks again. */
  #writes = 0;
  #acquiredEpoch = 0;
  /** The claim of the newest epoch that this process has written under; none has this one. */
  #claim: EpochClaim = { epoch: -1, id: '' };
  #isWriting = false;
  /** Whether a record of this process may be visible and not yet on the standby; see currentEpoch(). */
  #isInDoubt = false;
  #failure: Error | undefined;

  private constructor({ place, schema = place.world, isShared = false }: PostgresLogOptions) {
    this.#place = place;
    this.#schema = schema;
    const writing = { place, schema, purpose: 'log writer', callMaxMs: POSTGRES_APPEND_MAX_MS, staysOpen: true };
    this.#writing = new PostgresConnection(writing);
    // A process that shares the world must learn soon that a connection is dead.
    const shared = isShared ? { provesReads: true, callMaxMs: POSTGRES_READ_MAX_MS } : {};
    this.#reading = new PostgresConnection({ place, schema, purpose: 'log reader', ...shared });
    this.#notifications = new LogNotifications(place, schema, () => this.#followers.wake());
  }

  /**
   * Opens a log whose tables exist. Changes nothing; writing begins with acquire(), or with an epoch that was claimed.
   *
   * @throws LogUnreadable if there are no tables
   * @throws StoreRefused, StoreUnreachable
   */
  static async open(options: PostgresLogOptions): Promise<PostgresLog> {
    const log = new PostgresLog(options);
    try {
      await requireLogTables(log.#reading, options.place.label);
      await log.refresh();
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  get firstSeq(): number | undefined {
    return this.#segments[0];
  }

  async acquire(): Promise<number> {
    const { rows } = await this.#writing.query(RAISE_EPOCH);
    this.#claim = claimIn(rows);
    this.#acquiredEpoch = this.#claim.epoch;
    await this.refresh();
    return this.#acquiredEpoch;
  }

  /** What the last acquire() of this process returned; 0 before. */
  get acquiredEpoch(): number {
    return this.#acquiredEpoch;
  }

  /**
   * If an append has had an unknown outcome, a synchronous write comes first: its record can be visible although a wait
   * for the standby was cancelled, and a later commit that reaches the standby proves that the record has reached it too.
   */
  async currentEpoch(): Promise<number> {
    if (!this.#isInDoubt) {
      const { rows } = await this.#reading.query({ name: 'epoch', text: LOOK_AT_FENCE });
      return this.#epochOf(rows);
    }
    const { rows } = await this.#writing.query('UPDATE fence SET epoch = epoch RETURNING epoch, claim');
    this.#isInDoubt = false;
    this.#notifications.send();
    return this.#epochOf(rows);
  }

  /** @throws Fenced if another process has claimed the epoch of this one */
  #epochOf(rows: readonly Row[]): number {
    const { epoch, id } = claimIn(rows);
    if (epoch === this.#claim.epoch && id !== this.#claim.id) throw new Fenced(epoch);
    return epoch;
  }

  /** The claim under which this process writes with an epoch, which it may have from a lease. @throws Fenced */
  async #claimOf(epoch: number): Promise<EpochClaim> {
    if (this.#claim.epoch === epoch) return this.#claim;
    const { rows } = await this.#writing.query(LOOK_AT_FENCE);
    const claim = claimIn(rows);
    if (claim.epoch !== epoch) throw new Fenced(epoch);
    this.#claim = claim;
    return claim;
  }

  append(append: Append): Promise<void> {
    return this.#appending([append], async () => {
      const { epoch, expectedSeq, lastSeq, bytes } = append;
      const firstSeq = expectedSeq + 1;
      const claim = await this.#claimOf(epoch);
      const segment = this.#segments.at(-1) ?? (await this.#begin(claim, firstSeq));
      const { rowCount } = await this.#writing.query(appendTo(segment), [epoch, expectedSeq, lastSeq, bytes, claim.id]);
      if (rowCount !== 1) throw await this.#refusal(epoch, firstSeq);
    });
  }

  appendAll(appends: readonly Append[]): Promise<void> {
    return this.#appending(appends, async (first) => {
      const claim = await this.#claimOf(first.epoch);
      const segment = this.#segments.at(-1) ?? (await this.#begin(claim, first.expectedSeq + 1));
      await this.#writing.transaction(async (run) => {
        for (const { epoch, expectedSeq, lastSeq, bytes } of appends) {
          const { rowCount } = await run(appendTo(segment), [epoch, expectedSeq, lastSeq, bytes, claim.id]);
          if (rowCount !== 1) throw await this.#refusal(epoch, expectedSeq + 1);
        }
      });
    });
  }

  async #appending(appends: readonly Append[], write: (first: Append) => Promise<void>): Promise<void> {
    const [first] = appends;
    const last = appends.at(-1);
    if (first === undefined || last === undefined) return;
    if (this.#isWriting) throw new Error('an append is in flight already');
    if (this.#failure !== undefined) throw this.#failure;
    this.#isWriting = true;
    try {
      await write(first);
    } catch (error) {
      throw this.#appendFailure(first.expectedSeq + 1, error);
    } finally {
      this.#isWriting = false;
      this.#writes += 1;
    }
    this.#lastSeq = last.lastSeq;
    this.#followers.wake();
    this.#notifications.send();
  }

  #appendFailure(firstSeq: number, error: unknown): Error {
    if (error instanceof Fenced || error instanceof LogConflict) return error;
    const state = error instanceof StoreRefused ? sqlStateOf(error) : undefined;
    if (TAKEN.has(state)) return new LogConflict(firstSeq);
    // Its segment was pruned, so another process writes by now: reading finds that out.
    if (error instanceof StoreUnreachable || state === UNDEFINED_TABLE) {
      this.#isInDoubt = true;
      return new UnknownOutcome(firstSeq, error);
    }
    this.#failure = new LogWriteFailed(firstSeq, asError(error).message);
    return this.#failure;
  }

  /** Why the fence did not let a write pass. */
  async #refusal(epoch: number, firstSeq: number): Promise<Error> {
    const { rows } = await this.#reading.query(LOOK_AT_FENCE);
    return isClaim(rows, this.#claim) ? new LogConflict(firstSeq) : new Fenced(epoch);
  }

  /** Begins the first segment of an empty log, right before its first record. */
  async #begin(claim: EpochClaim, firstSeq: number): Promise<number> {
    await this.#writing.transaction(async (run) => {
      const fence = await lockedFence(run, claim);
      if (fence.lastSeq !== firstSeq - 1) throw new LogConflict(firstSeq);
      await run(createSegment(firstSeq));
    });
    this.#segments = [firstSeq];
    return firstSeq;
  }

  read(fromSeq: number): AsyncGenerator<StoredRecord> {
    return this.#records(Math.min(fromSeq, Math.max(this.#lastSeq, 1)));
  }

  follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<StoredRecord> {
    this.#notifications.listen();
    const log = this;
    const beyond = {
      get firstSeq() {
        return log.firstSeq;
      },
      refresh: () => log.refresh(),
      // A follower that has read everything does not read the newest record again and again.
      read: (fromSeq: number) => log.#records(fromSeq),
    };
    return this.#followers.follow(beyond, afterSeq, signal);
  }

  /** The records that hold `fromSeq` and what follows, segment by segment; while a page is used, the next one is read. */
  async *#records(fromSeq: number): AsyncGenerator<StoredRecord> {
    const endSeq = this.#lastSeq;
    const holding = this.#segments.findLastIndex((segment) => segment <= fromSeq);
    const segments = this.#segments.slice(Math.max(holding, 0));
    for (const [index, segment] of segments.entries()) {
      const segmentEndSeq = (segments[index + 1] ?? endSeq + 1) - 1;
      let nextSeq = Math.max(fromSeq, segment);
      let next = nextSeq > segmentEndSeq ? undefined : this.#page(segment, nextSeq, endSeq);
      while (next !== undefined) {
        const { records, lastSeq } = await next;
        nextSeq = (lastSeq ?? segmentEndSeq) + 1;
        next = nextSeq > segmentEndSeq ? undefined : this.#page(segment, nextSeq, endSeq);
        // Its failure is reported when it is its turn, and not at all to a reader that has stopped.
        next?.catch(() => {});
        yield* records;
      }
    }
  }

  async #page(segment: number, fromSeq: number, endSeq: number): Promise<Page> {
    const result = await this.#readPage(segment, fromSeq, endSeq);
    const last = result.rows.at(-1)?.['last_seq'];
    return { records: result.rows.map(recordOf), lastSeq: last === undefined ? undefined : numberOf(last) };
  }

  /** Reading a second time does no harm, and a long replay need not start again because a connection was lost. */
  async #readPage(segment: number, fromSeq: number, endSeq: number): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#reading.query(readFrom(segment), [fromSeq, endSeq]);
      } catch (error) {
        if (error instanceof StoreUnreachable && attempt < POSTGRES_READ_ATTEMPTS_MAX) continue;
        if (sqlStateOf(error) !== UNDEFINED_TABLE) throw error;
        await this.refresh();
        throw new LogUnreadable(`the log in ${this.#place.label} was pruned while it was read`, { cause: error });
      }
    }
  }

  async last(): Promise<StoredRecord | undefined> {
    for (const segment of this.#segments.toReversed()) {
      const text = `SELECT first_seq, bytes FROM ${segmentTable(segment)}
        WHERE first_seq <= $1 ORDER BY first_seq DESC LIMIT 1`;
      const { rows } = await this.#reading.query(text, [this.#lastSeq]);
      if (rows[0] !== undefined) return recordOf(rows[0]);
    }
    return undefined;
  }

  async dropLast(epoch: number, firstSeq: number): Promise<void> {
    const claim = await this.#claimOf(epoch);
    await this.#writing.transaction(async (run) => {
      await lockedFence(run, claim);
      const segment = await newestSegment(run);
      const table = segment === undefined ? undefined : segmentTable(segment);
      const newest =
        table === undefined ? null : (await run(`SELECT max(first_seq) AS seq FROM ${table}`)).rows[0]?.['seq'];
      const isOnlyBeforeCut = newest === null && this.#segments.length > 1;
      if (isOnlyBeforeCut) throw new Misplaced(`the record at seq ${firstSeq} comes before a cut`);
      if (newest === null || numberOf(newest) !== firstSeq)
        throw new Misplaced(`seq ${firstSeq} is not the newest record`);
      await run(`DELETE FROM ${table} WHERE first_seq = $1`, [firstSeq]);
      await run('UPDATE fence SET last_seq = $1', [firstSeq - 1]);
    });
    this.#writes += 1;
    this.#lastSeq = firstSeq - 1;
  }

  async cut(epoch: number, nextSeq: number): Promise<void> {
    if (this.#isWriting) throw new Error('an append is in flight already');
    this.#isWriting = true;
    try {
      await this.#cutForCertain(epoch, nextSeq);
    } finally {
      this.#isWriting = false;
      this.#writes += 1;
    }
    await this.refresh();
  }

  /** A second cut at the same place changes nothing, so one with an unknown outcome is repeated. */
  async #cutForCertain(epoch: number, nextSeq: number): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const claim = await this.#claimOf(epoch);
        await this.#writing.transaction((run) => cutIn(run, claim, nextSeq));
        return;
      } catch (error) {
        if (error instanceof StoreRefused) throw new CutRefused(nextSeq, error);
        if (!(error instanceof StoreUnreachable)) throw error;
        if (attempt === OUTCOME_ATTEMPTS_MAX) throw new LogWriteFailed(nextSeq, error);
        await delay(OUTCOME_WAIT_MS);
      }
    }
  }

  /** First the segments are no longer listed, then their tables are dropped: readers of the others wait for neither. */
  async prune(epoch: number, keepFromSeq: number): Promise<void> {
    // Neither a read nor an append waits for the removal of large files.
    const connection = new PostgresConnection({ place: this.#place, schema: this.#schema, purpose: 'log pruner' });
    try {
      const claim = await this.#claimOf(epoch);
      await connection.transaction((run) => unlistPruned(run, claim, keepFromSeq));
      await this.refresh();
      await dropUnlisted(connection);
    } finally {
      await connection.close();
    }
  }

  async refresh(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const writes = this.#writes;
      const { rows } = await this.#reading.query(LOOK);
      // An append of this process has ended meanwhile, and the answer may be older.
      if (writes !== this.#writes && attempt < RELISTS_MAX) continue;
      const [row] = rows;
      if (row === undefined) throw new LogUnreadable(`the log in ${this.#place.label} has no fence`);
      const segments = row['segments'];
      const lastSeq = numberOf(row['last_seq']);
      const hasGrown = lastSeq > this.#lastSeq;
      this.#segments = typeof segments === 'string' ? segments.split(',').map(Number) : [];
      this.#lastSeq = lastSeq;
      if (hasGrown) this.#followers.wake();
      return;
    }
  }

  async close(): Promise<void> {
    this.#failure ??= new Error('the log is closed');
    this.#followers.close();
    this.#notifications.close();
    this.#reading.abort();
    await this.#writing.close();
  }
}

/** Stores a record, if the fence has the epoch and the last seq that its writer expects; otherwise it stores nothing. */
function appendTo(segment: number) {
  const table = segmentTable(segment);
  const text = `WITH passed AS (UPDATE fence SET last_seq = $3::bigint
      WHERE epoch = $1::bigint AND claim = $5::uuid AND last_seq = $2::bigint RETURNING 1)
    INSERT INTO ${table} SELECT $2::bigint + 1, $3::bigint, $1::bigint, $4::bytea FROM passed`;
  return { name: `append_${table}`, text };
}

/** A page of records: those that hold a seq and what follows, as many as one read may hold. */
function readFrom(segment: number) {
  const table = segmentTable(segment);
  const text = `SELECT first_seq, last_seq, bytes FROM (
      SELECT *, sum(octet_length(bytes)) OVER (ORDER BY first_seq) - octet_length(bytes) AS bytes_before FROM (
        SELECT first_seq, last_seq, bytes FROM ${table}
        WHERE first_seq >= coalesce((SELECT max(first_seq) FROM ${table} WHERE first_seq <= $1::bigint), $1::bigint)
          AND last_seq >= $1::bigint AND first_seq <= $2::bigint
        ORDER BY first_seq LIMIT ${RECORDS_PER_READ}) AS found) AS counted
    WHERE bytes_before < ${BYTES_PER_READ} ORDER BY first_seq`;
  return { name: `read_${table}`, text };
}

async function cutIn(run: Run, claim: EpochClaim, nextSeq: number): Promise<void> {
  const { lastSeq } = await lockedFence(run, claim);
  const newestCut = await newestSegment(run);
  if (newestCut === nextSeq && lastSeq === nextSeq - 1) return;
  const fits = newestCut === undefined ? nextSeq >= 1 : nextSeq === lastSeq + 1 && newestCut <= lastSeq;
  if (!fits) throw new Misplaced(`the log cannot be cut at seq ${nextSeq}`);
  await run(createSegment(nextSeq));
  await run('UPDATE fence SET last_seq = $1', [nextSeq - 1]);
}

/** Takes segments before the newest cut at or before `keepFromSeq` from the list. @throws Fenced */
async function unlistPruned(run: Run, claim: EpochClaim, keepFromSeq: number): Promise<void> {
  const { rows } = await run(`${LOOK_AT_FENCE} FOR SHARE`);
  if (!isClaim(rows, claim)) throw new Fenced(claim.epoch);
  const kept = 'SELECT max(first_seq) FROM segments WHERE first_seq <= $1';
  await run(`DELETE FROM segments WHERE first_seq < (${kept})`, [keepFromSeq]);
}

/** Drops the tables of segments that are not listed any more. One that is still being read is dropped by the next prune. */
async function dropUnlisted(connection: PostgresConnection): Promise<void> {
  const { rows } = await connection.query(UNLISTED);
  for (const { relname } of rows) {
    try {
      await connection.transaction(async (run) => {
        await run(LIMIT_DROP_WAIT);
        await run(`DROP TABLE IF EXISTS ${String(relname)}`);
      });
    } catch (error) {
      if (!LOCKED.has(sqlStateOf(error))) throw error;
    }
  }
}

/** Locks the fence until the end of the transaction. @throws Fenced */
async function lockedFence(run: Run, claim: EpochClaim): Promise<{ readonly lastSeq: number }> {
  const { rows } = await run(`${LOOK_AT_FENCE} FOR UPDATE`);
  if (!isClaim(rows, claim)) throw new Fenced(claim.epoch);
  return { lastSeq: numberOf(rows[0]?.['last_seq']) };
}

function claimIn([row]: readonly Row[]): EpochClaim {
  return { epoch: numberOf(row?.['epoch']), id: String(row?.['claim']) };
}

function isClaim(rows: readonly Row[], { epoch, id }: EpochClaim): boolean {
  const claim = claimIn(rows);
  return claim.epoch === epoch && claim.id === id;
}

async function newestSegment(run: Run): Promise<number | undefined> {
  const { rows } = await run('SELECT max(first_seq) AS seq FROM segments');
  const seq = rows[0]?.['seq'];
  return seq === null ? undefined : numberOf(seq);
}

function recordOf(row: Row): StoredRecord {
  const bytes = row['bytes'];
  if (!(bytes instanceof Uint8Array)) throw new LogUnreadable('a record of the log is not bytes');
  return { firstSeq: numberOf(row['first_seq']), bytes };
}

/** A number of 64 bits, which comes as text. */
function numberOf(value: unknown): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new LogUnreadable(`${String(value)} is not a number of the log`);
}
