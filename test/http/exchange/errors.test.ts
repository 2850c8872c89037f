// Every error of the table is provoked over real HTTP, and has the one shape they all have.
import t from 'tap';
import { SHIP_ORDERS_PER_PLANET_MAX } from '../../../engine/rules/limits.js';
import { PROBLEMS, type ProblemCode } from '../../../http/exchange/problems.js';
import { ROUTES } from '../../../http/routes/table.js';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import type { ProblemBody } from '../support/game-client.js';
import { PROVOCATIONS } from '../support/provocations.js';
import { LEADER_URL } from '../support/replicas.js';
import { begin } from '../support/serving.js';

const serving = await begin(t);
const codes = Object.keys(PROVOCATIONS) as ProblemCode[];

t.test('every error of the table has a provocation', async (t) => {
  t.same([...PROBLEMS.keys()].sort(), [...codes].sort());
});

t.test('GET /api/errors is the table', async (t) => {
  const { errors } = await serving.client.read<{ errors: { code: string; status: number; type: string }[] }>(
    '/api/errors',
  );
  t.same(
    errors.map(({ code, status }) => [code, status]),
    [...PROBLEMS].map(([code, { status }]) => [code, status]),
  );
  for (const { code, type } of errors) t.equal(type, `/api/errors#${code}`);
});

for (const code of codes) {
  t.test(`${code} is answered when it is provoked`, async (t) => {
    const reply = await PROVOCATIONS[code](serving, t);
    t.equal(reply.headers['content-type'], 'application/problem+json');
    t.match(reply.body, {
      code,
      type: `/api/errors#${code}`,
      title: PROBLEMS.get(code)?.title,
      status: reply.status,
      detail: /^.+\.$/,
      requestId: reply.headers['x-request-id'],
    });
    t.equal(reply.status, PROBLEMS.get(code)?.status);
    checkExtras(t, code, reply);
    const { detail = '', ...facts } = reply.body as ProblemBody;
    t.ok(detail.endsWith(` ${PROBLEMS.get(code)?.remedy}`), `it says what to do: ${detail}`);
    for (const fact of FACTS) if (new RegExp(`\\b${fact}\\b`).test(detail)) t.ok(fact in facts, `and has ${fact}`);
  });
}

/** Fields of some errors that a program can act on. */
function checkExtras(t: Pick<Test, 'match' | 'equal'>, code: ProblemCode, { body, headers }: ReplyFacts): void {
  const extras = EXTRAS[code];
  if (extras?.body !== undefined) t.match(body, extras.body);
  for (const [name, value] of Object.entries(extras?.headers ?? {})) t.equal(headers[name], value, name);
}

/** Members of problems that remedies name. */
const FACTS = ['missing', 'affordableAt', 'inProgress', 'retryAfterMs'] as const;

t.test('what errors say to do can be done: the operations that they name exist', async (t) => {
  const named = [...PROBLEMS.values()].flatMap(({ remedy }) => [...remedy.matchAll(/(GET|POST) (\/[\w/:.]*\w)/g)]);
  t.ok(named.length > 10);
  for (const [text, method = '', path = ''] of named) {
    t.ok(
      ROUTES.some((route) => route.method === method && route.path === path),
      text,
    );
  }
});

t.test('the form of a parameter is said in words, and never as a pattern', async (t) => {
  const formed = ROUTES.flatMap(({ path, query, parameters }) =>
    [...query, ...parameters].flatMap(({ name, example, form }) =>
      form === undefined ? [] : { path, name, example, form },
    ),
  );
  t.ok(formed.length > 10);
  for (const { path, name, example, form } of formed) {
    t.match(String(example), form.pattern, `${path} ${name}: the example has the form`);
    t.match(form.words, /^[\w, -]+$/, `${path} ${name}`);
  }
  const { errors } = await serving.client.refusal('GET', '/api/player?cursor=first');
  t.same(errors, [{ path: 'cursor', message: 'must be the nextCursor of the reply before' }]);
});

t.test('what has the wrong shape is named, with what would be right', async (t) => {
  const errorsOf = async (body: unknown) =>
    (await serving.client.refusal('POST', '/api/game/player', body)).errors?.map(
      ({ path, message }) => `${path} ${message}`,
    );
  t.same(await errorsOf({ name: '', isBot: 'yes' }), [
    '/name must not be empty',
    '/isBot must be a boolean, and is a string',
  ]);
  t.same(await errorsOf({ nmae: 'Ada' }), ['/name is required', '/nmae is not a known field: there are name, isBot']);
  t.same(await errorsOf({ name: null }), ['/name must be a string, and is null']);
  t.same(await errorsOf({ name: ['Ada'] }), ['/name must be a string, and is a list']);
  t.match(await errorsOf({ name: 'a\u200bb' }), [
    /^\/name must have only visible characters \(letters, .*\), and U\+200B is not$/,
  ]);
});

t.test('what was constructed and cancelled can be constructed, as the refusal of its upgrade says', async (t) => {
  const { client, play } = serving;
  const { planetId } = await play.rich('changes its mind');
  const construct = { planetId, buildingType: 'anti_spy' };
  const { buildings } = await client.command<PlanetBody>('/api/building/construct', construct);
  const entry = buildings.find(({ type }) => type === 'anti_spy')?.constructionQueue[0];
  await client.command('/api/building/cancel', { planetId, queueId: entry?.queueId });
  const { code, detail } = await client.refusal('POST', '/api/building/upgrade', construct);
  t.equal(code, 'building_not_found');
  t.match(detail, 'POST /api/building/construct; a building whose first construction was cancelled is gone.');
  await client.command('/api/building/construct', construct);
});

t.test('a body without a type is refused with the header that it needs', async (t) => {
  const send = (type: string) =>
    serving.client.request('POST', '/api/game/player', {
      body: '{"name":"typed","isBot":true}',
      headers: { 'content-type': type },
    });
  const refused = (await send('')).body as ProblemBody;
  t.match(refused, { code: 'unsupported_media_type', detail: /Content-Type: application\/json\.$/ });
  const [, type = ''] = /Content-Type: (.*)\.$/.exec(refused.detail) ?? [];
  t.equal((await send(type)).status, 201);
});

t.test('a request for a player of a world with keys and without its key gets the way to one', async (t) => {
  const { client } = await begin(t, { auth: 'key' });
  await client.command('/api/game/player', { name: 'Ada' }, 201);
  t.match(await client.refusal('POST', '/api/game/player', { name: 'Bob' }), {
    code: 'unauthenticated',
    detail: /^The one human player .* Add "isBot": true /,
  });
  await client.command('/api/game/player', { name: 'Bob', isBot: true }, 201);
  const { detail } = await client.refusal('POST', '/api/game/player', { name: 'Bob', isBot: true });
  t.match(detail, /^A bot of this name .* Choose another name/);
});

t.test('each limit of the world says in words what is reached', async (t) => {
  const { client, play } = serving;
  const { planetId } = await play.fleetOwner('busy', {});
  const order = { planetId, shipType: 'scout', count: 1 };
  for (let time = 0; time < SHIP_ORDERS_PER_PLANET_MAX; time += 1)
    await client.command('/api/shipyard/build', order, 201);
  const { detail } = await client.refusal('POST', '/api/shipyard/build', order);
  t.equal(
    detail,
    'The shipyard has as many orders as it takes: one must be complete first. limit has its name and value.',
  );
});

type Test = typeof t;
type ReplyFacts = Pick<Awaited<ReturnType<(typeof PROVOCATIONS)[ProblemCode]>>, 'body' | 'headers'>;

const RETRY = { body: { retryAfterMs: 1_000 }, headers: { 'retry-after': '1' } };

const RETRY_SOON = { body: { retryAfterMs: 250 }, headers: { 'retry-after': '1' } };

const EXTRAS: Partial<Record<ProblemCode, { body?: object; headers?: Readonly<Record<string, string>> }>> = {
  invalid_request: { body: { errors: [{ path: '/name', message: /string/ }] } },
  unauthenticated: { headers: { 'www-authenticate': 'Bearer' } },
  method_not_allowed: { headers: { allow: 'POST' } },
  limit_reached: { body: { limit: { name: 'SHIP_ORDERS_PER_PLANET_MAX', maximum: 50 } } },
  insufficient_ships: { body: { missing: { transport: 1 } } },
  hangar_capacity_exceeded: { body: { missing: { hangar: 1 } } },
  insufficient_h2: { body: { missing: { h2: Number } } },
  cargo_capacity_exceeded: { body: { missing: { cargo: 1 } } },
  // 40 ember, which a starter planet neither has nor ever produces.
  insufficient_resources: { body: { missing: { ember: 40 }, affordableAt: null } },
  idempotency_key_in_flight: { body: { retryAfterMs: 100 }, headers: { 'retry-after': '1' } },
  overloaded: RETRY,
  storage_unavailable: RETRY,
  shutting_down: RETRY,
  recovering: {
    body: { ...RETRY.body, recovery: { phase: 'opening', done: 0, total: null, secondsLeft: null } },
    headers: RETRY.headers,
  },
  not_leader: { headers: { location: `${LEADER_URL}/api/game/player` } },
  no_leader: RETRY_SOON,
  replica_behind: RETRY_SOON,
};

t.test('the refusal says when production alone will cover what is missing', async (t) => {
  const { client, play } = serving;
  const planetId = (await play.newcomer('patient')).planets[0]?.id ?? '';
  await client.command('/api/building/construct', { planetId, buildingType: 'shipyard' });
  await play.advance(60);
  const order = { planetId, shipType: 'fighter', count: 3 };
  const problem = await client.refusal('POST', '/api/shipyard/build', order);
  t.match(problem, { code: 'insufficient_resources', affordableAt: /Z$/ });
  const justBefore = new Date(Date.parse(problem.affordableAt ?? '') - 1).toISOString();
  await serving.play.advanceTo(justBefore);
  t.match(await client.refusal('POST', '/api/shipyard/build', order), { affordableAt: problem.affordableAt });
  await serving.play.advanceTo(problem.affordableAt ?? '');
  await client.command('/api/shipyard/build', order, 201);
});
