// Where a restored or forked world came from: a small file beside its log, written once, shown in its status.
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Static } from 'typebox';
import { parsedJson } from '../../text/foreign-text.js';
import { syncFolder } from '../files/folder-sync.js';
import { openPlainFile, UnfitFile } from '../files/plain-file.js';
import { ORIGIN_BYTES_MAX } from '../limits.js';
import { Compile, Type } from '../typebox.js';

const FORMAT_VERSION = 1;

/**
 * `restore`: the world as it was at an earlier seq. `fork`: a new world that begins with the other one's present state.
 */
export const ORIGIN_KINDS = ['restore', 'fork'] as const;

const OriginSchema = Type.Object({
  kind: Type.Enum([...ORIGIN_KINDS]),
  /** Name of the data folder, or of the copied snapshot, that it was made from. */
  from: Type.String(),
  /** Last seq that both worlds share. */
  seq: Type.Integer(),
  /** Each seq and each id that this world hands out itself has a number above this one. */
  base: Type.Integer(),
  /** World time at that seq, ISO 8601. */
  worldTime: Type.String(),
  stateHash: Type.String(),
  /** When it was made by the machine's clock, ISO 8601. */
  madeAt: Type.String(),
});
export type Origin = Static<typeof OriginSchema>;

const checkedOrigin = Compile(OriginSchema);

/** The origin of a world cannot be read. */
export class OriginUnreadable extends Error {
  override readonly name = 'OriginUnreadable';
}

/** The text that is stored. */
export function encodeOrigin(origin: Origin): string {
  return `${JSON.stringify({ formatVersion: FORMAT_VERSION, origin }, null, 2)}\n`;
}

/** Writes the file, which must not exist yet. Durable when it settles. */
export async function writeOrigin(path: string, origin: Origin): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(encodeOrigin(origin));
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
  return decodeOrigin(text, path);
}

/**
 * @param place where the text is stored, for errors
 * @throws OriginUnreadable
 */
export function decodeOrigin(text: string, place: string): Origin {
  const stored = parsedJson(text);
  if (typeof stored === 'object' && stored !== null && 'formatVersion' in stored) {
    const { formatVersion } = stored;
    if (formatVersion !== FORMAT_VERSION) {
      throw new OriginUnreadable(`${place} has format version ${formatVersion}, which is not known to this program`);
    }
    if ('origin' in stored && checkedOrigin.Check(stored.origin)) return stored.origin;
  }
  throw new OriginUnreadable(`${place} is damaged: it does not say where the world came from`);
}
