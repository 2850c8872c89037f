// Runs the process that indexes a history, at low priority, and keeps its latest report.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentFor } from '../store-url.js';
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
    const execArgv = process.execArgv.filter((flag) => flag.startsWith('--max-'));
    const worker = fork(PROGRAM, [this.folder], { execArgv, env: environmentFor(storeUrl) });
    this.#process = worker;
    if (worker.pid !== undefined) yieldToServer(worker.pid);
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

function yieldToServer(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is not allowed, and the process keeps its priority; or the process is gone already.
  }
}
