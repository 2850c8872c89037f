// Paths, methods and queries that lead nowhere, and HEAD, which leads wherever GET does.
import t from 'tap';
import { isStream, type Route } from '../../../http/pipeline/route.js';
import { ROUTES } from '../../../http/routes/table.js';
import { checked } from '../support/game-client.js';
import { LIVE_ROUTES } from '../support/get-requests.js';
import { exchange, field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { ADMIN_KEY, begin, isNative } from '../support/serving.js';

const { client, admin, play, port } = await begin(t);
const { playerId, planetId } = await play.fleetOwner('explorer', { scout: 1 });
const { id } = await play.newcomer('asker');
const before = await play.hash();

function pathOf({ path }: Pick<Route, 'path'>): string {
  return path
    .replace(':playerId', playerId)
    .replace(':planetId', planetId)
    .replace(':fleetId', 'fleet-1')
    .replace(':galaxy', '1')
    .replace(':system', '0');
}

/** Paths whose replies tell what time it is, or how the process does. */
const LIVELY: ReadonlySet<string> = new Set([
  '/api/status',
  '/metrics',
  '/api/admin/traffic',
  '/api/metrics/history',
  '/api/admin/audit',
]);

t.test('HEAD of every path that GET leads to has the same head as GET, and no body', async (t) => {
  for (const route of LIVE_ROUTES.filter(({ method }) => method === 'GET')) {
    const path = pathOf(route);
    const get = await admin.request('GET', path);
    const lines = [`Authorization: Bearer ${ADMIN_KEY}`];
    const connection = await RawConnection.open(port);
    connection.send(requestBytes('HEAD', path, lines));
    const head = await connection.reply('HEAD');
    // The difference "bodilessReplies".
    if (isNative && field(head, 'connection') === 'close') continue;
    connection.send(requestBytes('GET', '/healthz'));
    t.equal(head.status, get.status, path);
    const { 'x-request-id': _id, 'transfer-encoding': _framing, date: _date, etag, ...others } = get.headers;
    const { 'content-length': _length, ...rest } = others;
    const isUntagged = LIVELY.has(path) || isStream(route);
    t.match(Object.fromEntries(head.fields), isUntagged ? rest : { ...rest, etag }, path);
    // Nobody knows how long a stream will be.
    t.equal(/^\d+$/.test(field(head, 'content-length')), !isStream(route), path);
    if (!LIVELY.has(path) && !isStream(route))
      t.equal(field(head, 'content-length'), get.headers['content-length'], path);
    t.equal((await connection.reply()).status, 200, 'the next reply follows the head');
    connection.close();
  }
});

t.test('HEAD of what GET refuses is refused the same way, without a body', async (t) => {
  const paths = ['/api/game/state/player-999', '/api/game/galaxy/0/system/0', '/nowhere', '/healthz?a=b'];
  for (const path of paths) {
    const [get, head] = await Promise.all([client.request('GET', path), client.request('HEAD', path)]);
    t.equal(head.status, get.status, path);
    t.equal(head.text, '');
    t.equal(head.headers['content-type'], get.headers['content-type']);
  }
});

t.test('a method that a path does not have gets 405 with those it has', async (t) => {
  const methodsByPath = new Map<string, Set<string>>();
  for (const route of ROUTES) {
    const methods = methodsByPath.get(pathOf(route)) ?? new Set();
    methods.add(route.method);
    if (route.method === 'GET') methods.add('HEAD');
    methodsByPath.set(pathOf(route), methods);
  }
  for (const [path, methods] of methodsByPath) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
      (name) => !methods.has(name),
    )) {
      const reply = await admin.request(method, path);
      t.equal(reply.status, 405, `${method} ${path}`);
      t.equal(reply.headers['allow'], [...methods].sort().join(', '), `${method} ${path}`);
    }
  }
});

t.test('TRACE and a body on a wrong method are refused as well', async (t) => {
  const trace = await exchange(port, requestBytes('TRACE', '/api/game/player'));
  t.equal(trace.status, 405);
  const put = await client.request('PUT', '/api/game/player', { body: { name: 'a' } });
  t.equal(put.status, 405);
});

t.test('what is not in the route table is not found', async (t) => {
  const paths = [
    '/docs/',
    '/docs/viewer.map',
    '/api',
    '/api/',
    '/api/game',
    '/api/game/state',
    '/api/game/state/',
    `/api/game/state/${playerId}/`,
    `/api/game/state/${playerId}/planets`,
    '//healthz',
    '/healthz/',
    '/HEALTHZ',
    '/api/Game/player',
    '/api/game/./player',
    '/api/game/../game/player',
    '/api//game/player',
    '/%68ealthz',
    '/healthz;a=b',
    '/api/fleet//recall',
    '/favicon.ico',
    '/api/game/galaxy/1/system/',
    '/api/game/galaxy//system/0',
    '/__proto__',
    '/constructor',
    '/api/admin',
    '/*',
    '/:a',
    '/api/game/player/:',
  ];
  for (const path of paths) {
    const reply = await client.request('GET', path);
    t.match(reply.body, { code: 'route_not_found' }, path);
  }
  t.match((await client.request('POST', '/api/building/upgrades', { body: {} })).body, { code: 'route_not_found' });
});

t.test("the operator's paths are not there without an admin key", async (t) => {
  const plain = await begin(t, { adminKey: null });
  for (const route of ROUTES.filter(({ access }) => access === 'admin')) {
    const reply = await plain.client.send(route.method, pathOf(route));
    t.match(reply.body, { code: 'route_not_found', status: 404 }, route.path);
  }
  t.match((await client.request('GET', '/api/admin/state-hash')).body, { code: 'unauthenticated' });
  t.match((await client.as('x'.repeat(300)).request('GET', '/api/admin/state-hash')).body, { code: 'unauthenticated' });
  t.match((await client.as(`${ADMIN_KEY}x`).request('GET', '/api/admin/state-hash')).body, { code: 'unauthenticated' });
});

t.test('a query that a path does not know is ignored, as caches and proxies add theirs', async (t) => {
  for (const route of LIVE_ROUTES.filter(({ method }) => method === 'GET')) {
    const { status } = await admin.request('GET', pathOf(route));
    for (const query of ['a=1', 'utm_source=x&since2=3', '%', 'a%00=b', '?']) {
      const reply = await admin.request('GET', `${pathOf(route)}?${query}`);
      t.equal(reply.status, status, `${route.path}?${query}`);
    }
  }
  t.match((await client.request('GET', '/nowhere?a=1')).body, { code: 'route_not_found' });
});

t.test('a query parameter of the wrong form is named', async (t) => {
  const rows = [
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
    ['limit=x', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.5', 'limit'],
    ['since=7', 'since'],
    ['since=report-', 'since'],
    ['since=planet-1-0-1', 'since'],
    ['since=report-1&limit=-1', 'limit'],
  ] as const;
  for (const [query, name] of rows) {
    const reply = await client.request('GET', `/api/report/player/${id}?${query}`);
    t.match(reply.body, { code: 'invalid_request', errors: [{ path: name }] }, query);
  }
  for (const query of ['limit=50', 'limit=1&limit=x', 'since=report-999999', 'limit=%35']) {
    t.same(await client.read(`/api/report/player/${id}?${query}`), [], query);
  }
});

t.test('an identifier that names nothing is not found, whatever it looks like', async (t) => {
  const nothing = [
    'x',
    '0',
    '-1',
    'NaN',
    'null',
    'undefined',
    '__proto__',
    'constructor',
    'toString',
    'a'.repeat(2_000),
    '%00',
    '%F0%9F%9A%80',
    '%2e%2e',
    '..%2f..',
    "'%20or%201=1",
    '%3Cscript%3E',
    'player-',
    'player-0',
    'player--1',
    'player-01',
    'player-1e0',
    'player-1.0',
    'player-9007199254740993',
    'player-99999999999999999999',
    'Player-1',
    'player-1%20',
    'player-1%00',
    '%70layer-0',
    'planet-0-0-1',
    'planet-1-0-0',
    'planet-101-0-1',
    'planet-1-300-1',
    'planet-1-0-31',
    'planet-1-0-1-1',
    'planet-01-0-1',
    'planet-1--1-1',
    'planet-1e0-0-1',
    'planet-1-0-99',
  ];
  const reads: Readonly<Record<string, string>> = {
    '/api/game/state/': 'player_not_found',
    '/api/game/planets/': 'player_not_found',
    '/api/game/planet/': 'planet_not_found',
    '/api/fleet/player/': 'player_not_found',
    '/api/building/planet/': 'planet_not_found',
    '/api/shipyard/planet/': 'planet_not_found',
    '/api/research/player/': 'player_not_found',
    '/api/report/player/': 'player_not_found',
  };
  for (const [path, code] of Object.entries(reads)) {
    for (const id of nothing) t.match((await client.request('GET', path + id)).body, { code }, path + id.slice(0, 40));
  }
  for (const id of nothing) {
    const recall = await client.request('POST', `/api/fleet/${id}/recall`, { body: { playerId } });
    t.match(recall.body, { code: 'fleet_not_found' }, id.slice(0, 40));
    const starter = await client.request('POST', `/api/game/planet/starter/${id}`);
    t.match(starter.body, { code: 'player_not_found' }, id.slice(0, 40));
  }
  for (const queueId of ['queue-0', 'queue-999', 'x', '__proto__', 'queue-1e0', '\u0000', '\u{1f680}']) {
    const cancel = await client.request('POST', '/api/building/cancel', { body: { planetId, queueId } });
    t.match(cancel.body, { code: 'queue_entry_not_found' }, queueId);
  }
});

t.test('percent-encoding is decoded once, and refused where it is broken', async (t) => {
  const state = await client.request('GET', `/api/game/state/${playerId}`);
  const encoded = `%${playerId.charCodeAt(0).toString(16)}${playerId.slice(1).replace('-', '%2D')}`;
  t.same((await client.request('GET', `/api/game/state/${encoded}`)).body, state.body);
  const twice = playerId.replace('-', '%252D');
  t.match((await client.request('GET', `/api/game/state/${twice}`)).body, { code: 'player_not_found' });
  for (const broken of ['%', '%1', '%zz', 'player-1%', '%ff', '%c0%80', '%ed%a0%80', '%u0031', 'a%e2%82']) {
    const reply = await exchange(port, requestBytes('GET', `/api/game/state/${broken}`));
    t.match(
      checked('GET', `/api/game/state/${broken}`, reply).body,
      { code: 'invalid_request', errors: [{ path: 'playerId' }] },
      broken,
    );
  }
});

t.test('a galaxy or system that is not a number within its bounds is refused', async (t) => {
  for (const [galaxy, system] of [
    ['0', '0'],
    ['101', '0'],
    ['-1', '0'],
    ['1.5', '0'],
    ['1e1', '0'],
    ['NaN', '0'],
    ['x', '0'],
    ['99999999999', '0'],
    ['%31%32%33', '0'],
    ['1', '-1'],
    ['1', '10001'],
    ['1', 'x'],
    ['1', '1e3'],
    ['1', '%20'],
    ['+1', '0'],
    ['1', '0x0'],
  ]) {
    const reply = await client.request('GET', `/api/game/galaxy/${galaxy}/system/${system}`);
    t.match(reply.body, { code: 'invalid_request' }, `${galaxy} ${system}`);
  }
  t.match((await client.request('GET', '/api/game/galaxy/100/system/299')).status, 200);
  t.match((await client.request('GET', '/api/game/galaxy/100/system/300')).body, { code: 'system_not_found' });
});

t.test('after all of this nothing has changed', async (t) => {
  t.same(await play.hash(), before);
});
