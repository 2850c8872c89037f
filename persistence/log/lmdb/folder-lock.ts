// One process per data folder: a lock that the operating system releases when its owner dies, however it dies. A file
// with a process id would outlive a crash; a listening socket does not.
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type StoreLock, WorldLocked } from '../../stores/world-store.js';

/** Prefix of socket files. */
const SOCKET_PREFIX = 'lock-';
/** Bytes of sun_path on Linux. */
const ABSTRACT_NAME_LENGTH = 108;

/**
 * Takes the lock of a folder. Two paths to one folder are one lock, since the name is made of device and inode.
 * Processes that share a folder but no kernel or network namespace do not see each other's lock; the log itself rejects
 * the second writer (LogConflict).
 *
 * @param folder an existing folder
 * @param platform decides the kind of lock
 * @throws WorldLocked
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<StoreLock> {
  // Linux: an abstract socket, a name without a file. Windows: a named pipe. Both vanish with their owner.
  if (platform === 'linux') return lockByAbstractSocket(folder);
  if (platform === 'win32') {
    const identity = identityOf(await stat(folder, { bigint: true }));
    return hold(await listenOrRefuse(pipeName(identity), folder));
  }
  return lockBySocketFile(folder);
}

/**
 * Whether some process holds the lock of a folder. It connects to the holder's socket instead of taking the lock, so it
 * is never in the way of a process that takes it.
 */
export async function isLocked(folder: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const found = await stat(folder, { bigint: true }).catch(ignoreMissing);
  if (found === undefined) return false;
  if (platform === 'linux') return isAnswered(abstractName(identityOf(found)));
  if (platform === 'win32') return isAnswered(pipeName(identityOf(found)));
  for (const name of await readdir(folder)) {
    if (name.startsWith(SOCKET_PREFIX) && (await isAnswered(join(folder, name)))) return true;
  }
  return false;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function pipeName(identity: string): string {
  return `\\\\.\\pipe\\${identity}`;
}

/**
 * The folder stays open while it is locked: its inode, and with it the name of the lock, cannot be given to another folder even
 * if this one is removed.
 */
async function lockByAbstractSocket(folder: string): Promise<StoreLock> {
  const handle = await open(folder, 'r');
  try {
    const identity = identityOf(await handle.stat({ bigint: true }));
    return hold(await listenOrRefuse(abstractName(identity), folder), { handle });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `galaxyd-${dev}-${ino}`;
}

/**
 * On other systems a socket leaves its file behind, and connecting to it shows whether the owner is alive. Each process
 * listens under its own name and only then looks for others: of two processes, the later one sees the earlier one. If
 * both start at the same instant, both may be refused, but never both admitted. Names are never reused, so removing the
 * file of a dead owner affects no other process.
 */
async function lockBySocketFile(folder: string): Promise<StoreLock> {
  const own = `${SOCKET_PREFIX}${randomBytes(4).toString('hex')}`;
  // It listens before it gets its visible name: a socket that others find is alive, or dead for good.
  const hidden = join(folder, `.${own}`);
  const lock = hold(await listenOrRefuse(hidden, folder), { file: join(folder, own) });
  try {
    await rename(hidden, join(folder, own));
    for (const name of await readdir(folder)) {
      if (!name.startsWith(SOCKET_PREFIX) || name === own) continue;
      if (await isAnswered(join(folder, name))) throw lockedError(folder);
      await rm(join(folder, name), { force: true });
    }
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * The name of an abstract socket, padded to the full length: some releases of Node pad a shorter name with zeros and
 * others do not, so one name would become two.
 */
function abstractName(identity: string): string {
  return `\0${identity.padEnd(ABSTRACT_NAME_LENGTH - 1, '-')}`;
}

async function listenOrRefuse(path: string, folder: string): Promise<Server> {
  const server = await listen(path);
  if (server === undefined) throw lockedError(folder);
  return server;
}

/** Returns the listening server; undefined if the address is taken. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection({ path });
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    // Any other error, such as a full queue, means that the owner is alive.
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

interface Held {
  /** File that the socket leaves behind. */
  readonly file?: string;
  /** Handle of the locked folder. */
  readonly handle?: FileHandle;
}

function hold(server: Server, { file, handle }: Held = {}): StoreLock {
  server.unref();
  const release = async (): Promise<void> => {
    if (file !== undefined) await rm(file, { force: true });
    await new Promise((resolve) => server.close(resolve));
    await handle?.close();
  };
  return { release };
}

function lockedError(folder: string): WorldLocked {
  return new WorldLocked(
    `the data folder ${folder} is in use by another galaxyd; stop it first, or choose another folder with --data`,
  );
}
