// GET /api/admin/players: the list of players for the operator.
import t from 'tap';
import type { LeaderboardBody, ListedPlayersBody } from '../../../http/schemas/world.js';
import { begin, type Serving } from '../support/serving.js';

const list = ({ admin }: Serving, query = '') => admin.read<ListedPlayersBody>(`/api/admin/players${query}`);
const namesOf = ({ players }: ListedPlayersBody): string[] => players.map(({ name }) => name);

/** Every page of a list, joined. */
async function listed(serving: Serving, query: string): Promise<string[]> {
  const names: string[] = [];
  let cursor = '';
  for (;;) {
    const page = await list(serving, `${query}${cursor}`);
    names.push(...namesOf(page));
    if (page.nextCursor === null) return names;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

/** Five players, of whom each has more points than the one before. */
async function withFive({ play }: Serving): Promise<readonly string[]> {
  const names = ['ada', 'bob', 'cy', 'di', 'adam'];
  for (const [index, name] of names.entries()) {
    const { planetId } = await play.rich(name);
    await play.construct(planetId, 'shipyard');
    await play.ships(planetId, 'transport', index + 1);
  }
  return names;
}

t.test('players are listed by number, by points and by activity, in pages of any length', async (t) => {
  const serving = await begin(t);
  const names = await withFive(serving);
  const [first] = (await list(serving)).players;
  await serving.client.command('/api/building/upgrade', {
    planetId: first?.home?.planetId,
    buildingType: 'iron_mine',
  });
  for (const limit of [1, 2, 5, 100]) {
    t.same(await listed(serving, `?limit=${limit}`), names);
    t.same(await listed(serving, `?sort=points&limit=${limit}`), names.toReversed());
    t.same(await listed(serving, `?sort=activity&limit=${limit}`), ['ada', 'adam', 'di', 'cy', 'bob']);
    t.same(await listed(serving, `?sort=activity&name=ad&limit=${limit}`), ['ada', 'adam']);
    t.same(await listed(serving, `?sort=number&name=ad&limit=${limit}`), ['ada', 'adam']);
  }
});

t.test('what is shown of a player agrees with its state', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { playerId, planetId } = await play.fleetOwner('bob', { transport: 2 });
  const flight = { playerId, originPlanetId: planetId, targetPlanetId: await play.neighbour(planetId) };
  await play.launch({ ...flight, ships: [{ type: 'transport', count: 1 }], mission: 'transport' });
  const active = await client.read<{ worldTime: string }>('/api/status');
  await play.advance(1);
  const { players, asOf } = await list(serving, '?name=bob');
  t.match(players, [{ id: playerId, name: 'bob', planets: 1, fleets: 1, key: 'none', keyExpiresAt: null }]);
  t.equal(players[0]?.lastActiveAt, active.worldTime);
  t.ok(asOf > active.worldTime);
  const {
    fleets: _fleets,
    lastActiveAt: _active,
    key: _key,
    keyExpiresAt: _expires,
    suspendedAt: _suspended,
    formerNames: _names,
    ...facts
  } = players[0] ?? {};
  t.same((await client.read<LeaderboardBody>('/api/leaderboard')).players, [facts]);
});

t.test('the state of a key is shown: valid, with its end, expired, and none after it was revoked', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { admin, play } = serving;
  await play.bots(1, 'bot');
  const key = async () => {
    const [player] = (await list(serving)).players;
    return [player?.key, player?.keyExpiresAt];
  };
  t.same(await key(), ['valid', null]);
  const { expiresAt } = await admin.command<{ expiresAt: string }>(
    '/api/admin/player/player-1/key',
    { expiresInSeconds: 60 },
    201,
  );
  t.same(await key(), ['valid', expiresAt]);
  await play.advance(60);
  t.same(await key(), ['expired', expiresAt]);
  await admin.command('/api/admin/player/player-1/key/revoke');
  t.same(await key(), ['none', null]);
});

t.test('only the operator lists players, and a cursor belongs to its order', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  const { admin, client, play } = serving;
  const { players } = await play.bots(3, 'bot');
  for (const caller of [client, client.as(players[0]?.apiKey ?? '')])
    t.match(await caller.refusal('GET', '/api/admin/players'), { code: 'unauthenticated' });
  for (const query of ['?sort=name', '?cursor=1-1', '?sort=points&cursor=1', '?cursor=x', '?limit=0'])
    t.match(await admin.refusal('GET', `/api/admin/players${query}`), { code: 'invalid_request' }, query);
});

t.test('a list by points goes on where it was, although points have changed between two pages', async (t) => {
  const serving = await begin(t);
  const { play } = serving;
  const { players } = await play.bots(200, 'bot');
  const first = await list(serving, '?sort=points&limit=50');
  const raised = players[199]?.planetId ?? '';
  await play.grant(raised);
  await play.construct(raised, 'shipyard');
  const names = [...namesOf(first)];
  for (let { nextCursor } = first; nextCursor !== null; ) {
    const page = await list(serving, `?sort=points&limit=50&cursor=${nextCursor}`);
    names.push(...namesOf(page));
    nextCursor = page.nextCursor;
  }
  t.equal(new Set(names).size, 199, 'all but the one who has come before them');
  t.equal(names.length, 199);
  t.match((await list(serving, '?sort=points&limit=1')).players, [{ name: 'bot-200', rank: 1 }]);
});
