// A world in PostgreSQL: the log, the snapshots and the origin in one schema, the lease of the process that leads, and
// advisory locks. A world that is being created has a schema of its own until all of it is there.

import { AMPLE_SPACE } from '../../files/disk-space.js';
import { POSTGRES_CALL_MAX_MS, POSTGRES_STAGE_MAX_MS } from '../../limits.js';
import type { SnapshotStore } from '../../snapshots/snapshot-store.js';
import type { OperatorRecords } from '../../stores/operator-records.js';
import { decodeOrigin, encodeOrigin, type Origin } from '../../stores/origin.js';
import {
  CannotCreate,
  type HeldWorld,
  type Leadership,
  NoWorld,
  SnapshotInProgress,
  type StoreLock,
  type WorldBeginning,
  WorldLocked,
  type WorldStore,
} from '../../stores/world-store.js';
import type { ReadableLog } from '../log.js';
import { PostgresConnection, type Run } from './connection.js';
import { ExclusiveLease, PostgresLeadership } from './postgres-leadership.js';
import { PostgresLog } from './postgres-log.js';
import { PostgresRecords } from './postgres-records.js';
import { PostgresSnapshots } from './postgres-snapshots.js';
import { type PostgresPlace, parsePostgresUrl } from './postgres-url.js';
import {
  areOfEmptyWorld,
  createTables,
  createTablesIn,
  dropTables,
  lockNumber,
  noRowsWithoutTable,
  requireTables,
  tablesIn,
} from './schema.js';

/** A fence that is missing is damage, not an empty world. */
const HOLDS_WORLD = `SELECT coalesce((SELECT last_seq > 0 FROM fence), true) OR EXISTS (SELECT 1 FROM segments)
    OR EXISTS (SELECT 1 FROM snapshots) OR EXISTS (SELECT 1 FROM origin) AS holds,
  EXISTS (SELECT 1 FROM lease WHERE leader_id IS NOT NULL
    AND renewed_at > clock_timestamp() - lease_ms * interval '1 millisecond') AS is_led`;

export class PostgresStore implements WorldStore {
  readonly url: string;
  readonly label: string;
  readonly name: string;
  readonly snapshots: SnapshotStore;
  readonly leadership: Leadership;
  readonly #place: PostgresPlace;
  /** The connection for everything except the log and the lease. It opens when it is used, and closes by itself. */
  readonly #connection: PostgresConnection;

  /** @param url see parsePostgresUrl() @throws BadPostgresUrl */
  constructor(url: string) {
    const place = parsePostgresUrl(url);
    this.#place = place;
    this.url = place.url;
    this.label = place.label;
    this.name = place.world;
    this.#connection = new PostgresConnection({ place, schema: place.world, purpose: 'store' });
    this.snapshots = new PostgresSnapshots(this.#connection);
    this.leadership = new PostgresLeadership(place, () => this.#openShared());
  }

  async requireWorld(): Promise<void> {
    await requireTables(this.#connection, this.label);
    if (!(await this.#contents()).holds) throw new NoWorld(`there is no world in ${this.label}`);
  }

  async origin(): Promise<Origin | null> {
    const { rows } = await this.#connection.query('SELECT origin FROM origin').catch(noRowsWithoutTable);
    const text = rows[0]?.['origin'];
    return text === undefined ? null : decodeOrigin(String(text), `the origin in ${this.label}`);
  }

  operatorRecords(): OperatorRecords {
    return new PostgresRecords(this.#connection);
  }

  openLog(): Promise<ReadableLog> {
    return PostgresLog.open({ place: this.#place });
  }

  async open(): Promise<HeldWorld> {
    const held = await this.#openShared();
    const { log } = held;
    const leadership = new PostgresLeadership(this.#place, () => this.#openShared());
    try {
      const lease = await ExclusiveLease.take(leadership, this.label, () => log.acquiredEpoch);
      await this.#sweepSnapshots();
      // What the process that led before has written.
      await log.refresh();
      return { ...held, release: () => lease.release() };
    } catch (error) {
      await leadership.close();
      await log.close();
      throw error;
    }
  }

  async isInUse(): Promise<boolean> {
    return (await this.#contents()).isLed;
  }

  async lockSnapshots(): Promise<StoreLock> {
    const lock = await this.#tryLock('snapshots');
    if (lock === null) throw new SnapshotInProgress(this.label);
    return { release: () => unlock(lock) };
  }

  /** Whatever a user adds to a table, the user that owns the table can remove. */
  async requireOwner(): Promise<void> {}

  async requireFree(): Promise<void> {
    if (await this.#isTaken(this.#run)) throw this.#takenError();
  }

  async create({ origin, write }: WorldBeginning): Promise<void> {
    await this.requireFree();
    const { world } = this.#place;
    // No world can have this name.
    const stage = `${world}-partial`;
    const lock = await this.#tryLock('create', stage);
    if (lock === null) throw new WorldLocked(`another process is creating a world in ${this.label}`);
    try {
      await lock.transaction(async (run) => {
        await run(`DROP SCHEMA IF EXISTS "${stage}" CASCADE`);
        await createTablesIn(run, stage);
      });
      await this.#fill(stage, write);
      await lock.transaction((run) => this.#appear(run, stage, origin));
    } catch (error) {
      // If the server does not answer now, the next one that creates a world here removes it.
      await lock.query(`DROP SCHEMA IF EXISTS "${stage}" CASCADE`).catch(() => {});
      throw error;
    } finally {
      await unlock(lock);
    }
  }

  async #fill(stage: string, write: WorldBeginning['write']): Promise<void> {
    const connection = new PostgresConnection({ place: this.#place, schema: stage, purpose: 'new snapshots' });
    const log = await PostgresLog.open({ place: this.#place, schema: stage });
    try {
      await write({ snapshots: new PostgresSnapshots(connection), log, requireRoom: async () => {} });
    } finally {
      await log.close();
      await connection.close();
    }
  }

  /** Gives the new world its name. An empty one that a process has left is in the way. */
  async #appear(run: Run, stage: string, origin: Origin | null): Promise<void> {
    const { world } = this.#place;
    if (origin !== null) await run('INSERT INTO origin (origin) VALUES ($1)', [encodeOrigin(origin)]);
    await run(`SET LOCAL search_path = "${world}"`);
    const isThere = (await tablesIn(run, world)).length > 0;
    // No process can begin a world there any more; in the order of a claim.
    if (isThere) await run('LOCK TABLE lease, fence IN ACCESS EXCLUSIVE MODE');
    if (await this.#isTaken(run)) throw this.#takenError();
    await dropTables(run, world);
    await run(`ALTER SCHEMA "${stage}" RENAME TO "${world}"`);
  }

  async #openShared(): Promise<HeldWorld & { readonly log: PostgresLog }> {
    // Before the first write, which waits for a standby that may be missing.
    const warnings = await durabilityWarnings(this.#connection, this.label);
    await createTables(this.#connection, this.#place.world, this.label);
    const log = await PostgresLog.open({ place: this.#place, isShared: true });
    return { log, freeSpace: AMPLE_SPACE, warnings, requireRoom: async () => {}, release: async () => {} };
  }

  readonly #run: Run = (statement, values) => this.#connection.query(statement, values);

  /** Whether something is in the way of a new world: other tables, damaged ones, or a world that is led or not empty. */
  async #isTaken(run: Run): Promise<boolean> {
    const names = await tablesIn(run, this.#place.world);
    if (names.length === 0) return false;
    if (!areOfEmptyWorld(names)) return true;
    const { rows } = await run(HOLDS_WORLD);
    return rows[0]?.['holds'] !== false || rows[0]['is_led'] !== false;
  }

  #takenError(): CannotCreate {
    return new CannotCreate(`${this.label} is not empty, and galaxyd never overwrites anything`);
  }

  async #contents(): Promise<{ readonly holds: boolean; readonly isLed: boolean }> {
    const { rows } = await this.#connection.query(HOLDS_WORLD).catch(noRowsWithoutTable);
    return { holds: rows[0]?.['holds'] === true, isLed: rows[0]?.['is_led'] === true };
  }

  /** A lock that its connection holds; null if another one does. */
  async #tryLock(
    purpose: 'snapshots' | 'create',
    schema: string = this.#place.world,
  ): Promise<PostgresConnection | null> {
    const connection = new PostgresConnection({
      place: this.#place,
      schema,
      purpose: `${purpose} lock`,
      callMaxMs: purpose === 'create' ? POSTGRES_STAGE_MAX_MS : POSTGRES_CALL_MAX_MS,
      reopens: false,
    });
    try {
      const number = lockNumber(this.#place.world, purpose);
      const { rows } = await connection.query('SELECT pg_try_advisory_lock($1) AS is_locked', [number]);
      if (rows[0]?.['is_locked'] === true) return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
    await connection.close();
    return null;
  }

  /** Removes leftovers of unfinished snapshots, unless another process is writing one. */
  async #sweepSnapshots(): Promise<void> {
    const lock = await this.#tryLock('snapshots');
    if (lock === null) return;
    try {
      await this.snapshots.sweep();
    } finally {
      await unlock(lock);
    }
  }
}

/** Releases a lock, and closes its connection. The server notices a closed one only later: others would find the lock taken. */
async function unlock(lock: PostgresConnection): Promise<void> {
  await lock.query('SELECT pg_advisory_unlock_all()').catch(() => {});
  await lock.close();
}

const SETTINGS = `SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_pages, current_setting('synchronous_standby_names') AS standbys`;

/**
 * Reads the settings of the server.
 *
 * @returns a sentence for each that weakens the promise; none if an acknowledged command survives the loss of the machine
 */
export async function durabilityWarnings(connection: PostgresConnection, label: string): Promise<string[]> {
  const { rows } = await connection.query(SETTINGS);
  const { commit, fsync, full_pages: fullPages, standbys } = rows[0] ?? {};
  const warnings: string[] = [];
  if (fsync !== 'on') {
    warnings.push(`the database ${label} has fsync = off: a crash of its machine can destroy the whole world`);
  } else if (fullPages !== 'on') {
    warnings.push(`the database ${label} has full_page_writes = off: a crash of its machine can damage the world`);
  }
  if (commit === 'off') {
    warnings.push(
      `the database ${label} has synchronous_commit = off: a crash of the database server loses the last acknowledged commands`,
    );
  } else if (standbys === '' || commit === 'local') {
    const setting = standbys === '' ? 'synchronous_standby_names is empty' : 'synchronous_commit = local';
    warnings.push(
      `the database ${label} has no synchronous standby (${setting}): acknowledged commands survive a crash, but not the loss of its machine`,
    );
  } else if (commit === 'remote_write') {
    warnings.push(
      `the database ${label} has synchronous_commit = remote_write: a crash of both machines can lose the last acknowledged commands`,
    );
  }
  return warnings;
}
