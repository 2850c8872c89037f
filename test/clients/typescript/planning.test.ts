// What the TypeScript client computes is what the server says later.
import { affordableAt, earliest, GalaxydClient, stockAt } from 'galaxyd-client';
import t from 'tap';
import { beginWithClient } from '../support/serving-client.js';

t.test('the stock at a later instant is what the server shows then, or one unit less', async (t) => {
  const { galaxyd, play } = await beginWithClient(t, {}, { settings: { seed: 11 } });
  const planetId = (await play.newcomer('ada')).planets[0]?.id ?? '';
  const read = async () => {
    const reply = await galaxyd.get('/api/game/planet/{planetId}', { params: { path: { planetId } } });
    if (reply.body.visibility !== 'full') throw new Error('not its own planet');
    return { ...reply, body: reply.body };
  };
  await play.advance(7);
  const first = await read();
  for (const seconds of [1, 59, 1000, 4001, 86_400]) {
    await play.advance(seconds);
    const { body } = await play.client.request('GET', `/api/game/planet/${planetId}`);
    const { worldTime } = await galaxyd.get('/healthz');
    const computed = stockAt(first.body, first.asOf, worldTime);
    for (const [resource, units] of Object.entries(computed)) {
      const shown = Number(Object.getOwnPropertyDescriptor(body, resource)?.value);
      t.ok(shown === units || shown === units + 1, `${resource}: ${units}, the server says ${shown}`);
    }
  }
  const cached = await read();
  t.ok(cached.isCached && cached.asOf === first.asOf, 'a cached reading keeps its instant, so it stays usable');
});

t.test('what the client computes as affordable is affordable then', async (t) => {
  const { galaxyd, play, admin } = await beginWithClient(t);
  const planetId = (await play.newcomer('ada')).planets[0]?.id ?? '';
  const { body: planet, asOf } = await galaxyd.get('/api/game/planet/{planetId}', { params: { path: { planetId } } });
  if (planet.visibility !== 'full') throw new Error('not its own planet');
  t.equal(affordableAt(planet, asOf, { iron: 1 }), asOf);
  t.equal(affordableAt(planet, asOf, { ember: 1 }), null, 'production never covers it');
  t.equal(affordableAt(planet, asOf, { h2: 1e12 }), null, 'not before world time ends');
  t.equal(affordableAt(planet, asOf, { h2: 1e300 }), null, 'nor at an instant that no date can hold');
  const { missing } = await play.client.refusal('POST', '/api/building/construct', {
    planetId,
    buildingType: 'planetary_shield',
  });
  t.same(Object.keys(missing ?? {}), ['ember']);
  const cost = { iron: planet.iron + 10, silver: planet.silver + 1 };
  const at = affordableAt(planet, asOf, cost);
  if (at === null) throw new Error('never');
  await admin.command('/api/admin/clock/advance', { to: at });
  const later = await play.planet(planetId);
  t.ok(later.iron >= cost.iron && later.silver >= cost.silver);
  t.ok(later.iron === cost.iron || later.silver === cost.silver, 'and not long after');
});

t.test('the earliest of instants', async (t) => {
  const [early, late] = ['2000-01-01T00:00:00.000Z', '2000-01-01T00:00:01.000Z'] as const;
  t.equal(earliest([null, late, early, null]), early);
  t.equal(earliest([null]), null);
});

t.test(
  'waiting ends once the world has reached the instant, with a clock that an operator moves as well',
  async (t) => {
    const { galaxyd, play } = await beginWithClient(t);
    await galaxyd.waitUntil('2000-01-01T00:00:00.000Z');
    let isOver = false;
    const waiting = galaxyd.waitUntil('2000-01-01T01:00:00.000Z').then(() => {
      isOver = true;
    });
    await galaxyd.get('/healthz');
    t.notOk(isOver);
    await play.advance(3600);
    await waiting;
    const controller = new AbortController();
    const given = galaxyd.waitUntil('2001-01-01T00:00:00.000Z', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await t.rejects(given, { message: 'enough' });
  },
);

t.test('waiting for the real clock takes about as long as the clock', async (t) => {
  const { galaxyd } = await beginWithClient(t, {}, { clock: 'real' });
  // Before the time is asked for: the client counts from the reply, which a busy machine delays.
  const startedAtMs = performance.now();
  const { body } = await galaxyd.get('/api/status');
  await galaxyd.waitUntil(new Date(Date.parse(body.worldTime) + 300).toISOString());
  t.ok(performance.now() - startedAtMs >= 250);
});

t.test('while the world is paused, the clock is looked at each second, however near the instant is', async (t) => {
  const { operator, url } = await beginWithClient(t, {}, { clock: 'real' });
  const { worldTime } = await operator.post('/api/admin/clock/pause', {});
  let looked = (): void => {};
  const hasLooked = new Promise<void>((resolve) => {
    looked = resolve;
  });
  const watched: typeof fetch = async (...request) => {
    const reply = await fetch(...request);
    looked();
    return reply;
  };
  const startedAtMs = performance.now();
  const instant = new Date(Date.parse(worldTime) + 1).toISOString();
  const waiting = new GalaxydClient({ baseUrl: url, fetch: watched }).waitUntil(instant);
  await hasLooked;
  await operator.post('/api/admin/clock/resume', {});
  await waiting;
  t.ok(performance.now() - startedAtMs >= 950, 'not again after a millisecond');
});
