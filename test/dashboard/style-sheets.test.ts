// The style sheets of the dashboard are joined into one: a class that two of them define would change a view that it does not belong to.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root, textOf } from '../tidy/repository.js';

/** The classes that rules of a style sheet define. A rule that only refines a place, such as `.panel > .entry`, defines none. */
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

/** Rules that apply to the first letter of one element and for another element as a whole: a line between them was lost. */
const mixedIn = (text: string): string[] =>
  Array.from(text.matchAll(/([^{}]+)\{/g), ([, selectors = '']) => selectors.trim()).filter((selectors) => {
    const letters = selectors.split(',').filter((selector) => selector.endsWith('::first-letter')).length;
    return letters > 0 && letters < selectors.split(',').length;
  });

t.test('a rule for first letters holds for nothing else', async (t) => {
  const sheets = readdirSync(join(root, 'dashboard/style'));
  t.same(
    sheets.flatMap((name) => mixedIn(textOf(`dashboard/style/${name}`))),
    [],
  );
  t.same(mixedIn('.one::first-letter,\n.two {\n}\n.three::first-letter {\n}\n'), ['.one::first-letter,\n.two']);
});

t.test('a class that is defined twice is found', async (t) => {
  t.same(definedIn('.one {\n}\n.two,\n.three:hover {\n}\n.four > .five {\n}\n'), new Set(['.one', '.two', '.three']));
});
