// Runs the process that indexes a history, at low priority, and keeps its latest report.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forkOnStore } from '../store-url.js';
import { MadeSnapshots } from './made-snapshots.js';
import type { Timeline, TimelineSource } from './timeline.js';

/** What the process reports. */
export type IndexMessage =
  | { readonly type: 'timeline'; readonly timeline: Timeline }
  | { readonly type: 'failed'; readonly message: string };

const PROGRAM = new URL('./index-process.js', import.meta.url);

export class IndexWorker implements TimelineSource {
  latest: Timeline | null = null;
  /** The snapshots that it makes. */
  readonly made: MadeSnapshots;
  #process: ChildProcess | null = null;

  /** @param folder exists and is empty */
  private constructor(
    private readonly folder: string,
    private readonly onFailure: (message: string) => void,
  ) {
    this.made = new MadeSnapshots(folder);
  }

  /** Makes a folder for the snapshots, among the temporary files of the machine. @param onFailure called if the process ends */
  static async make(onFailure: (message: string) => void): Promise<IndexWorker> {
    return new IndexWorker(await mkdtemp(join(tmpdir(), 'galaxyd-replay-')), onFailure);
  }

  /** @param storeUrl of the world (store-url.ts) */
  start(storeUrl: string): void {
    const worker = forkOnStore(PROGRAM, [this.folder], storeUrl);
    this.#process = worker;
    let reason = '';
    worker.on('message', (message: IndexMessage) => {
      if (message.type === 'timeline') this.latest = message.timeline;
      else reason = message.message;
    });
    worker.on('error', (error) => {
      reason = error.message;
    });
    worker.on('exit', (code, signal) => {
      if (this.#process !== null) this.onFailure(reason || `its process ended with ${signal ?? code}`);
    });
  }

  /** Ends the process, and removes its snapshots. */
  async stop(): Promise<void> {
    const worker = this.#process;
    this.#process = null;
    if (worker !== null && worker.exitCode === null && worker.signalCode === null) {
      const hasExited = new Promise((resolve) => worker.once('exit', resolve));
      worker.kill('SIGKILL');
      await hasExited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
