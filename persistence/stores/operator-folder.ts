// The operator's records of a world in a folder: a file for each trail, whose older half is in a second file, and one for the document. A
// line is given to the system at once, so the end of the process does not lose it; a power cut may lose the last ones.
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder, syncFolder } from '../files/folder-sync.js';
import { openPlainFile, requirePlainFileOrNoneSync } from '../files/plain-file.js';
import { OPERATOR_DOCUMENT_BYTES_MAX, OPERATOR_TRAIL_BYTES_MAX } from '../limits.js';
import type { OperatorRecords, Trail } from './operator-records.js';

export class OperatorFolder implements OperatorRecords {
  readonly isShared = false;
  readonly #trails = new Map<Trail, TrailFile>();
  #isWriting: Promise<void> = Promise.resolve();

  /** @param path of the folder, which is made when it is needed */
  constructor(private readonly path: string) {}

  append(trail: Trail, line: string): Promise<void> {
    const file = this.#trails.get(trail) ?? new TrailFile(this.#pathOf(trail), OPERATOR_TRAIL_BYTES_MAX[trail]);
    this.#trails.set(trail, file);
    return file.append(line);
  }

  async lines(trail: Trail): Promise<readonly string[]> {
    const path = this.#pathOf(trail);
    const texts = [await textOf(olderPath(path)), await textOf(path)];
    return texts.flatMap((text) => (text ?? '').split('\n').filter(isLine));
  }

  document(): Promise<string | null> {
    return textOf(this.#documentPath, OPERATOR_DOCUMENT_BYTES_MAX);
  }

  putDocument(text: string): Promise<void> {
    const written = this.#isWriting.then(() => this.#write(text));
    this.#isWriting = written.catch(() => {});
    return written;
  }

  async #write(text: string): Promise<void> {
    const path = this.#documentPath;
    const partialPath = `${path}.partial`;
    await makeFolder(this.path);
    requirePlainFileOrNoneSync(partialPath, OPERATOR_DOCUMENT_BYTES_MAX);
    const file = await open(partialPath, WRITTEN_ANEW, 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partialPath, path);
    await syncFolder(this.path);
  }

  get #documentPath(): string {
    return join(this.path, 'blocked-addresses.json');
  }

  #pathOf(trail: Trail): string {
    return join(this.path, `${trail}.jsonl`);
  }
}

const NO_LINK = constants.O_NOFOLLOW ?? 0;
const APPENDED = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_LINK;
const WRITTEN_ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | NO_LINK;
const LINE_FEED = 10;
const sync = promisify(fdatasync);

/** A file that begins anew once it is full; what was in it stays until the next one is full. */
class TrailFile {
  #descriptor: number | null = null;
  #byteCount = 0;
  /** Settles once all that was appended before is on disk; null if there is nothing to wait for. */
  #flushing: Promise<void> | null = null;
  #waiting: Promise<void> | null = null;

  constructor(
    private readonly path: string,
    private readonly bytesMax: number,
  ) {}

  async append(line: string): Promise<void> {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#byteCount + bytes.length > this.bytesMax && this.#flushing === null) this.#turnOver();
    const descriptor = this.#descriptor ?? this.#open();
    writeSync(descriptor, bytes);
    this.#byteCount += bytes.length;
    await this.#flush(descriptor);
  }

  /** One flush is for all lines that came while another one was under way. */
  #flush(descriptor: number): Promise<void> {
    if (this.#flushing === null) {
      this.#flushing = sync(descriptor).finally(() => {
        this.#flushing = null;
      });
      return this.#flushing;
    }
    this.#waiting ??= this.#flushing
      .catch(() => {})
      .then(() => {
        this.#waiting = null;
        return this.#flush(descriptor);
      });
    return this.#waiting;
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    // It is followed by at most one line that is too long for it.
    requirePlainFileOrNoneSync(this.path, Number.POSITIVE_INFINITY);
    const descriptor = openSync(this.path, APPENDED, 0o600);
    this.#descriptor = descriptor;
    this.#byteCount = fstatSync(descriptor).size;
    if (!endsLine(descriptor, this.#byteCount)) writeSync(descriptor, '\n');
    return descriptor;
  }

  #turnOver(): void {
    if (this.#descriptor === null) this.#open();
    if (this.#byteCount === 0) return;
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
    renameSync(this.path, olderPath(this.path));
    this.#byteCount = 0;
  }
}

/** A power cut may have left half a line. */
function endsLine(descriptor: number, byteCount: number): boolean {
  if (byteCount === 0) return true;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, byteCount - 1);
  return last[0] === LINE_FEED;
}

function olderPath(path: string): string {
  return `${path}.1`;
}

async function textOf(path: string, bytesMax?: number): Promise<string | null> {
  try {
    const file = await openPlainFile(path, bytesMax);
    return await file.readFile('utf8').finally(() => file.close());
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isLine(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}');
}
