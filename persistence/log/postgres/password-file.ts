// The password file of PostgreSQL's own programs: ~/.pgpass, or PGPASSFILE (documentation of PostgreSQL 15, "The Password
// File").
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD_FILE_BYTES_MAX } from '../../limits.js';
import type { PostgresHost, PostgresPlace } from './postgres-url.js';

/** The password of a user at a host; empty if the file has none. A file that others can read is ignored. */
export async function passwordInFile(
  { user, database }: Pick<PostgresPlace, 'user' | 'database'>,
  { host, port }: PostgresHost,
): Promise<string> {
  const path = process.env['PGPASSFILE'] ?? join(homedir(), '.pgpass');
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isFile() || found.size > PASSWORD_FILE_BYTES_MAX) return '';
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) return '';
  const wanted = [host, String(port), database, user];
  for (const line of (await readFile(path, 'utf8')).split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [password, ...pattern] = fieldsOf(line).reverse();
    const fields = pattern.reverse();
    const isMatch = fields.length === wanted.length && fields.every((text, at) => text === '*' || text === wanted[at]);
    if (isMatch && password !== undefined) return password;
  }
  return '';
}

/** Fields between colons; a backslash before a colon or a backslash escapes it. */
function fieldsOf(line: string): string[] {
  const fields = [''];
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === ':') {
      fields.push('');
      continue;
    }
    if (line[at] === '\\' && (line[at + 1] === ':' || line[at + 1] === '\\')) at += 1;
    fields[fields.length - 1] += line[at] ?? '';
  }
  return fields;
}
