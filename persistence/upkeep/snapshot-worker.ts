// Has snapshots taken by a process of its own, one at a time.
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { SnapshotRequest, TakenSnapshot } from './snapshot-taking.js';

/** What takes snapshots of a world beside its engine. */
export interface SnapshotTaker {
  /** @throws Error in one sentence */
  take(request: Required<SnapshotRequest>): Promise<TakenSnapshot>;
  /** Gives up the one in progress, which then fails. */
  stop(): void;
}

/** What the process tells: once, at its end. */
export type SnapshotMessage =
  | { readonly type: 'taken'; readonly taken: TakenSnapshot }
  | { readonly type: 'failed'; readonly message: string };

const PROGRAM = new URL('./snapshot-process.js', import.meta.url);

export class SnapshotWorker implements SnapshotTaker {
  readonly #storeUrl: string;
  #process: ChildProcess | undefined;

  /** @param storeUrl of the world (store-url.ts) */
  constructor(storeUrl: string) {
    this.#storeUrl = storeUrl;
  }

  async take({ seq, auditSeq }: Required<SnapshotRequest>): Promise<TakenSnapshot> {
    if (this.#process !== undefined) throw new Error('a snapshot is being taken already');
    // It needs as much memory as the server may have; other flags, such as a debugger's port, are not its own.
    const execArgv = process.execArgv.filter((flag) => flag.startsWith('--max-'));
    const worker = fork(PROGRAM, [this.#storeUrl, String(seq), String(auditSeq)], { execArgv });
    this.#process = worker;
    yieldToServer(worker);
    try {
      return await outcomeOf(worker);
    } finally {
      this.#process = undefined;
    }
  }

  stop(): void {
    this.#process?.kill('SIGKILL');
  }
}

/** From its first instruction on, since already its start takes a core for a tenth of a second. */
function yieldToServer({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // Where that is not allowed, or the process is gone already, it runs like any other.
  }
}

function outcomeOf(worker: ChildProcess): Promise<TakenSnapshot> {
  return new Promise((resolve, reject) => {
    let told: SnapshotMessage | undefined;
    worker.on('message', (message: SnapshotMessage) => {
      told = message;
    });
    worker.on('error', reject);
    // Only when it is gone are its locks free for the next one.
    worker.on('exit', (code, signal) => {
      if (told?.type === 'taken') resolve(told.taken);
      else reject(new Error(told?.message ?? `the process that takes snapshots ended with ${signal ?? code}`));
    });
  });
}
