// The operator retires players: over HTTP a retired player is gone at once, its planets are free, and no cache, entity tag or kept
// reply shows otherwise, also after a restart.

import t from 'tap';
import { RETIRED_PLAYERS_MAX } from '../../../engine/rules/record-limits.js';
import { INACTIVE_SECONDS_MIN } from '../../../http/limits.js';
import type { RetiredPlayerBody, RetirementBody } from '../../../http/schemas/world.js';
import { type GameClient, withKey } from '../support/game-client.js';
import { firstPlanet } from '../support/play.js';
import { begin, beginHeld, storeOnDisk } from '../support/serving.js';
import { turns } from '../support/waiting.js';

const retire = (admin: GameClient, id: string) => admin.command<RetiredPlayerBody>(`/api/admin/player/${id}/retire`);

t.test("a retired player is not found any more, and its planet is nobody's", async (t) => {
  const { client, admin, play } = await begin(t);
  const player = await play.newcomer('leaver');
  const planetId = firstPlanet(player).id;
  await play.newcomer('stayer');
  t.match(await retire(admin, player.id), {
    id: player.id,
    name: 'leaver',
    isBot: true,
    lastActiveAt: '2000-01-01T00:00:00.000Z',
    planets: 1,
    fleets: 0,
  });
  for (const path of ['game/state/', 'game/planets/', 'fleet/player/', 'research/player/', 'report/player/']) {
    t.match(await client.refusal('GET', `/api/${path}${player.id}`), { status: 404, code: 'player_not_found' }, path);
  }
  t.match(await admin.refusal('POST', `/api/admin/player/${player.id}/retire`), { code: 'player_not_found' });
  t.match(await client.read(`/api/game/planet/${planetId}`), { owner: null });
  t.same(await client.read(`/api/building/planet/${planetId}`), []);
  t.match(await client.read('/api/status'), { players: 1, planets: 1 });
  t.match(await client.read('/api/leaderboard'), { playerCount: 1, players: [{ rank: 1, name: 'stayer' }] });
  const again = await client.command<{ id: string }>('/api/game/player', { name: 'leaver', isBot: true }, 201);
  t.equal(again.id, 'player-3', 'the name is free, and the id is new');
});

t.test('no entity tag survives a change of owner', async (t) => {
  for (const auth of ['none', 'key'] as const) {
    const { client, admin } = await begin(t, { auth });
    const bot = (name: string) =>
      client.command<{ id: string; apiKey?: string; planets: { id: string }[] }>(
        '/api/game/player',
        { name, isBot: true },
        201,
      );
    const watcher = await bot('watcher');
    const first = await bot('first');
    const planetId = first.planets[0]?.id ?? '';
    const [, galaxy, system] = planetId.split('-');
    const paths = [
      `/api/game/planet/${planetId}`,
      `/api/game/galaxy/${galaxy}/system/${system}`,
      `/api/game/galaxy/${galaxy}`,
      '/api/leaderboard',
    ];
    const reader = client.as(watcher.apiKey ?? '');
    const seen = new Map<string, Set<string>>(paths.map((path) => [path, new Set()]));
    /** Reads each path with all tags that it ever had: none may be taken for the present one. */
    const look = async (stage: string) => {
      for (const path of paths) {
        const tags = seen.get(path) ?? new Set();
        const headers = { 'if-none-match': [...tags].join(', ') };
        const reply = await reader.request('GET', path, tags.size === 0 ? {} : { headers });
        t.equal(reply.status, 200, `${auth}: ${path} ${stage}`);
        tags.add(reply.headers['etag'] ?? '');
        const repeated = await reader.readAgain(path, reply);
        t.equal(repeated.status, 304);
      }
    };
    await look('with its first owner');
    await retire(admin, first.id);
    // A planet that is free again looks as it did before anybody had it; its tag may be the same as then.
    for (const path of paths) {
      const headers = { 'if-none-match': [...(seen.get(path) ?? [])].join(', ') };
      t.equal((await reader.request('GET', path, { headers })).status, 200, `${path} without an owner`);
    }
    const second = await bot('second');
    t.equal(second.planets[0]?.id, planetId, 'it starts in the same place');
    await look('with its second owner');
  }
});

t.test('what shows that a planet is free waits for the disk', async (t) => {
  const { client, admin, play, log } = await beginHeld(t);
  const player = await play.newcomer('leaver');
  const planetId = firstPlanet(player).id;
  const [, galaxy, system] = planetId.split('-');
  log.hold();
  let answered = 0;
  const count = <T>(reply: Promise<T>): Promise<T> => reply.finally(() => (answered += 1));
  const replies = [
    count(retire(admin, player.id)),
    ...[
      `/api/game/planet/${planetId}`,
      `/api/game/galaxy/${galaxy}/system/${system}`,
      `/api/shipyard/planet/${planetId}`,
    ].map((path) => count(client.read(path))),
    count(client.refusal('GET', `/api/game/state/${player.id}`)),
  ];
  await turns(20);
  t.equal(answered, 0);
  log.release();
  await Promise.all(replies);
});

t.test('the key of a retired player is dead, and so are its kept replies', async (t) => {
  const { client, admin } = await begin(t, { auth: 'key' });
  const body = { name: 'ada', isBot: true };
  const created = await client.request('POST', '/api/game/player', withKey('one', body));
  const { id, apiKey } = created.body as { id: string; apiKey: string };
  await retire(admin, id);
  t.match(await client.as(apiKey).refusal('GET', `/api/game/state/${id}`), { code: 'unauthenticated' });
  t.match(await admin.refusal('POST', `/api/admin/player/${id}/key`), { code: 'player_not_found' });
  const again = await client.request('POST', '/api/game/player', withKey('one', body));
  t.match([again.status, again.body], [201, { id: 'player-2' }], 'the same request makes a new player');
});

t.test('players who have done nothing for long are retired in bulk, some at a time', async (t) => {
  const { client, admin, play } = await begin(t);
  await play.bots(5, 'bot');
  await play.advance(INACTIVE_SECONDS_MIN - 1);
  await client.command('/api/research/start', { playerId: 'player-2', researchType: 'drive_ion' });
  const ask = (body: object) =>
    admin.command<RetirementBody>('/api/admin/players/retire', { inactiveForSeconds: INACTIVE_SECONDS_MIN, ...body });
  const ids = ({ players }: RetirementBody) => players.map(({ id }) => id);
  t.match(await ask({}), { players: [], remaining: 0, dryRun: false });
  await play.advance(1);
  await client.read('/api/game/state/player-3');
  const before = await play.hash();
  const planned = await ask({ dryRun: true });
  t.same(
    [ids(planned), planned.remaining, planned.dryRun],
    [['player-1', 'player-3', 'player-4', 'player-5'], 0, true],
  );
  t.same(await play.hash(), before);
  const first = await ask({ atMost: 3 });
  t.same([ids(first), first.remaining], [['player-1', 'player-3', 'player-4'], 1]);
  const rest = await ask({});
  t.same([ids(rest), rest.remaining], [['player-5'], 0]);
  t.match(await client.read('/api/status'), { players: 1 });
  for (const body of [
    { inactiveForSeconds: INACTIVE_SECONDS_MIN - 1 },
    { atMost: RETIRED_PLAYERS_MAX + 1 },
    { atMost: 0 },
  ]) {
    const asked = { inactiveForSeconds: INACTIVE_SECONDS_MIN, ...body };
    t.match(await admin.refusal('POST', '/api/admin/players/retire', asked), { code: 'invalid_request' });
  }
});

t.test('a retirement and who was active survive a restart, from the log and from a snapshot', async (t) => {
  const store = await storeOnDisk(t);
  let serving = await begin(t, { store });
  await serving.play.bots(4, 'bot');
  await serving.play.advance(3_600);
  await serving.client.command('/api/research/start', { playerId: 'player-1', researchType: 'drive_ion' });
  await retire(serving.admin, 'player-4');
  await serving.play.advance(60);
  const ask = () =>
    serving.admin.command<RetirementBody>('/api/admin/players/retire', { inactiveForSeconds: 3_600, dryRun: true });
  const inactive = await ask();
  t.same(
    inactive.players.map(({ id }) => id),
    ['player-2', 'player-3'],
  );
  for (const isSnapshotTaken of [false, true]) {
    if (isSnapshotTaken) await serving.admin.command('/api/admin/snapshot', {}, 201);
    const hash = await serving.play.hash();
    await serving.close();
    serving = await begin(t, { store });
    t.same(await serving.play.hash(), hash);
    t.same(await ask(), inactive);
    t.match(await serving.client.refusal('GET', '/api/game/state/player-4'), { code: 'player_not_found' });
  }
  const next = await serving.client.command<{ id: string }>('/api/game/player', { name: 'next', isBot: true }, 201);
  t.equal(next.id, 'player-5');
});
