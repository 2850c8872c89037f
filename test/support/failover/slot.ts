// A place for a `galaxyd serve`, as a supervisor of the operating system keeps it: at one URL, started again if it ends
// by itself, and replaced by another program when it is upgraded.
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../process/free-port.js';
import { type Ending, GalaxydProcess, type Owner } from '../process/galaxyd-process.js';

const RESTART_AFTER_MS = 200;
/** A process that did not serve by then, however often it was started, never will. */
const START_DEADLINE_MS = 60_000;

export interface SlotOptions {
  /** Everything after `galaxyd`, without the port. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class Slot {
  readonly url: string;
  /** Path of another program than that of the repository. */
  program: string | null = null;
  /** How processes ended that were not asked to. */
  readonly endings: Ending[] = [];
  /** Why processes ended before they served. */
  readonly failedStarts: string[] = [];
  readonly #owner: Owner;
  readonly #port: number;
  readonly #options: SlotOptions;
  #galaxyd: GalaxydProcess | null = null;
  #isWanted = false;
  #keeping: Promise<void> = Promise.resolve();

  private constructor(owner: Owner, port: number, options: SlotOptions) {
    this.#owner = owner;
    this.#port = port;
    this.#options = options;
    this.url = `http://127.0.0.1:${port}`;
    // Before the processes are killed, because they would be started again.
    owner.teardown(() => {
      this.#isWanted = false;
    });
  }

  static async make(owner: Owner, options: SlotOptions): Promise<Slot> {
    return new Slot(owner, await freePort(), options);
  }

  /** @throws Error if no process runs in it now */
  get galaxyd(): GalaxydProcess {
    if (this.#galaxyd === null) throw new Error(`no process runs at ${this.url}: ${this.failedStarts.at(-1)}`);
    return this.#galaxyd;
  }

  get isRunning(): boolean {
    return this.#galaxyd !== null;
  }

  /**
   * Starts a process and keeps one running from now on. Settles when it serves.
   *
   * @throws Error if none does for long
   */
  async start(): Promise<void> {
    if (this.#isWanted) return;
    this.#isWanted = true;
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        reject(new Error(`nothing serves at ${this.url}: ${this.failedStarts.at(-1)}`));
      }, START_DEADLINE_MS);
      const served = (): void => {
        clearTimeout(late);
        resolve();
      };
      this.#keeping = this.#keep(served);
      this.#keeping.catch(reject);
    });
  }

  /** Ends the process with a signal, and starts none in its place. Settles when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#isWanted = false;
    this.#galaxyd?.signal('SIGCONT');
    this.#galaxyd?.signal(signal);
    await this.#keeping;
  }

  async #keep(serves: () => void): Promise<void> {
    while (this.#isWanted) {
      const galaxyd = await this.#begin();
      if (galaxyd !== null) {
        this.#galaxyd = galaxyd;
        if (!this.#isWanted) galaxyd.signal('SIGKILL');
        serves();
        const ending = await galaxyd.ended;
        this.#galaxyd = null;
        if (this.#isWanted) this.endings.push(ending);
      }
      if (this.#isWanted) await delay(RESTART_AFTER_MS);
    }
  }

  async #begin(): Promise<GalaxydProcess | null> {
    const args = [...this.#options.args, '--port', String(this.#port)];
    const { env = {} } = this.#options;
    const program = this.program === null ? {} : { program: this.program };
    try {
      return await GalaxydProcess.start(this.#owner, { args, env, ...program });
    } catch (error) {
      this.failedStarts.push(String(error));
      return null;
    }
  }
}
