// A revision of this repository, built in a folder of its own with the suite of this checkout laid over it, so that both
// revisions are measured with the same ruler.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { BenchFailed } from '../bench-failed.js';
import { OUTPUT_BYTES_MAX } from '../limits.js';
import { atExit } from '../processes/clean-up.js';
import { type Revision, ROOT, revisionOf } from '../reports/machine.js';

export interface Checkout {
  readonly revision: Revision;
  /** dist/cli/main.js */
  readonly server: URL;
  /** dist/bench/units/program.js; undefined if the suite does not compile against this revision. */
  readonly units: URL | undefined;
  remove(): void;
}

/** Stands for the files as they are here, committed or not. */
export const THIS_CHECKOUT = '.';

/** The workspace of the client of the API. */
const CLIENT_PACKAGE = 'galaxyd-client';

const run = promisify(execFile);

/**
 * @param name anything git knows a commit by, or THIS_CHECKOUT, which must be built already
 * @param folder of the worktree; must not exist
 * @throws BenchFailed if git does not know the name, or the revision cannot be built
 */
export async function checkOut(name: string, folder: string): Promise<Checkout> {
  if (name === THIS_CHECKOUT) return programsOf(ROOT, revisionOf(ROOT), () => {});
  const commit = commitOf(name);
  execFileSync('git', ['-C', ROOT, 'worktree', 'add', '--quiet', '--detach', folder, commit], { stdio: 'pipe' });
  const remove = () => {
    execFileSync('git', ['-C', ROOT, 'worktree', 'remove', '--force', folder], { stdio: 'pipe' });
  };
  const forget = atExit(remove);
  try {
    await install(folder);
    await build(folder);
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    const [line = ''] = (stdout || stderr || String(error)).trim().split('\n', 1);
    throw new BenchFailed(`${name} cannot be built: ${line}`);
  }
  return programsOf(folder, { name, commit: commit.slice(0, 12), isDirty: false }, () => {
    forget();
    remove();
  });
}

/** @throws BenchFailed */
function commitOf(name: string): string {
  try {
    const args = ['-C', ROOT, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    throw new BenchFailed(`git knows no commit ${name}`);
  }
}

function programsOf(folder: string, revision: Revision, remove: () => void): Checkout {
  const program = (...path: string[]) => pathToFileURL(join(folder, 'dist', ...path));
  const units = program('bench', 'units', 'program.js');
  return { revision, server: program('cli', 'main.js'), units: existsSync(units) ? units : undefined, remove };
}

/**
 * Our own packages serve both if the program itself needs the same ones: the development packages are the suite's. Only the client of
 * the API is the revision's own.
 */
async function install(folder: string): Promise<void> {
  if (isDeepStrictEqual(dependenciesOf(folder), dependenciesOf(ROOT))) {
    const packages = join(folder, 'node_modules');
    mkdirSync(packages);
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      const isClient = name === CLIENT_PACKAGE;
      symlinkSync(
        isClient ? join(folder, 'clients', 'typescript') : join(ROOT, 'node_modules', name),
        join(packages, name),
      );
    }
    return;
  }
  await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: OUTPUT_BYTES_MAX });
}

function dependenciesOf(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
}

async function build(folder: string): Promise<void> {
  const suite = join(folder, 'bench');
  rmSync(suite, { recursive: true, force: true });
  const isMade = (path: string) => path.startsWith(join(ROOT, 'bench', 'results'));
  cpSync(join(ROOT, 'bench'), suite, { recursive: true, filter: (path) => !isMade(path) });
  try {
    await compile(folder, 'bench');
  } catch {
    // The compiler also writes files that it found errors in.
    rmSync(join(folder, 'dist'), { recursive: true, force: true });
    await compile(folder, 'cli');
  }
}

async function compile(folder: string, project: string): Promise<void> {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc');
  await run(process.execPath, [compiler, '-b', project, '--emitDeclarationOnly', 'false'], {
    cwd: folder,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
}
