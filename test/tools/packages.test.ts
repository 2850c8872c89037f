// What `npm pack` makes of the server and of the TypeScript client: only the files that are needed, and they serve and
// play outside the repository. LONG=1 installs them with npm, which needs a package registry; otherwise they are unpacked
// beside links to the packages that they declare.
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { defaultTransport, javascriptServerHint } from '../../http/world-server.js';
import { hasPrograms, run } from '../clients/programs.js';
import { McpHost } from '../mcp/mcp-host.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { CURRENT_LIBRARY } from '../platforms/fetched-packages.js';
import { GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { serveArgs, start, statusOf } from '../support/process/operator.js';
import { committedFiles, root } from '../tidy/repository.js';
import '../support/ended-fetch.js';

const execute = promisify(execFile);

interface Packed {
  readonly file: string;
  readonly paths: readonly string[];
  /** Bytes to download, and on disk. */
  readonly size: number;
  readonly unpackedSize: number;
}

const ADMIN_KEY = 'let-me-advance-time';
const folder = await temporaryFolder(t);
// As prepack does: it is not in git.
await run(process.execPath, [join(root, 'dist/tools/generate/documents.js'), 'docs/api.md']);
const [server, client] = await Promise.all([pack(root), pack(join(root, 'clients/typescript'))]);

t.test('the package of the server is its program, the pages for browsers, and what operators read', async (t) => {
  const sources = committedFiles().filter((path) =>
    /^(text|engine|persistence|http|mcp|arena|cli)\/.*(?<!\.d)\.ts$/.test(path),
  );
  const compiled = sources.map((path) => `dist/${path.replace(/ts$/, 'js')}`);
  // What galaxyd bot new writes.
  const templates = committedFiles().filter((path) =>
    /^clients\/(python\/(template\/|src\/galaxyd\/[^/]+$)|typescript\/template\/(?!tsconfig\.check\.json))/.test(path),
  );
  const withoutTypes = templates
    .filter((path) => /(?<!\.d)\.ts$/.test(path))
    .map((path) => path.replace('/template/', '/dist/template/').replace(/ts$/, 'js'));
  t.equal(withoutTypes.length, 3);
  t.ok(compiled.length > 200);
  t.same(
    new Set(server.paths),
    new Set([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json', 'dist/build.json'],
      ...[
        'docs/api.md',
        'docs/arena.md',
        'docs/dashboard.md',
        'docs/events.md',
        'docs/first-bot.md',
        'docs/formats.md',
        'docs/mcp.md',
        'docs/operating.md',
        'docs/rules.md',
        'docs/scaling.md',
        'docs/scaling/haproxy.cfg',
        'docs/scaling/worlds.map',
      ],
      ...committedFiles().filter((path) => path.startsWith('deploy/')),
      ...compiled,
      ...templates,
      ...withoutTypes,
      ...client.paths
        .filter((path) => /^dist\/src\/.*\.d\.ts$/.test(path))
        .map((path) => path.replace('dist/src', 'clients/typescript/dist/types')),
      ...['openapi-fetch', 'openapi-typescript-helpers'].map((name) => `clients/typescript/dist/types/${name}.d.ts`),
      ...['viewer.js.gz', 'viewer.css.gz', 'viewer-licences.txt'].map((name) => `dist/http/pages/${name}`),
      ...['dashboard.js.gz', 'dashboard.css.gz', 'dashboard-licences.txt'].map((name) => `dist/dashboard/${name}`),
    ]),
  );
  t.ok(server.size < 1_900_000, `${server.size} bytes packed`);
  t.ok(server.unpackedSize < 5_600_000, `${server.unpackedSize} bytes unpacked`);
});

t.test('the package of the client is its modules with their types, and examples', async (t) => {
  const files = committedFiles().filter((path) => /^clients\/typescript\/(src|examples)\/.*\.ts$/.test(path));
  const names = files.map((path) => path.slice('clients/typescript/'.length, -'.ts'.length));
  const modules = names.filter((name) => name.startsWith('src/'));
  const examples = names.filter((name) => name.startsWith('examples/'));
  t.ok(modules.length > 10);
  t.same(
    new Set(client.paths),
    new Set([
      ...['LICENSE', 'README.md', 'package.json'],
      ...modules.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]),
      // Types alone, made by the build.
      'dist/src/api.d.ts',
      ...examples.flatMap((name) => [`${name}.ts`, `dist/${name}.js`]),
    ]),
  );
  t.ok(client.size < 98_000, `${client.size} bytes packed`);
  t.ok(client.unpackedSize < 710_000, `${client.unpackedSize} bytes unpacked`);
});

t.test('installed into empty folders, the server serves, and the client and a language model play', async (t) => {
  const serverFolder = await install(t, server, 'galaxyd');
  const clientFolder = await install(t, client, 'galaxyd-client');
  const { bin } = JSON.parse(await readFile(join(serverFolder, 'package.json'), 'utf8')) as {
    bin: { galaxyd: string };
  };
  const galaxyd = await GalaxydProcess.start(t, {
    args: ['serve', '--data', join(folder, 'world'), '--port', '0', '--clock', 'manual', '--admin-key', ADMIN_KEY],
    program: join(serverFolder, bin.galaxyd),
  });
  const documents = ['/docs', '/docs/viewer.js', '/dashboard', '/dashboard/dashboard.js', '/llms.txt', '/openapi.json'];
  for (const path of documents) {
    t.equal((await fetch(galaxyd.url + path)).status, 200, path);
  }
  const until = '2000-01-01T01:00:00.000Z';
  const output = await run(process.execPath, [
    join(clientFolder, 'dist/examples/builder.js'),
    ...[galaxyd.url, 'Ada', '--until', until, '--admin-key', ADMIN_KEY],
  ]);
  t.match(output, /^Ada has \d{3,} points$/m);
  const host = await McpHost.spawn(t, {
    url: galaxyd.url,
    playerId: 'player-1',
    program: join(serverFolder, bin.galaxyd),
  });
  t.match(await host.call('brief'), { isError: false, text: /^# "Ada" / });
  const program = join(serverFolder, bin.galaxyd);
  for (const [language, needed] of [['javascript'], ['python', 'python3']] as const) {
    if (needed !== undefined && !hasPrograms(t, needed)) continue;
    const written = await runGalaxyd(t, {
      args: ['bot', 'new', `in-${language}`, '--language', language],
      program,
      cwd: folder,
    });
    t.match(written, { code: 0, stderr: '' }, language);
  }
  t.match(await galaxyd.stop(), { code: 0 });
});

const BUILD = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
/** The package as official releases are: its package.json cannot be resolved. Whoever imports it fails. */
const RELEASE = {
  'package.json': JSON.stringify({ name: 'uWebSockets.js', exports: { require: './uws.js' } }),
  'uws.js': 'throw new Error("the package was imported");',
};

/** Each row: files of the package, null if there is none, and why its native part does not load. */
const UNLOADABLE: readonly (readonly [what: string, Readonly<Record<string, string>> | null, reason: RegExp])[] = [
  ['no package', null, /^did not load \(the package is not installed\)\. /],
  ['no build', RELEASE, new RegExp(`^did not load \\(the installed package has no ${BUILD}\\)\\. `)],
  [
    'a broken build',
    { ...RELEASE, [BUILD]: 'not a library' },
    new RegExp(`^did not load \\(Error: ${BUILD}: [^/\n]+\\)\\. `),
  ],
];

t.test('a native part that does not load is one line of the log, and the other server serves', async (t) => {
  const serverFolder = await install(t, server, 'galaxyd');
  const program = join(serverFolder, 'dist/cli/main.js');
  const data = await temporaryFolder(t);
  for (const [what, files, reason] of UNLOADABLE) {
    await replaceLibrary(serverFolder, files);
    const { galaxyd, client } = await start(t, { args: serveArgs(data), program });
    const { http, hint = '' } = await statusOf(client);
    t.equal(http, 'javascript', what);
    t.match(hint.split('whose native part ')[1], reason, what);
    const lines = galaxyd.stdout.split('\n').filter((line) => /native/.test(line));
    t.same(lines, [`galaxyd runs over Node's own HTTP server. ${hint}`], what);
    t.match(await galaxyd.stop(), { code: 0, stderr: '' }, what);
    const refused = await runGalaxyd(t, { args: serveArgs(data, '--require-native'), program });
    t.equal(refused.code, 78, what);
    t.match(refused.stderr.split('the native part of uWebSockets.js ')[1], reason, what);
  }
});

const noBuild = defaultTransport() === 'native' ? false : 'there is no build for this Node';

t.test('an official release of the library loads', { skip: noBuild }, async (t) => {
  const serverFolder = await install(t, server, 'galaxyd');
  await replaceLibrary(serverFolder, RELEASE);
  await symlink(join(root, 'node_modules/uWebSockets.js/binaries', BUILD), join(serverFolder, LIBRARY, BUILD));
  const args = serveArgs(await temporaryFolder(t), '--require-native');
  const { galaxyd, client } = await start(t, { args, program: join(serverFolder, 'dist/cli/main.js') });
  t.match(await statusOf(client), { http: 'native', hint: undefined });
  t.match(await galaxyd.stop(), { code: 0 });
});

t.test('docs/operating.md and the hint name the release that is tested', async (t) => {
  const command = `npm install uWebSockets.js@uNetworking/uWebSockets.js#v${CURRENT_LIBRARY.version}`;
  t.match(javascriptServerHint(), command);
  t.match(await readFile(join(root, 'docs/operating.md'), 'utf8'), command);
});

/** Folder of the library, seen from that of the server. */
const LIBRARY = '../uWebSockets.js';

async function replaceLibrary(serverFolder: string, files: Readonly<Record<string, string>> | null): Promise<void> {
  const library = join(serverFolder, LIBRARY);
  await rm(library, { recursive: true, force: true });
  if (files === null) return;
  await mkdir(library);
  for (const [name, text] of Object.entries(files)) await writeFile(join(library, name), text);
}

/** @param packageFolder where the package.json is */
async function pack(packageFolder: string): Promise<Packed> {
  const options = ['--ignore-scripts', '--json', '--pack-destination', folder];
  // The runner's loader would be loaded into npm as well.
  const { stdout } = await execute('npm', ['pack', ...options], {
    cwd: packageFolder,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  // A list, or since npm 11 an object.
  const [packed] = Object.values(JSON.parse(stdout)) as [
    { filename: string; size: number; unpackedSize: number; files: { path: string }[] },
  ];
  const { filename, size, unpackedSize, files } = packed;
  return { file: join(folder, filename), paths: files.map(({ path }) => path), size, unpackedSize };
}

/** Installs a package into an empty folder. @returns the folder of the package in it */
async function install(t: Test, { file }: Packed, name: string): Promise<string> {
  const target = await temporaryFolder(t);
  const installed = join(target, 'node_modules', name);
  await writeFile(join(target, 'package.json'), '{"private": true}');
  await shortOrLong(unpack, installByNpm)(file, installed, target);
  return installed;
}

async function installByNpm(file: string, _installed: string, target: string): Promise<void> {
  await execute('npm', ['install', '--no-audit', '--no-fund', file], {
    cwd: target,
    env: { ...process.env, NODE_OPTIONS: '' },
  });
}

async function unpack(file: string, installed: string, target: string): Promise<void> {
  await mkdir(installed, { recursive: true });
  await execute('tar', ['--extract', '--gzip', '--file', file, '--directory', installed, '--strip-components=1']);
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(target, 'node_modules', name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
}
