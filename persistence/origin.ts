// Where a restored or forked world came from: a small file beside its log, written once, shown in its status.
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './folder-sync.js';
import { ORIGIN_BYTES_MAX } from './limits.js';
import { openPlainFile, UnfitFile } from './plain-file.js';
import type { Origin } from './stored-origin.js';
import { OriginUnreadable } from './world-store.js';

const FORMAT_VERSION = 1;

/** Writes the file; durable when it settles. It must not be there yet. */
export async function writeOrigin(path: string, origin: Origin): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ formatVersion: FORMAT_VERSION, origin }, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await syncFolder(dirname(path));
}

/**
 * @returns null for a world that began with its genesis
 * @throws OriginUnreadable
 */
export async function readOrigin(path: string): Promise<Origin | null> {
  let text: string;
  try {
    const file = await openPlainFile(path, ORIGIN_BYTES_MAX);
    text = await file.readFile('utf8').finally(() => file.close());
  } catch (error) {
    if (error instanceof UnfitFile) throw new OriginUnreadable(error.message, { cause: error });
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const stored = parsed(text);
  if (typeof stored === 'object' && stored !== null && 'formatVersion' in stored) {
    const { formatVersion } = stored;
    if (formatVersion !== FORMAT_VERSION) {
      throw new OriginUnreadable(`${path} has format version ${formatVersion}, which is not known to this program`);
    }
    const { isOrigin } = await import('./stored-origin.js');
    if ('origin' in stored && isOrigin(stored.origin)) return stored.origin;
  }
  throw new OriginUnreadable(`${path} is damaged: it does not tell where the world came from`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
