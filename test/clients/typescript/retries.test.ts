// The TypeScript client repeats a request until it is answered, with the same idempotency key, and waits as long as the
// server asks.
import { GalaxydClient, GalaxydProblem } from 'galaxyd-client';
import t from 'tap';
import { ADMIN_KEY } from '../../http/support/serving.js';
import { turns } from '../../http/support/waiting.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { beginWithClient, interposed, refusal } from '../support/serving-client.js';

t.test('a command whose reply is lost takes effect once', async (t) => {
  const { galaxyd, port, play } = await beginWithClient(t);
  const { planetId } = await play.rich('ada');
  const proxy = await FaultProxy.start(t, port);
  const shaky = new GalaxydClient({ baseUrl: proxy.url, attemptDeadlineMs: 300 });
  const path = { params: { path: { planetId } } };
  for (const fault of ['lost', 'halved', 'silent'] as const) {
    proxy.break(fault);
    const reply = await shaky.post('/api/admin/planet/{planetId}/grant', {
      ...path,
      body: { ember: 100 },
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    t.equal(reply.headers.get('idempotency-replayed'), 'true', fault);
  }
  const { body: planet } = await galaxyd.get('/api/game/planet/{planetId}', path);
  t.match(planet, { ember: 1_000_300 }, 'each grant was added once');
});

t.test('a read whose replies are lost is read again; a server that is gone is reported', async (t) => {
  const { port } = await beginWithClient(t);
  const proxy = await FaultProxy.start(t, port);
  const shaky = new GalaxydClient({ baseUrl: proxy.url, attempts: 3 });
  proxy.break('lost', 'halved');
  t.equal((await shaky.get('/api/status')).body.name, 'galaxyd');
  const gone = new GalaxydClient({ baseUrl: 'http://127.0.0.1:1', attempts: 2 });
  await t.rejects(gone.post('/api/game/player', { body: { name: 'Ada' } }), {
    name: 'NoReply',
    message: /^POST \/api\/game\/player: no reply in 2 attempts: /,
    idempotencyKey: /^[0-9a-f-]{36}$/,
  });
});

t.test('a server that has answered once may be away for longer than one that never has', async (t) => {
  const away = () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    return Promise.reject(new TypeError('fetch failed', { cause }));
  };
  const { url } = await beginWithClient(t);
  const never = new GalaxydClient({ baseUrl: url, firstContactMs: 0, attempts: 3, fetch: away });
  const silence = `GET /api/status: no server answers at ${url}: connect ECONNREFUSED`;
  await t.rejects(never.get('/api/status'), { name: 'NoReply', message: silence });
  const { fetch, seen } = interposed([() => globalThis.fetch(`${url}/api/status`), away, away, away]);
  const once = new GalaxydClient({ baseUrl: url, firstContactMs: 0, attempts: 3, fetch });
  await once.get('/api/status');
  await t.rejects(once.get('/api/status'), {
    name: 'NoReply',
    message: /no reply in 3 attempts: connect ECONNREFUSED/,
  });
  t.equal(seen.length, 4);
});

t.test('a refusal that passes is repeated with the same key, after what the server asks for', async (t) => {
  const { url } = await beginWithClient(t);
  const { fetch, seen } = interposed([
    () => refusal(429, 'rate_limited', { retryAfterMs: 120 }),
    () => refusal(409, 'idempotency_key_in_flight'),
    () => refusal(503, 'overloaded'),
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  ]);
  const galaxyd = new GalaxydClient({ baseUrl: url, fetch });
  const startedAtMs = performance.now();
  const { status } = await galaxyd.post('/api/game/player', { body: { name: 'Ada' } });
  t.equal(status, 201);
  t.ok(performance.now() - startedAtMs >= 120, 'it waited');
  t.equal(seen.length, 5);
  const keys = new Set(seen.map(({ headers }) => headers.get('idempotency-key')));
  t.equal(keys.size, 1);
  t.match([...keys][0], /^[0-9a-f]{8}-/);
  await galaxyd.post('/api/game/player', { body: { name: 'Ada' } });
  t.notOk(keys.has(seen[5]?.headers.get('idempotency-key') ?? null), 'another call has another key');
});

t.test('Retry-After counts if the body says nothing, as seconds and as a date', async (t) => {
  const { url } = await beginWithClient(t);
  const answer = (value: string) => new Response('busy', { status: 503, headers: { 'retry-after': value } });
  const startedAtMs = performance.now();
  await new GalaxydClient({ baseUrl: url, fetch: interposed([() => answer('1')]).fetch }).get('/healthz');
  t.ok(performance.now() - startedAtMs >= 990, 'without the header the first pause is at most 100 ms');
  // A date has whole seconds, so this one is one to two seconds ahead.
  const date = new Date(Date.now() + 2000).toUTCString();
  await new GalaxydClient({ baseUrl: url, fetch: interposed([() => answer(date)]).fetch }).get('/healthz');
  t.ok(Date.now() >= Date.parse(date) - 10, 'a timer may fire some milliseconds early');
});

t.test('a refusal that stays is not repeated, nor one whose pause ends after the deadline', async (t) => {
  for (const [answer, options] of [
    [() => refusal(409, 'upgrade_in_progress'), {}],
    [() => refusal(500, 'internal_error'), {}],
    [() => refusal(429, 'rate_limited', { retryAfterMs: 600_000 }), {}],
    [() => refusal(503, 'overloaded'), { attempts: 1 }],
  ] as const) {
    const { fetch, seen } = interposed([answer]);
    const galaxyd = new GalaxydClient({ baseUrl: 'http://127.0.0.1:1', fetch, ...options });
    const error = await galaxyd.get('/api/status').catch((reason: unknown) => reason);
    t.ok(error instanceof GalaxydProblem, String(error));
    t.equal(seen.length, 1);
  }
});

/** An answer with a limit of ten tokens. @param windowSeconds in which all of them are refilled */
const limited = (left: number, windowSeconds: number) => (): Response => {
  const headers = {
    'x-world-time': '2000-01-01T00:00:00.000Z',
    'ratelimit-policy': `"requests";q=10;w=${windowSeconds}`,
    ratelimit: `"requests";r=${left};t=${windowSeconds}`,
  };
  return Response.json({ status: 'ok' }, { headers });
};

t.test('the client sends at once while the server announces tokens, and then waits', async (t) => {
  // A token takes an hour, so a call that waited for one would fail at its deadline.
  const { fetch, seen } = interposed([2, 1, 0].map((left) => limited(left, 36_000)));
  const galaxyd = new GalaxydClient({ baseUrl: 'http://127.0.0.1:1', fetch });
  for (let call = 0; call < 3; call += 1) await galaxyd.get('/healthz');
  const controller = new AbortController();
  const waiting = galaxyd.get('/healthz', { signal: controller.signal });
  await turns();
  t.equal(seen.length, 3);
  controller.abort(new Error('enough'));
  await t.rejects(waiting, { message: 'enough' });
});

t.test('the client waits for one token at a time', async (t) => {
  const { fetch, seen } = interposed(Array.from({ length: 3 }, () => limited(0, 1)));
  const galaxyd = new GalaxydClient({ baseUrl: 'http://127.0.0.1:1', fetch });
  const startedAtMs = performance.now();
  for (let call = 0; call < 3; call += 1) await galaxyd.get('/healthz');
  t.ok(performance.now() - startedAtMs >= 190, 'one in each tenth of a second after the first');
  t.equal(seen.length, 3);
});

t.test('against a real limit: many calls at once are all answered, and hardly any is refused', async (t) => {
  const rateLimits = { perSecond: 100, burst: 10 };
  const { url, play } = await beginWithClient(t, {}, { server: { rateLimits } });
  const { id: playerId } = await play.newcomer('ada');
  const statuses: number[] = [];
  const counting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    statuses.push(response.status);
    return response;
  };
  const galaxyd = new GalaxydClient({ baseUrl: url, fetch: counting });
  const read = () => galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  await read();
  await Promise.all(Array.from({ length: 60 }, read));
  const refused = statuses.filter((status) => status === 429).length;
  t.ok(refused < 30, `${refused} of ${statuses.length} were refused`);
  // Without the headers the client would have been refused most of the time.
  t.ok(statuses.length - refused === 61);
});

t.test('what passes by itself is waited for until the deadline, however many attempts that takes', async (t) => {
  const { url } = await beginWithClient(t);
  for (const code of ['no_leader', 'recovering', 'world_paused'] as const) {
    const refusals = Array.from({ length: 7 }, () => () => refusal(503, code, { retryAfterMs: 1 }));
    const { fetch, seen } = interposed([...refusals, () => globalThis.fetch(`${url}/api/status`)]);
    await new GalaxydClient({ baseUrl: url, attempts: 2, fetch }).get('/api/status');
    t.equal(seen.length, 8, code);
  }
  const { fetch } = interposed([() => refusal(503, 'recovering', { retryAfterMs: 60_000 })]);
  const message = /no reply in 1 attempts: the server recovers its world$/;
  await t.rejects(new GalaxydClient({ baseUrl: url, deadlineMs: 1_000, fetch }).get('/api/status'), {
    name: 'NoReply',
    message,
  });
});
