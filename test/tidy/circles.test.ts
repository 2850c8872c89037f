// The folders of a layered area do not need each other in circles, and neither do more than a few of its files. Imports of types count: a
// reader follows them like any other. A file at the top of an area counts as a folder of its own.
import { dirname, join } from 'node:path';
import t from 'tap';
import ts from 'typescript';
import { committedFiles, textOf } from './repository.js';

const AREAS = ['engine', 'persistence'];
/** Files that may be one idea and need each other. */
const FILES_PER_CIRCLE_MAX = 5;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const files = committedFiles().filter((path) => AREAS.includes(path.split('/')[0] ?? '') && path.endsWith('.ts'));
const imports: Graph = new Map(files.map((path) => [path, importsOf(path)]));

function importsOf(path: string): ReadonlySet<string> {
  const { importedFiles } = ts.preProcessFile(textOf(path), true, true);
  const paths = importedFiles.map(({ fileName }) => join(dirname(path), fileName).replace(/\.js$/, '.ts'));
  return new Set(paths.filter((imported) => files.includes(imported)));
}

const roomOf = (path: string): string => (AREAS.includes(dirname(path)) ? path : dirname(path));

function roomsOf(graph: Graph): Graph {
  const rooms = new Map<string, Set<string>>();
  for (const [path, imported] of graph) {
    const others = [...imported].map(roomOf).filter((room) => room !== roomOf(path));
    rooms.set(roomOf(path), new Set([...(rooms.get(roomOf(path)) ?? []), ...others]));
  }
  return rooms;
}

function reachableFrom(start: string, graph: Graph): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

/** Nodes that need each other, each circle once. */
function circlesOf(graph: Graph): string[][] {
  const reachable = new Map([...graph.keys()].map((node) => [node, reachableFrom(node, graph)]));
  const circles = [...graph.keys()].map((node) =>
    [...graph.keys()].filter((other) => reachable.get(node)?.has(other) && reachable.get(other)?.has(node)),
  );
  return circles.filter((circle, place) => circle[0] === [...graph.keys()][place]);
}

const graphOf = (...arrows: readonly (readonly [string, string])[]): Graph => {
  const nodes = new Set(arrows.flat());
  return new Map(
    [...nodes].map((node) => [node, new Set(arrows.flatMap(([from, to]) => (from === node ? [to] : [])))]),
  );
};

t.test('a circle is found however long it is', (t) => {
  t.same(circlesOf(graphOf(['a', 'b'], ['b', 'c'], ['c', 'd'])), []);
  t.same(circlesOf(graphOf(['x', 'a'], ['a', 'b'], ['b', 'c'], ['c', 'a'], ['c', 'y'])), [['a', 'b', 'c']]);
  t.end();
});

t.test('no folders need each other in a circle', (t) => {
  const rooms = roomsOf(imports);
  t.ok(rooms.get('engine/commands')?.has('engine/world'), 'imports are found');
  t.ok(imports.get('engine/world/planet-table.ts')?.has('engine/world/state.ts'), 'and so are imports of types');
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
