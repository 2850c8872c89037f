// Plans over HTTP: what a reply shows of a plan and when it shows something new, which step a refusal names, and the same over a batch
// and a call. What plans do is tested in test/engine/.
import t, { type Test } from 'tap';
import { PLAN_LONGER_THAN_SECONDS_MAX, PLAN_STEPS_MAX } from '../../../engine/rules/limits.js';
import type { PlanBody, PlanetOptionsBody } from '../../../http/schemas/planning.js';
import { PLANNED_RULES } from '../../support/planned-rules.js';
import { FrameClient } from '../support/frame-client.js';
import type { ProblemBody, Reply } from '../support/game-client.js';
import { firstPlanet } from '../support/play.js';
import { begin, type Serving } from '../support/serving.js';

const UPGRADE = { action: 'upgrade', buildingType: 'iron_mine' };
const SHIPYARD = { action: 'construct', buildingType: 'shipyard' };
const SCOUTS = { action: 'build_ships', shipType: 'scout', count: 2 };
const ION = { action: 'research', researchType: 'drive_ion' };

interface Planned extends Serving {
  readonly playerId: string;
  readonly planetId: string;
  readonly path: string;
  put(body: object): Promise<Reply>;
}

/** A world with plans, and a planet that can pay for much. */
async function planned(t: Test): Promise<Planned> {
  const serving = await begin(t, { settings: { rules: PLANNED_RULES } });
  const { playerId, planetId } = await serving.play.rich('ada');
  const path = `/api/plan/planet/${planetId}`;
  return { ...serving, playerId, planetId, path, put: (body) => serving.client.request('PUT', path, { body }) };
}

t.test('a plan starts what it can, and shows what is left and what each lane waits for', async (t) => {
  const { client, path, put } = await planned(t);
  t.same(await client.read<PlanBody>(path), {
    planetId: path.slice('/api/plan/planet/'.length),
    onBlocked: 'wait',
    steps: [],
    lanes: ['buildings', 'ships', 'research', 'fleets'].map((lane) => ({
      lane,
      stepsLeft: 0,
      state: 'empty',
      startsAt: null,
    })),
    version: 'wPnuBk3uP2Ae',
  });
  const reply = await put({ steps: [SHIPYARD, SCOUTS, ION, UPGRADE, ION], onBlocked: 'skip' });
  t.match(reply, {
    status: 200,
    body: {
      onBlocked: 'skip',
      steps: [SCOUTS, UPGRADE, ION],
      lanes: [
        { lane: 'buildings', stepsLeft: 1, state: 'busy', startsAt: '2000-01-01T00:01:00.000Z' },
        {
          lane: 'ships',
          stepsLeft: 1,
          state: 'waiting',
          startsAt: '2000-01-01T00:01:00.000Z',
          reason: { code: 'shipyard_required', detail: String },
        },
        { lane: 'research', stepsLeft: 1, state: 'busy', startsAt: '2000-01-01T00:02:00.000Z' },
      ],
    },
  });
  t.same(await client.read(path), reply.body, 'as a read shows it');
  t.same((await put({ steps: [] })).body, { ...(reply.body as PlanBody), ...(await client.read<PlanBody>(path)) });
  t.match(await client.read(path), { onBlocked: 'wait', steps: [] }, 'no step: no plan');
});

t.test('a lane that cannot pay names the resource that is covered last', async (t) => {
  const { client, play } = await planned(t);
  const poor = (await play.newcomer('poor')).planets[0]?.id;
  const needed = async (buildingType: string) => {
    const steps = [{ action: 'construct', buildingType }];
    const { body } = await client.request('PUT', `/api/plan/planet/${poor}`, { body: { steps } });
    return (body as PlanBody).lanes[0];
  };
  // Iron and silver are missing as well, but the planet produces them.
  t.match(await needed('planetary_shield'), { state: 'blocked', reason: { resource: 'ember' } });
  t.match(await needed('ember_extractor'), { state: 'empty' }, 'it can pay');
  t.match(await needed('shipyard'), { state: 'busy' });
});

t.test('a step that is blocked is kept with its reason, or dropped', async (t) => {
  const { client, path, put } = await planned(t);
  t.match((await put({ steps: [{ ...UPGRADE, buildingType: 'shipyard' }, UPGRADE] })).body, {
    steps: [{ ...UPGRADE, buildingType: 'shipyard' }, UPGRADE],
    lanes: [{ state: 'blocked', startsAt: null, reason: { code: 'building_not_found' } }, {}, {}],
  });
  t.match((await put({ steps: [{ ...UPGRADE, buildingType: 'shipyard' }, UPGRADE], onBlocked: 'skip' })).body, {
    steps: [],
  });
  t.match(await client.read(path), { steps: [] });
});

t.test('a plan is replaced only if it is still what If-Match names (RFC 9110, section 13.1.1)', async (t) => {
  const { client, path, play, planetId, port } = await planned(t);
  const tagOf = async () => (await client.request('GET', path)).headers['etag'] ?? '';
  const put = (ifMatch: string, headers: Readonly<Record<string, string>> = {}) =>
    client.request('PUT', path, { body: { steps: [SCOUTS] }, headers: { ...headers, 'if-match': ifMatch } });
  const empty = await tagOf();
  t.match(empty, /^"[\w-]{12}"$/, 'strong');
  const key = { 'idempotency-key': 'once' };
  const first = await put(`"other", ${empty}`, key);
  t.match(first, { status: 200, body: { steps: [SCOUTS] } });
  t.equal(`"${(first.body as PlanBody).version}"`, await tagOf());
  for (const stale of [empty, `W/${await tagOf()}`, '"other"', 'nonsense']) {
    const refused = await put(stale);
    t.match(refused, { status: 412, body: { code: 'precondition_failed' } }, stale);
  }
  t.match(
    await put(empty, key),
    { status: 200, headers: { 'idempotency-replayed': 'true' } },
    'a repeated success stays one',
  );
  t.match(await put('*'), { status: 200 });
  const now = await tagOf();
  await play.grant(planetId, { iron: 1 });
  t.equal(await tagOf(), now, 'what does not concern the plan does not change it');
  const operation = { method: 'PUT', path, body: { steps: [UPGRADE] } };
  const { results } = await client.command<{ results: unknown[] }>('/api/batch', {
    operations: [
      { ...operation, ifMatch: empty },
      { ...operation, ifMatch: now },
    ],
  });
  t.match(results, [{ status: 412 }, { status: 200 }]);
  const socket = await FrameClient.open(port);
  t.teardown(() => socket.webSocket.close());
  for (const [ifMatch, status] of [
    [now, 412],
    [await tagOf(), 200],
  ] as const) {
    socket.send({ op: 'call', id: ifMatch, ...operation, ifMatch });
    t.match(await socket.take(({ id }) => id === ifMatch), { status });
  }
});

t.test('a read has not changed as long as only time passes', async (t) => {
  const { client, path, play, put } = await planned(t);
  await put({ steps: [UPGRADE, UPGRADE] });
  const first = await client.request('GET', path);
  const ask = () => client.readAgain(path, first);
  t.equal((await ask()).status, 304);
  await play.advance(30);
  t.equal((await ask()).status, 304, 'the clock moves');
  await play.advance(3_600);
  t.match(await ask(), { status: 200, body: { steps: [] } }, 'the plan moves');
});

t.test('research on one planet shows in the plan of another', async (t) => {
  const { client, play, playerId, put, path } = await planned(t);
  await put({ steps: [ION, ION] });
  const { id } = await play.secondStarter(playerId);
  const other = `/api/plan/planet/${id}`;
  const body = { steps: [{ ...ION, researchType: 'drive_hyper' }], playerId };
  t.match((await client.request('PUT', other, { body })).body, { lanes: [{}, {}, { state: 'busy' }] });
  const first = await client.request('GET', other);
  await put({ steps: [] });
  t.match(await client.read(path), { steps: [] });
  t.equal((await client.readAgain(other, first)).status, 304, 'the research goes on');
  await play.advance(120);
  t.equal((await client.readAgain(other, first)).status, 200, 'it is complete');
});

t.test('a plan that skips may also skip what cannot be paid within a time', async (t) => {
  const { client, play } = await planned(t);
  const { id: playerId, planets } = await play.newcomer('poor');
  const planetId = planets[0]?.id ?? '';
  const path = `/api/plan/planet/${planetId}`;
  const put = (body: object) => client.request('PUT', path, { body });
  const steps = [{ action: 'upgrade', buildingType: 'zentrale' }, ...Array(30).fill(UPGRADE)];
  const reply = await put({ steps, onBlocked: 'skip', longerThanSeconds: 3600 });
  t.match(reply, {
    status: 200,
    body: { onBlocked: 'skip', longerThanSeconds: 3600, lanes: [{ state: 'busy' }, {}, {}] },
  });
  t.same(await client.read(path), reply.body);
  t.match(await play.brief(playerId), 'skips what is blocked or cannot be paid within 3600 s: buildings 30 busy');
  const unbounded = await put({ steps, onBlocked: 'skip' });
  t.notOk('longerThanSeconds' in (unbounded.body as PlanBody));
  t.not((unbounded.body as PlanBody).version, (reply.body as PlanBody).version);
  const errorsOf = async (body: object) => ((await put(body)).body as ProblemBody).errors;
  const only = [{ path: '/longerThanSeconds', message: 'is possible only with onBlocked skip' }];
  t.same(await errorsOf({ steps, longerThanSeconds: 0 }), only);
  t.same(await errorsOf({ steps, onBlocked: 'wait', longerThanSeconds: 0 }), only);
  for (const [longerThanSeconds, message] of [
    [-1, 'must be at least 0'],
    [PLAN_LONGER_THAN_SECONDS_MAX + 1, `must be at most ${PLAN_LONGER_THAN_SECONDS_MAX}`],
    [1.5, 'must be an integer, and is a number'],
  ])
    t.same(await errorsOf({ steps, onBlocked: 'skip', longerThanSeconds }), [{ path: '/longerThanSeconds', message }]);
  t.same(await client.read(path), unbounded.body, 'what is refused changes nothing');
});

t.test('a step launches a fleet, and is shown as it can be put again', async (t) => {
  const { client, play, planetId, playerId, path, put } = await planned(t);
  const target = await play.neighbour(planetId);
  const flight = { action: 'launch', targetPlanetId: target, mission: 'transport' };
  const sent = {
    ...flight,
    ships: [{ shipType: 'transport', count: 1 }],
    resources: { iron: 20 },
    drive: 'combustion',
  };
  const shown = { ...sent, resources: { iron: 20, silver: 0, ember: 0, h2: 0 } };
  const scouts = { ...flight, mission: 'espionage', ships: [{ shipType: 'scout', count: 1 }] };
  const reply = await put({ steps: [SHIPYARD, sent, UPGRADE, scouts] });
  t.match(reply, {
    status: 200,
    body: {
      steps: [shown, UPGRADE, { ...scouts, resources: { iron: 0 } }],
      lanes: [
        {},
        {},
        {},
        { lane: 'fleets', stepsLeft: 2, state: 'waiting', startsAt: null, reason: { code: 'insufficient_ships' } },
      ],
    },
  });
  t.same(await client.read(path), reply.body);
  t.same((await put({ steps: (reply.body as PlanBody).steps })).body, reply.body, 'it can be put again');
  await play.advance(60);
  await play.ships(planetId, 'transport', 1);
  t.match(await client.read(`/api/fleet/player/${playerId}`), [{ mission: 'transport', targetPlanetId: target }]);
  const { events } = await client.read<{ events: object[] }>(`/api/event/player/${playerId}?since=0`);
  t.match(events.at(-1), { type: 'plan_step_started', data: { step: flight, stepsLeft: 1 } });
  t.same((events.at(-1) as { data: { step: object } }).data.step, flight, 'fleet_launched has the rest');
  const nowhere = await put({ steps: [{ ...sent, targetPlanetId: 'planet-1-0-99' }] });
  t.match(nowhere, { status: 404, body: { code: 'planet_not_found' } });
  t.match(await put({ steps: [{ ...sent, ships: [] }] }), {
    status: 400,
    body: { errors: [{ path: '/steps/0/ships' }] },
  });
});

t.test('the refusal of a step points at it', async (t) => {
  const { put } = await planned(t);
  const errorsOf = async (steps: unknown): Promise<unknown> => {
    const { status, body } = await put({ steps } as object);
    t.equal(status, 400);
    return (body as ProblemBody).errors?.map(({ path, message }) => `${path} ${message}`);
  };
  const actions = 'upgrade, construct, build_ships, research, launch';
  t.same(await errorsOf([UPGRADE, { action: 'demolish' }]), [`/steps/1/action must be one of ${actions}`]);
  t.same(await errorsOf([{ buildingType: 'iron_mine' }, 7]), [
    '/steps/0/action is required',
    '/steps/1 must be an object, and is a number',
  ]);
  t.same(await errorsOf([ION, { action: 'research', researchType: 'castle' }]), [
    '/steps/1/researchType must be one of drive_ion, drive_hyper, drive_nexus, drive_interdim',
  ]);
  t.same(
    await errorsOf([
      { ...SCOUTS, count: 0 },
      { ...SCOUTS, count: 10_001 },
      { ...SCOUTS, count: undefined },
    ]),
    ['/steps/0/count must be at least 1', '/steps/1/count must be at most 10000', '/steps/2/count is required'],
  );
  t.same(await errorsOf([{ ...UPGRADE, count: 1 }]), [
    '/steps/0/count is not a known field: there are action, buildingType',
  ]);
  t.same(await errorsOf(Array(PLAN_STEPS_MAX + 1).fill(ION)), [
    `/steps must not have more than ${PLAN_STEPS_MAX} items`,
  ]);
  t.match((await put({ steps: Array(51).fill(ION) })).body, {
    code: 'limit_reached',
    limit: { name: 'plans.stepsMax', maximum: 50 },
  });
});

t.test('in a batch and over a WebSocket it is the same', async (t) => {
  const { client, path, port } = await planned(t);
  const body = { steps: [UPGRADE, UPGRADE] };
  const operations = [
    { method: 'PUT', path, body },
    { method: 'GET', path },
    { method: 'PUT', path: '/api/building/upgrade', body: {} },
  ];
  t.match(await client.command('/api/batch', { operations }), {
    results: [
      { status: 200, body: { steps: [UPGRADE] } },
      { status: 200, body: { steps: [UPGRADE] } },
      { status: 405, body: { code: 'method_not_allowed' } },
    ],
  });
  const socket = await FrameClient.open(port);
  t.teardown(() => socket.webSocket.close());
  socket.send({ op: 'call', id: 'put', method: 'PUT', path, body: { steps: [ION] }, idempotencyKey: 'one' });
  const answer = await socket.take(({ id }) => id === 'put');
  t.match(answer, { status: 200, body: { steps: [] } });
  socket.send({ op: 'call', id: 'again', method: 'PUT', path, body: { steps: [ION] }, idempotencyKey: 'one' });
  t.same((await socket.take(({ id }) => id === 'again'))['body'], answer['body'], 'a repetition gets the first reply');
});

t.test('the state, the options and the brief show plans', async (t) => {
  const { client, play, planetId, playerId, put } = await planned(t);
  const brief = async (): Promise<string> => await play.brief(playerId);
  t.notOk(
    'planSteps' in (await client.read<object>(`/api/game/planet/${planetId}`)),
    'nothing of a plan that is not there',
  );
  t.match(await brief(), `Without a plan: ${planetId}`);
  await put({ steps: [SHIPYARD, UPGRADE, UPGRADE, SCOUTS] });
  t.match(await client.read(`/api/game/planet/${planetId}`), { planSteps: 3 });
  t.match(await client.read(`/api/game/state/${playerId}`), { planets: [{ planSteps: 3 }] });
  const text = await brief();
  t.notMatch(text, 'Without a plan');
  t.match(
    text,
    'Plan: 3 steps left, waits for what is blocked: buildings 2 busy until 2000-01-01T00:01:00.000Z; ' +
      'ships 1 waiting until 2000-01-01T00:01:00.000Z (shipyard_required)',
  );
  const { plan, options } = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
  t.match(plan, { stepsLeft: 3, stepsMax: 50, lanes: [{ state: 'busy' }, { state: 'waiting' }, { state: 'empty' }] });
  const startOf = (type: string) =>
    options.find((option) => 'buildingType' in option && option.buildingType === type)?.startsAt;
  t.equal(startOf('silver_mine'), '2000-01-01T00:01:00.000Z', 'after the shipyard');
  t.ok(options.every(({ action, startsAt }) => action === 'second_starter' || startsAt !== undefined));
});

t.test('every reply promises the same instant until it comes, whatever building is completed meanwhile', async (t) => {
  const { client, play } = await begin(t, { settings: { rules: PLANNED_RULES, speed: 0.37 } });
  const player = await play.newcomer('ada');
  const { id: planetId } = firstPlanet(player);
  const scouts = { planetId, shipType: 'scout', count: 40 };
  const refusal = async () =>
    (await client.request('POST', '/api/shipyard/build', { body: scouts })).body as ProblemBody;
  await client.command('/api/building/construct', { planetId, buildingType: 'shipyard' });
  await play.toNextTimer();
  await client.command('/api/building/construct', { planetId, buildingType: 'anti_spy' });
  const plan = { steps: [{ action: 'build_ships', shipType: 'scout', count: 40 }] };
  t.equal((await client.request('PUT', `/api/plan/planet/${planetId}`, { body: plan })).status, 200);
  const promises = async (): Promise<unknown> => {
    const { plan, options } = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
    const affordable = options.map(({ request, affordableAt }) => `${JSON.stringify(request)} ${affordableAt}`);
    return [(await refusal()).affordableAt, plan?.lanes[1]?.startsAt, ...affordable.sort()];
  };
  const before = await promises();
  const { affordableAt = '' } = await refusal();
  await play.toNextTimer();
  t.equal((await play.planet(planetId)).buildings.at(-1)?.level, 1, 'the building is complete');
  t.same(await promises(), before);
  t.match(await play.brief(player.id), `waiting until ${affordableAt}`);
  const to = (atMs: number) => play.advanceTo(new Date(atMs).toISOString());
  const atMs = Date.parse(affordableAt ?? '');
  await to(atMs - 1);
  t.match(await refusal(), { code: 'insufficient_resources', affordableAt });
  await to(atMs);
  t.match(await client.read(`/api/shipyard/planet/${planetId}`), { queue: [{ shipType: 'scout', count: 40 }] });
});

t.test(
  'an option of what is in progress is the level after it: what is accepted at its start, for its cost',
  async (t) => {
    const { client, play, planetId, playerId } = await planned(t);
    await client.command('/api/building/construct', { planetId, buildingType: 'shipyard' });
    await play.research(playerId);
    const { options } = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
    const shipyard = options.find((option) => option.action === 'upgrade' && option.buildingType === 'shipyard');
    const research = options.find((option) => option.action === 'research' && option.researchType === 'drive_ion');
    t.match([shipyard, research], [{ level: 2, reason: { code: 'upgrade_in_progress' } }, { level: 2 }]);
    for (const option of [shipyard, research]) {
      await play.advanceTo(option?.startsAt ?? '');
      const before = await play.planet(planetId);
      await client.command(option?.request.path ?? '', option?.request.body);
      const after = await play.planet(planetId);
      for (const resource of ['iron', 'silver', 'energy'] as const)
        t.equal(before[resource] - after[resource], option?.cost[resource], `${option?.action}: ${resource}`);
    }
  },
);

t.test('without plans in the rules there is none, and nothing shows of them', async (t) => {
  const { client, play } = await begin(t);
  const { planetId, playerId } = await play.rich('ada');
  const path = `/api/plan/planet/${planetId}`;
  t.match(await client.read(path), { steps: [], onBlocked: 'wait' });
  t.match((await client.request('PUT', path, { body: { steps: [ION] } })).body, {
    code: 'plans_not_in_rules',
    status: 409,
  });
  const options = await client.read<PlanetOptionsBody>(`/api/game/options/${planetId}`);
  t.notOk('plan' in options || options.options.some((option) => 'startsAt' in option));
  t.notMatch(await play.brief(playerId), /plan\b/i);
  const free = await play.neighbour(planetId);
  t.match(await client.read(`/api/plan/planet/${free}`), { planetId: free, steps: [] });
});
