// What an operator does with `galaxyd serve`, as short functions: start it, read its status, be refused by it.
import type { Test } from 'tap';
import type { StatusBody } from '../../../http/schemas/world.js';
import { Client } from './client.js';
import { type Ending, GalaxydProcess, type ProcessOptions, runGalaxyd, runInTurn } from './galaxyd-process.js';

/** The key of clients that start() makes. */
export const ADMIN_KEY = 'operator-of-a-test';

export const serveArgs = (folder: string, ...flags: string[]): string[] =>
  ['serve', '--port', '0', '--data', folder].concat(flags);

/** Flags of a server whose clock stands still, whose operator has the key, and whose disk may be nearly full. */
export const manualArgs = (folder: string, ...flags: string[]): string[] =>
  serveArgs(folder, '--clock', 'manual', '--admin-key', ADMIN_KEY, '--min-free-mib', '0', ...flags);

/** Name of the folder of a snapshot. */
export const snapshotName = (seq: number): string => `snapshot-${String(seq).padStart(16, '0')}`;

/** Runs a subcommand to its end. */
export const galaxyd = (t: Test, ...args: string[]): Promise<Ending> => runGalaxyd(t, { args });

/** A test of command lines that end by themselves. */
export interface LinesTest {
  readonly what: string;
  readonly lines: readonly (readonly string[])[];
  /** Gets the ending of each line, in order. */
  readonly check: (t: Test, ...endings: Ending[]) => unknown;
}

/** Runs the command lines of all these tests in one process, in order, and then checks each test's own. */
export async function testLines(
  t: Test,
  tests: readonly LinesTest[],
  { by = [] as readonly string[] } = {},
): Promise<void> {
  const endings = await runInTurn(
    t,
    tests.flatMap(({ lines }) => lines),
    { by },
  );
  for (const { what, lines, check } of tests) {
    const own = endings.splice(0, lines.length);
    await t.test(what, async (t) => {
      await check(t, ...own);
    });
  }
}

/** A line that is refused with this exit code and sentence. */
export function refusedLine(what: string, line: readonly string[], exitCode: number, sentence: RegExp): LinesTest {
  return { what, lines: [line], check: (t, ending) => refused(t, ending as Ending, exitCode, sentence) };
}

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

/** The state hash that a server reports, and its seq. */
export async function stateOf(client: Client): Promise<{ readonly seq: number; readonly hash: string }> {
  const { status, body } = await client.get<{ seq: number; hash: string }>('/api/admin/state-hash');
  if (status !== 200) throw new Error(`the state hash is answered with ${status}`);
  return body;
}

/** Requests a bot. @returns the status of the reply: 201 if it was created */
export async function createBot(client: Client, name: string): Promise<number> {
  return (await client.post('/api/game/player', { name, isBot: true })).status;
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
