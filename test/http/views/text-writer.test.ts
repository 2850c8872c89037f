// Texts are written into slabs one after the other. Whatever is written, and wherever in a slab it lands, each text
// equals what JSON and Date produce, and it stays so while others are written.
import t from 'tap';
import { WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { isoText } from '../../../http/exchange/iso-time.js';
import { REPLY_SLAB_BYTES } from '../../../http/limits.js';
import { fragment, TextWriter } from '../../../http/views/text-writer.js';
import { Draws, drawSeed } from '../../support/process/draws.js';

const NAMES = [
  '',
  'ada',
  '"\\/',
  'a\u2028b',
  'Ünï',
  'שלום',
  '\u{1f680}'.repeat(64),
  '\uffff',
  'x'.repeat(64),
  '\u007f',
  '\t',
];
const FRAGMENTS = ['', ',', '{"id":"planet-', 'y'.repeat(11), 'y'.repeat(12), 'z'.repeat(300)];

t.test('texts of random values are right wherever a slab ends, and do not change afterwards', (t) => {
  const draws = new Draws(drawSeed(t));
  const writer = new TextWriter();
  const taken: { text: Buffer; expected: string }[] = [];
  for (let bytes = 0; bytes < 20 * REPLY_SLAB_BYTES; ) {
    writer.begin();
    let expected = '';
    for (let value = draws.between(0, 60); value > 0; value -= 1) {
      if (expected.length > 20 && draws.below(20) === 0) {
        writer.again(5, 17);
        // This part contains only ASCII in both.
        expected += Buffer.from(expected).subarray(5, 17).toString('latin1');
      } else {
        expected += writeAny(writer, draws, expected.length === 0);
      }
    }
    if (draws.below(10) === 0) continue;
    const text = writer.take();
    taken.push({ text, expected });
    bytes += text.length;
  }
  const wrong = taken.find(({ text, expected }) => text.toString() !== expected);
  t.same(wrong?.text.toString(), wrong?.expected);
  t.end();
});

/** @returns what was written */
function writeAny(writer: TextWriter, draws: Draws, isFirst: boolean): string {
  if (isFirst) {
    writer.fragment(fragment('{"of":"ascii alone"'));
    return '{"of":"ascii alone"';
  }
  switch (draws.below(5)) {
    case 0: {
      const value = draws.below(10 ** draws.between(1, 15));
      writer.integer(value);
      return String(value);
    }
    case 1: {
      const name = draws.pick(NAMES);
      writer.quoted(name);
      return JSON.stringify(name);
    }
    case 2: {
      const atMs = draws.below(WORLD_TIME_MS_MAX);
      writer.instant(atMs);
      return JSON.stringify(new Date(atMs));
    }
    case 3: {
      const text = draws.pick(FRAGMENTS);
      writer.fragment(fragment(`${text},`));
      writer.dropComma();
      return text;
    }
    default: {
      writer.byte('['.charCodeAt(0));
      writer.fragment(fragment('abc'));
      writer.drop(2);
      return '[a';
    }
  }
}

t.test('every integer keeps its digits', (t) => {
  const writer = new TextWriter();
  const values = [0, 1, Number.MAX_SAFE_INTEGER, 4e12];
  for (let power = 1; power <= 15; power += 1) values.push(10 ** power - 1, 10 ** power, 10 ** power + 1);
  for (const value of values) {
    writer.begin();
    writer.integer(value);
    t.equal(writer.take().toString(), String(value));
  }
  t.end();
});

t.test('a text that is longer than a slab', (t) => {
  const writer = new TextWriter();
  writer.begin();
  for (let index = 0; index < 1000; index += 1) writer.fragment(fragment('x'.repeat(300)));
  const text = writer.take();
  writer.begin();
  writer.fragment(fragment('another'));
  t.equal(writer.take().toString(), 'another');
  t.equal(text.toString(), 'x'.repeat(300_000));
  t.end();
});

t.test('an instant is written as Date writes it, on any day', (t) => {
  for (const atMs of [0, 999, 86_399_999, 86_400_000, 951_782_400_000, 1_709_164_799_999, WORLD_TIME_MS_MAX])
    t.equal(isoText(atMs), new Date(atMs).toISOString());
  t.end();
});
