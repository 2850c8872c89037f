// What a power cut may leave of a folder: a model of a disk that keeps only what was flushed. It follows the recorded system calls. A write
// that no flush covers may be there, be absent or be torn between two sectors, whatever becomes of other writes. A name that was created,
// removed or changed may be so or not until its folder is flushed. The model is that of ALICE (Pillai et al., OSDI 2014).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Draws } from '../../support/process/draws.js';
import type { RecordedCall } from '../calls/watched-calls.js';

const SECTOR_BYTES = 512;
const NOTHING = (): void => {};

interface Write {
  readonly kind: 'write';
  readonly offset: number;
  readonly bytes: Buffer;
  isDurable: boolean;
}

interface Resize {
  readonly kind: 'resize';
  readonly length: number;
  isDurable: boolean;
}

class ModelFile {
  /** In the order in which they were made. */
  changes: (Write | Resize)[] = [];
  /** The content below the changes. */
  #base: Buffer = Buffer.alloc(0);

  sync(): void {
    for (const change of this.changes) change.isDurable = true;
    this.#base = this.content(() => 'all');
    this.changes = [];
  }

  /** @param fateOf of a change that is not durable */
  content(fateOf: (change: Write | Resize) => Fate): Buffer {
    let content: Buffer = Buffer.from(this.#base);
    for (const change of this.changes) {
      const fate = change.isDurable ? 'all' : fateOf(change);
      if (fate === 'none') continue;
      if (change.kind === 'resize') content = resized(content, change.length);
      else content = written(content, change, fate);
    }
    return content;
  }
}

/** What becomes of a change: all or none of it, or the sectors for which this returns true. */
type Fate = 'all' | 'none' | ((sector: number) => boolean);

interface NameChange {
  readonly kind: 'add' | 'remove' | 'rename';
  readonly name: string;
  readonly newName: string;
  readonly node: Node;
}

class ModelFolder {
  /** The tree that processes see. */
  readonly seen = new Map<string, Node>();
  /** The tree on the disk. */
  #durable = new Map<string, Node>();
  changes: NameChange[] = [];

  change(change: NameChange): void {
    this.changes.push(change);
    apply(this.seen, change);
  }

  sync(): void {
    for (const change of this.changes) apply(this.#durable, change);
    this.changes = [];
  }

  /** @param isDone of a change that is not durable */
  entries(isDone: (change: NameChange) => boolean): ReadonlyMap<string, Node> {
    const entries = new Map(this.#durable);
    for (const change of this.changes) if (isDone(change)) apply(entries, change);
    return entries;
  }
}

type Node = ModelFile | ModelFolder;

/** How much of what is not durable survives: one of these for contents, and one for names. */
const FORTUNES = ['nothing', 'everything', 'all but one', 'only one', 'the first ones', 'any'] as const;
type Fortune = (typeof FORTUNES)[number];

/** A folder as a power cut may leave it: relative paths with their contents, null for a folder. */
export type CrashState = ReadonlyMap<string, Buffer | null>;

export class DiskModel {
  readonly #root = new ModelFolder();
  readonly #rootPath: string;

  /** @param rootPath the absolute path of the folder that was recorded; it is durable, and empty in the beginning */
  constructor(rootPath: string) {
    this.#rootPath = rootPath;
  }

  /** A call begins: what it changes may be there, and nothing of it is flushed. @returns what its end flushes */
  begin({ call, path, newPath, offset, bytes, isSynchronous }: RecordedCall): () => void {
    switch (call) {
      case 'openat':
        this.#open(path, offset === 1);
        return NOTHING;
      case 'write':
      case 'pwrite64':
      case 'pwritev': {
        const write: Write = { kind: 'write', offset, bytes, isDurable: false };
        this.#file(path)?.changes.push(write);
        return () => {
          write.isDurable = isSynchronous;
        };
      }
      case 'ftruncate':
        this.#file(path)?.changes.push({ kind: 'resize', length: offset, isDurable: false });
        return NOTHING;
      case 'fsync':
      case 'fdatasync':
        return () => this.#node(path)?.sync();
      case 'mkdir':
        this.#changeName('add', path, '', new ModelFolder());
        return NOTHING;
      case 'rename':
        this.#changeName('rename', path, newPath, this.#node(path));
        return NOTHING;
      case 'link':
        this.#changeName('add', newPath, '', this.#node(path));
        return NOTHING;
      case 'unlink':
      case 'rmdir':
        this.#changeName('remove', path, '', this.#node(path));
        return NOTHING;
      case 'msync':
      case 'send':
        return NOTHING;
    }
  }

  /** One of the states that a power cut may leave now. */
  drawState(draws: Draws): CrashState {
    const state = new Map<string, Buffer | null>();
    const isWritten = fates(draws, this.#unsynced());
    const isNamed = fates(draws, this.#unnamed());
    const tornAt = draws.below(4);
    let written = 0;
    const walk = (folder: ModelFolder, path: string): void => {
      for (const [name, node] of folder.entries(isNamed)) {
        const nodePath = path === '' ? name : `${path}/${name}`;
        if (node instanceof ModelFolder) {
          state.set(nodePath, null);
          walk(node, nodePath);
        } else {
          const content = node.content((change) => {
            if (!isWritten(change)) return 'none';
            written += 1;
            // One write in four states is torn.
            if (tornAt !== 0 || change.kind === 'resize' || written % 2 === 0) return 'all';
            return () => draws.oneIn(2);
          });
          state.set(nodePath, content);
        }
      }
    };
    walk(this.#root, '');
    return state;
  }

  /** Names whose fate is open. */
  get unnamedCount(): number {
    return this.#unnamed().length;
  }

  #unsynced(): (Write | Resize)[] {
    return this.#all().flatMap((node) =>
      node instanceof ModelFile ? node.changes.filter(({ isDurable }) => !isDurable) : [],
    );
  }

  #unnamed(): NameChange[] {
    return this.#all().flatMap((node) => (node instanceof ModelFolder ? node.changes : []));
  }

  /** All nodes that some state may have. */
  #all(): Node[] {
    const found = new Set<Node>();
    const visit = (node: Node): void => {
      if (found.has(node)) return;
      found.add(node);
      if (node instanceof ModelFile) return;
      for (const other of node.seen.values()) visit(other);
      for (const other of node.entries(() => false).values()) visit(other);
      for (const change of node.changes) visit(change.node);
    };
    visit(this.#root);
    return [...found];
  }

  #open(path: string, isEmptied: boolean): void {
    const node = this.#node(path);
    if (node === undefined) this.#changeName('add', path, '', new ModelFile());
    else if (isEmptied && node instanceof ModelFile) node.changes.push({ kind: 'resize', length: 0, isDurable: false });
  }

  #changeName(kind: NameChange['kind'], path: string, newPath: string, node: Node | undefined): void {
    if (path === this.#rootPath) return;
    const { folder, name } = this.#placeOf(path);
    const target = newPath === '' ? undefined : this.#placeOf(newPath);
    if (folder === undefined || node === undefined) return;
    if (target !== undefined && target.folder !== folder) throw new Error(`${path} was moved to another folder`);
    folder.change({ kind, name, newName: target?.name ?? '', node });
  }

  /** Undefined for a file that has no name any more. */
  #file(path: string): ModelFile | undefined {
    const node = this.#node(path);
    return node instanceof ModelFile ? node : undefined;
  }

  #node(path: string): Node | undefined {
    if (path === this.#rootPath) return this.#root;
    const { folder, name } = this.#placeOf(path);
    return folder?.seen.get(name);
  }

  #placeOf(path: string): { folder: ModelFolder | undefined; name: string } {
    const names = path.slice(this.#rootPath.length + 1).split('/');
    const name = names.pop() ?? '';
    let folder: Node | undefined = this.#root;
    for (const each of names) folder = folder instanceof ModelFolder ? folder.seen.get(each) : undefined;
    return { folder: folder instanceof ModelFolder ? folder : undefined, name };
  }
}

/** Writes a state to a folder that does not exist. */
export function writeState(state: CrashState, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  for (const [path, content] of state) {
    if (content === null) mkdirSync(join(folder, path), { mode: 0o700 });
    else writeFileSync(join(folder, path), content, { mode: 0o600 });
  }
}

/** Draws which of the changes survive. */
function fates<T>(draws: Draws, changes: readonly T[]): (change: T) => boolean {
  if (changes.length === 0) return () => true;
  const chosen = draws.below(changes.length);
  const survivors = new Set<T>();
  const survives: Record<Fortune, (index: number) => boolean> = {
    nothing: () => false,
    everything: () => true,
    'all but one': (index) => index !== chosen,
    'only one': (index) => index === chosen,
    'the first ones': (index) => index < chosen,
    any: () => draws.oneIn(2),
  };
  const fortune = survives[draws.pick(FORTUNES)];
  for (const [index, change] of changes.entries()) if (fortune(index)) survivors.add(change);
  return (change) => survivors.has(change);
}

function apply(entries: Map<string, Node>, { kind, name, newName, node }: NameChange): void {
  // What had the name before may be another one, if an earlier change was lost.
  if (kind !== 'add' && entries.get(name) === node) entries.delete(name);
  if (kind === 'add') entries.set(name, node);
  if (kind === 'rename') entries.set(newName, node);
}

function resized(content: Buffer, length: number): Buffer {
  const result = Buffer.alloc(length);
  content.copy(result);
  return result;
}

function written(content: Buffer, { offset, bytes }: Write, fate: Exclude<Fate, 'none'>): Buffer {
  const end = offset + bytes.length;
  const result = content.length < end ? resized(content, end) : content;
  for (let start = offset; start < end; ) {
    const sector = Math.floor(start / SECTOR_BYTES);
    const next = Math.min(end, (sector + 1) * SECTOR_BYTES);
    if (fate === 'all' || fate(sector)) bytes.copy(result, start, start - offset, next - offset);
    start = next;
  }
  return result;
}
