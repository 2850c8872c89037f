// The folders of a layered area do not need each other in circles, and neither do more than a few of its files. Imports of types count: a
// reader follows them like any other. A file at the top of an area counts as a folder of its own.
import t from 'tap';
import { committedFiles, root } from './repository.js';

interface ImportGraph {
  importGraph(paths: readonly string[]): Map<string, string[]>;
  roomsOf(graph: Map<string, string[]>): Map<string, string[]>;
  circlesOf(graph: Map<string, string[]>): string[][];
}

const AREAS = ['engine', 'persistence', 'http'];
/** Files that may be one idea and need each other. */
const FILES_PER_CIRCLE_MAX = 5;

const { importGraph, roomsOf, circlesOf } = (await import(`${root}/tools/import-graph.mjs`)) as ImportGraph;
const files = committedFiles().filter((path) => AREAS.includes(path.split('/')[0] ?? '') && path.endsWith('.ts'));
const imports = importGraph(files);

const graphOf = (...arrows: readonly (readonly [string, string])[]): Map<string, string[]> => {
  const nodes = new Set(arrows.flat());
  return new Map([...nodes].map((node) => [node, arrows.flatMap(([from, to]) => (from === node ? [to] : []))]));
};

t.test('a circle is found however long it is', (t) => {
  t.same(circlesOf(graphOf(['a', 'b'], ['b', 'c'], ['c', 'd'])), []);
  t.same(circlesOf(graphOf(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a'], ['c', 'y'])), [['a', 'b', 'c']]);
  t.end();
});

t.test('no folders need each other in a circle', (t) => {
  const rooms = roomsOf(imports);
  t.ok(rooms.get('engine/commands')?.includes('engine/world'), 'imports are found');
  t.ok(imports.get('engine/world/player-table.ts')?.includes('engine/world/state.ts'), 'and so are imports of types');
  t.same(circlesOf(rooms), []);
  t.end();
});

t.test('no circle of files is large', (t) => {
  t.same(
    circlesOf(imports).filter(({ length }) => length > FILES_PER_CIRCLE_MAX),
    [],
  );
  t.end();
});
