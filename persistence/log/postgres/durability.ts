// What a PostgreSQL server promises for a commit that it has acknowledged, as warnings for the operator.
import type { PostgresConnection } from './connection.js';

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
