// Maps a URL or path that an operator gives to its store, in this process and in those that it starts beside it.
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LmdbStore, type LmdbStoreOptions } from './log/lmdb/lmdb-store.js';
import { PostgresStore } from './log/postgres/postgres-store.js';
import { BadPostgresUrl, isPostgresUrl, shownPostgresUrl } from './log/postgres/postgres-url.js';
import type { WorldStore } from './stores/world-store.js';

/** No store supports this URL. */
export class UnknownStore extends Error {
  override readonly name = 'UnknownStore';
}

/** May be meant as a database, and hold a password: a scheme in another spelling, a login, or `password=` as libpq takes it. */
const LIKE_A_DATABASE = /^\s*postgres(ql)?:|^(?!file:\/\/\/)[^/]*:.*(?:@|%40)|\bpassword\s*=/is;

/**
 * Returns the store of a URL, without opening anything.
 *
 * @param url path of a data folder, absolute or relative to the working directory, or its URL (`file:///…`), or
 *   `postgres://user@host/database?world=name`
 * @throws UnknownStore
 */
export function storeAt(url: string, options: LmdbStoreOptions = {}): WorldStore {
  if (isPostgresUrl(url)) return postgresStore(url);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  // Else the world would be kept in a folder that has a password in its name.
  if (LIKE_A_DATABASE.test(url)) {
    throw new UnknownStore('it must begin with postgres:// to name a database, or with / or ./ to name a folder');
  }
  if (scheme === undefined) return new LmdbStore(url, options);
  if (scheme !== 'file') throw new UnknownStore(`a world cannot be kept at ${scheme}://`);
  return new LmdbStore(pathOf(url), options);
}

/** What an operator has given, without the password of a database: for everything that is shown. */
export function shownStoreUrl(url: string): string {
  if (isPostgresUrl(url)) return shownPostgresUrl(url);
  return LIKE_A_DATABASE.test(url) ? '…' : url;
}

/** How a process gets the URL from its parent: it may hold a password, and every user can list arguments. */
const URL_VARIABLE = 'GALAXYD_STORE_URL';

/**
 * Starts a process that opens the store of a URL, at low priority from its first instruction on: its start alone takes a core for a
 * tenth of a second. It gets the memory limits and the threads of V8 of this process. Other flags, such as a debugger's port, must not be
 * shared.
 *
 * @param program its module, which opens storeOfParent()
 */
export function forkOnStore(program: URL, args: readonly string[], url: string): ChildProcess {
  const execArgv = process.execArgv.filter((flag) => /^--(max-|v8-pool-size=)/.test(flag));
  const child = fork(program, args, { execArgv, env: { ...process.env, [URL_VARIABLE]: url } });
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is not allowed, and the process keeps its priority; or the process is gone already.
  }
  return child;
}

/** The store that the parent of this process has named. */
export function storeOfParent(): WorldStore {
  return storeAt(process.env[URL_VARIABLE] ?? '');
}

function postgresStore(url: string): WorldStore {
  try {
    return new PostgresStore(url);
  } catch (error) {
    if (error instanceof BadPostgresUrl) throw new UnknownStore(`it is not the URL of a database: ${error.message}`);
    throw error;
  }
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    throw new UnknownStore('it does not name a folder of this machine');
  }
}
