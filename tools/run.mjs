// Runs a script of the package, after it has installed the packages and built the sources if necessary. It uses only Node, because it
// runs before anything is installed. It knows nothing about the game.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { requireNodeRelease } from '../deploy/node-release.mjs';
import { buildIfStale, isBuilt } from './build.mjs';
import { installIfStale, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { inRepository, repository, runToEnd, StepFailed, say } from './repository.mjs';

/**
 * What each script does. Each resolves to an exit code, or to undefined if the program keeps running in this process.
 * @type {Record<string, (scriptArguments: string[]) => Promise<number | void>>}
 */
const scripts = {
  start: (args) => runOn('cli', 'dist/cli/main.js', ['serve', ...args]),
  galaxyd: (args) => runOn('cli', 'dist/cli/main.js', args),
  bench: (args) => runOn('all', 'dist/bench/main.js', args),
  'bench:compare': (args) => runOn('all', 'dist/bench/main.js', ['compare', ...args]),
  sim: (args) => runOn('all', 'dist/test/sim/main.js', args),
  kills: (args) => runOn('all', 'dist/test/process/kills.js', args),
  readers: (args) => runOn('all', 'dist/test/process/readers.js', args),
  failovers: (args) => runOn('all', 'dist/test/process/failovers.js', args),
  faults: (args) => runOn('all', 'dist/test/faults/calls/main.js', args),
  'crash-states': (args) => runOn('all', 'dist/test/faults/crash-states/main.js', args),
  'folder-fuzz': (args) => runOn('all', 'dist/test/faults/folder-fuzz/main.js', args),
  replicas: (args) => runOn('all', 'dist/test/bench/replicas/main.js', args),
  platforms: (args) => runOn('all', 'dist/test/platforms/main.js', args),
  foreign: (args) => runOn('all', 'dist/test/foreign/main.js', args),
  league: (args) => runOn('all', 'dist/tools/league/main.js', args),
  exploit: (args) => runOn('all', 'dist/tools/exploit/main.js', args),
  torture: (args) => runOn('all', 'dist/test/torture/main.js', args),
  screenshots: (args) => runOn('all', 'dist/test/browser/screenshots.js', args),
  documents: async (args) => {
    await prepare('all');
    const program = 'dist/tools/generate/documents.js';
    if (args.length > 0) return runToEnd(program, args);
    // The contract test records the examples, and the documents show them.
    process.env['RECORD_EXAMPLES'] = '1';
    const recordedCode = await runToEnd('tools/run-tests.mjs', ['dist/test/http/documents/contract.test.js']);
    await prepare('all');
    return Math.max(recordedCode, await runToEnd(program, []));
  },
  build: async () => {
    await prepare('all');
    return 0;
  },
  prepack: async () => {
    await prepare('all');
    return runToEnd('dist/tools/generate/documents.js', ['docs/api.md']);
  },
  test: async (args) => {
    await prepare('all');
    const { options, files } = splitTestArguments(args);
    const wanted = files.length > 0 ? files : withoutHunts(testFilesUnder('dist/test'));
    if (wanted.length === 0) throw new StepFailed('there is no test under test/');
    return runToEnd('tools/run-tests.mjs', [...options, ...wanted]);
  },
  'test:repeat': async (args) => {
    await prepare('all');
    return runToEnd('tools/repeat-tests.mjs', args);
  },
  check: async (args) => {
    await prepare('all');
    if (args.includes('--structure')) {
      return runToEnd('tools/structure.mjs', args);
    }
    const codes = await Promise.all([
      runToEnd('node_modules/typescript-native/bin/tsc', ['-b', '.']),
      runToEnd('node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']),
      runToEnd('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ['.']),
    ]);
    return Math.max(...codes.map(Number));
  },
  format: async () => {
    await prepare('packages');
    return runToEnd('node_modules/@biomejs/biome/bin/biome', ['check', '--write', '.']);
  },
};

/**
 * The output of --help. The other scripts are programs with their own --help.
 * @type {Record<string, string>}
 */
const usages = {
  test: 'npm test -- [--timeout SECONDS] [--jobs NUMBER] [--slowest NUMBER] [--bail] [FILES]\nRuns the tests: by default all except the hunts, which LONG=1 adds.',
  'test:repeat':
    'npm run test:repeat -- [--times NUMBER] [--busy NUMBER] [-- ARGUMENTS]\nRuns the tests repeatedly beside busy processes.',
  documents:
    'npm run documents -- [--check | FILES]\nRecords the examples of the API, and writes docs/api.md, deploy/grafana-dashboard.json, the tables of docs/rules.md and docs/events.md, docs/betrayal.md and the types of the clients; or only the named files; or checks those in git.',
  screenshots: 'npm run screenshots\nMakes the pictures of the dashboard in docs/images/; needs Chromium.',
  check:
    'npm run check -- [--structure [--verbose | --json]]\nRuns the compiler (which the build does not), the linter and the import checks; or prints the size of the repository and its circles of imports.',
  build: 'npm run build\nInstalls what is missing and builds what has changed.',
  prepack: 'npm run prepack\nBuilds and writes what npm pack puts into the package.',
  format: 'npm run format\nFormats all files and applies the fixes of the linter.',
};

/** Tests that run only with LONG=1, or if they are named. */
const HUNTS = [
  'process/clock-jumps',
  'process/full-disk',
  'process/planted',
  'process/restores',
  'process/two-processes',
  'sim/breakages',
];

requireNodeRelease();
const [name = '', ...args] = process.argv.slice(2);
process.chdir(repository);
const usage = args.includes('--help') ? usages[name] : undefined;
const script =
  (usage === undefined ? undefined : async () => console.log(usage)) ??
  scripts[name] ??
  (() => Promise.reject(new StepFailed(`no script "${name}"; there are: ${Object.keys(scripts).join(', ')}`, 2)));
const exitCode = await exitCodeOf(script(args));
if (typeof exitCode === 'number') process.exitCode = exitCode;

/**
 * Prints an expected failure as one line, and returns its exit code.
 * @param {Promise<number | void>} step
 */
async function exitCodeOf(step) {
  try {
    return await step;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    say(error.message);
    return error.exitCode;
  }
}

/**
 * Brings packages and build up to date. If they are up to date, it only reads files and takes no lock, so it also works in a read-only
 * folder.
 * @param {'packages' | 'cli' | 'all'} target what to build: nothing, the program, or also benches and tests
 */
async function prepare(target) {
  const packages = target === 'cli' ? 'program' : 'all';
  const isReady = () => isInstalled(packages) && (target === 'packages' || isBuilt(target));
  if (isReady()) return;
  await withLock(async () => {
    if (isReady()) return;
    await installIfStale(packages);
    if (target !== 'packages') await buildIfStale(target);
  });
}

/**
 * Continues as the built program in this same process, so that signals and the exit code are the program's own.
 * @param {'cli' | 'all'} target
 * @param {string} main file to run, relative to the repository
 * @param {string[]} programArguments
 */
async function runOn(target, main, programArguments) {
  await prepare(target);
  const path = inRepository(main);
  process.argv = [process.execPath, path, ...programArguments];
  await import(pathToFileURL(path).href);
}

/**
 * Separates options of the test runner from test files, and replaces each source file with its compiled file.
 * @param {string[]} testArguments
 */
function splitTestArguments(testArguments) {
  const isFile = (/** @type {string} */ argument) => /^(\.\/)?(dist\/)?test\//.test(argument);
  const compiled = (/** @type {string} */ file) => file.replace(/^(\.\/)?test\//, 'dist/test/').replace(/\.ts$/, '.js');
  return {
    options: testArguments.filter((argument) => !isFile(argument)),
    files: testArguments.filter(isFile).map(compiled),
  };
}

/**
 * Leaves out the hunts, and reports that. Each takes 10 to 20 seconds of a core, and a shorter test covers the same code.
 * @param {string[]} files
 */
function withoutHunts(files) {
  if (process.env['LONG'] === '1') return files;
  say(`not run without LONG=1: ${HUNTS.join(', ')}`);
  return files.filter((file) => !HUNTS.some((name) => file === `dist/test/${name}.test.js`));
}

/** @param {string} folder relative to the repository */
function testFilesUnder(folder) {
  return readdirSync(inRepository(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .sort()
    .map((path) => join(folder, path));
}
