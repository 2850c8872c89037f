// One process per data folder: a lock that the operating system takes back when its owner dies, however it dies.
// A file with a process id would outlive a crash; a listening socket cannot.
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type StoreLock, WorldLocked } from '../../stores/world-store.js';

/** What the names of socket files begin with. */
const SOCKET_PREFIX = 'lock-';
/** Bytes of sun_path on Linux. */
const ABSTRACT_NAME_LENGTH = 108;

/**
 * Takes the lock of a folder. Two paths to one folder are one lock, since the name comes from device and inode.
 * Processes that share a folder but neither kernel nor network namespace do not see each other here; the log itself
 * turns the second writer away (LogConflict).
 *
 * @param folder an existing folder
 * @param platform whose kind of lock to take
 * @throws WorldLocked
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<StoreLock> {
  // Linux: an abstract socket, a name without a file. Windows: a named pipe. Both vanish with their owner.
  if (platform === 'linux') return lockByAbstractSocket(folder);
  if (platform === 'win32') {
    const identity = identityOf(await stat(folder, { bigint: true }));
    return hold(await listenOrRefuse(`\\\\.\\pipe\\${identity}`, folder));
  }
  return lockBySocketFile(folder);
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
 * Elsewhere a socket leaves its file behind, and whether the owner lives shows by connecting to it. Each process listens
 * on a name of its own and only then looks for others: of two, the later one sees the earlier one, and where they begin in
 * the same instant both may be turned away, but never both let in. Names are never used twice, so that removing one whose
 * owner is dead takes nothing away from anybody.
 */
async function lockBySocketFile(folder: string): Promise<StoreLock> {
  const own = `${SOCKET_PREFIX}${randomBytes(4).toString('hex')}`;
  // It listens before it gets the name under which others look: what they find is alive, or dead for good.
  const unseen = join(folder, `.${own}`);
  const lock = hold(await listenOrRefuse(unseen, folder), { file: join(folder, own) });
  try {
    await rename(unseen, join(folder, own));
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
 * The name of an abstract socket, filled up to all the bytes there are: some releases of Node fill a shorter one with
 * zeros and others do not, so that under two of them one name would be two.
 */
function abstractName(identity: string): string {
  return `\0${identity.padEnd(ABSTRACT_NAME_LENGTH - 1, '-')}`;
}

async function listenOrRefuse(path: string, folder: string): Promise<Server> {
  const server = await listen(path);
  if (server === undefined) throw lockedError(folder);
  return server;
}

/** The listening server, or undefined where the address is taken. */
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
    // Any other error, such as a full queue, comes from somebody who lives.
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

interface Held {
  /** What the socket leaves behind. */
  readonly file?: string;
  /** Of the locked folder. */
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
