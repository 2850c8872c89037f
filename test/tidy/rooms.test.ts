// The folders of an area are layered: none of them need each other, neither while they load nor for their types, and not through
// others either. A file at the top of an area either connects the folders or holds what all of them use; it counts as a folder of its
// own. Some files of a folder may need each other, if they are few.
import t from 'tap';
import { root, runTool } from './repository.js';

interface Circles {
  /** `folder folder` */
  readonly imports: readonly string[];
  readonly rooms: readonly (readonly string[])[];
  readonly files: readonly (readonly string[])[];
}

/** The areas for which it holds. */
const LAYERED = ['persistence', 'http'];
/** Files of one circle. */
const CIRCLE_FILES_MAX = 5;

for (const area of LAYERED) {
  t.test(`no folders of ${area}/ need each other in a circle, nor do many files`, (t) => {
    const { output } = runTool('tools/import-graph.mjs', [area], root);
    const { imports, rooms, files } = JSON.parse(output) as Circles;
    t.ok(imports.length > 20, 'imports are found');
    t.same(rooms, []);
    t.same(
      files.filter(({ length }) => length > CIRCLE_FILES_MAX),
      [],
    );
    t.end();
  });
}

t.test('imports of types count', (t) => {
  const { imports } = JSON.parse(runTool('tools/import-graph.mjs', ['http'], root).output) as Circles;
  t.ok(
    imports.includes('http/spectators http/replica'),
    'the former names the type EventSeqs of the latter, and nothing else',
  );
  t.end();
});
