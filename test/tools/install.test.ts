// When packages are installed: only if one that is needed is missing or another version. To install removes packages, and tests may run.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { root } from '../tidy/repository.js';

type Packages = Record<string, { version?: string; dependencies?: Record<string, string> }>;
const { isInstalled } = (await import(pathToFileURL(join(root, 'tools/install.mjs')).href)) as {
  isInstalled(wanted: 'program' | 'all', locked: Packages, installed: Packages): boolean;
};

const LOCKED: Packages = {
  '': { dependencies: { lmdb: '3' } },
  'node_modules/lmdb': { version: '3.0.0' },
  'node_modules/tap': { version: '21.0.0' },
};
const LMDB = { 'node_modules/lmdb': { version: '3.0.0' } };

t.test('packages are installed if one that is needed is missing or another version', async (t) => {
  const rows: [what: string, installed: Packages, program: boolean, all: boolean][] = [
    ['everything is there', { ...LMDB, 'node_modules/tap': { version: '21.0.0' } }, true, true],
    ['those of the tests are missing', LMDB, true, false],
    ['one is another version', { 'node_modules/lmdb': { version: '2.9.9' } }, false, false],
    ['nothing is there', {}, false, false],
    ['one that the lock does not name', { ...LMDB, 'node_modules/left': { version: '1.0.0' } }, true, false],
  ];
  for (const [what, installed, program, all] of rows)
    t.same([isInstalled('program', LOCKED, installed), isInstalled('all', LOCKED, installed)], [program, all], what);
});
