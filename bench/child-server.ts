// Starts a server as a process of its own, waits until it says where it serves, and ends it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { START_DEADLINE_MS } from './limits.js';

export interface ChildServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Runs a compiled program of this repository until it prints a line with its URL.
 *
 * @param input what it reads on its standard input
 * @throws Error when it ends before, or takes longer than START_DEADLINE_MS
 */
export async function startServer(program: URL, args: readonly string[], input = ''): Promise<ChildServer> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input);
  const url = await urlPrintedBy(child);
  return {
    url,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function urlPrintedBy(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('the server did not say in time where it serves'));
    }, START_DEADLINE_MS);
    child.once('exit', (code) => {
      clearTimeout(deadline);
      reject(new Error(`the server ended with code ${code} before it served`));
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
