// Opens data folders as `galaxyd verify` and `galaxyd serve` do, many of them in one process beside the test, which may crash or hang.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Owner } from '../support/process/galaxyd-process.js';

export interface OpeningRequest {
  /** A data folder, or the URL of a world in PostgreSQL. */
  readonly place: string;
  /** Whether it is only read, as `verify` reads it. A shared store may not be written to before a lease has ended. */
  readonly isOnlyRead: boolean;
}

export interface Opened {
  readonly kind: 'opened';
  /** There was no world yet, and now there is one. */
  readonly isNew: boolean;
  readonly seq: number;
  readonly stateHash: string;
  /** Of all players. */
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

/** No folder takes longer, even on a busy machine. */
const OPENING_MS_MAX = 30_000;
const PROGRAM = fileURLToPath(new URL('./opening-process.js', import.meta.url));

export class FolderOpener {
  readonly #heapMib: number;
  #child: ChildProcess | null = null;
  #stderr = '';

  /** @param heapMib most memory for objects, in mebibytes */
  constructor(owner: Owner, heapMib = 1_024) {
    this.#heapMib = heapMib;
    owner.teardown(() => this.end());
  }

  /** Verifies a world; opens it, which changes it, and closes it again. @param isOnlyRead leaves out the second */
  async open(place: string, isOnlyRead = false): Promise<Opening> {
    const child = this.#child ?? this.#begin();
    const request: OpeningRequest = { place, isOnlyRead };
    child.send(request);
    const timeout = new AbortController();
    const { signal } = timeout;
    const timer = setTimeout(() => timeout.abort(), OPENING_MS_MAX);
    try {
      return await Promise.race([
        once(child, 'message', { signal }).then(([opening]) => opening as Opening),
        once(child, 'close', { signal }).then(([code, name]) => this.#broken(`it ended with ${code ?? name}`)),
      ]);
    } catch {
      child.kill('SIGKILL');
      return this.#broken(`it did not end within ${OPENING_MS_MAX} ms`);
    } finally {
      clearTimeout(timer);
      timeout.abort();
    }
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  #broken(how: string): Opening {
    this.#child = null;
    return { verified: null, opened: { kind: 'broken', how: `${how}: ${this.#stderr.trim()}` } };
  }

  #begin(): ChildProcess {
    const child = fork(PROGRAM, [], {
      execArgv: [`--max-old-space-size=${this.#heapMib}`, '--enable-source-maps'],
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
