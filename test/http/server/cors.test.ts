// Pages of other origins: which of them may read replies and send requests, and that nobody else pays for it.
import t from 'tap';
import { originList } from '../../../http/server/cors.js';
import type { Reply } from '../support/game-client.js';
import { begin } from '../support/serving.js';

const ORIGIN = 'https://play.example';
const OTHER = 'https://other.example';
const EXPOSED = /^etag, x-request-id, x-world-time, retry-after, ratelimit, ratelimit-policy, .*preference-applied$/;

const asking = (origin: string) => ({ headers: { origin } });
const preflight = (origin: string) => ({
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
});

function corsHeaders({ headers }: Reply): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'),
  );
}

t.test('with keys, pages of every origin may use the API', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  for (const [status, method, path] of [
    [200, 'GET', '/api/status'],
    [200, 'HEAD', '/api/status'],
    [401, 'GET', '/api/game/state/player-1'],
    [404, 'GET', '/api/nothing'],
    [405, 'DELETE', '/api/status'],
    [400, 'POST', '/api/game/player'],
    [405, 'OPTIONS', '/api/status'],
  ] as const) {
    const reply = await client.send(method, path, asking(ORIGIN));
    t.equal(reply.status, status, `${method} ${path}`);
    t.match(corsHeaders(reply), { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED });
    t.notOk('vary' in reply.headers, 'every origin gets the same reply');
    t.same(corsHeaders(await client.send(method, path)), {}, 'without Origin nothing is added');
  }
  const tag = (await client.request('GET', '/api/catalog')).headers['etag'] ?? '';
  const unchanged = await client.send('GET', '/api/catalog', { headers: { origin: ORIGIN, 'if-none-match': tag } });
  t.match(unchanged, { status: 304, headers: { 'access-control-allow-origin': '*' } });
});

t.test('a preflight is answered on every path', async (t) => {
  const { client } = await begin(t, { auth: 'key', server: { rateLimits: { perSecond: 1, burst: 1 } } });
  for (const path of ['/api/status', '/api/game/state/player-1', '/api/batch', '/api/nothing', '/healthz']) {
    const reply = await client.send('OPTIONS', path, preflight(ORIGIN));
    t.match(reply, {
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, POST, PUT',
        'access-control-allow-headers':
          'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer',
        'access-control-max-age': '86400',
        'x-request-id': String,
        ratelimit: '"requests";r=1;t=0',
      },
    });
    t.notOk('content-length' in reply.headers || 'content-type' in reply.headers, 'RFC 9110, section 8.6');
  }
  t.match(
    (await client.request('GET', '/metrics')).text,
    /requests_total\{route="unrouted",method="other",code="204"\} 5/,
  );
});

t.test('a list names the allowed origins, and Vary separates their replies in caches', async (t) => {
  const { client } = await begin(t, { server: { corsOrigins: [ORIGIN, 'http://localhost:8080'] } });
  for (const [method, options, status] of [
    ['GET', asking, 200],
    ['OPTIONS', preflight, 204],
  ] as const) {
    const allowed = await client.send(method, '/api/status', options(ORIGIN));
    t.match(allowed, { status, headers: { 'access-control-allow-origin': ORIGIN, vary: 'origin' } });
    const refused = await client.send(method, '/api/status', options(OTHER));
    t.match(refused, { status, headers: { vary: 'origin' } });
    t.notOk('access-control-allow-origin' in refused.headers);
  }
  t.match(await client.request('GET', '/api/status'), { headers: { vary: 'origin' } }, 'also without an origin');
});

t.test('without keys no page may by default: it could play any player', async (t) => {
  const { client } = await begin(t);
  t.same(corsHeaders(await client.request('GET', '/api/status', asking(ORIGIN))), {});
  t.match(await client.send('OPTIONS', '/api/status', preflight(ORIGIN)), {
    status: 405,
    headers: { allow: 'GET, HEAD' },
  });
});

t.test('origins are parsed, and malformed ones are refused', async (t) => {
  for (const origin of ['*', ORIGIN, 'http://localhost:8080', 'http://[::1]:3000'])
    t.same(originList([origin]), [origin]);
  for (const origins of [[''], ['play.example'], [`${ORIGIN}/`], [ORIGIN, '*'], ['https://A.example'], ['null']]) {
    t.throws(() => originList(origins), { name: 'RangeError' }, origins.join(','));
  }
});

t.test('a page of another origin cannot send a command without asking first', async (t) => {
  const { client, server, play } = await begin(t);
  const { id } = await play.newcomer('victim');
  const path = `/api/game/planet/starter/${id}`;
  // What a browser sends without a preflight.
  for (const origin of [OTHER, 'null', `${server.url}0`]) {
    t.equal((await client.send('POST', path, asking(origin))).status, 415, origin);
    const form = { headers: { origin, 'content-type': 'text/plain' }, body: '{}' };
    t.equal((await client.send('POST', path, form)).status, 415, 'nor with a body that is no JSON');
  }
  t.equal((await client.send('POST', path, asking(server.url))).status, 201, 'a page of the server itself can');
  const allowing = await begin(t, { server: { corsOrigins: [ORIGIN] } });
  const other = await allowing.play.newcomer('player');
  const starter = `/api/game/planet/starter/${other.id}`;
  t.equal((await allowing.client.send('POST', starter, asking(OTHER))).status, 415);
  t.equal((await allowing.client.send('POST', starter, asking(ORIGIN))).status, 201, 'and one that is allowed');
});
