// The operator's records of a world in PostgreSQL. All processes that share the world write them.
import { OPERATOR_LINES_MAX } from '../../limits.js';
import type { OperatorRecords, Trail } from '../../stores/operator-records.js';
import { type PostgresConnection, sqlStateOf } from './connection.js';
import { noRowsWithoutTable } from './schema.js';

/** Two processes may append at once: one of them takes the next number. */
const ATTEMPTS = 8;
const UNIQUE_VIOLATION = '23505';

export class PostgresRecords implements OperatorRecords {
  readonly isShared = true;

  constructor(private readonly connection: PostgresConnection) {}

  async append(trail: Trail, line: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.connection.query(APPEND, [trail, line]);
        break;
      } catch (error) {
        if (sqlStateOf(error) !== UNIQUE_VIOLATION || attempt === ATTEMPTS) throw error;
      }
    }
    await this.connection.query(DROP_OLD, [trail, OPERATOR_LINES_MAX[trail]]);
  }

  async lines(trail: Trail): Promise<readonly string[]> {
    const { rows } = await this.connection.query(LINES, [trail]).catch(noRowsWithoutTable);
    return rows.map(({ line }) => String(line));
  }

  async document(): Promise<string | null> {
    const { rows } = await this.connection.query('SELECT text FROM operator_document').catch(noRowsWithoutTable);
    return rows[0] === undefined ? null : String(rows[0]['text']);
  }

  async putDocument(text: string): Promise<void> {
    await this.connection.query(
      'INSERT INTO operator_document (text) VALUES ($1) ON CONFLICT (one) DO UPDATE SET text = excluded.text',
      [text],
    );
  }
}

const APPEND = `INSERT INTO operator_lines
  SELECT $1, coalesce(max(number), 0) + 1, $2 FROM operator_lines WHERE trail = $1`;
const DROP_OLD = `DELETE FROM operator_lines WHERE trail = $1
  AND number <= (SELECT max(number) FROM operator_lines WHERE trail = $1) - $2::bigint`;
const LINES = 'SELECT line FROM operator_lines WHERE trail = $1 ORDER BY number';
