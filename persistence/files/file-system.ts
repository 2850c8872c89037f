// Knows the file systems that may not keep LMDB's promises, so that whoever puts a world there is told.
import { statfs } from 'node:fs/promises';

/** Types in statfs(2) of Linux under which locks, memory maps or flushes may not be what LMDB needs. */
const DOUBTFUL_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x01021997, '9p'],
  [0x794c7630, 'overlay'],
  [0x65735546, 'fuse'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb'],
]);

/** Name of the file system of a folder, where it is one on which a power cut may cost what was promised; null elsewhere. */
export async function doubtfulFileSystem(folder: string): Promise<string | null> {
  // Other systems number their file systems in their own ways.
  return process.platform === 'linux' ? nameOfDoubtful((await statfs(folder)).type) : null;
}

/** @param type as statfs(2) of Linux tells it */
export function nameOfDoubtful(type: number): string | null {
  // Large ones come with a sign on some machines.
  return DOUBTFUL_FILE_SYSTEMS.get(type >>> 0) ?? null;
}
