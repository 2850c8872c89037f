// The style sheets of the dashboard make one: a class that two of them define would change a view that it does not belong to.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root, textOf } from '../tidy/repository.js';

/** Classes that rules of a style sheet begin with, outside of those that only refine a place: `.panel > .entry` defines neither. */
const definedIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.matchAll(/^ *(\.[\w-]+)(?::[\w-]+(?:\([^)]*\))?)*(?:,$| \{$)/gm), ([, name = '']) => name));

t.test('each class is defined in one style sheet', async (t) => {
  const sheets = readdirSync(join(root, 'dashboard/style')).map(
    (name) => [name, textOf(`dashboard/style/${name}`)] as const,
  );
  const places = new Map<string, string[]>();
  for (const [sheet, text] of sheets)
    for (const name of definedIn(text)) places.set(name, [...(places.get(name) ?? []), sheet]);
  t.ok(places.size > 50, `${places.size} classes`);
  t.same(
    Array.from(places).filter(([, found]) => found.length > 1),
    [],
  );
});

t.test('a class that is defined twice is found', async (t) => {
  t.same(definedIn('.one {\n}\n.two,\n.three:hover {\n}\n.four > .five {\n}\n'), new Set(['.one', '.two', '.three']));
});
