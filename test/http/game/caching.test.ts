// ETag and If-None-Match: 304 as long as only time passes, and never after a change.
import t from 'tap';
import { Rules } from '../../../engine/rules/rules.js';
import { isStream } from '../../../http/pipeline/route.js';
import { TRADING } from '../../support/market-rules.js';
import { FLARE, shocksOf } from '../../support/shock-rules.js';
import { SIGHTED } from '../../support/sighted-rules.js';
import { MESSAGES } from '../../support/spoken-rules.js';
import { LIVE_ROUTES } from '../support/get-requests.js';
import { field, RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin, beginHeld, type Serving } from '../support/serving.js';
import { until } from '../support/waiting.js';

async function tagOf({ client }: Serving, path: string): Promise<string> {
  return (await client.request('GET', path)).headers['etag'] ?? '';
}

async function statusOf({ client }: Serving, path: string, tag: string): Promise<number> {
  return (await client.request('GET', path, { headers: { 'if-none-match': tag } })).status;
}

/** They change whenever the clock is advanced, which is an entry of the log. */
const CHANGED_BY_ENTRIES = ['/api/status', '/api/admin/state-hash', '/api/admin/audit'];
/** Reads that show numbers which move with time. */
const MOVES_WITH_TIME =
  /^\/api\/(game\/(state|planets?)\/|brief\/|leaderboard|player$|metrics\/history$|admin\/(players|traffic)$)/;

t.test('every read answers 304, without a body, while only time passes', async (t) => {
  // The text of /metrics is kept, since it shows how the process does. Rules without sight, messages or a market refuse to show them.
  const rules = new Rules({ ...TRADING, sight: SIGHTED.sight, messages: MESSAGES, shocks: shocksOf(FLARE) });
  const serving = await begin(t, { settings: { rules }, server: { metricsMaxAgeMs: 60_000 } });
  const { admin: client, play } = serving;
  const { playerId, planetId } = await play.rich('reader');
  for (const { path: pattern } of LIVE_ROUTES.filter((route) => route.method === 'GET' && !isStream(route))) {
    const path = pattern
      .replace(':playerId', playerId)
      .replace(':planetId', planetId)
      .replace(':galaxy', '1')
      .replace(':system', planetId.split('-')[2] ?? '');
    const first = await client.request('GET', path);
    const tag = first.headers['etag'] ?? '';
    // A plan is changed by PUT, which takes its tag as a precondition.
    const isPlan = path.startsWith('/api/plan/planet/');
    t.match(tag, isPlan ? /^"[\w-]+"$/ : /^W\/"[\w-]+"$/, 'weak, since stocks move without it');
    const isChangedByEntries = CHANGED_BY_ENTRIES.includes(path);
    if (!isChangedByEntries) await play.advance(3600);
    for (const method of ['GET', 'HEAD']) {
      const again = await client.request(method, path, { headers: { 'if-none-match': tag } });
      t.match(again, { status: 304, text: '', headers: { etag: tag } }, `${method} ${path}`);
      if (!isChangedByEntries) t.not(again.headers['x-world-time'], first.headers['x-world-time']);
      t.notOk('content-type' in again.headers);
    }
    const fresh = await client.request('GET', path);
    t.equal(fresh.headers['etag'], tag);
    if (!isChangedByEntries)
      t.equal(fresh.text !== first.text, MOVES_WITH_TIME.test(path), 'the numbers that depend on time have changed');
  }
});

t.test('If-None-Match is a list of tags, compared weakly, or a star', async (t) => {
  const serving = await begin(t);
  const { id } = await serving.play.newcomer('reader');
  const path = `/api/game/state/${id}`;
  const tag = await tagOf(serving, path);
  const strong = tag.slice(2);
  for (const list of [tag, strong, `"a", ${tag}`, `${tag},"b"`, ` ${strong} `, '*'])
    t.equal(await statusOf(serving, path, list), 304, list);
  const inCapitals = `W/${strong.toUpperCase()}`;
  const inSmallLetters = `W/${strong.toLowerCase()}`;
  // The tag of a process is random: it may have only capitals, or no letters.
  const inOtherCase = [inCapitals, inSmallLetters].filter((list) => list !== tag);
  const tooLong = `${'"a", '.repeat(300)}${tag}`;
  for (const list of ['"a"', 'W/"a"', tooLong, tag.slice(0, -1), strong.slice(1), ...inOtherCase, '""', ',', 'W/']) {
    t.equal(await statusOf(serving, path, list), 200, list);
  }
  for (const missing of [
    '/api/game/state/player-9',
    '/api/game/planet/planet-1-0-99',
    '/api/game/galaxy/1/system/300',
  ]) {
    t.equal(await statusOf(serving, missing, '*'), 404, missing);
  }
});

t.test('each change of a state or a planet changes its tag, and no other', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { playerId, planetId } = await play.fleetOwner('doer', { transport: 2, fighter: 40, colony_ship: 1 });
  const bystander = await play.newcomer('bystander');
  const victim = await play.newcomer('victim');
  const victimPlanet = victim.planets[0]?.id ?? '';
  const free = await play.neighbour(planetId);
  const flight = { playerId, originPlanetId: planetId, ships: [{ type: 'transport', count: 1 }] };
  const upgraded = async (): Promise<string> => {
    const { buildings } = await play.planet(planetId);
    return buildings.flatMap(({ constructionQueue }) => constructionQueue)[0]?.queueId ?? '';
  };
  const state = `/api/game/state/${playerId}`;
  const planet = `/api/game/planet/${planetId}`;
  const deeds: readonly (readonly [deed: string, changed: readonly string[], act: () => Promise<unknown>])[] = [
    ['a grant', [state, planet], () => play.grant(planetId, { iron: 1 })],
    ['an upgrade', [state, planet], () => play.upgrade(planetId, 'zentrale')],
    [
      'its cancelling',
      [state, planet],
      async () => client.command('/api/building/cancel', { planetId, queueId: await upgraded() }),
    ],
    [
      'a construction',
      [state, planet],
      () => client.command('/api/building/construct', { planetId, buildingType: 'anti_spy' }),
    ],
    ['its end', [state, planet], () => play.toNextTimer()],
    ['an order of ships', [state, planet], () => play.order(planetId, 'scout', 1)],
    ['another', [state, planet], () => play.order(planetId, 'scout', 1)],
    ['the delivery of the first', [state, planet], () => play.toNextTimer()],
    [
      'the cancellation of the second',
      [state, planet],
      () => client.command('/api/shipyard/cancel', { planetId, shipType: 'scout' }),
    ],
    ['research', [state], () => play.research(playerId)],
    ['its end', [state], () => play.toNextTimer()],
    [
      'a launch',
      [state, planet, `/api/game/state/${victim.id}`],
      () => play.launch({ ...flight, targetPlanetId: victimPlanet, mission: 'transport', resources: { iron: 7 } }),
    ],
    [
      'its arrival',
      [state, `/api/game/state/${victim.id}`, `/api/game/planet/${victimPlanet}`],
      () => play.toNextTimer(),
    ],
    ['its return', [state, planet], () => play.toNextTimer()],
    [
      'a raid',
      [state, planet, `/api/game/state/${victim.id}`],
      () =>
        play.launch({
          ...flight,
          ships: [
            { type: 'fighter', count: 40 },
            { type: 'transport', count: 2 },
          ],
          targetPlanetId: victimPlanet,
          mission: 'attack',
        }),
    ],
    [
      'the battle',
      [state, `/api/game/state/${victim.id}`, `/api/game/planet/${victimPlanet}`],
      () => play.toNextTimer(),
    ],
    ['the return of the raiders', [state, planet], () => play.toNextTimer()],
    ['a second starter', [state], () => play.secondStarter(playerId)],
    [
      'a launch of settlers',
      [state, planet],
      () =>
        play.launch({
          ...flight,
          ships: [{ type: 'colony_ship', count: 1 }],
          targetPlanetId: free,
          mission: 'colonize',
        }),
    ],
    [
      'their arrival',
      [state, `/api/game/planet/${free}`, `/api/game/galaxy/1/system/${planetId.split('-')[2]}`],
      () => play.toNextTimer(),
    ],
  ];
  const watched = new Set([...deeds.flatMap(([, changed]) => changed), `/api/game/state/${bystander.id}`]);
  for (const [deed, changed, act] of deeds) {
    const tags = new Map<string, string>();
    for (const path of watched) tags.set(path, await tagOf(serving, path));
    await act();
    const found: string[] = [];
    for (const [path, tag] of tags) if ((await statusOf(serving, path, tag)) === 200) found.push(path);
    t.same(found.sort(), [...changed].sort(), deed);
  }
});

t.test('a tag is never sent before the state that it stands for is durable', async (t) => {
  const { client, log, port } = await beginHeld(t);
  const { id } = await client.command<{ id: string }>('/api/game/player', { name: 'reader' }, 201);
  log.hold();
  const command = client.request('POST', '/api/research/start', { body: { playerId: id, researchType: 'drive_ion' } });
  await until(() => log.isWaiting);
  const connection = await RawConnection.open(port);
  connection.send(requestBytes('GET', `/api/game/state/${id}`, ['If-None-Match: *']));
  // A read of unchanged state is answered meanwhile, so the other could have been answered too.
  await client.request('GET', '/api/catalog', { headers: { 'if-none-match': '*' } });
  t.equal(connection.unread.length, 0);
  log.release();
  t.equal(field(await connection.reply(), 'etag') === '', false);
  t.equal((await command).status, 200);
  connection.close();
});

t.test('a tag of one process means nothing to the next', async (t) => {
  const first = await begin(t);
  const second = await begin(t);
  t.equal(await statusOf(second, '/api/catalog', await tagOf(first, '/api/catalog')), 200);
});
