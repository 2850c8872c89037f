// Detects file systems on which LMDB may lose data, so that the operator can be warned.
import { statfs } from 'node:fs/promises';

/** File system types of Linux statfs(2) whose locks, memory maps or flushes may not be what LMDB needs. */
const DOUBTFUL_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x01021997, '9p'],
  [0x794c7630, 'overlay'],
  [0x65735546, 'fuse'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb'],
]);

/** Returns the name of a folder's file system if a power failure may lose durable data on it; otherwise null. */
export async function doubtfulFileSystem(folder: string): Promise<string | null> {
  // Other operating systems number their file systems differently.
  return process.platform === 'linux' ? nameOfDoubtful((await statfs(folder)).type) : null;
}

/** What the operator of a world in a folder should know about its file system, as sentences. */
export async function fileSystemWarnings(folder: string): Promise<string[]> {
  const name = await doubtfulFileSystem(folder);
  return name === null ? [] : [`${folder} is on ${name}, which may lose data in a power failure; use a local disk`];
}

/** @param type as Linux statfs(2) returns it */
export function nameOfDoubtful(type: number): string | null {
  // Large types are negative on some machines.
  return DOUBTFUL_FILE_SYSTEMS.get(type >>> 0) ?? null;
}
