// A program in a process of its own on the store of a world: it works beside the server, reports in a message, and ends.
import type { ChildProcess } from 'node:child_process';
import { forkOnStore } from '../store-url.js';

/** Runs the process, one at a time. */
export class StoreProcess<Message> {
  #process: ChildProcess | undefined;

  /**
   * @param program its module
   * @param name what errors call it
   * @param storeUrl of the world (store-url.ts)
   */
  constructor(
    private readonly program: URL,
    private readonly name: string,
    private readonly storeUrl: string,
  ) {}

  get isRunning(): boolean {
    return this.#process !== undefined;
  }

  /**
   * @returns the last message of the process, once it has exited: its locks are free for the next one only then
   * @throws Error if it cannot be started, or has reported nothing
   */
  async run(args: readonly string[]): Promise<Message> {
    const child = forkOnStore(this.program, args, this.storeUrl);
    this.#process = child;
    try {
      return await this.#messageOf(child);
    } finally {
      this.#process = undefined;
    }
  }

  /** Ends the process, and with it run(). */
  stop(): void {
    this.#process?.kill('SIGKILL');
  }

  #messageOf(child: ChildProcess): Promise<Message> {
    return new Promise((resolve, reject) => {
      let last: Message | undefined;
      child.on('message', (message: Message) => {
        last = message;
      });
      child.on('error', reject);
      child.on('exit', (code, signal) => {
        if (last === undefined) reject(new Error(`${this.name} ended with ${signal ?? code}`));
        else resolve(last);
      });
    });
  }
}
