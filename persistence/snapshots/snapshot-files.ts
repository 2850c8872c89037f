// Snapshots in a folder of this machine: one folder per snapshot, with its chunks concatenated in a file and its
// manifest beside it. A snapshot gets its name when all of it is durable; until then, and as soon as it is removed, it
// is invisible.
import { randomBytes } from 'node:crypto';
import { access, type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncFolder } from '../files/folder-sync.js';
import { openPlainFile, UnfitFile } from '../files/plain-file.js';
import { SNAPSHOT_FLUSH_BYTES, SNAPSHOT_MANIFEST_BYTES_MAX, SNAPSHOT_READ_BYTES } from '../limits.js';
import { CHUNK_HEADER_LENGTH, chunkLengthAt, decodeManifest, encodeManifest } from './snapshot-codec.js';
import {
  SnapshotDamaged,
  SnapshotExists,
  type SnapshotFault,
  type SnapshotManifest,
  type SnapshotSink,
  type SnapshotStore,
} from './snapshot-store.js';

type SyncFolder = typeof syncFolder;

/** No seq has sixteen digits (NUMBER_MAX). */
const SNAPSHOT_NAME = /^snapshot-0(\d{15})$/;
/** Prefixes of folders that are not complete yet, or no longer. */
const PARTIAL_PREFIX = '.partial-';
const REMOVED_PREFIX = '.removed-';
const ROWS_NAME = 'rows';
const MANIFEST_NAME = 'manifest.json';

export class SnapshotFolder implements SnapshotStore {
  readonly #folder: string;
  readonly #sync: SyncFolder;

  /**
   * @param folder holds the snapshots; created with the first of them
   * @param sync makes the names in a folder durable; replaced in tests
   */
  constructor(folder: string, sync: SyncFolder = syncFolder) {
    this.#folder = folder;
    this.#sync = sync;
  }

  /** The seq in the name of a snapshot's folder; null if it is not named like one. */
  static seqOf(name: string): number | null {
    const digits = SNAPSHOT_NAME.exec(name)?.[1];
    return digits === undefined ? null : Number(digits);
  }

  async list(): Promise<number[]> {
    const seqs = (await namesIn(this.#folder)).map(SnapshotFolder.seqOf);
    return seqs.filter((seq) => seq !== null).sort((a, b) => a - b);
  }

  async manifest(seq: number): Promise<SnapshotManifest> {
    const bytes = await this.#readManifest(seq);
    const manifest = decodeManifest(bytes, seq);
    if (typeof manifest === 'string') throw new SnapshotDamaged(seq, manifest);
    return manifest;
  }

  async *chunks(seq: number): AsyncGenerator<Uint8Array> {
    const file = await this.#open(seq, ROWS_NAME, 'no_rows');
    try {
      yield* splitChunks(file, seq);
    } finally {
      await file.close();
    }
  }

  async begin(seq: number): Promise<SnapshotSink> {
    await makeFolder(this.#folder);
    const path = this.#pathOf(seq);
    if (await isThere(path)) throw new SnapshotExists(seq);
    return SnapshotFiles.begin(this.#folder, path, seq, this.#sync);
  }

  async remove(seq: number): Promise<void> {
    const removed = join(this.#folder, `${REMOVED_PREFIX}${nameOf(seq)}-${randomName()}`);
    try {
      await rename(this.#pathOf(seq), removed);
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    await this.#sync(this.#folder);
    await rm(removed, { recursive: true, force: true });
  }

  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      if (!name.startsWith(PARTIAL_PREFIX) && !name.startsWith(REMOVED_PREFIX)) continue;
      await rm(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  async #readManifest(seq: number): Promise<Buffer> {
    const file = await this.#open(seq, MANIFEST_NAME, 'no_manifest');
    try {
      const { size } = await file.stat();
      if (size > SNAPSHOT_MANIFEST_BYTES_MAX)
        throw new SnapshotDamaged(seq, 'damaged_manifest', `it has ${size} bytes`);
      return await file.readFile();
    } catch (error) {
      throw unreadable(seq, error);
    } finally {
      await file.close();
    }
  }

  /** @param fault for a snapshot that exists without this file */
  async #open(seq: number, name: string, fault: SnapshotFault): Promise<FileHandle> {
    const path = this.#pathOf(seq);
    try {
      return await openPlainFile(join(path, name));
    } catch (error) {
      if (!isMissing(error)) throw unreadable(seq, error);
      throw new SnapshotDamaged(seq, (await isThere(path)) ? fault : 'missing');
    }
  }

  #pathOf(seq: number): string {
    return join(this.#folder, nameOf(seq));
  }
}

/** The files of a snapshot that is being written. */
class SnapshotFiles implements SnapshotSink {
  #unflushedBytes = 0;
  #isClosed = false;
  #isNamed = false;

  private constructor(
    private readonly parent: string,
    private readonly partial: string,
    private readonly path: string,
    private readonly seq: number,
    private readonly rows: FileHandle,
    private readonly sync: SyncFolder,
  ) {}

  static async begin(parent: string, path: string, seq: number, sync: SyncFolder): Promise<SnapshotFiles> {
    const partial = join(parent, `${PARTIAL_PREFIX}${nameOf(seq)}-${randomName()}`);
    await mkdir(partial, { mode: 0o700 });
    const rows = await open(join(partial, ROWS_NAME), 'wx', 0o600);
    return new SnapshotFiles(parent, partial, path, seq, rows, sync);
  }

  async append(bytes: Uint8Array): Promise<void> {
    await this.rows.writeFile(bytes);
    this.#unflushedBytes += bytes.length;
    if (this.#unflushedBytes < SNAPSHOT_FLUSH_BYTES) return;
    this.#unflushedBytes = 0;
    await this.rows.datasync();
  }

  /** The rows, then the manifest, then their names, then the name of the snapshot: each durable before the next. */
  async finish(manifest: SnapshotManifest): Promise<void> {
    await this.rows.sync();
    await this.#close();
    const file = await open(join(this.partial, MANIFEST_NAME), 'wx', 0o600);
    try {
      await file.writeFile(encodeManifest(manifest));
      await file.sync();
    } finally {
      await file.close();
    }
    await this.sync(this.partial);
    await renameToNew(this.partial, this.path, this.seq);
    this.#isNamed = true;
    await this.sync(this.parent);
  }

  async abandon(): Promise<void> {
    await this.#close();
    if (this.#isNamed) await rename(this.path, this.partial);
    await rm(this.partial, { recursive: true, force: true });
  }

  async #close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.rows.close();
  }
}

/** Yields chunk by chunk, each as long as its header says. Bytes that are not a chunk are yielded as they are. */
async function* splitChunks(file: FileHandle, seq: number): AsyncGenerator<Buffer> {
  let pending: Buffer = Buffer.alloc(0);
  for (;;) {
    const block = await readBlock(file, seq);
    pending = Buffer.concat([pending, block]);
    let at = 0;
    while (pending.length - at >= CHUNK_HEADER_LENGTH) {
      // Not a chunk: take all bytes that have been read.
      const length = chunkLengthAt(pending, at) ?? pending.length - at;
      if (pending.length - at < length) break;
      yield pending.subarray(at, at + length);
      at += length;
    }
    pending = pending.subarray(at);
    if (block.length > 0) continue;
    if (pending.length > 0) yield pending;
    return;
  }
}

async function readBlock(file: FileHandle, seq: number): Promise<Buffer> {
  try {
    const block = Buffer.allocUnsafeSlow(SNAPSHOT_READ_BYTES);
    const { bytesRead } = await file.read(block, 0, block.length);
    return block.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(seq, error);
  }
}

/** An existing folder of this name holds a complete snapshot of the same seq, by another process. */
async function renameToNew(from: string, to: string, seq: number): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    throw (await isThere(to)) ? new SnapshotExists(seq) : error;
  }
}

function nameOf(seq: number): string {
  return `snapshot-${String(seq).padStart(16, '0')}`;
}

function randomName(): string {
  return randomBytes(4).toString('hex');
}

/** Empty if there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function unreadable(seq: number, error: unknown): SnapshotDamaged {
  if (error instanceof SnapshotDamaged) return error;
  const detail = error instanceof UnfitFile ? error.message : String(error);
  return new SnapshotDamaged(seq, 'unreadable', detail, error);
}
