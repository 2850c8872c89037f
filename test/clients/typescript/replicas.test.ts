// The client of a world that several processes serve: real processes' parts over one store in memory, each with a server of its own.
import { GalaxydClient, GalaxydProblem, operation } from 'galaxyd-client';
import t from 'tap';
import { beginCluster } from '../../http/support/cluster.js';
import { until } from '../../http/support/waiting.js';
import { FakeNetwork } from '../support/fake-web-socket.js';
import { interposed, refusal } from '../support/serving-client.js';

const NEWCOMER = { name: 'Ada', isBot: true };
const A = 'http://a.example';
const B = 'http://b.example';

/** A reply of a fake server. */
const answer = (body: object, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'x-world-time': '2000-01-01T00:00:00.000Z', ...headers },
  });
const notLeader = (location: string) => () => refusal(421, 'not_leader', {}, { location });

t.test('commands go to the leader, reads to any server, and each sees the command before', async (t) => {
  const { urls, standby } = await beginCluster(t);
  const galaxyd = new GalaxydClient({ baseUrl: [standby().url, ...urls] });
  for (let index = 0; index < 10; index += 1) {
    const { body: player, headers } = await galaxyd.post('/api/game/player', {
      body: { name: `bot ${index}`, isBot: true },
    });
    const { body, headers: seen } = await galaxyd.get('/api/game/state/{playerId}', {
      params: { path: { playerId: player.id } },
    });
    t.equal(body.id, player.id);
    t.ok(Number(seen.get('x-world-seq')) >= Number(headers.get('x-world-seq')));
  }
});

t.test('no command fails while the leader hands over or ends', async (t) => {
  const cluster = await beginCluster(t);
  const galaxyd = new GalaxydClient({ baseUrl: cluster.urls, attemptDeadlineMs: 2_000 });
  const { body: player } = await galaxyd.post('/api/game/player', { body: NEWCOMER });
  const reader = galaxyd.worldEvents({ since: 0 });
  const names = new Set<string>();
  let isOver = false;
  const create = async (by: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const name = `bot ${by}-${count}`;
      const { body } = await galaxyd.post('/api/game/player', { body: { name, isBot: true } });
      names.add(body.name);
    }
  };
  const callOverSocket = async (): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const name = `bot s-${count}`;
      const result = await galaxyd.socket.call(operation.post('/api/game/player', { body: { name, isBot: true } }));
      if (!result.ok) throw new Error(result.code);
      names.add(name);
    }
  };
  const work = [create(0), create(1), callOverSocket()];
  await until(() => names.size > 20);
  await cluster.handOver();
  const before = names.size;
  await until(() => names.size > before + 20);
  await cluster.cutOff();
  const later = names.size;
  await until(() => names.size > later + 20);
  isOver = true;
  await Promise.all(work);
  const joined: string[] = [];
  for await (const event of reader) {
    if (event.type === 'player_joined') joined.push(event.data.name);
    if (joined.length === names.size + 1) break;
  }
  t.same([...joined].sort(), [...names, player.name].sort(), 'each took effect once');
});

t.test('a key goes only to servers that the program has named', async (t) => {
  const seenBy = (seen: readonly Request[]) =>
    seen.map(({ url, headers }) => [new URL(url).origin, headers.get('authorization')]);
  const follow = async (baseUrl: string | string[], location: string, options = {}) => {
    const { fetch, seen } = interposed([notLeader(location), () => answer({ id: 'player-1' }, {}, 201)]);
    const galaxyd = new GalaxydClient({ baseUrl, apiKey: 'secret', fetch, attempts: 1, ...options });
    const outcome = await galaxyd.post('/api/game/player', { body: NEWCOMER }).then(
      ({ status }) => status,
      (error: unknown) => (error instanceof GalaxydProblem ? error.code : String(error)),
    );
    return { outcome, seen: seenBy(seen) };
  };
  const path = '/api/game/player';
  const [atA, atB] = [A, B].map((server) => [server, 'Bearer secret']);
  t.same(await follow([A, B], B + path), {
    outcome: 201,
    seen: [atA, atB],
  });
  t.same(await follow(A, B + path), { outcome: 'not_leader', seen: [atA] });
  t.same(await follow(A, `${A}.evil.example${path}`), { outcome: 'not_leader', seen: [atA] }, 'not by its beginning');
  t.same(await follow([A, B], `http://evil.example${path}`), {
    outcome: 201,
    seen: [atA, atB],
  });
  const any = { followsAnyLeader: true };
  t.same(await follow(A, `${B}/galaxy${path}`, any), {
    outcome: 201,
    seen: [atA, atB],
  });
  const secure = 'https://a.example';
  t.same((await follow(secure, B + path, any)).outcome, 'not_leader', 'no key leaves https');
  for (const wrong of ['javascript:alert(1)', 'nonsense', `${A}${path}`])
    t.same((await follow(A, wrong, any)).outcome, 'not_leader');
});

t.test('the leader is remembered, and left if it is gone', async (t) => {
  const { fetch, seen } = interposed([
    notLeader(`${B}/api/game/player`),
    ...[1, 2].map(() => () => answer({ id: 'player-1' }, { 'x-world-seq': '7' }, 201)),
    () => answer({}, { 'x-world-seq': '9' }),
    () => Promise.reject(new TypeError('gone')),
    () => refusal(503, 'no_leader', { retryAfterMs: 1 }),
    () => answer({ id: 'player-1' }, {}, 201),
    () => answer({}),
  ]);
  const galaxyd = new GalaxydClient({ baseUrl: [A, B], fetch });
  const create = () => galaxyd.post('/api/game/player', { body: NEWCOMER });
  await create();
  await create();
  await galaxyd.get('/api/leaderboard');
  await create();
  await galaxyd.get('/api/leaderboard');
  t.same(
    seen.map(({ url, headers }) => [new URL(url).origin, headers.get('x-min-seq')]),
    [
      [A, null],
      [B, null],
      [B, null],
      [A, '7'],
      [B, null],
      [A, null],
      [B, null],
      [B, '9'],
    ],
  );
  const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
  t.equal(new Set([keys[4], keys[5], keys[6]]).size, 1, 'one command has one key at all servers');
});

t.test('a client that has seen too much asks for it until the deadline, then no more', async (t) => {
  const behind = () => refusal(503, 'replica_behind', { retryAfterMs: 60_000 });
  const { fetch, seen } = interposed([() => answer({}, { 'x-world-seq': '9' }), behind, () => answer({})]);
  const galaxyd = new GalaxydClient({ baseUrl: A, fetch });
  await galaxyd.get('/api/leaderboard');
  await t.rejects(galaxyd.get('/api/leaderboard'), { code: 'replica_behind' });
  await galaxyd.get('/api/leaderboard');
  t.same(
    seen.map(({ headers }) => headers.get('x-min-seq')),
    [null, '9', null],
  );
  const careless = interposed([() => answer({}, { 'x-world-seq': '9' }), () => answer({})]);
  const other = new GalaxydClient({ baseUrl: A, fetch: careless.fetch, readsOwnWrites: false });
  await other.get('/api/leaderboard');
  await other.get('/api/leaderboard');
  t.equal(careless.seen[1]?.headers.get('x-min-seq'), null);
});

t.test('a WebSocket moves to the leader as soon as nothing is in flight', async (t) => {
  const network = new FakeNetwork();
  const galaxyd = new GalaxydClient({ baseUrl: [A, B], apiKey: 'key-1', webSocket: network.webSocket });
  const upgrade = operation.post('/api/building/upgrade', {
    body: { planetId: 'planet-1', buildingType: 'iron_mine' },
  });
  const calls = [1, 2].map(() => galaxyd.socket.call(upgrade));
  const read = galaxyd.socket.call(operation.get('/api/leaderboard'));
  const first = await network.next();
  t.equal(first.url, 'ws://a.example/ws');
  first.welcome();
  await until(() => first.sent.filter(({ op }) => op === 'call').length === 3);
  const [one, two, three] = first.sent.filter(({ op }) => op === 'call');
  const refer = (id: unknown) => ({
    op: 'reply',
    id,
    status: 421,
    location: `${B}/api/building/upgrade`,
    body: { code: 'not_leader', status: 421, detail: '' },
  });
  first.receive(refer(one?.['id']));
  const late = galaxyd.socket.call(upgrade);
  t.notOk(first.isClosed);
  first.receive({ op: 'reply', id: three?.['id'], status: 200, worldSeq: 12, body: {} });
  t.ok((await read).ok);
  first.receive(refer(two?.['id']));
  const second = await network.next();
  t.equal(second.url, 'ws://b.example/ws');
  second.onopen();
  t.match(second.sent.shift(), { op: 'hello', key: 'key-1', minSeq: 12 }, 'it waits for a key that is new');
  second.receive({ op: 'welcome', callsMax: 8 });
  await until(() => second.sent.length === 3);
  const keysOf = (frames: readonly object[]) => frames.map((frame) => Reflect.get(frame, 'idempotencyKey'));
  t.same(keysOf(second.sent).slice(0, 2), keysOf([one ?? {}, two ?? {}]), 'in the order in which they were made');
  for (const { id } of [...second.sent]) second.receive({ op: 'reply', id, status: 201, body: {} });
  for (const result of await Promise.all([...calls, late])) t.ok(result.ok);
});

t.test('at least one server must be named', async (t) => {
  t.throws(() => new GalaxydClient({ baseUrl: [] }), RangeError);
});
