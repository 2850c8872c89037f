// However the bytes of requests arrive (split, joined or broken off), each request gets its own answer, in order;
// and those behind one that ends the connection get none, and are not executed.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { BODY_BYTES_MAX } from '../../../http/limits.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { ConnectionEnded, RawConnection, type RawReply, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld, isNative } from '../support/serving.js';
import { until } from '../support/waiting.js';

const { play, port } = await begin(t);
const { planetId } = await play.fleetOwner('writer', { scout: 1 });
const name = 'writer';

/** Long enough for a part to be read on its own; nothing passes or fails by it. */
const PAUSE_MS = 10;

const GET = requestBytes('GET', '/api/game/galaxy/1/system/7', ['Accept: */*', 'User-Agent: a test']);
/** Changes nothing, as the bot exists. */
const POST = requestBytes('POST', '/api/game/player', ['Accept: */*'], JSON.stringify({ name, isBot: true }));
const SIMULATE = requestBytes(
  'POST',
  '/api/fleet/simulate',
  [],
  JSON.stringify({ originPlanetId: planetId, targetPlanetId: planetId, ships: [{ type: 'scout', count: 1 }] }),
);
const CHUNKED = Buffer.from(
  `POST /api/game/player HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'8\r\n{"name":\r\n9\r\n"writer",\r\ne\r\n"isBot" : true\r\n1\r\n}\r\n0\r\n\r\n'}`,
);

for (const [what, bytes] of Object.entries({
  'a GET': GET,
  'a POST': POST,
  'a POST without effect': SIMULATE,
  'a chunked POST': CHUNKED,
})) {
  t.test(`${what} that is cut at any byte is answered as if it were whole`, async (t) => {
    const whole = await answersTo([bytes], 1);
    t.equal(whole[0]?.status, 200);
    const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    const answers = await Promise.all(cuts.map((cut) => answersTo([bytes.subarray(0, cut), bytes.subarray(cut)], 1)));
    for (const [index, answer] of answers.entries()) t.same(answer, whole, `cut at byte ${index + 1}`);
  });
}

t.test('a POST without a body that is cut at any byte is answered as if it were whole', async (t) => {
  for (const length of ['0', '00']) {
    const bytes = requestBytes('POST', '/api/game/planet/starter/player-99', [`Content-Length: ${length}`]);
    const whole = await answersTo([bytes], 1);
    t.equal(whole[0]?.status, 404);
    const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    const answers = await Promise.all(cuts.map((cut) => answersTo([bytes.subarray(0, cut), bytes.subarray(cut)], 1)));
    for (const [index, [answer]] of answers.entries()) {
      t.equal(answer?.status, 404, `length ${length}, cut at byte ${index + 1}`);
    }
  }
});

t.test('requests that arrive byte by byte are answered', async (t) => {
  const bytes = Buffer.concat([GET, POST, CHUNKED, GET]);
  const whole = [
    ...(await answersTo([GET], 1)),
    ...(await answersTo([POST], 1)),
    ...(await answersTo([CHUNKED], 1)),
    ...(await answersTo([GET], 1)),
  ];
  const connection = await RawConnection.open(port);
  for (const byte of bytes) {
    connection.send(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  for (const expected of whole) t.same(bare(await connection.reply()), expected);
  connection.close();
});

/** Reads of different things, so that an answer out of order shows. */
const READS = Array.from({ length: 40 }, (_, system) => requestBytes('GET', `/api/game/galaxy/1/system/${system}`));

t.test('GETs that are sent at once are answered in their order', async (t) => {
  const answers = await answersTo([Buffer.concat(READS)], READS.length);
  t.same(
    answers.map(({ body }) => (body as { system: { index: number } }).system.index),
    READS.map((_, system) => system),
  );
});

t.test('GETs that are sent at once and cut anywhere are answered in their order', async (t) => {
  const draws = new Draws(drawSeed(t));
  const bytes = Buffer.concat(READS.slice(0, 12));
  const expected = await answersTo([bytes], 12);
  const runs = Array.from({ length: 60 }, () => {
    const cuts = Array.from({ length: 1 + draws.below(8) }, () => 1 + draws.below(bytes.length - 1)).sort(
      (a, b) => a - b,
    );
    return { cuts, pieces: [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length)) };
  });
  const answers = await Promise.all(runs.map(({ pieces }) => answersTo(pieces, 12)));
  for (const [index, answer] of answers.entries()) t.same(answer, expected, `cut at ${runs[index]?.cuts.join(', ')}`);
});

t.test('a connection is reused again and again, with alternating reads and commands', async (t) => {
  const connection = await RawConnection.open(port);
  for (let round = 0; round < 50; round += 1) {
    for (const bytes of [POST, GET, CHUNKED]) {
      connection.send(bytes);
      t.equal((await connection.reply()).status, 200);
    }
  }
  connection.close();
});

t.test('a request after a command that waits for the disk', async (t) => {
  const held = await beginHeld(t);
  await held.play.newcomer('first');
  held.log.hold();
  const connection = await RawConnection.open(held.port);
  const command = requestBytes('POST', '/api/game/player', [], '{"name":"second","isBot":true}');
  connection.send(Buffer.concat([command, GET]));
  if (isNative) {
    // The difference "lateReplies".
    await t.rejects(connection.reply(), ConnectionEnded, 'ends the connection without an answer');
  } else {
    await until(() => held.log.isWaiting);
  }
  held.log.release();
  if (!isNative) {
    t.equal((await connection.reply()).status, 201);
    t.equal((await connection.reply()).status, 200, 'waits for its turn');
  }
  await held.client.command('/api/game/player', { name: 'second', isBot: true }, 200);
  t.pass('the command was executed');
  connection.close();
});

t.test('requests after one whose reply ends the connection are not executed', async (t) => {
  const { client, play, port } = await begin(t);
  await play.newcomer('bystander');
  const { seq } = await play.hash();
  const follower = requestBytes('POST', '/api/game/player', [], '{"name":"follower","isBot":true}');
  const first: Readonly<Record<string, Buffer>> = {
    'a body that is too large': requestBytes('POST', '/api/game/player', [], 'x'.repeat(BODY_BYTES_MAX + 1)),
    'a duplicate field': requestBytes('GET', '/healthz', ['Authorization: a', 'Authorization: b']),
    'a body on a GET': requestBytes('GET', '/healthz', [], '{}'),
    'Connection: close': requestBytes('GET', '/healthz', ['Connection: close']),
    'Connection: close to an unknown path': requestBytes('GET', '/nowhere', ['Connection: close']),
    'HEAD with Connection: close': requestBytes('HEAD', '/healthz', ['Connection: close']),
  };
  for (const [what, bytes] of Object.entries(first)) {
    const connection = await RawConnection.open(port);
    connection.send(Buffer.concat([bytes, follower]));
    await connection.rest();
    t.match(await client.read('/api/status'), { players: 1, seq }, what);
  }
  const alone = await RawConnection.open(port);
  alone.send(first['a duplicate field'] as Buffer);
  t.equal((await alone.reply()).status, 400, 'alone it is answered');
  alone.close();
});

t.test(
  'a command that waits for the disk is not answered early by what closes its connection',
  { skip: !isNative },
  async (t) => {
    const { port } = await begin(t);
    const connection = await RawConnection.open(port);
    const creation = requestBytes('POST', '/api/game/player', ['Connection: close'], '{"name":"a","isBot":true}');
    connection.send(Buffer.concat([creation, requestBytes('GET', '/healthz')]));
    await t.rejects(connection.reply(), ConnectionEnded);
  },
);

/** Sends pieces with a pause between them and reads the answers. */
async function answersTo(pieces: readonly Uint8Array[], count: number): Promise<ReturnType<typeof bare>[]> {
  const connection = await RawConnection.open(port);
  const answers: ReturnType<typeof bare>[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(PAUSE_MS);
    connection.send(piece);
  }
  for (let answer = 0; answer < count; answer += 1) answers.push(bare(await connection.reply()));
  connection.close();
  return answers;
}

/** A reply without the fields that differ between any two requests. */
function bare({ status, fields, body }: RawReply) {
  const kept = fields.filter(([field]) => field !== 'x-request-id' && field !== 'date');
  return { status, fields: kept, body: JSON.parse(body.toString()) as unknown };
}
