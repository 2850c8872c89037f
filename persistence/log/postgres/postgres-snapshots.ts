// Snapshots of a world in PostgreSQL: a row for each chunk, under a random id, and one row with the manifest, which makes
// the snapshot visible and is written last.
import { randomUUID } from 'node:crypto';
import { POSTGRES_CHUNKS_PER_READ, SNAPSHOT_READ_BYTES } from '../../limits.js';
import { decodeManifest, encodeManifest } from '../../snapshots/snapshot-codec.js';
import {
  SnapshotDamaged,
  SnapshotExists,
  type SnapshotManifest,
  type SnapshotSink,
  type SnapshotStore,
} from '../../snapshots/snapshot-store.js';
import type { PostgresConnection } from './connection.js';
import { noRowsWithoutTable } from './schema.js';

/** The commit of a chunk need not be durable: that of the manifest, which follows it, is. */
const ADD_CHUNK = {
  name: 'add_chunk',
  text: `INSERT INTO chunks SELECT $1::uuid, $2::integer, $3::bytea FROM set_config('synchronous_commit', 'off', true)`,
};
const FINISH = `INSERT INTO snapshots SELECT $1::bigint, $2::uuid, $3::bytea
  WHERE (SELECT count(*) FROM chunks WHERE id = $2::uuid) = $4::bigint ON CONFLICT DO NOTHING`;
const READ_CHUNKS = {
  name: 'read_chunks',
  text: `SELECT position, bytes FROM (
      SELECT position, bytes, sum(octet_length(bytes)) OVER (ORDER BY position) - octet_length(bytes) AS bytes_before
      FROM (SELECT position, bytes FROM chunks WHERE id = $1 AND position >= $2 ORDER BY position LIMIT ${POSTGRES_CHUNKS_PER_READ}) AS found
    ) AS counted WHERE bytes_before < ${SNAPSHOT_READ_BYTES} ORDER BY position`,
};

export class PostgresSnapshots implements SnapshotStore {
  readonly #connection: PostgresConnection;

  /** @param connection to the schema of the world, whose tables may be missing while it is only read */
  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  async list(): Promise<number[]> {
    const { rows } = await this.#connection.query('SELECT seq FROM snapshots ORDER BY seq').catch(noRowsWithoutTable);
    return rows.map(({ seq }) => Number(seq));
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    const { manifest } = await this.#find(seq);
    const decoded = decodeManifest(manifest, seq);
    if (typeof decoded === 'string') throw new SnapshotDamaged(seq, decoded);
    return decoded;
  }

  async *chunks(seq: number): AsyncGenerator<Uint8Array> {
    const { id } = await this.#find(seq);
    for (let position = 0; ; ) {
      const { rows } = await this.#connection.query(READ_CHUNKS, [id, position]);
      for (const { bytes } of rows) yield bytes as Uint8Array;
      const last = rows.at(-1)?.['position'];
      if (last === undefined) return;
      position = Number(last) + 1;
    }
  }

  async begin(seq: number): Promise<SnapshotSink> {
    if ((await this.list()).includes(seq)) throw new SnapshotExists(seq);
    return new PostgresSnapshotSink(this.#connection, seq);
  }

  async remove(seq: number): Promise<void> {
    await this.#connection.query(
      'WITH removed AS (DELETE FROM snapshots WHERE seq = $1 RETURNING id) DELETE FROM chunks USING removed WHERE chunks.id = removed.id',
      [seq],
    );
  }

  async sweep(): Promise<void> {
    await this.#connection.query('DELETE FROM chunks WHERE id NOT IN (SELECT id FROM snapshots)');
  }

  async #find(seq: number): Promise<{ readonly id: unknown; readonly manifest: Uint8Array }> {
    const { rows } = await this.#connection
      .query('SELECT id, manifest FROM snapshots WHERE seq = $1', [seq])
      .catch(noRowsWithoutTable);
    const [row] = rows;
    if (row === undefined) throw new SnapshotDamaged(seq, 'missing');
    return { id: row['id'], manifest: row['manifest'] as Uint8Array };
  }
}

/** A snapshot whose chunks have the id, and no manifest yet. */
class PostgresSnapshotSink implements SnapshotSink {
  readonly #connection: PostgresConnection;
  readonly #seq: number;
  readonly #id = randomUUID();
  #chunkCount = 0;

  constructor(connection: PostgresConnection, seq: number) {
    this.#connection = connection;
    this.#seq = seq;
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.#connection.query(ADD_CHUNK, [this.#id, this.#chunkCount, bytes]);
    this.#chunkCount += 1;
  }

  async finish(manifest: SnapshotManifest): Promise<void> {
    const values = [this.#seq, this.#id, encodeManifest(manifest), this.#chunkCount];
    const { rowCount } = await this.#connection.query(FINISH, values);
    if (rowCount === 1) return;
    const { rows } = await this.#connection.query('SELECT 1 FROM snapshots WHERE seq = $1', [this.#seq]);
    if (rows.length > 0) throw new SnapshotExists(this.#seq);
    throw new Error('some of its chunks are missing: the server was restarted, or another process has removed them');
  }

  async abandon(): Promise<void> {
    await this.#connection.query(
      'WITH removed AS (DELETE FROM snapshots WHERE id = $1) DELETE FROM chunks WHERE id = $1',
      [this.#id],
    );
  }
}
