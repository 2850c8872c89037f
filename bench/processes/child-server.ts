// Starts a server as a process of its own, waits until it prints its URL, watches what it uses, and ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { BenchFailed } from '../bench-failed.js';
import { START_DEADLINE_MS } from '../limits.js';
import { atExit, ended } from './clean-up.js';

export interface ChildServer {
  readonly url: string;
  /** Memory that the process holds itself, in MiB; NaN if the system does not report it. */
  heldMib(): number;
  /** Processor time that all threads of the process have used; NaN if the system does not report it. */
  processorSeconds(): number;
  /** The signal or exit code that ended the process; undefined while it runs. */
  endedBy(): string | undefined;
  stop(): Promise<void>;
}

/**
 * Runs a compiled program until it prints a line with its URL.
 *
 * @param input written to its standard input
 * @throws BenchFailed when it ends before, or takes longer than START_DEADLINE_MS
 */
export async function startServer(program: URL, args: readonly string[], input = ''): Promise<ChildServer> {
  // As `npm start` does.
  const child = spawn(process.execPath, ['--v8-pool-size=0', fileURLToPath(program), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // The exit code reports a server that ends before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const forget = atExit(() => child.kill('SIGKILL'));
  child.once('exit', forget);
  const url = await urlPrintedBy(child);
  return {
    url,
    heldMib: () => heldMibOf(child),
    processorSeconds: () => processorSecondsOf(child),
    endedBy: () => child.signalCode ?? child.exitCode?.toString(),
    stop: () => {
      child.kill('SIGTERM');
      return ended(child);
    },
  };
}

function urlPrintedBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new BenchFailed('the server did not print its URL in time'));
    }, START_DEADLINE_MS);
    child.once('exit', (code) => {
      clearTimeout(deadline);
      reject(new BenchFailed(`the server ended with code ${code} before it served`));
    });
    if (child.stdout === null) throw new Error('the server was started without a pipe');
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url === undefined) return;
      clearTimeout(deadline);
      resolve(url);
    });
  });
}

/**
 * Linux reports it in /proc. Pages of files do not count: those of a growing log stay mapped for as long as nobody else needs the
 * memory, and belong to the system.
 */
function heldMibOf({ pid }: ChildProcess): number {
  try {
    const kibibytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kibibytes) / KIB_PER_MIB);
  } catch {
    return Number.NaN;
  }
}

/** Clock ticks a second in /proc: 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** Fields 14 and 15 of /proc/PID/stat (proc_pid_stat(5)): time in user and in kernel mode. */
function processorSecondsOf({ pid }: ChildProcess): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the program in parentheses, which may itself hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

const KIB_PER_MIB = 1024;

/** Reads a server's own memory again and again. */
export class MemorySampler {
  readonly #samplesMib: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(server: ChildServer, everyMs: number) {
    this.#timer = setInterval(() => {
      const mib = server.heldMib();
      if (!Number.isNaN(mib)) this.#samplesMib.push(mib);
    }, everyMs);
  }

  /** @returns all samples, in MiB */
  stop(): number[] {
    clearInterval(this.#timer);
    return this.#samplesMib;
  }
}
