// The AsyncAPI document: the official parser finds no fault in it; it contains every type of event, every frame and every route of
// events.
import { Parser } from '@asyncapi/parser';
import t from 'tap';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { asyncApiDocument } from '../../http/documents/asyncapi.js';
import { EVENT_ROUTES } from '../../http/routes/events.js';
import { EVENT_TYPES } from '../../http/schemas/events.js';
import { CLIENT_FRAMES, SERVER_FRAMES } from '../../http/schemas/frames.js';

/** The parser recommends the newest version of the specification, whatever the document needs. */
const KNOWN = ['asyncapi-latest-version: asyncapi'];

const parser = new Parser();
const text = JSON.stringify(asyncApiDocument(STANDARD_1_RULES));

/** What the parser finds, each as rule and place. */
function faults({ diagnostics }: Awaited<ReturnType<Parser['parse']>>): string[] {
  return diagnostics.map(({ code, path }) => `${code}: ${path.join('/')}`);
}

t.test('the official parser complains only about the version, and finds every event, frame and channel', async (t) => {
  const parsed = await parser.parse(text);
  t.same(faults(parsed), KNOWN);
  const { document } = parsed;
  const messages = new Set(
    document
      ?.allMessages()
      .all()
      .map((message) => message.name()),
  );
  for (const type of EVENT_TYPES.keys()) t.ok(messages.has(type), type);
  for (const op of Object.keys({ ...CLIENT_FRAMES, ...SERVER_FRAMES })) t.ok(messages.has(`${op}-frame`), op);
  const addresses = document?.allChannels().all() ?? [];
  const paths = EVENT_ROUTES.map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  t.same(new Set(addresses.map((channel) => channel.address())), new Set([...paths, '/ws']));
});

t.test('each schema from which generators make a type has a name of its own', async (t) => {
  const untitled: string[] = [];
  const titles: unknown[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const isType = ['properties', 'enum', 'anyOf', 'oneOf', 'allOf'].some((key) => key in value);
    // Components have names, and no generator makes types of bindings.
    const isNamed = /^\/components\/schemas\/\w+$|\/bindings\/|\/properties$/.test(path);
    if (isType && !isNamed) {
      if ('title' in value) titles.push(value.title);
      else untitled.push(path);
    }
    for (const [key, part] of Object.entries(value)) visit(part, `${path}/${key}`);
  };
  visit(JSON.parse(text), '');
  t.same(untitled, []);
  t.ok(titles.length > EVENT_TYPES.size);
  t.equal(new Set(titles).size, titles.length, 'no two have the same');
});
