// The rules of .dependency-cruiser.cjs hold the direction of imports: cli → http → persistence → engine. `npm run
// check` runs them on the repository; here they run on small files that break them, to check that each rule refuses its
// file.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root, runTool } from './repository.js';

const cruise = (folder: string): { exitCode: number | null; output: string } =>
  runTool('node_modules/dependency-cruiser/bin/dependency-cruise.mjs', ['.'], folder);

/** Each has a leaf that others import. */
const FOLDERS = [
  ...['text', 'engine', 'persistence', 'http', 'mcp', 'arena', 'cli', 'bench', 'clients', 'tools', 'test'],
  ...['dashboard', 'dashboard/parts', 'dashboard/views'],
];

/** Each row: a file with one import, and the rule that refuses it; undefined when it is allowed. */
const arrows: ReadonlyArray<readonly [path: string, imported: string, refusedBy: string | undefined]> = [
  ['text/one.ts', '../engine/leaf.js', 'text-imports-downwards'],
  ['engine/seven.ts', '../text/leaf.js', 'engine-is-pure'],
  ['persistence/five.ts', '../text/leaf.js', undefined],
  ['mcp/five.ts', '../text/leaf.js', undefined],
  ['clients/typescript/src/six.ts', '../../../text/leaf.js', 'clients-know-only-the-interface'],
  ['engine/one.ts', './leaf.js', undefined],
  ['engine/two.ts', '../persistence/leaf.js', 'engine-imports-downwards'],
  ['engine/three.ts', 'node:fs', 'engine-is-pure'],
  ['engine/four.ts', 'msgpackr', 'engine-is-pure'],
  ['engine/five.ts', '../test/leaf.js', 'engine-imports-downwards'],
  ['engine/six.ts', './missing.js', 'no-unresolvable'],
  ['persistence/one.ts', '../engine/leaf.js', undefined],
  ['persistence/two.ts', '../http/leaf.js', 'persistence-imports-downwards'],
  ['persistence/log/lmdb/lmdb-environment.ts', 'lmdb', undefined],
  ['persistence/three.ts', 'lmdb', 'one-seam-to-lmdb'],
  ['persistence/store-url.ts', './log/lmdb/lmdb-environment.js', undefined],
  ['persistence/four.ts', './log/lmdb/lmdb-environment.js', 'one-store-knows-lmdb'],
  ['http/six.ts', 'typebox', undefined],
  ['http/one.ts', '../persistence/leaf.js', undefined],
  ['http/two.ts', '../cli/leaf.js', 'http-imports-downwards'],
  ['http/server/native/native-library.ts', 'uWebSockets.js', undefined],
  ['http/three.ts', 'uWebSockets.js', 'one-seam-to-uWebSockets.js'],
  ['http/four.ts', 'prom-client', 'one-seam-to-prom-client'],
  ['cli/output/log.ts', 'pino', undefined],
  ['http/five.ts', 'pino', 'one-seam-to-pino'],
  ['cli/one.ts', '../http/leaf.js', undefined],
  ['cli/two.ts', '../bench/leaf.js', 'cli-imports-downwards'],
  ['cli/three.ts', 'tap', 'no-development-packages-in-the-program'],
  ['bench/units/one.ts', '../../http/leaf.js', undefined],
  ['bench/one.ts', '../http/leaf.js', 'only-bench-units-import-internals'],
  ['bench/servers/three.ts', '../../engine/leaf.js', 'only-bench-units-import-internals'],
  ['bench/servers/four.ts', '../leaf.js', undefined],
  ['bench/two.ts', '../test/leaf.js', 'benches-and-tools-do-not-import-tests'],
  ['bench/five.ts', '../tools/leaf.js', 'only-tests-import-tools'],
  ['tools/league/one.ts', '../../test/leaf.js', 'benches-and-tools-do-not-import-tests'],
  ['tools/league/two.ts', '../../arena/leaf.js', undefined],
  ['test/four.ts', '../tools/leaf.js', undefined],
  ['cli/eight.ts', '../tools/leaf.js', 'cli-imports-downwards'],
  ['test/one.ts', '../bench/leaf.js', undefined],
  ['test/two.ts', 'galaxyd-client', undefined],
  ['cli/four.ts', 'galaxyd-client', 'cli-imports-downwards'],
  ['cli/five.ts', '../mcp/leaf.js', undefined],
  ['http/eight.ts', '../mcp/leaf.js', 'only-the-command-line-starts-mcp'],
  ['bench/three.ts', '../mcp/leaf.js', 'only-the-command-line-starts-mcp'],
  ['mcp/one.ts', '../http/leaf.js', 'mcp-speaks-only-the-interface'],
  ['mcp/two.ts', '../cli/leaf.js', 'mcp-speaks-only-the-interface'],
  ['mcp/three.ts', 'galaxyd-client', 'one-module-loads-the-client'],
  ['mcp/galaxyd-client.ts', 'galaxyd-client', undefined],
  ['cli/seven.ts', '../arena/leaf.js', undefined],
  ['test/three.ts', '../arena/leaf.js', undefined],
  ['http/ten.ts', '../arena/leaf.js', 'only-the-command-line-starts-the-arena'],
  ['bench/four.ts', '../arena/leaf.js', 'only-the-command-line-starts-the-arena'],
  ['mcp/four.ts', '../arena/leaf.js', 'mcp-speaks-only-the-interface'],
  ['clients/typescript/src/five.ts', '../../../arena/leaf.js', 'clients-know-only-the-interface'],
  ['arena/one.ts', '../engine/leaf.js', 'arena-speaks-only-the-interface'],
  ['arena/two.ts', '../http/leaf.js', 'arena-speaks-only-the-interface'],
  ['arena/bots/one.ts', '../../cli/leaf.js', 'arena-speaks-only-the-interface'],
  ['arena/three.ts', 'galaxyd-client', 'one-module-loads-the-client'],
  ['arena/galaxyd-client.ts', 'galaxyd-client', undefined],
  ['arena/four.ts', 'ws', 'one-seam-to-ws'],
  ['mcp/server.ts', '@modelcontextprotocol/server', undefined],
  ['mcp/tools/one.ts', '@modelcontextprotocol/server', 'one-seam-to-@modelcontextprotocol/server'],
  ['cli/six.ts', 'zod', 'one-seam-to-zod'],
  ['http/seven.ts', '../clients/leaf.js', 'http-imports-downwards'],
  ['clients/typescript/src/one.ts', '../../../http/leaf.js', 'clients-know-only-the-interface'],
  ['clients/typescript/src/two.ts', 'node:fs', 'the-client-runs-anywhere'],
  ['clients/typescript/src/three.ts', 'pino', 'the-client-runs-anywhere'],
  ['clients/typescript/src/four.ts', 'openapi-fetch', undefined],
  ['clients/typescript/examples/one.ts', '../../../test/leaf.js', 'clients-know-only-the-interface'],
  ['clients/typescript/examples/two.ts', 'galaxyd-client', undefined],
  ['dashboard/one.ts', 'galaxyd-client', undefined],
  ['dashboard/two.ts', '../http/leaf.js', 'dashboard-speaks-only-the-interface'],
  ['dashboard/three.ts', 'node:fs', 'dashboard-runs-in-a-browser'],
  ['dashboard/parts/one.ts', '../views/leaf.js', 'dashboard-views-are-leaves'],
  ['dashboard/views/one.ts', '../parts/leaf.js', undefined],
  ['http/nine.ts', '../dashboard/leaf.js', 'http-imports-downwards'],
];

const CIRCLES = {
  'engine/here.ts': "import { there } from './there.js';\nexport const here = (): number => there();\n",
  'engine/there.ts': "import { here } from './here.js';\nexport const there = (): number => here();\n",
  'engine/near.ts': "import { far } from './far.js';\nexport const near = (): number => far();\n",
  'engine/far.ts': "import type { near } from './near.js';\nexport const far = (): typeof near => () => 1;\n",
};
const COMPILE = "import { Compile } from 'typebox/compile';\nexport const check = Compile({});\n";
const APP = "import uws from 'uWebSockets.js';\nexport const app = uws.App();\n";
const LEAF = 'export type Thing = number;\n';

/** What the rules say of all these files. */
const output = (() => {
  const files: Folder = {};
  for (const folder of FOLDERS) place(files, [...folder.split('/'), 'leaf.ts'], LEAF);
  for (const [path, imported] of arrows) {
    place(files, path.split('/'), `import type { Thing } from '${imported}';\nexport type Own = Thing;\n`);
  }
  for (const [path, text] of Object.entries(CIRCLES)) place(files, path.split('/'), text);
  for (const folder of ['http', 'persistence']) place(files, [folder, 'typebox.ts'], COMPILE);
  place(files, ['http', 'server', 'native', 'native-transport.ts'], APP);
  return cruise(repositoryOf(files)).output;
})();

t.test('files that need each other while they load are refused, and a type that points back is not', async (t) => {
  t.match(output, /error no-cycles: engine\/(here|there)\.ts/);
  t.notMatch(output, /no-cycles: engine\/(near|far)\.ts/);
});

t.test('values of typebox come from the one module that loads it', async (t) => {
  t.match(output, /error one-module-loads-typebox: http\/typebox\.ts/);
  t.notMatch(output, /one-module-loads-typebox: persistence/);
});

t.test('nothing but types is imported from uWebSockets.js', async (t) => {
  t.match(output, /error the-native-part-is-loaded: http\/server\/native\/native-transport\.ts/);
  t.notMatch(output, /the-native-part-is-loaded: http\/server\/native\/native-library/);
});

t.test('an import against the arrows is refused, even of a type only', async (t) => {
  for (const [path, imported, refusedBy] of arrows) {
    const refusals = output.split('\n').filter((line) => line.includes(`: ${path} →`));
    if (refusedBy === undefined) t.same(refusals, [], `${path} may import ${imported}`);
    else
      t.ok(
        refusals.some((line) => line.includes(refusedBy)),
        `${path} may not import ${imported}`,
      );
  }
});

/** Files by name, and folders of them. */
interface Folder {
  [name: string]: string | Folder;
}

function place(folder: Folder, [name = '', ...rest]: readonly string[], text: string): void {
  if (rest.length === 0) {
    folder[name] = text;
    return;
  }
  const inner = folder[name] ?? {};
  if (typeof inner === 'string') throw new Error(`${name} is a file`);
  folder[name] = inner;
  place(inner, rest, text);
}

/** Makes a small repository with our rules and these files. */
function repositoryOf(files: Folder): string {
  const folder = t.testdir(files);
  for (const name of ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.base.json']) {
    copyFileSync(join(root, name), join(folder, name));
  }
  return folder;
}
