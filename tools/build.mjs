// Compiles the TypeScript sources into dist/, only if they changed since the last build. A hash of their contents shows
// whether they did; the compiler is not started for that, and file times do not matter.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { runToEnd } from './child.mjs';
import { inRepository, StepFailed, say } from './repository.mjs';

const CLIENT = 'clients/typescript';

/** The folders of each target, lowest layer first. */
const folders = {
  cli: ['engine', 'persistence', 'http', `${CLIENT}/src`, 'mcp', 'cli'],
  all: ['engine', 'persistence', 'http', `${CLIENT}/src`, 'mcp', 'cli', `${CLIENT}/examples`, 'bench', 'test'],
};

/** @typedef {keyof typeof folders} Target */

/**
 * Reports whether dist/ is up to date with the sources.
 * @param {Target} target
 */
export function isBuilt(target) {
  try {
    const areThere = folders[target].every((folder) => existsSync(inRepository(outputOf(folder))));
    return areThere && readFileSync(stampOf(target), 'utf8') === hashOfSources(target);
  } catch {
    return false;
  }
}

/**
 * Compiles a target if its sources changed. Throws StepFailed with the compiler's exit code.
 * @param {Target} target
 */
export async function buildIfStale(target) {
  if (isBuilt(target)) return;
  say('building…');
  // Computed before the compiler runs: a file that changes during the build makes the next run build again.
  const hash = hashOfSources(target);
  removeOrphans();
  const exitCode = await runToEnd(
    'node_modules/typescript/bin/tsc',
    ['-b', target === 'all' ? '.' : target],
    'standard error',
  );
  if (exitCode !== 0)
    throw new StepFailed(`the build failed with exit code ${exitCode}; see the compiler's messages above.`, exitCode);
  for (const module of BUNDLES) await bundle(module);
  await packViewer();
  mkdirSync(dirname(stampOf(target)), { recursive: true });
  writeFileSync(stampOf(target), hash);
}

/**
 * Modules that are bundled with what they import. Loading the more than 500 files of typebox takes half a second of CPU
 * time, loading one takes 30 ms (ADR 33). The client of the API is not published, so an installed galaxyd brings it along
 * (ADR 42).
 */
const BUNDLES = ['persistence/typebox', 'mcp/galaxyd-client'];

/**
 * Bundles a module, from its source: its compiled file may be an earlier bundle. esbuild is imported here because it may
 * not be installed yet when this file is loaded.
 * @param {string} module
 */
async function bundle(module) {
  const { build } = await import('esbuild');
  await build({
    entryPoints: [inRepository(`${module}.ts`)],
    outfile: inRepository(`dist/${module}.js`),
    bundle: true,
    format: 'esm',
    platform: 'node',
    // The client loads it for a WebSocket, which no tool needs.
    external: ['ws'],
  });
}

/**
 * The client is a package of its own, so its output is in a dist/ of its own.
 * @param {string} folder with sources
 */
const outputOf = (folder) =>
  dirname(folder) === CLIENT ? join(CLIENT, 'dist', basename(folder)) : join('dist', folder);

/**
 * Writes the files that the page /docs loads: the bundle of Swagger UI with our start behind it, and its style sheet,
 * compressed once so that the server only sends them; and the licences that go with them (ADR 41).
 */
async function packViewer() {
  const { transform } = await import('esbuild');
  const textOf = (/** @type {string} */ name) =>
    readFileSync(inRepository('node_modules/swagger-ui-dist', name), 'utf8').replace(
      /^\/[/*]# sourceMappingURL=.*$/m,
      '',
    );
  const start = await transform(readFileSync(inRepository('dist/http/viewer/start.js'), 'utf8'), { format: 'iife' });
  const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map(textOf);
  const packed = (/** @type {string} */ text) => gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
  const folder = inRepository('dist/http/viewer');
  writeFileSync(join(folder, 'viewer.js.gz'), packed(`${textOf('swagger-ui-bundle.js')}\n${start.code}`));
  writeFileSync(join(folder, 'viewer.css.gz'), packed(textOf('swagger-ui.css')));
  writeFileSync(join(folder, 'viewer-licences.txt'), licences.join('\n'));
}

/** @param {Target} target */
const stampOf = (target) => inRepository('dist/.build', `${target}.hash`);

/** @param {Target} target */
function hashOfSources(target) {
  const hash = createHash('sha256');
  const configurations = ['tsconfig.json', 'tsconfig.base.json', 'package-lock.json', `${CLIENT}/tsconfig.json`];
  for (const path of [...configurations, ...folders[target].flatMap(sourcesUnder)]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(inRepository(path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} folder */
function sourcesUnder(folder) {
  return readdirSync(inRepository(folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') || path.endsWith('tsconfig.json'))
    .sort()
    .map((path) => join(folder, path));
}

/** Removes compiled files whose source is gone. The compiler leaves them behind, and a deleted test would still run. */
function removeOrphans() {
  for (const folder of folders.all) {
    const output = outputOf(folder);
    if (!existsSync(inRepository(output))) continue;
    for (const path of readdirSync(inRepository(output), { recursive: true, encoding: 'utf8' })) {
      const source = path.replace(/(\.d\.ts|\.js|\.js\.map)$/, '.ts');
      if (source !== path && !existsSync(inRepository(folder, source))) rmSync(inRepository(output, path));
    }
  }
}
