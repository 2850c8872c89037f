// One PostgreSQL server as a child of the test: its folder, its port, its starts and its ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPrograms } from './programs.js';

/**
 * How it ends. `fast` disconnects everybody and writes a checkpoint; `immediate` ends without one; SIGKILL ends all of its
 * processes at once, as the loss of its machine does.
 */
export type StopMode = 'fast' | 'immediate' | 'SIGKILL';

const START_DEADLINE_MS = 60_000;
const ASK_EVERY_MS = 10;

/** The superuser, of this machine alone, without a password. */
export const SUPERUSER = 'postgres';

export class PostgresServer {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Its data directory. */
  readonly folder: string;
  readonly #programs: PostgresPrograms;
  readonly #home: string;
  #child: ChildProcess | null = null;

  /** @param home the folder that holds those of all servers of the test */
  constructor(programs: PostgresPrograms, home: string, name: string, port: number) {
    this.#programs = programs;
    this.#home = home;
    this.folder = join(home, name);
    this.port = port;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** @throws Error if it does not run */
  get pid(): number {
    const pid = this.isRunning ? this.#child?.pid : undefined;
    if (pid === undefined) throw new Error(`the server in ${this.folder} does not run`);
    return pid;
  }

  /** What it has written to its log. */
  async log(): Promise<string> {
    return await readFile(`${this.folder}.log`, 'utf8');
  }

  /** Starts it and waits until it accepts connections. @throws Error with its log if it does not */
  async start(): Promise<void> {
    const log = await open(`${this.folder}.log`, 'a');
    const args = ['-D', this.folder, '-p', String(this.port)];
    const child = spawn(this.#programs.path('postgres'), args, {
      ...this.#programs.spawnOptions(this.#home),
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    this.#child = child;
    const deadlineMs = performance.now() + START_DEADLINE_MS;
    while (!(await this.#isReady())) {
      if (!this.isRunning || performance.now() > deadlineMs) throw new Error(`it did not start: ${await this.log()}`);
      await delay(ASK_EVERY_MS);
    }
  }

  /** Settles when it is gone. */
  async stop(mode: StopMode): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isRunning) return;
    const ended = once(child, 'exit');
    if (mode === 'SIGKILL') await killAll(this.pid);
    else child.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
    this.#child = null;
  }

  /** Removes everything that it has stored. It must not run. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs a statement as superuser. @returns the rows, columns separated by `|`. @throws Error with the server's words */
  async psql(sql: string, database: string): Promise<string> {
    const quiet = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1'];
    const where = ['--host=127.0.0.1', `--port=${this.port}`, `--username=${SUPERUSER}`, `--dbname=${database}`];
    return (await this.#programs.run('psql', [...quiet, ...where, `--command=${sql}`], this.#home)).trimEnd();
  }

  /** The last line of postmaster.pid tells how far it is. */
  async #isReady(): Promise<boolean> {
    const lines = await readFile(join(this.folder, 'postmaster.pid'), 'utf8').catch(() => '');
    return lines.startsWith(`${this.#child?.pid}\n`) && /\nready\s*$/.test(lines);
  }
}

/** A stopped parent starts no further process meanwhile. Settles when all of its processes are gone. */
async function killAll(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);
  for (const child of children) if (await isAlive(child)) process.kill(child, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  for (const child of children) while (await isAlive(child)) await delay(ASK_EVERY_MS);
}

/** A zombie, which waits for its parent to ask how it ended, is not. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) Z/.test(stat);
}
