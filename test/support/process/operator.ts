// What an operator does with `galaxyd serve`, as short functions: start it, read its status, be refused by it.
import type { Test } from 'tap';
import type { StatusBody } from '../../../http/schemas/world.js';
import { Client } from './client.js';
import { type Ending, GalaxydProcess, type ProcessOptions, runGalaxyd } from './galaxyd-process.js';

/** The key of clients that start() makes. */
export const ADMIN_KEY = 'operator-of-a-test';

export const serveArgs = (folder: string, ...flags: string[]): string[] => [
  'serve',
  '--port',
  '0',
  '--data',
  folder,
  ...flags,
];

/** Name of the folder of a snapshot. */
export const snapshotName = (seq: number): string => `snapshot-${String(seq).padStart(16, '0')}`;

/** Runs a subcommand to its end. */
export const galaxyd = (t: Test, ...args: string[]): Promise<Ending> => runGalaxyd(t, { args });

/** Starts a server, and a client of it with the operator's key. */
export async function start(t: Test, options: ProcessOptions): Promise<{ galaxyd: GalaxydProcess; client: Client }> {
  const galaxyd = await GalaxydProcess.start(t, options);
  const client = new Client(galaxyd.url, ADMIN_KEY);
  t.teardown(() => client.close());
  return { galaxyd, client };
}

export async function statusOf(client: Client): Promise<StatusBody> {
  const { status, body } = await client.get<StatusBody>('/api/status');
  if (status !== 200) throw new Error(`the status is answered with ${status}`);
  return body;
}

/** Checks that the command succeeded and wrote only to standard output. @returns that output */
export function done(t: Test, { code, signal, stdout, stderr }: Ending): string {
  t.same({ code, signal, stderr }, { code: 0, signal: null, stderr: '' });
  return stdout;
}

/** Checks that it ended with only a sentence on standard error: no stack, no word of serving. */
export function refused(t: Test, { code, signal, stdout, stderr }: Ending, exitCode: number, sentence: RegExp): void {
  t.same({ code, signal }, { code: exitCode, signal: null }, 'it ended by itself');
  t.match(stderr, sentence);
  t.notMatch(stderr, /\n\s+at |node:internal/, 'without a stack');
  t.notMatch(stdout, /galaxyd serves/);
}
