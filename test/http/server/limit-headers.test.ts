// While requests are limited, every reply says so, whatever it is and however it ends its connection.
import t from 'tap';
import { BODY_BYTES_MAX } from '../../../http/limits.js';
import type { RequestOptions } from '../support/game-client.js';
import { OwnClock } from '../support/own-clock.js';
import { field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin } from '../support/serving.js';

const RATE = { perSecond: 10, burst: 100 };

t.test('every reply says what is left', async (t) => {
  new OwnClock(t, 0);
  const { client, admin, play } = await begin(t, { server: { rateLimits: RATE } });
  const { id: playerId, planets } = await play.newcomer('ada');
  const planetId = planets[0]?.id;
  const tag = (await client.request('GET', '/api/catalog')).headers['etag'] ?? '';
  const upgrade = { body: { planetId, buildingType: 'iron_mine' }, headers: { 'idempotency-key': 'once' } };
  const large = { body: ' '.repeat(BODY_BYTES_MAX + 1) };
  const rows: readonly [status: number, method: string, path: string, options?: RequestOptions][] = [
    [200, 'GET', `/api/game/state/${playerId}`],
    [200, 'HEAD', `/api/game/state/${playerId}`],
    [304, 'GET', '/api/catalog', { headers: { 'if-none-match': tag } }],
    [304, 'HEAD', '/api/catalog', { headers: { 'if-none-match': tag } }],
    [200, 'POST', '/api/building/upgrade', upgrade],
    [200, 'POST', '/api/building/upgrade', upgrade],
    [200, 'POST', '/api/batch', { body: { operations: [{ method: 'GET', path: '/api/status' }] } }],
    [400, 'POST', '/api/building/upgrade', { body: '{' }],
    [400, 'POST', '/api/building/upgrade', { body: {} }],
    [404, 'GET', '/api/game/state/player-999'],
    [404, 'GET', '/api/nothing'],
    [404, 'POST', '/api/nothing', { body: {} }],
    [405, 'DELETE', '/api/status'],
    [409, 'POST', '/api/building/upgrade', { body: upgrade.body }],
    [413, 'POST', '/api/building/upgrade', large],
    [415, 'POST', '/api/building/upgrade', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    [401, 'GET', '/api/admin/state-hash'],
    [200, 'GET', '/healthz'],
    [200, 'GET', '/metrics'],
  ];
  for (const [status, method, path, options = {}] of rows) {
    const reply = await client.send(method, path, options);
    t.match(
      reply,
      { status, headers: { 'ratelimit-policy': '"requests";q=100;w=10', ratelimit: /^"requests";r=\d+;t=\d+$/ } },
      `${status} ${method} ${path}`,
    );
  }
  t.match(await admin.request('GET', '/api/admin/state-hash'), { status: 200, headers: { ratelimit: /;r=\d+;/ } });
});

t.test('a refusal is one of the documented errors, whatever was asked, and keeps the connection', async (t) => {
  const clock = new OwnClock(t, 0);
  const { client, port } = await begin(t, { server: { rateLimits: { perSecond: 1, burst: 1 } } });
  await client.request('GET', '/api/status');
  const body = { name: 'a', isBot: true };
  for (const [method, path, options] of [
    ['GET', '/api/status', {}],
    ['HEAD', '/api/status', {}],
    ['POST', '/api/game/player', { body }],
    ['POST', '/api/batch', { body: { operations: [{ method: 'GET', path: '/api/status' }] } }],
    ['GET', '/api/nothing', {}],
    ['GET', '/metrics', {}],
  ] as const) {
    const reply = await client.send(method, path, options);
    t.match(reply, { status: 429, headers: { 'retry-after': '1' } }, `${method} ${path}`);
    if (method !== 'HEAD') t.match(reply.body, { code: 'rate_limited', limit: { name: 'requests', maximum: 1 } });
  }
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('POST', '/api/game/player', ['content-type: application/json'], JSON.stringify(body)));
  t.equal((await connection.reply()).status, 429);
  clock.nowMs += 1_000;
  connection.send(requestBytes('POST', '/api/game/player', ['content-type: application/json'], JSON.stringify(body)));
  t.equal((await connection.reply()).status, 201, 'the refused body is not taken for a request');
  connection.close();
});

t.test('a head in doubt is paid for by its address', async (t) => {
  new OwnClock(t, 0);
  const { port } = await begin(t, { server: { rateLimits: { perSecond: 1, burst: 2 } } });
  const twice = 'GET /api/status HTTP/1.1\r\nhost: a\r\nauthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n';
  for (const status of [400, 400, 429]) {
    const connection = await RawConnection.open(port);
    connection.send(Buffer.from(twice));
    const reply = await connection.reply();
    t.same([reply.status, field(reply, 'connection')], [status, 'close']);
    t.match(field(reply, 'ratelimit'), /^"requests"/);
    connection.close();
  }
});

t.test('a client that does not wait is refused later, and must not pipeline meanwhile', async (t) => {
  const clock = new OwnClock(t, 0);
  const { client, port } = await begin(t, { server: { rateLimits: { perSecond: 1, burst: 1 } } });
  const status = async () => (await client.send('GET', '/api/status')).status;
  t.equal(await status(), 200);
  t.equal(await status(), 429);
  const early = await RawConnection.open(port);
  early.send(requestBytes('GET', '/api/status'));
  t.equal((await early.reply()).status, 429, 'refused again');
  early.send(requestBytes('GET', '/healthz'));
  t.equal((await early.reply()).status, 200, 'on a connection that goes on');
  early.close();
  const impatient = await RawConnection.open(port);
  impatient.send(Buffer.concat([requestBytes('GET', '/api/status'), requestBytes('GET', '/healthz')]));
  t.equal((await impatient.rest()).length, 0, 'closed without a reply');
  clock.nowMs += 2_000;
  t.equal(await status(), 200);
});
