// The folders of persistence/ and http/ are layered: no two of them need each other while they load. The files at the
// top of each either connect the folders or hold limits that all of them use; each counts as a folder of its own.
import { dirname } from 'node:path';
import t from 'tap';
import { root, runTool } from './repository.js';

interface Cruise {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly resolved: string; readonly dependencyTypes: readonly string[] }[];
  }[];
}

const TOPS = ['persistence', 'http'];

/** The folder of a file, or the file itself if it is at the top. */
const roomOf = (path: string): string => (TOPS.includes(dirname(path)) ? path : dirname(path));
const isInside = (path: string): boolean => TOPS.some((top) => path.startsWith(`${top}/`));

t.test('no two folders of persistence/ and http/ need each other', (t) => {
  const { output } = runTool(
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    [...TOPS, '--output-type', 'json'],
    root,
  );
  const { modules } = JSON.parse(output) as Cruise;
  const needs = new Set(
    modules
      .filter(({ source }) => isInside(source))
      .flatMap(({ source, dependencies }) =>
        dependencies
          .filter(({ resolved, dependencyTypes }) => isInside(resolved) && !dependencyTypes.includes('type-only'))
          .map(({ resolved }) => `${roomOf(source)} ${roomOf(resolved)}`),
      ),
  );
  t.ok(needs.has('http/pipeline http/exchange'), 'imports are found');
  const circles = [...needs].filter((need) => {
    const [from = '', to = ''] = need.split(' ');
    return from !== to && needs.has(`${to} ${from}`);
  });
  t.same(circles, []);
  t.end();
});
