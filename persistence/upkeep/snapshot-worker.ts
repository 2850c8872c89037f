// Runs the process that takes snapshots, one at a time.

import type { SnapshotRequest, TakenSnapshot } from './snapshot-taking.js';
import { StoreProcess } from './store-process.js';

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
  readonly #process: StoreProcess<SnapshotMessage>;

  /** @param storeUrl of the world (store-url.ts) */
  constructor(storeUrl: string) {
    this.#process = new StoreProcess(PROGRAM, 'the process that takes snapshots', storeUrl);
  }

  async take({ seq, auditSeq }: Required<SnapshotRequest>): Promise<TakenSnapshot> {
    if (this.#process.isRunning) throw new Error('a snapshot is being taken already');
    const outcome = await this.#process.run([String(seq), String(auditSeq)]);
    if (outcome.type === 'failed') throw new Error(outcome.message);
    return outcome.taken;
  }

  stop(): void {
    this.#process.stop();
  }
}
