// What `npm run platforms` runs by name, as test files. `npm test` has them, too.

const path = (name: string): string => `test/${name}.test.ts`;

export const SUITES = {
  clients: [
    'clients/builders',
    'clients/python',
    'clients/typescript/calls',
    'clients/typescript/events',
    'clients/typescript/retries',
    'clients/typescript/socket',
  ].map(path),
  contract: ['http/documents/contract', 'http/server/contract', 'http/server/wire', 'http/server/web-socket'].map(path),
  attacks: [
    'http/server/attacks',
    'http/server/bad-framing',
    'http/server/flood',
    'http/server/hostile-sockets',
    'http/server/slow-readers',
    'torture/torture',
  ].map(path),
} as const;

/** What runs over a current release of uWebSockets.js. The clients need Python, which its system does not have. */
export const NATIVE_SUITE: readonly string[] = [...SUITES.contract, ...SUITES.attacks];
