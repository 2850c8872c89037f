// Foreign text as every reader gets it: one line, nothing that is not seen, and nothing lost.
import t from 'tap';
import { foreignQuotation, foreignText, parsedJson, shownText } from '../../text/foreign-text.js';

/** Found by other means than the code uses: categories, and the invisible characters that have a visible category. */
const UNSEEN =
  /\p{C}|[\u2028\u2029\u2800\u3164\u115f\u1160\uffa0]|\u034f|\u17b4|\u17b5|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/u;
const BLOCK = 256;

/** Blocks of code points, each of them between letters, so that none of them makes an emoji with the next. */
function* blocks(): Generator<string> {
  for (let first = 0; first <= 0x10ffff; first += BLOCK) {
    // Planes without characters are alike.
    if (first >= 0x20000 && first % 0x10000 > 0x1000 && first < 0x10ff00) continue;
    yield Array.from({ length: BLOCK }, (_, index) => `a${String.fromCodePoint(first + index)}b`).join('');
  }
}

t.test('no character of Unicode is written that is not seen, and none is lost', (t) => {
  const unseen: (string | undefined)[] = [];
  const changed: string[] = [];
  for (const block of blocks()) {
    const shown = shownText(JSON.stringify(block));
    if (UNSEEN.test(shown)) unseen.push(UNSEEN.exec(shown)?.[0].codePointAt(0)?.toString(16));
    if (JSON.parse(shown) !== block || JSON.parse(foreignQuotation(block)) !== block) changed.push(block.slice(0, 10));
  }
  t.same(unseen, []);
  t.same(changed, [], 'JSON is the same JSON afterwards');
  t.end();
});

t.test('visible text stays as it is, whole emoji too', (t) => {
  const texts = [
    'plain ASCII ~ !"#',
    'né à Łódź',
    '日本語',
    'שלום',
    '👩‍🚀',
    '❤️',
    '🇫🇮',
    '👍🏽',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'a 👨‍👩‍👧 b',
  ];
  for (const text of texts) t.equal(shownText(text), text);
  t.end();
});

t.test('joiners, selectors and tags that make no emoji are shown as escapes', (t) => {
  const rows: [text: string, shown: string][] = [
    ['a\u200db', 'a\\u200db'],
    ['a\ufe0f', 'a\\ufe0f'],
    ['👩‍🚀\u200d', '👩‍🚀\\u200d'],
    ['🏴\u{e0041}\u{e007f}', '🏴\\udb40\\udc41\\udb40\\udc7f'],
    ['x\u{e0100}', 'x\\udb40\\udd00'],
    ['a\nb\rc\td\u001b', 'a\\nb\\rc\\td\\u001b'],
  ];
  for (const [text, shown] of rows) t.equal(shownText(text), shown);
  t.end();
});

t.test('foreign text ends no block, cell or quotation', (t) => {
  t.equal(foreignText('`a` <b> | c\n# d'), '\\u0060a\\u0060 \\u003cb\\u003e \\u007c c\\n# d');
  t.equal(foreignQuotation('"a" \\'), '"\\"a\\" \\\\"');
  t.end();
});

t.test('a text that is not JSON stands for nothing', async (t) => {
  for (const value of [null, 0, 'a', [1], { a: null }]) t.strictSame(parsedJson(JSON.stringify(value)), value);
  for (const text of ['', '{"a":', 'nonsense', '\ufeff1', '{} {}']) t.equal(parsedJson(text), undefined, text);
});
