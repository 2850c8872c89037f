// Attacks that were tried by hand: requests after one that ends the connection, refusals that cost more than the
// request, times past the end of time, and names that look like others.
import t from 'tap';
import { WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { compileRequestCheck } from '../../../http/checks/schema-check.js';
import { RECORDED } from '../../../http/documents/recorded-examples.js';
import { isoText } from '../../../http/exchange/iso-time.js';
import { BATCH_OPERATIONS_MAX, BODY_BYTES_MAX, SHAPE_ERRORS_SHOWN_MAX } from '../../../http/limits.js';
import { ROUTES } from '../../../http/routes/table.js';
import { BatchRequest } from '../../../http/schemas/requests.js';
import { CannotListen, WorldServer } from '../../../http/world-server.js';
import { ConnectionEnded, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, isNative, transport } from '../support/serving.js';

const END = '9999-12-31T23:59:59.000Z';

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

/** Values of every JSON type. */
const ODD_VALUES: readonly unknown[] = [null, true, '', 'a', -1, 1.5, 1e300, [], [null], {}, { a: 1 }, 'x'.repeat(300)];

t.test('a request has shape errors if and only if it is refused', async (t) => {
  for (const { operationId, body } of ROUTES) {
    if (body === null) continue;
    const check = compileRequestCheck(body.schema, operationId);
    const example = RECORDED.operations[operationId]?.body as Readonly<Record<string, unknown>>;
    const variants = Object.keys(example).flatMap((key) => [
      ...ODD_VALUES.map((value) => ({ ...example, [key]: value })),
      Object.fromEntries(Object.entries(example).filter(([other]) => other !== key)),
    ]);
    const values: readonly unknown[] = [example, ...ODD_VALUES, { ...example, unknown: 1 }, ...variants];
    const wrong = values.filter((value) => check.accepts(value) !== (check.errors(value).length === 0));
    t.same(wrong, [], operationId);
  }
});

t.test('a refusal costs no more than the errors that it shows', async (t) => {
  const check = compileRequestCheck(BatchRequest, 'batch');
  let looks = 0;
  const counting = (items: unknown[]): unknown =>
    new Proxy(items, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
        return Reflect.get(target, key);
      },
    });
  const tooMany = check.errors({ operations: counting(Array(500_000).fill(1)) });
  t.same(tooMany, [{ path: '/operations', message: `must not have more than ${BATCH_OPERATIONS_MAX} items` }]);
  t.equal(looks, 0);
  const wrong = check.errors({ operations: counting(Array(BATCH_OPERATIONS_MAX).fill(1)) });
  t.equal(wrong.length, SHAPE_ERRORS_SHOWN_MAX);
  t.same(wrong[0], { path: '/operations/0', message: 'must be object' });
  t.equal(looks, SHAPE_ERRORS_SHOWN_MAX);
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
  t.equal(
    check.errors({ operations: [{ method: 'GET', path: '/healthz' }], ...fields }).length,
    SHAPE_ERRORS_SHOWN_MAX,
  );
});

t.test('a refused move of the clock says what is wrong with the request', async (t) => {
  const { admin } = await begin(t);
  const rows: readonly [request: unknown, path: string, message: RegExp][] = [
    [{ to: '2000-02-30T00:00:00Z' }, '/to', /date-time/],
    [{ to: 'tomorrow' }, '/to', /date-time/],
    [{ to: '2000-01-01T23:59:60Z' }, '/to', /date-time|valid date and time/],
    [{ to: '1999-01-01T00:00:00Z' }, '/to', /^must lead to a time from 2000-01-01T00:00:00.000Z to 9999/],
    [{ nextTimer: false }, '/nextTimer', /must be true/],
    [{ seconds: 1, to: '2001-01-01T00:00:00Z' }, '/to', /known field/],
    [{}, '', /one of seconds, to, nextTimer/],
    [[], '', /one of seconds, to, nextTimer/],
  ];
  for (const [request, path, message] of rows) {
    const problem = await admin.refusal('POST', '/api/admin/clock/advance', request);
    t.match(problem, { code: 'invalid_request', errors: [{ path, message }] }, JSON.stringify(request));
  }
});

t.test('at the end of time replies keep their form, and the clock says that it ends', async (t) => {
  const { admin, client, play } = await begin(t);
  const player = await play.newcomer('the last');
  const planetId = player.planets[0]?.id;
  await admin.command(`/api/admin/planet/${planetId}/grant`, {
    iron: 1e9,
    silver: 1e9,
    ember: 1e9,
    h2: 1e9,
    energy: 1e9,
  });
  await admin.command('/api/admin/clock/advance', { to: END });
  const research = await client.command('/api/research/start', { playerId: player.id, researchType: 'drive_ion' });
  t.match(research, { researchFinishAt: END });
  t.match(await client.read('/api/status'), { worldTime: END, nextTimerAt: END });
  const problem = await admin.refusal('POST', '/api/admin/clock/advance', { nextTimer: true });
  t.match(problem, { code: 'invalid_request', errors: [{ path: '/nextTimer', message: /the end of world time/ }] });
  t.equal(isoText(WORLD_TIME_MS_MAX), END);
  for (const atMs of [WORLD_TIME_MS_MAX + 86_400_000, 9e15]) t.equal(isoText(atMs), END);
  t.equal(isoText(0), '1970-01-01T00:00:00.000Z', 'and other instants are unaffected');
});

t.test('names that look like another name, or like none, are refused', async (t) => {
  const { client, admin, play } = await begin(t);
  await play.newcomer('ada lovelace');
  const refused: Readonly<Record<string, string>> = {
    'a space': ' ',
    'spaces of several kinds': '\u2003\u00a0\u3000',
    'line separators': '\u2028\u2029',
    'a space in front': ' ada',
    'right-to-left override': 'ada\u202e',
    'an isolate': '\u2066ada',
    'a joiner without width': 'a\u200dda',
    'a space without width': 'ada\u200b',
    'a byte order mark': '\ufeffada',
    'a soft hyphen': 'a\u00adda',
    tags: `ada\u{e0061}`,
  };
  for (const [what, name] of Object.entries(refused)) {
    const problem = await client.refusal('POST', '/api/game/player', { name, isBot: true });
    t.match(problem, { code: 'invalid_request', errors: [{ path: '/name' }] }, what);
    const bulk = await admin.refusal('POST', '/api/admin/players', { namePrefix: name, count: 1 });
    t.match(bulk, { code: 'invalid_request', errors: [{ path: '/namePrefix' }] }, what);
  }
  for (const name of ['ada ', 'eve\u3000']) {
    t.match(await client.refusal('POST', '/api/game/player', { name, isBot: true }), { code: 'invalid_request' });
    await admin.command('/api/admin/players', { namePrefix: name, count: 1 }, 201);
  }
});

t.test('the message about an unusable address names the possible reasons', async (t) => {
  const { world } = await begin(t);
  // TEST-NET-3 (RFC 5737): no machine has it.
  const start = WorldServer.start({ world, host: '203.0.113.1', port: 0, transport });
  await t.rejects(start, new CannotListen('203.0.113.1', 0));
  t.match(new CannotListen('a', 7).message, 'cannot listen on a:7 (in use, or not an address of this machine)');
});
