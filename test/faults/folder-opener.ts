// Opens data folders as `galaxyd verify` and `galaxyd serve` do, many of them in one process beside the test, which may crash or hang.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Owner } from '../support/process/galaxyd-process.js';

export interface OpeningRequest {
  /** A data folder, or the URL of a world in PostgreSQL. */
  readonly place: string;
  readonly depth: OpeningDepth;
}

/**
 * `read`: only read, as `verify` reads it; a shared store may not be written to before a lease has ended. `written`: verified, then opened
 * to write. `played on`: the same, then played on in memory.
 */
export type OpeningDepth = 'read' | 'written' | 'played on';

/** What an opening process answers. */
export interface OpeningAnswer extends Opening {
  /** The most that the process has had, in mebibytes. */
  readonly memoryMib: number;
}

/** What an opening process may take, and what is loaded into it. */
export interface OpeningLimits {
  /** Objects, in mebibytes. */
  readonly heapMib?: number;
  /** One folder. By default no sound folder takes longer, even on a busy machine. */
  readonly openingMs?: number;
  /** The URL of a module that changes the program: a fault planted on purpose. */
  readonly planted?: string;
}

export interface Opened {
  readonly kind: 'opened';
  /** There was no world yet, and now there is one. */
  readonly isNew: boolean;
  readonly seq: number;
  readonly stateHash: string;
  /** Names of all players. */
  readonly names: readonly string[];
}

/** It was refused with a sentence. */
export interface Refused {
  readonly kind: 'refused';
  readonly exitCode: number;
  readonly sentence: string;
}

/** A fault of the program: it printed a stack, died or hung. */
export interface Broken {
  readonly kind: 'broken';
  readonly how: string;
}

export interface Opening {
  /** What the verification said; null if it found nothing, or was not made. */
  readonly verified: Refused | null;
  readonly opened: Opened | Refused | Broken;
}

const HEAP_MIB_MAX = 1_024;
/** Memory of the whole process, with buffers and code. */
const MEMORY_MIB_MAX = 1_024;
const OPENING_MS_MAX = 30_000;
const PROGRAM = fileURLToPath(new URL('./opening-process.js', import.meta.url));

export class FolderOpener {
  readonly #openingMs: number;
  readonly #execArgv: readonly string[];
  #child: ChildProcess | null = null;
  #stderr = '';

  constructor(owner: Owner, { heapMib = HEAP_MIB_MAX, openingMs = OPENING_MS_MAX, planted }: OpeningLimits = {}) {
    this.#openingMs = openingMs;
    const imports = planted === undefined ? [] : ['--import', planted];
    this.#execArgv = [`--max-old-space-size=${heapMib}`, '--enable-source-maps', ...imports];
    owner.teardown(() => this.end());
  }

  /** Verifies a world; opens it, which changes it, and closes it again. */
  async open(place: string, depth: OpeningDepth = 'written'): Promise<Opening> {
    const child = this.#child ?? this.#begin();
    const request: OpeningRequest = { place, depth };
    child.send(request);
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = setTimeout(() => timeout.abort(), this.#openingMs);
    try {
      return await Promise.race([
        once(child, 'message', { signal }).then(([answer]) => this.#opening(answer as OpeningAnswer)),
        once(child, 'close', { signal }).then(([code, name]) => this.#broken(`it ended with ${code ?? name}`)),
      ]);
    } catch {
      child.kill('SIGKILL');
      return this.#broken(`it did not end within ${this.#openingMs} ms`);
    } finally {
      clearTimeout(timer);
      timeout.abort();
    }
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #opening({ memoryMib, ...opening }: OpeningAnswer): Opening {
    if (memoryMib <= MEMORY_MIB_MAX) return opening;
    this.end();
    return this.#broken(`it took ${memoryMib} MiB`);
  }

  #broken(how: string): Opening {
    this.#child = null;
    return { verified: null, opened: { kind: 'broken', how: `${how}: ${this.#stderr.trim()}` } };
  }

  #begin(): ChildProcess {
    const child = fork(PROGRAM, [], {
      execArgv: [...this.#execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#child = child;
    return child;
  }
}
