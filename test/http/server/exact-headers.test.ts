// Header fields whose absence means something: one that cannot be read is refused, and never taken for absent.
import t from 'tap';
import { REQUEST_HEADERS } from '../../../http/documents/headers.js';
import { exchange } from '../support/raw-connection.js';
import { begin, isNative } from '../support/serving.js';

const { port } = await begin(t);

const EXACT: readonly string[] = [
  'access-control-request-method',
  'authorization',
  'content-encoding',
  'if-match',
  'if-none-match',
  'last-event-id',
  'origin',
  'prefer',
  'sec-websocket-protocol',
  'x-forwarded-for',
  'x-min-seq',
];

async function replyTo(name: string, value: string) {
  const bytes = `GET /api/leaderboard HTTP/1.1\r\nHost: a\r\n${name}: ${value}\r\n\r\n`;
  const { status, body } = await exchange(port, Buffer.from(bytes, 'latin1'));
  return { status, text: body.toString() };
}

t.test('a value with bytes beyond ASCII, or without any other, is refused', async (t) => {
  for (const name of EXACT) {
    for (const value of ['', '\xff', '\xc3\xa9', 'a\xffb', '1\xc3\xa92', '"a\x80"']) {
      const { status, text } = await replyTo(name, value);
      t.equal(status, 400, `${name}: ${JSON.stringify(value)}`);
      t.match(text, `The header ${name} is empty or has bytes beyond ASCII.`);
    }
  }
});

t.test('so is one that ends with such bytes, if the library shows them', async (t) => {
  // The difference "bytesAtValueEnd".
  for (const name of EXACT) {
    for (const value of ['1\xff', '\xff1'])
      t.equal((await replyTo(name, value)).status === 400, !isNative, `${name}: ${JSON.stringify(value)}`);
  }
});

t.test('no header that requests may have is left out', async (t) => {
  // It is refused by the check of its own shape.
  const checkedElsewhere = ['idempotency-key'];
  const names = REQUEST_HEADERS.map(({ name }) => name.toLowerCase());
  t.strictSame(
    names.filter((name) => !EXACT.includes(name)),
    checkedElsewhere,
  );
  for (const value of ['', '\xff', 'a\xffb']) {
    const bytes = `POST /api/game/planet/starter/player-99 HTTP/1.1\r\nHost: a\r\nIdempotency-Key: ${value}\r\n\r\n`;
    t.equal((await exchange(port, Buffer.from(bytes, 'latin1'))).status, 400, JSON.stringify(value));
  }
});
