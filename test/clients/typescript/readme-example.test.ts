// The example in the README of the client, compiled under every strict flag and played.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { begin } from '../../http/support/serving.js';
import { root } from '../../tidy/repository.js';
import { run } from '../programs.js';

const OPTIONS = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    skipLibCheck: true,
  },
};

const README = readFileSync(join(root, 'clients/typescript/README.md'), 'utf8');
const EXAMPLE = [...README.matchAll(/```ts\n([^`]+)```/g)].map(([, block]) => block).join('\n');
const CAST = /\bas\b|\bany\b|!\.|!;|@ts-|<unknown>/;

const { server } = await begin(t);
const folder = t.testdir({
  'package.json': '{"type": "module"}',
  'tsconfig.json': JSON.stringify(OPTIONS),
  'readme.ts': EXAMPLE,
});
await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);

t.test('the example of the README plays, without a cast', async (t) => {
  t.notMatch(EXAMPLE, CAST);
  const output = await run(process.execPath, [join(folder, 'readme.js'), server.url]);
  t.match(
    output,
    /^busy until {[^}]*}\nrefused upgrade_in_progress\nbuildings 4\nplanet-[\d-]+ 500\ndone at 2000-01-01T[\d:.]+Z\nupgrade_in_progress\nupgrade_in_progress\ntrue\niron at noon \d+\npayable 2000-01-01T[\d:.]+Z\n$/,
  );
});
