// Translates the TypeScript sources into dist/, only if they changed since the last build. A hash of their contents decides; file
// times do not matter. esbuild translates each file by itself, in about a second, and checks no types: `npm run check` does.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { inRepository, repository, runToEnd, StepFailed, say } from './repository.mjs';

const CLIENT = 'clients/typescript';
/** What `galaxyd bot new` writes, with types. The build adds the same without types. */
const TEMPLATE = `${CLIENT}/template`;
/** The build generates it from the OpenAPI document of the server. Only the compiler needs it. */
const CLIENT_TYPES = `${CLIENT}/src/api.ts`;
/** Folder of the bundled program, which tests start. */
export const BUNDLED_PROGRAM = 'dist/bundled';

/** The folders of the program, lowest layer first. The documents run the examples of the client. */
const PROGRAM = [
  'text',
  'engine',
  'persistence',
  'http',
  `${CLIENT}/src`,
  TEMPLATE,
  'dashboard',
  'mcp',
  'arena',
  'cli',
  `${CLIENT}/examples`,
];
/** The folders of each target. */
const folders = { cli: PROGRAM, all: [...PROGRAM, 'bench', 'tools', 'test'] };

/** @typedef {keyof typeof folders} Target */

/**
 * Reports whether dist/ is up to date with the sources.
 * @param {Target} target
 */
export function isBuilt(target) {
  try {
    const made = target === 'all' ? [CLIENT_TYPES] : [];
    const areThere = [...folders[target].map(outputOf), ...made].every((path) => existsSync(inRepository(path)));
    return areThere && readFileSync(stampOf(target), 'utf8') === hashOfSources(target);
  } catch {
    return false;
  }
}

/**
 * Builds a target if its sources changed. Throws StepFailed.
 * @param {Target} target
 */
export async function buildIfStale(target) {
  if (isBuilt(target)) return;
  say(`builds ${target === 'all' ? 'the program and its tests' : 'the program'} from the sources…`);
  const startedMs = performance.now();
  // Computed before the compiler runs: a file that changes during the build makes the next run build again.
  /** @type {Target[]} */
  const built = target === 'all' ? ['cli', 'all'] : [target];
  const hashes = built.map(hashOfSources);
  removeOrphans();
  try {
    await translate(target);
    await Promise.all([...BUNDLES.map(bundle), packViewer(), packDashboard()]);
    if (target === 'all') await Promise.all([bundleTap(), bundleProgram(), declareClient()]);
  } catch (error) {
    // esbuild has printed its messages.
    if (error instanceof Error && 'errors' in error) throw new StepFailed('the build failed; see the messages above.');
    throw error;
  }
  writeFileSync(inRepository('dist/build.json'), `${JSON.stringify({ commit: commitOfSources() })}\n`);
  mkdirSync(dirname(stampOf(target)), { recursive: true });
  // `all` includes the program. Without its stamp, the next `npm start` would build it again while tests run.
  for (const [index, each] of built.entries()) writeFileSync(stampOf(each), hashes[index] ?? '');
  say(`built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
}

/**
 * Writes a JavaScript file, with a source map, for each TypeScript file. The tsconfig.json beside a file applies.
 * @param {Target} target
 */
async function translate(target) {
  const { build } = await import('esbuild');
  await Promise.all([
    removeTypes(),
    ...folders[target]
      .filter((folder) => folder !== TEMPLATE)
      .map((folder) =>
        build({
          absWorkingDir: repository,
          entryPoints: sourcesUnder(folder).filter((path) => /(?<!\.d)\.tsx?$/.test(path)),
          outbase: folder,
          outdir: outputOf(folder),
          format: 'esm',
          platform: 'node',
          target: 'es2023',
          sourcemap: true,
          sourcesContent: false,
          logLevel: 'warning',
        }),
      ),
  ]);
}

/**
 * Writes the template of a bot without its types, for releases of Node that cannot remove them. esbuild keeps only comments with an
 * exclamation mark, and no empty lines: both get one, and lose it again.
 */
async function removeTypes() {
  const { transform } = await import('esbuild');
  mkdirSync(inRepository(outputOf(TEMPLATE)), { recursive: true });
  for (const path of sourcesUnder(TEMPLATE).filter((path) => /(?<!\.d)\.ts$/.test(path))) {
    const marked = readFileSync(inRepository(path), 'utf8')
      .replace(/^$/gm, '//!')
      .replace(/^( *)\/\/ /gm, '$1//! ')
      .replace(/^( *)\/\*\*/gm, '$1/*!*');
    const { code } = await transform(marked, {
      loader: 'ts',
      format: 'esm',
      target: 'es2023',
      legalComments: 'inline',
    });
    const bare = code
      .replace(/^ *\/\/!$/gm, '')
      .replace(/^( *\/\/)!/gm, '$1')
      .replace(/^( *\/\*)!/gm, '$1')
      .replace(/^(import .*)\.ts"/gm, '$1.js"')
      .replace(/^export \{\s+([^}]+?)\s+\};/gm, (_, names) => `export { ${names.replace(/\s+/g, ' ')} };`)
      .replaceAll('void 0', 'undefined')
      .replaceAll('/* @__PURE__ */ ', '')
      .replace(/\n{3,}/g, '\n\n');
    writeFileSync(inRepository(outputOf(TEMPLATE), `${basename(path, '.ts')}.js`), `${bare.trimEnd()}\n`);
  }
}

/** Writes the types of the client: those of the API, then the declarations of its package, which only the compiler can write. */
async function declareClient() {
  await runToEnd('dist/tools/generate/documents.js', [CLIENT_TYPES], 'standard error');
  const exitCode = await runToEnd('node_modules/typescript-native/bin/tsc', ['-b', CLIENT], 'standard error');
  if (exitCode !== 0)
    throw new StepFailed(`the types of the client have errors; see the compiler's messages above.`, exitCode);
  gatherTypes();
}

/** Packages whose types those of the client need. */
const TYPED_PACKAGES = ['openapi-fetch', 'openapi-typescript-helpers'];

/** Gathers the types of the client in a folder that needs no package, for the bots that `galaxyd bot new` writes. */
function gatherTypes() {
  const folder = inRepository(CLIENT, 'dist/types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const own = readdirSync(inRepository(CLIENT, 'dist/src')).filter((name) => name.endsWith('.d.ts'));
  for (const name of own) {
    const text = readFileSync(inRepository(CLIENT, 'dist/src', name), 'utf8');
    writeFileSync(join(folder, name), withGatheredTypes(text));
  }
  for (const name of TYPED_PACKAGES) {
    const text = readFileSync(inRepository('node_modules', name, 'dist/index.d.mts'), 'utf8');
    const licence = readFileSync(inRepository('node_modules', name, 'LICENSE'), 'utf8');
    writeFileSync(join(folder, `${name}.d.ts`), `/*\n${licence}*/\n${withGatheredTypes(text)}`);
  }
}

/** Makes imports of packages imports of the files beside this one. @param {string} text */
function withGatheredTypes(text) {
  return TYPED_PACKAGES.reduce((changed, name) => changed.replaceAll(`'${name}'`, `'./${name}.js'`), text);
}

/**
 * Modules that are bundled with what they import. Loading the more than 500 files of typebox takes half a second of processor time,
 * loading one bundle takes 30 ms (decision 27). The client of the API is not published, so it is bundled into galaxyd (decision 21).
 * The forwarder of a sandbox is the only file of galaxyd in it.
 */
const BUNDLES = [
  'persistence/typebox',
  'mcp/galaxyd-client',
  'arena/galaxyd-client',
  'arena/tournament/sandbox-forwarder',
];

/**
 * Bundles a module from its source, since its compiled file may be an earlier bundle. esbuild is imported here because it may not be
 * installed yet when this file is loaded.
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
    // The client loads it when it needs a WebSocket.
    external: ['ws'],
  });
}

/**
 * Bundles the test library into one file, which compiled tests find before the package itself. Each test file is a process of its own,
 * and loading the package takes most of the start of a small one. The folder is named like one of the library's own packages, so that
 * stacks of failures begin in the test.
 */
async function bundleTap() {
  const { build } = await import('esbuild');
  const folder = inRepository('dist/node_modules/tap');
  const module = 'node_modules/@tapjs/bundle/index.js';
  await build({
    entryPoints: [inRepository('node_modules/tap/dist/esm/index.js')],
    outfile: join(folder, module),
    bundle: true,
    minifyWhitespace: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [
      {
        name: 'without React',
        // No test compares React elements, and the package that prints them loads slowly.
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/tcompare\/.*\/react-element-to-jsx-string\.js$/ }, () => ({
            contents: "export default () => { throw new Error('elements of React are not printed'); };",
          })),
      },
      {
        name: 'own domains',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^async-hook-domain$/ }, () => ({ path: inRepository('tools/test-domain.mjs') })),
      },
    ],
  });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'tap', type: 'module', exports: './index.js' }));
  writeFileSync(join(folder, 'index.js'), `export * from './${module}';\nexport { default } from './${module}';\n`);
}

/**
 * Bundles galaxyd for the tests, which start it hundreds of times. A start takes two thirds of the processor time. Packages are not
 * bundled, and each module keeps its own URL, from which it finds its files and the programs that it starts.
 */
async function bundleProgram() {
  const { build } = await import('esbuild');
  const outdir = inRepository(BUNDLED_PROGRAM);
  rmSync(outdir, { recursive: true, force: true });
  await build({
    entryPoints: [inRepository('dist/cli/main.js')],
    outdir,
    bundle: true,
    splitting: true,
    minifyWhitespace: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'error',
    plugins: [
      {
        name: 'URLs of modules',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.js$/ }, ({ path }) => {
            const url = `new URL(${JSON.stringify(relative(outdir, path))}, import.meta.url).href`;
            return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', url) };
          }),
      },
    ],
  });
}

/**
 * The client is a package of its own, so its output is in a dist/ of its own.
 * @param {string} folder with sources
 */
const outputOf = (folder) =>
  dirname(folder) === CLIENT ? join(CLIENT, 'dist', basename(folder)) : join('dist', folder);

/**
 * Writes the files that the page /docs loads: Swagger UI with our start script, its style sheet, and the licences (decision 23). They
 * are compressed here, so that the server only sends them.
 */
async function packViewer() {
  const { transform } = await import('esbuild');
  const textOf = (/** @type {string} */ name) =>
    readFileSync(inRepository('node_modules/swagger-ui-dist', name), 'utf8').replace(
      /^\/[/*]# sourceMappingURL=.*$/m,
      '',
    );
  const start = await transform(readFileSync(inRepository('dist/http/pages/start.js'), 'utf8'), { format: 'iife' });
  const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map(textOf);
  const packed = (/** @type {string} */ text) => gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
  const folder = inRepository('dist/http/pages');
  writeFileSync(join(folder, 'viewer.js.gz'), packed(`${textOf('swagger-ui-bundle.js')}\n${start.code}`));
  writeFileSync(join(folder, 'viewer.css.gz'), packed(textOf('swagger-ui.css')));
  writeFileSync(join(folder, 'viewer-licences.txt'), licences.join('\n'));
}

/**
 * Writes the files that the page /dashboard loads: one script of our modules, the client of the API and their packages; one style
 * sheet; and the licences of all bundled packages (decision 23). They are compressed like those of /docs.
 */
async function packDashboard() {
  const { build } = await import('esbuild');
  const folder = inRepository('dist/dashboard');
  const { metafile, outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: { dashboard: 'dashboard/main.tsx', 'dashboard-style': 'dashboard/style/dashboard.css' },
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles) {
    const name = basename(path).replace('dashboard-style.css', 'dashboard.css');
    writeFileSync(join(folder, `${name}.gz`), gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }));
  }
  writeFileSync(join(folder, 'dashboard-licences.txt'), licencesOf(Object.keys(metafile.inputs)));
}

/**
 * Joins the licences of the packages of bundled files.
 * @param {string[]} paths of the files, relative to the repository
 */
function licencesOf(paths) {
  const packages = new Set(paths.flatMap((path) => path.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []).sort());
  const texts = Array.from(packages, (path) => {
    const name = readdirSync(inRepository(path)).find((file) => /^licen[cs]e/i.test(file));
    if (name === undefined) throw new StepFailed(`${path} is in the dashboard and has no licence`);
    return `${path.replace('node_modules/', '')}\n\n${readFileSync(inRepository(path, name), 'utf8')}`;
  });
  return texts.join('\n');
}

/**
 * The commit that is checked out, with `.changed` if files differ from it; '' if this is no clone, or if there is no git. A build of
 * copied files is given it.
 */
function commitOfSources() {
  const given = process.env['GALAXYD_COMMIT'];
  if (given) return given;
  try {
    const git = (/** @type {string[]} */ ...args) =>
      execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    if (git('rev-parse', '--show-prefix') !== '') return '';
    return git('rev-parse', '--short=8', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '.changed');
  } catch {
    return '';
  }
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
    .map((path) => `${folder}/${path.replaceAll(sep, '/')}`)
    .filter((path) => /\.(tsx?|css)$|\/tsconfig\.json$/.test(path))
    .sort()
    .filter((path) => path !== CLIENT_TYPES);
}

/** Removes compiled files whose source is gone: a deleted test would still run. */
function removeOrphans() {
  for (const folder of folders.all) {
    const output = outputOf(folder);
    if (!existsSync(inRepository(output))) continue;
    for (const path of readdirSync(inRepository(output), { recursive: true, encoding: 'utf8' })) {
      const module = path.replace(/(\.d\.ts|\.js|\.js\.map)$/, '');
      const sources = ['.ts', '.tsx'].map((extension) => join(folder, module + extension));
      // The build generates the types of the client, and only types.
      const isMade = sources.includes(CLIENT_TYPES) && path.endsWith('.d.ts');
      const isThere = isMade || sources.some((source) => source !== CLIENT_TYPES && existsSync(inRepository(source)));
      if (module !== path && !isThere) rmSync(inRepository(output, path));
    }
  }
}
