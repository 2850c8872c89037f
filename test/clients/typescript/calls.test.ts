// Calls of the TypeScript client against a real server: typed replies, refusals, no reply, deadlines, turns, batches, and the cache.
import { GalaxydClient, GalaxydProblem, NoReply, operation } from 'galaxyd-client';
import t from 'tap';
import { turns } from '../../http/support/waiting.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { beginWithClient, interposed } from '../support/serving-client.js';

/** A server that never answers. */
const silent: typeof fetch = (_input, { signal } = {}) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

t.test('a call returns the body with its type, and the world time', async (t) => {
  const { galaxyd } = await beginWithClient(t);
  const created = await galaxyd.post('/api/game/player', { body: { name: 'Ada', isBot: true } });
  t.equal(created.status, 201);
  t.equal(created.worldTime, '2000-01-01T00:00:00.000Z');
  t.equal(created.asOf, created.worldTime);
  const state = await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId: created.body.id } } });
  // Names that may be any string are strings, or this does not compile.
  const type: string | undefined = state.body.planets[0]?.buildings[0]?.type;
  t.equal(type, 'zentrale');
  const reports = await galaxyd.get('/api/report/player/{playerId}', {
    params: { path: { playerId: created.body.id }, query: { limit: 1 } },
  });
  t.same(reports.body, []);
});

t.test('a read whose answer is text returns text, also from the cache', async (t) => {
  const { galaxyd } = await beginWithClient(t);
  const { body: player } = await galaxyd.post('/api/game/player', { body: { name: 'Ada', isBot: true } });
  for (const isCached of [false, true]) {
    const brief = await galaxyd.get('/api/brief/player/{playerId}', { params: { path: { playerId: player.id } } });
    t.match(brief, { isCached, body: /^# "Ada" \(player-1\)/ });
  }
});

t.test('a refusal is thrown, with the facts that the server sent', async (t) => {
  const { galaxyd } = await beginWithClient(t);
  const { body: player } = await galaxyd.post('/api/game/player', { body: { name: 'Ada', isBot: true } });
  const planetId = player.planets[0]?.id ?? '';
  const build = galaxyd.post('/api/building/construct', { body: { planetId, buildingType: 'planetary_shield' } });
  const error = await build.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GalaxydProblem)) throw new Error(`no problem: ${error}`);
  t.match(error, {
    code: 'insufficient_resources',
    status: 422,
    problem: { missing: { ember: 40 }, affordableAt: null },
  });
  t.match(error.message, /^insufficient_resources: /);
});

t.test('a key acts for its player, and no other client has it', async (t) => {
  const { galaxyd, url } = await beginWithClient(t, {}, { auth: 'key' });
  const { body: player } = await galaxyd.post('/api/game/player', { body: { name: 'Ada', isBot: true } });
  const path = { params: { path: { playerId: player.id } } };
  await t.rejects(galaxyd.get('/api/game/state/{playerId}', path), { code: 'unauthenticated' });
  const owner = new GalaxydClient({ baseUrl: `${url}/`, apiKey: 'apiKey' in player ? player.apiKey : '' });
  t.equal((await owner.get('/api/game/state/{playerId}', path)).body.name, 'Ada');
});

t.test('the reply of another server is refused, and a POST names its idempotency key', async (t) => {
  const page = (): Response => new Response('<h1>Bad gateway</h1>', { status: 400 });
  const { fetch } = interposed([page, page]);
  const galaxyd = new GalaxydClient({ baseUrl: 'http://127.0.0.1:1', fetch });
  await t.rejects(galaxyd.get('/api/status'), { name: 'NoReply', idempotencyKey: null, message: /Bad gateway/ });
  await t.rejects(
    galaxyd.post('/api/game/player', {
      body: { name: 'Ada' },
      params: { header: { 'Idempotency-Key': 'my-own' } },
    }),
    { name: 'NoReply', idempotencyKey: 'my-own' },
  );
});

t.test('a call ends at its deadline, and at once when its signal is aborted', async (t) => {
  const options = { baseUrl: 'http://127.0.0.1:1', fetch: silent };
  const hasty = new GalaxydClient({ ...options, deadlineMs: 30 });
  const late = await hasty.get('/api/status').catch((error: unknown) => error);
  t.ok(late instanceof NoReply, 'the deadline of the call');
  t.match(late, { message: /no reply in 30 ms/ });
  const once = new GalaxydClient({ ...options, attemptDeadlineMs: 10, attempts: 2 });
  await t.rejects(once.get('/api/status'), { name: 'NoReply', message: /2 attempts: no reply in 10 ms/ });
  const controller = new AbortController();
  const patient = new GalaxydClient({ ...options, concurrency: 1 });
  const calls = [1, 2].map(() => patient.get('/api/status', { signal: controller.signal }));
  controller.abort(new Error('enough'));
  for (const call of calls) await t.rejects(call, { message: 'enough' }, 'in flight, or waiting for its turn');
  t.throws(() => new GalaxydClient({ ...options, concurrency: 0 }), RangeError);
});

t.test('a call without a deadline waits for its reply', async (t) => {
  const { url } = await beginWithClient(t);
  const slow: typeof fetch = async (input, init) => {
    // A timer that was set for ever would fire within this time.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return await fetch(input, init);
  };
  const endless = { deadlineMs: Number.POSITIVE_INFINITY, attemptDeadlineMs: Number.POSITIVE_INFINITY };
  const galaxyd = new GalaxydClient({ baseUrl: url, attempts: 1, fetch: slow, ...endless });
  t.equal((await galaxyd.get('/healthz')).status, 200);
});

t.test('the number of requests in flight is limited, and all are answered', async (t) => {
  const { url } = await beginWithClient(t);
  let inFlight = 0;
  let most = 0;
  const counting: typeof fetch = async (input, init) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    const response = await fetch(input, init);
    inFlight -= 1;
    return response;
  };
  const galaxyd = new GalaxydClient({ baseUrl: url, concurrency: 3, fetch: counting });
  const replies = await Promise.all(Array.from({ length: 20 }, () => galaxyd.get('/healthz')));
  t.ok(replies.every(({ body }) => body.status === 'ok'));
  t.equal(most, 3);
});

t.test('more calls than may wait are refused at once', async (t) => {
  const galaxyd = new GalaxydClient({ baseUrl: 'http://127.0.0.1:1', concurrency: 1, fetch: silent });
  const controller = new AbortController();
  const call = (): Promise<unknown> =>
    galaxyd.get('/healthz', { signal: controller.signal }).catch((error: unknown) => error);
  const calls = Array.from({ length: 1_001 }, call);
  await turns();
  t.match(await call(), { name: 'RangeError', message: /1000 calls are waiting/ });
  controller.abort(new Error('enough'));
  await Promise.all(calls);
});

t.test('each operation has its own result, with the type of its reply', async (t) => {
  const { galaxyd, play } = await beginWithClient(t);
  const { playerId, planetId } = await play.rich('ada');
  const { body: results } = await galaxyd.batch([
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    operation.get('/api/report/player/{playerId}', { params: { path: { playerId }, query: { limit: 5 } } }),
    { method: 'GET', path: `/api/game/state/${playerId}` },
  ]);
  const [upgrade, again, reports, state] = results;
  t.equal(upgrade.ok && upgrade.body?.buildings.length, 4);
  t.match(again, { ok: false, status: 409, code: 'upgrade_in_progress', problem: { status: 409 } });
  t.same(reports.ok && reports.body, []);
  t.match(state, { ok: true, status: 200, body: { name: 'ada' } });
});

t.test('short replies have types of their own', async (t) => {
  const { galaxyd, play } = await beginWithClient(t);
  const { planetId } = await play.rich('ada');
  const upgrade = operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } });
  const { body: started, headers } = await galaxyd.perform(upgrade, { isMinimal: true });
  t.equal(headers.get('preference-applied'), 'return=minimal');
  const cancel = (queueId: string) => operation.post('/api/building/cancel', { body: { planetId, queueId } });
  const cancelled = await galaxyd.socket.call(cancel(started?.queueId ?? ''), { isMinimal: true });
  const iron = cancelled.ok ? cancelled.body?.resources.iron : undefined;
  t.equal(iron, (await play.planet(planetId)).iron);
  const { body: results } = await galaxyd.batch([upgrade, upgrade], { isMinimal: true });
  const [again, refused] = results;
  t.match(again.ok && again.body?.queueId, /^queue-/);
  t.match(refused, { ok: false, code: 'upgrade_in_progress', problem: null });
});

t.test('a batch of a list made by a program has a list of results', async (t) => {
  const { galaxyd, play } = await beginWithClient(t);
  const players = [await play.newcomer('a'), await play.newcomer('b')];
  const { body: results } = await galaxyd.batch(
    players.map(({ id }) => operation.get('/api/game/state/{playerId}', { params: { path: { playerId: id } } })),
  );
  t.same(
    results.map((result) => result.ok && result.body?.name),
    ['a', 'b'],
  );
  await t.rejects(galaxyd.batch([]), { code: 'invalid_request' });
});

t.test('a batch whose reply is lost takes effect once; of a long reply only the statuses are kept', async (t) => {
  const { port, play } = await beginWithClient(t);
  const { playerId, planetId } = await play.rich('ada');
  const proxy = await FaultProxy.start(t, port);
  const shaky = new GalaxydClient({ baseUrl: proxy.url });
  proxy.break('lost');
  const reading = { method: 'GET', path: `/api/game/state/${playerId}` } as const;
  const { body: results } = await shaky.batch([
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    ...Array.from({ length: 200 }, () => reading),
  ]);
  t.equal(results.length, 202);
  t.same(results[0], { ok: true, status: 200, body: null });
  t.same(results[1], { ok: false, status: 409, code: 'upgrade_in_progress', problem: null });
});

t.test('a reply that still holds is not sent again; its instant stays, and the world time is new', async (t) => {
  const { url, play } = await beginWithClient(t);
  const { fetch, seen } = interposed([]);
  const galaxyd = new GalaxydClient({ baseUrl: url, fetch });
  const { playerId, planetId } = await play.rich('ada');
  const read = () => galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  const first = await read();
  await play.advance(600);
  const second = await read();
  t.match(seen[1]?.headers.get('if-none-match'), /^W\//);
  t.same(second.body, first.body);
  t.match(second, { status: 200, isCached: true, asOf: first.worldTime, worldTime: '2000-01-01T00:10:00.000Z' });
  t.match(first, { isCached: false, asOf: first.worldTime });
  second.body.planets.length = 0;
  t.equal((await read()).body.planets.length, 1, 'what a caller does to its body is its own');
  await galaxyd.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } });
  const third = await read();
  t.match(third, { isCached: false, asOf: third.worldTime });
  t.equal(third.body.planets[0]?.buildings.flatMap(({ constructionQueue }) => constructionQueue).length, 1);
});

t.test('the cache is bounded, and can be switched off', async (t) => {
  const { url, play } = await beginWithClient(t);
  const players = [await play.newcomer('a'), await play.newcomer('b'), await play.newcomer('c')];
  const lengthOf = (await play.client.request('GET', `/api/game/state/${players[0]?.id}`)).text.length;
  const read = async (galaxyd: GalaxydClient, index: number): Promise<boolean> => {
    const path = { playerId: players[index]?.id ?? '' };
    return (await galaxyd.get('/api/game/state/{playerId}', { params: { path } })).isCached;
  };
  const small = new GalaxydClient({ baseUrl: url, cacheCharactersMax: Math.floor(lengthOf * 2.5) });
  const hits: boolean[] = [];
  for (const index of [0, 1, 0, 2, 0, 1]) hits.push(await read(small, index));
  t.same(hits, [false, false, true, false, true, false], 'two fit; the one used longest ago makes room');
  const none = new GalaxydClient({ baseUrl: url, cacheCharactersMax: 0 });
  t.same([await read(none, 0), await read(none, 0)], [false, false]);
});
