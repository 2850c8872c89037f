// Runs the process that takes snapshots, one at a time.
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { environmentFor } from '../store-url.js';
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
    // It needs the same memory limits as the server. Other flags, such as a debugger's port, must not be shared.
    const execArgv = process.execArgv.filter((flag) => flag.startsWith('--max-'));
    const worker = fork(PROGRAM, [String(seq), String(auditSeq)], { execArgv, env: environmentFor(this.#storeUrl) });
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

/** From its first instruction on, since its start alone takes a core for a tenth of a second. */
function yieldToServer({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is not allowed, and the process keeps its priority; or the process is gone already.
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
