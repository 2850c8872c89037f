// The largest and smallest numbers that are accepted: computation with them is exact, however they are written, and
// nothing overflows, turns negative or loses its last digit.
import t from 'tap';
import { GALAXY_COUNT, RESOURCE_UNITS_MAX, STOCK_UNITS_MAX, WORLD_TIME_MS_MAX } from '../../../engine/rules/limits.js';
import { isoText } from '../../../http/exchange/iso-time.js';
import { CLOCK_ADVANCE_SECONDS_MAX } from '../../../http/limits.js';
import type { SimulationBody } from '../../../http/schemas/player.js';
import { firstPlanet } from '../support/play.js';
import { begin } from '../support/serving.js';

const END = '9999-12-31T23:59:59.000Z';

t.test('a flight of all the ships that can be named to the other end of the universe is simulated', async (t) => {
  const { client, admin, play } = await begin(t, { settings: { speed: 1_000_000 } });
  const { id, planets } = await play.newcomer('admiral');
  for (const researchType of ['drive_ion', 'drive_hyper', 'drive_nexus', 'drive_interdim']) {
    await play.research(id, researchType);
    await play.toNextTimer();
  }
  const types = ['scout', 'fighter', 'transport', 'colony_ship'];
  const ships = [...types, ...types, ...types, ...types].map((type) => ({ type, count: 1_000_000_000 }));
  const flight = { originPlanetId: planets[0]?.id, ships };
  for (const targetPlanetId of [
    planets[0]?.id,
    await play.anyPlanet(1, 299),
    await play.anyPlanet(GALAXY_COUNT, 299),
  ]) {
    const simulation = await client.command<SimulationBody>('/api/fleet/simulate', { ...flight, targetPlanetId });
    for (const { drive, flightSeconds, h2Cost, distance, possible } of simulation.results) {
      t.ok(
        [flightSeconds, h2Cost, distance].every((value) => Number.isSafeInteger(value) && value >= 0),
        drive,
      );
      t.notOk(possible && h2Cost > 0);
    }
  }
  const tooMuch = {
    iron: RESOURCE_UNITS_MAX,
    silver: RESOURCE_UNITS_MAX,
    ember: RESOURCE_UNITS_MAX,
    h2: RESOURCE_UNITS_MAX,
  };
  const launch = { ...flight, playerId: id, targetPlanetId: planets[0]?.id, mission: 'deploy', resources: tooMuch };
  t.match(await client.refusal('POST', '/api/fleet/launch', launch), { code: 'insufficient_ships' });
  t.match(await admin.read('/api/admin/state-hash'), { hash: /./ });
});

t.test('stocks stop at their bound, and stay whole numbers up to it', async (t) => {
  const { play } = await begin(t, { settings: { speed: 1_000_000 } });
  const planetId = firstPlanet(await play.newcomer('hoarder')).id;
  const most = {
    iron: RESOURCE_UNITS_MAX,
    silver: RESOURCE_UNITS_MAX,
    ember: RESOURCE_UNITS_MAX,
    h2: RESOURCE_UNITS_MAX,
    energy: RESOURCE_UNITS_MAX,
  };
  let last = await play.planet(planetId);
  for (let round = 0; round < 6; round += 1) {
    await play.grant(planetId, most);
    await play.advance(CLOCK_ADVANCE_SECONDS_MAX);
    const planet = await play.planet(planetId);
    for (const name of ['iron', 'silver', 'ember', 'h2', 'energy'] as const) {
      t.ok(
        Number.isSafeInteger(planet[name]) && planet[name] >= last[name] && planet[name] <= STOCK_UNITS_MAX,
        `${name} ${planet[name]}`,
      );
    }
    last = planet;
  }
  t.equal(last.iron, STOCK_UNITS_MAX);
});

t.test('time advances to its last instant and not beyond', async (t) => {
  const { admin, play } = await begin(t);
  await play.newcomer('immortal');
  await play.advanceTo(END);
  t.match(await admin.refusal('POST', '/api/admin/clock/advance', { seconds: 1 }), { code: 'invalid_request' });
  const instants = [
    '9999-12-31T23:59:59.001Z',
    '1999-12-31T23:59:59Z',
    '2001-02-30T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '2001-01-01',
    'tomorrow',
  ];
  for (const to of instants) {
    t.match(await admin.refusal('POST', '/api/admin/clock/advance', { to }), { code: 'invalid_request' }, to);
  }
  t.match(await play.toNextTimer(), { advancedMs: 0, nextTimerAt: null });
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
  await play.advanceTo(END);
  const research = await play.research(player.id);
  t.match(research, { researchFinishAt: END });
  t.match(await client.read('/api/status'), { worldTime: END, nextTimerAt: END });
  const problem = await admin.refusal('POST', '/api/admin/clock/advance', { nextTimer: true });
  t.match(problem, { code: 'invalid_request', errors: [{ path: '/nextTimer', message: /the end of world time/ }] });
  t.equal(isoText(WORLD_TIME_MS_MAX), END);
  for (const atMs of [WORLD_TIME_MS_MAX + 86_400_000, 9e15]) t.equal(isoText(atMs), END);
  t.equal(isoText(0), '1970-01-01T00:00:00.000Z', 'and other instants are unaffected');
});

t.test('a whole number is accepted in every spelling', async (t) => {
  const hashes: string[] = [];
  for (const [count, iron] of [
    ['2', '0'],
    ['2.0', '-0'],
    ['2e0', '0e5'],
    ['0.2e1', '-0.0'],
    ['20E-1', '0.000'],
  ]) {
    const { client, admin, play } = await begin(t);
    const { planetId } = await play.fleetOwner('writer', { scout: 1 });
    await admin.command(`/api/admin/planet/${planetId}/grant`, `{"iron":${iron},"silver":1e3}`);
    await client.command('/api/shipyard/build', `{"planetId":"${planetId}","shipType":"scout","count":${count}}`, 201);
    hashes.push((await play.hash()).hash);
  }
  t.equal(new Set(hashes).size, 1, hashes.join(', '));
});
