// A build for the tests includes the program, so `npm start` beside running tests does not build it again under them.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { root } from '../tidy/repository.js';

t.test('after the build for the tests, the program is up to date', async (t) => {
  const { isBuilt } = (await import(pathToFileURL(join(root, 'tools/build.mjs')).href)) as {
    isBuilt(target: 'cli' | 'all'): boolean;
  };
  t.equal(isBuilt('all'), true);
  t.equal(isBuilt('cli'), true);
});
