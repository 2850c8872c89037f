// Runs the process that takes snapshots, one at a time.
import type { ChildProcess } from 'node:child_process';
import { forkOnStore } from '../store-url.js';
import type { SnapshotRequest, TakenSnapshot } from './snapshot-taking.js';

/** Takes snapshots of a world beside its engine. */
export interface SnapshotTaker {
  /** @throws Error in one sentence */
  take(request: Required<SnapshotRequest>): Promise<TakenSnapshot>;
  /** Aborts the one in progress, which then fails. */
  stop(): void;
}

/** The process's one message, at its end. */
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
    const worker = forkOnStore(PROGRAM, [String(seq), String(auditSeq)], this.#storeUrl);
    this.#process = worker;
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

function outcomeOf(worker: ChildProcess): Promise<TakenSnapshot> {
  return new Promise((resolve, reject) => {
    let outcome: SnapshotMessage | undefined;
    worker.on('message', (message: SnapshotMessage) => {
      outcome = message;
    });
    worker.on('error', reject);
    // Its locks are free for the next one only after it has exited.
    worker.on('exit', (code, signal) => {
      if (outcome?.type === 'taken') resolve(outcome.taken);
      else reject(new Error(outcome?.message ?? `the process that takes snapshots ended with ${signal ?? code}`));
    });
  });
}
