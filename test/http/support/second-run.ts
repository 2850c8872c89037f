// Runs the tests of the transport once more in processes of their own, over another server or another Node. The output
// of a test file is shown only if the file fails.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

/** The compiled tests, seen from dist/test/http/support. Above the transport nothing differs. */
const FOLDER = fileURLToPath(new URL('../server', import.meta.url));
/** The tests of WebSockets, seen from there. */
const SOCKETS = join('..', 'sockets');
/** Some of them spend most of their time waiting. */
const CONCURRENT_MAX = 3;
/** Deadline of all files together; a test that runs them again has the same limit for itself and its file. */
export const SECOND_RUN_DEADLINE_MS = 600_000;

export interface SecondRun {
  /** Which files; all of them by default. */
  readonly files?: readonly string[];
  /** Files that are left out; none by default. */
  readonly except?: readonly string[];
  /** The Node to run them with. */
  readonly node: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One assertion for each file. */
export async function runTransportTestsAgain(t: Test, run: SecondRun): Promise<void> {
  t.setTimeout(SECOND_RUN_DEADLINE_MS);
  const files = run.files ?? [...testsIn('.'), ...testsIn(SOCKETS)];
  const next = files.filter((file) => run.except?.includes(file) !== true).values();
  const worker = async (): Promise<void> => {
    for (const file of next) {
      const { code, output } = await runFile(run, file);
      if (code !== 0) t.comment(output);
      t.equal(code, 0, file);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, worker));
}

/** @param folder seen from FOLDER */
function testsIn(folder: string): string[] {
  const files = readdirSync(join(FOLDER, folder)).filter((file) => file.endsWith('.test.js'));
  return files.map((file) => join(folder, file));
}

function runFile({ node, environment }: SecondRun, file: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(node, [file], {
    cwd: FOLDER,
    env: { ...plainEnvironment(), TAP_TIMEOUT: String(SECOND_RUN_DEADLINE_MS / 1_000), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const take = (text: string): void => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: failuresOf(output) }));
  });
}

/** The environment without the variables that the runner of this process sets for its own children. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^_?TAP|^NODE_OPTIONS$/.test(name)));
}

/** The output without the lines that report a success. */
function failuresOf(output: string): string {
  const lines = output.split('\n').filter((line) => !/^\s*(ok |# Subtest|1\.\.\d|$)/.test(line));
  return lines.join('\n');
}
