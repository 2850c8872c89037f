// Which files may import which. Run by `npm run check` and by test/tidy.

/** The folders from the lowest to the highest: each may import itself and those before it. */
const layers = ['text', 'engine', 'persistence', 'http', 'cli'];

/** Packages that only one or two files may import, so that they can be replaced. */
const seams = [
  { dependency: 'uWebSockets.js', only: '^http/server/native/native-library\\.ts$' },
  { dependency: 'ws', only: '^http/server/node/node-socket\\.ts$' },
  { dependency: 'lmdb', only: '^persistence/log/lmdb/lmdb-environment\\.ts$' },
  { dependency: 'pg', only: '^persistence/log/postgres/connection\\.ts$' },
  { dependency: 'pgpass', only: '^persistence/log/postgres/connection\\.ts$' },
  { dependency: 'prom-client', only: '^http/pages/metrics-page\\.ts$' },
  { dependency: 'pino', only: '^cli/output/log\\.ts$' },
  { dependency: '@modelcontextprotocol/server', only: '^mcp/server\\.ts$' },
  { dependency: 'zod', only: '^mcp/' },
  { dependency: 'smol-toml', only: '^cli/commands/config-file\\.ts$' },
];

/** How tests and examples import the client: as users do. Without a build it does not resolve. */
const CLIENT = '^galaxyd-client$';

const escaped = (/** @type {string} */ text) => text.replaceAll('.', '\\.');

/** A violation of any rule fails the check. */
const severity = /** @type {const} */ ('error');

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden: [
    ...layers.map((layer, index) => ({
      name: `${layer}-imports-downwards`,
      comment: `${layer}/ imports only ${layers.slice(0, index + 1).join(', ')}: cli → http → persistence → engine → text.`,
      severity,
      from: { path: `^${layer}/` },
      to: {
        path: [
          `^(${['bench', 'test', 'tools', 'dashboard', ...layers.slice(index + 1)].join('|')})/`,
          '(^|/)clients/',
          CLIENT,
        ],
      },
    })),
    {
      name: 'clients-know-only-the-interface',
      comment: 'A client is a package of its own: nothing of the server or its tests is in it.',
      severity,
      from: { path: '^clients/' },
      to: { path: '^(bench|test|tools|dashboard|arena|text|engine|persistence|http|cli)/' },
    },
    {
      name: 'the-client-runs-anywhere',
      comment: 'The client needs only fetch, WebSocket and openapi-fetch: no module of Node, no other package.',
      severity,
      from: { path: '^clients/typescript/src/', pathNot: '^clients/typescript/src/node-web-socket\\.ts$' },
      to: {
        pathNot: [
          '^clients/typescript/(src|dist/src)/',
          '^#web-socket$',
          '/?node_modules/openapi-fetch/',
          '^openapi-fetch$',
        ],
      },
    },
    {
      name: 'mcp-speaks-only-the-interface',
      comment: 'mcp/ plays like any client: over the API. Only the command line starts it.',
      severity,
      from: { path: '^mcp/' },
      to: { path: '^(bench|test|tools|arena|engine|persistence|http|cli)/' },
    },
    {
      name: 'arena-speaks-only-the-interface',
      comment: 'arena/ plays like any client: over the API (decision 25). Only the command line starts it.',
      severity,
      from: { path: '^arena/' },
      to: { path: '^(bench|test|tools|dashboard|mcp|engine|persistence|http|cli)/' },
    },
    {
      name: 'only-the-command-line-starts-the-arena',
      comment: 'The server does not need the arena.',
      severity,
      from: { path: '^(engine|persistence|http|dashboard|bench)/' },
      to: { path: '^arena/' },
    },
    {
      name: 'only-the-command-line-starts-mcp',
      comment: 'The server does not need the tools for language models.',
      severity,
      from: { path: '^(engine|persistence|http|clients|bench)/' },
      to: { path: '^mcp/' },
    },
    {
      name: 'one-module-loads-the-client',
      comment:
        'The build bundles galaxyd-client.ts of mcp/ and of arena/ into one file, since the client is not published.',
      severity,
      from: { path: '^(mcp|arena)/', pathNot: '^(mcp|arena)/galaxyd-client\\.ts$' },
      to: { path: [CLIENT, '(^|/)clients/'] },
    },
    {
      name: 'dashboard-speaks-only-the-interface',
      comment:
        'The dashboard runs in a browser and knows the server only over the API, through the TypeScript client (decision 23).',
      severity,
      from: { path: '^dashboard/' },
      to: { path: '^(bench|test|tools|engine|persistence|http|mcp|cli)/' },
    },
    {
      name: 'dashboard-runs-in-a-browser',
      comment: 'There is no module of Node in a browser.',
      severity,
      from: { path: '^dashboard/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'dashboard-views-are-leaves',
      comment: 'The connection to the server and the shared parts know no view, so that each view can be replaced.',
      severity,
      from: { path: '^dashboard/(world|parts|chart)/' },
      to: { path: '^dashboard/(views/|main\\.tsx)' },
    },
    {
      name: 'engine-is-pure',
      comment: 'The engine imports only itself: no package, no Node module.',
      severity,
      from: { path: '^engine/' },
      to: { pathNot: '^engine/' },
    },
    {
      name: 'benches-and-tools-do-not-import-tests',
      comment: 'Benches measure the shipped program, and tools work on it.',
      severity,
      from: { path: '^(bench|tools)/' },
      to: { path: '^test/' },
    },
    {
      name: 'only-tests-import-tools',
      comment: 'Nothing that is shipped or measured needs what developers run.',
      severity,
      from: { path: '^bench/' },
      to: { path: '^tools/' },
    },
    {
      name: 'only-bench-units-import-internals',
      comment: 'Units measure modules. All other benches use what anybody can: HTTP and the command line.',
      severity,
      from: { path: '^bench/', pathNot: '^bench/units/' },
      to: { path: '^(engine|persistence|http|cli)/' },
    },
    ...seams.map(({ dependency, only }) => ({
      name: `one-seam-to-${dependency}`,
      comment: `Only ${only} may import ${dependency}.`,
      severity,
      from: { path: '^(engine|persistence|http|mcp|arena|cli)/', pathNot: only },
      to: { path: [`/?node_modules/${escaped(dependency)}/`, `^${escaped(dependency)}$`] },
    })),
    {
      name: 'one-store-knows-lmdb',
      comment: 'The LMDB files are reached through their store: only store-url.ts may import them.',
      severity,
      from: { path: '^(persistence|http|cli|bench)/', pathNot: '^persistence/(log/lmdb/[^/]*|store-url)\\.ts$' },
      to: { path: '^persistence/log/lmdb/' },
    },
    {
      name: 'one-store-knows-postgres',
      comment: 'The files for PostgreSQL are reached through their store: only store-url.ts may import them.',
      severity,
      from: { path: '^(persistence|http|cli|bench)/', pathNot: '^persistence/(log/postgres/[^/]*|store-url)\\.ts$' },
      to: { path: '^persistence/log/postgres/' },
    },
    {
      name: 'one-module-loads-typebox',
      comment:
        'The build bundles persistence/typebox.ts into one file, which loads ten times as fast. Types cost nothing.',
      severity,
      from: { path: '^(engine|persistence|http|cli)/', pathNot: '^persistence/typebox\\.ts$' },
      to: { path: ['/?node_modules/typebox/', '^typebox(/|$)'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-native-part-is-loaded',
      comment: 'The package may fall back to a JavaScript server, so nothing of it is imported but its types.',
      severity,
      from: { path: '^(engine|persistence|http|mcp|arena|cli)/' },
      to: { path: ['/?node_modules/uWebSockets\\.js/', '^uWebSockets\\.js$'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'Files must not need each other while they load. Type-only cycles are fine: the compiler removes them.',
      severity,
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import must resolve. The client is resolved by the compiler, since it may not be built yet.',
      severity,
      from: {},
      to: { couldNotResolve: true, pathNot: [CLIENT, '^#web-socket$'] },
    },
    {
      name: 'no-development-packages-in-the-program',
      comment: 'The shipped program must run without the development packages. The build bundles typebox into it.',
      severity,
      from: { path: '^(engine|persistence|http|mcp|arena|cli)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/(@types|typebox)/' },
    },
  ],
  options: {
    exclude: { path: '^(dist|clients/typescript/dist/(template|types)|\\.tap|data)/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

module.exports = configuration;
