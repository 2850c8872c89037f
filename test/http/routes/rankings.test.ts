// The leaderboard beyond its first hundred, and the search for players by name, over the real server.
import t from 'tap';
import { PLAYERS_PER_REPLY_MAX } from '../../../http/limits.js';
import type { LeaderboardCoursesBody } from '../../../http/schemas/map.js';
import type { FoundPlayersBody, LeaderboardBody } from '../../../http/schemas/world.js';
import type { PlayerBody } from '../support/play.js';
import { begin, type Serving } from '../support/serving.js';

const find = ({ client }: Serving, query: string) => client.read<FoundPlayersBody>(`/api/player${query}`);
const board = ({ client }: Serving, query = '') => client.read<LeaderboardBody>(`/api/leaderboard${query}`);
const namesOf = ({ players }: FoundPlayersBody | LeaderboardBody): string[] => players.map(({ name }) => name);

async function withNames(serving: Serving, ...names: string[]): Promise<PlayerBody[]> {
  const players: PlayerBody[] = [];
  for (const name of names) players.push(await serving.play.newcomer(name));
  return players;
}

t.test('a player is found by the beginning of its name, and the one with exactly this name comes first', async (t) => {
  const serving = await begin(t);
  await withNames(serving, 'ada lovelace', 'bob', 'ad', 'ada', 'Ada');
  t.same(namesOf(await find(serving, '?name=ada')), ['ada', 'ada lovelace']);
  t.same(namesOf(await find(serving, '?name=ad')), ['ad', 'ada lovelace', 'ada']);
  t.same(namesOf(await find(serving, '?name=A')), ['Ada'], 'upper and lower case differ, as in names');
  t.same(namesOf(await find(serving, '?name=%D0%B0d')), ['ad', 'ada lovelace', 'ada'], 'a look-alike is the same');
  t.same(namesOf(await find(serving, '?name=nobody')), []);
  t.same(
    namesOf(await find(serving, '')),
    ['ada lovelace', 'bob', 'ad', 'ada', 'Ada'],
    'without a name all are listed',
  );
});

t.test('only public facts are shown, the same as on the leaderboard, and with keys to everybody', async (t) => {
  const serving = await begin(t, { auth: 'key' });
  await withNames(serving, 'ada', 'bob');
  const { players } = await find(serving, '');
  const ranked = await board(serving);
  t.same(players, ranked.players);
  t.same(Object.keys(players[0] ?? {}).sort(), ['home', 'id', 'isBot', 'name', 'planets', 'points', 'rank']);
});

t.test('a retired player is not found, and its name may be taken again', async (t) => {
  const serving = await begin(t);
  const [ada] = await withNames(serving, 'ada', 'adam');
  await serving.admin.command(`/api/admin/player/${ada?.id}/retire`);
  t.same(namesOf(await find(serving, '?name=ad')), ['adam']);
  await withNames(serving, 'ada');
  t.same(namesOf(await find(serving, '?name=ada')), ['ada', 'adam']);
});

t.test('players are found by their ids, whatever their ranks; unknown and repeated ids add nothing', async (t) => {
  const serving = await begin(t);
  await serving.play.bots(120, 'bot');
  t.match(await find(serving, '?ids=player-119,player-2,player-999,player-2'), {
    players: [
      { id: 'player-119', name: 'bot-119', rank: 119 },
      { id: 'player-2', name: 'bot-2', rank: 2 },
    ],
    nextCursor: null,
  });
  const most = Array.from({ length: PLAYERS_PER_REPLY_MAX }, (_, index) => `player-${index + 1}`);
  t.equal((await find(serving, `?ids=${most.join(',')}`)).players.length, PLAYERS_PER_REPLY_MAX);
  for (const ids of [[...most, 'player-101'].join(','), '', 'ada', 'player-1,'])
    t.equal((await serving.client.request('GET', `/api/player?ids=${ids}`)).status, 400, ids.slice(0, 20));
});

t.test('cursors lead to every player once, whatever the limit', async (t) => {
  const serving = await begin(t);
  await serving.play.bots(23, 'bot');
  await withNames(serving, 'bot');
  const expected = ['bot', ...Array.from({ length: 23 }, (_, index) => `bot-${index + 1}`)];
  for (const limit of [1, 2, 7, 23, 24, 100]) {
    const names: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await find(serving, `?name=bot&limit=${limit}${cursor}`);
      t.ok(page.players.length <= limit);
      names.push(...namesOf(page));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    t.same(names, expected, `limit ${limit}`);
  }
});

t.test('a request looks at so many players; then the next cursor goes on behind an empty reply', async (t) => {
  const serving = await begin(t);
  for (let swarm = 0; swarm < 7; swarm += 1) await serving.play.bots(10_000, `swarm${swarm}`);
  const first = await find(serving, '?name=swarm6-10000x');
  t.match(first, { players: [], nextCursor: '65536' });
  t.match(await find(serving, `?name=swarm6-1000&cursor=${first.nextCursor}`), {
    players: [{ name: 'swarm6-10000', id: 'player-70000', rank: 70_000 }],
    nextCursor: null,
  });
  const exact = await find(serving, '?name=swarm6-10000');
  t.match(exact, { players: [{ id: 'player-70000', rank: 70_000 }] }, 'an exact name is found at once');
  const [part] = await serving.client.batch<FoundPlayersBody>([
    { method: 'GET', path: '/api/player?name=swarm6-1234' },
  ]);
  t.match(part?.body, { players: [{ rank: 61_234 }] }, 'in a batch by the order that was made');
});

t.test('in a batch of a large world ranks wait for an order that somebody asked for', async (t) => {
  const serving = await begin(t);
  for (let swarm = 0; swarm < 2; swarm += 1) await serving.play.bots(10_000, `swarm${swarm}`);
  const operations = ['/api/player?name=swarm1-10000', '/api/leaderboard?offset=200', '/api/leaderboard'].map(
    (path) => ({ method: 'GET', path }),
  );
  const [found, later, first] = await serving.client.batch<FoundPlayersBody>(operations);
  t.match(found, { status: 200, body: { players: [{ id: 'player-20000', rank: null }] } });
  t.match(later, { status: 400, body: { code: 'invalid_request', errors: [{ path: 'offset' }] } });
  t.equal(first?.status, 200);
  t.match(await board(serving, '?offset=19999'), { players: [{ rank: 20_000, id: 'player-20000' }] });
  const again = await serving.client.batch<FoundPlayersBody>(operations);
  t.match(again[0], { status: 200, body: { players: [{ rank: 20_000 }] } });
  t.match(again[1], { status: 200 });
});

t.test('the leaderboard has a part from any offset on', async (t) => {
  const serving = await begin(t);
  const { play } = serving;
  const { players } = await play.bots(150, 'bot');
  // Ships raise the points of every third player, most for the youngest.
  for (const [index, { planetId }] of players.entries()) {
    if (index % 3 > 0) continue;
    await play.grant(planetId);
    await play.construct(planetId, 'shipyard');
    await play.ships(planetId, 'scout', 1 + Math.floor(index / 30));
  }
  const first = await board(serving);
  t.equal(first.players.length, 100);
  const all = [...first.players, ...(await board(serving, '?offset=100')).players];
  t.same(
    all.map(({ rank }) => rank),
    Array.from({ length: 150 }, (_, index) => index + 1),
  );
  const numberOf = ({ id }: { readonly id: string }): number => Number(id.slice('player-'.length));
  const sorted = [...all].sort((a, b) => b.points - a.points || numberOf(a) - numberOf(b));
  t.same(all, sorted);
  t.ok((all[0]?.points ?? 0) > (all[149]?.points ?? 0));
  for (const [offset, limit] of [
    [0, 10],
    [95, 5],
    [95, 10],
    [99, 1],
    [120, 100],
    [149, 1],
    [150, 100],
    [16_000_000, 100],
  ] as const) {
    const part = await board(serving, `?offset=${offset}&limit=${limit}`);
    t.same(part.players, all.slice(offset, offset + limit), `${limit} from ${offset} on`);
    t.equal(part.playerCount, 150);
  }
  const found = await find(serving, `?name=${all[120]?.name}&limit=1`);
  t.match(found.players, [all[120]], 'and the search shows the same rank');
});

t.test('in a small world ranks beyond the first hundred are those of the reply', async (t) => {
  const serving = await begin(t);
  const { play } = serving;
  const { players } = await play.bots(130, 'bot');
  const [last] = (await board(serving, '?offset=129')).players;
  t.match(last, { rank: 130, name: 'bot-130' });
  const planetId = players[129]?.planetId ?? '';
  await play.grant(planetId);
  await play.construct(planetId, 'shipyard');
  t.match((await find(serving, '?name=bot-130')).players, [{ rank: 1 }]);
  await serving.admin.command('/api/admin/player/player-2/retire');
  t.match((await find(serving, '?name=bot-129')).players, [{ rank: 129 }], 'one is gone, and one has come before');
  t.same((await board(serving, '?offset=129')).players, []);
});

t.test('the tag of a page changes with what it shows, and not as time passes', async (t) => {
  const serving = await begin(t);
  const { client, play } = serving;
  const { players } = await play.bots(101, 'bot');
  for (const [path, shown] of [
    ['/api/player?name=bot-1', 0],
    ['/api/leaderboard?offset=100', 100],
  ] as const) {
    const reply = await client.request('GET', path);
    await play.advance(60);
    t.equal((await client.readAgain(path, reply)).status, 304);
    const planetId = players[shown]?.planetId ?? '';
    await play.grant(planetId);
    await play.construct(planetId, 'shipyard');
    t.equal((await client.readAgain(path, reply)).status, 200);
  }
});

t.test('parameters that are no numbers or too long are refused', async (t) => {
  const serving = await begin(t);
  const paths = [
    '/api/player?limit=0',
    '/api/player?limit=101',
    '/api/player?cursor=x',
    `/api/player?name=${'a'.repeat(200)}`,
    '/api/leaderboard?offset=-1',
    '/api/leaderboard?limit=1000',
  ];
  for (const path of paths) t.match(await serving.client.refusal('GET', path), { code: 'invalid_request' }, path);
});

t.test('the course of one player ends with its points of now, also beyond the first hundred', async (t) => {
  const serving = await begin(t);
  const { players } = await serving.play.bots(101, 'bot');
  const courseOf = (playerId: string) =>
    serving.client.read<LeaderboardCoursesBody>(`/api/leaderboard/history?playerId=${playerId}`);
  const pointsOf = async () => (await find(serving, '?ids=player-101')).players[0]?.points ?? 0;
  const before = await pointsOf();
  t.match(await courseOf('player-101'), { players: [{ id: 'player-101', points: [before] }] });
  await serving.play.advance(60);
  await serving.play.grant(players[100]?.planetId ?? '');
  await serving.play.construct(players[100]?.planetId ?? '', 'shipyard');
  const after = await pointsOf();
  t.ok(after > before);
  t.match(
    await courseOf('player-101'),
    { players: [{ points: [null, after] }] },
    'it was not among the first when the server started',
  );
  t.match(await serving.client.refusal('GET', '/api/leaderboard/history?playerId=player-999'), {
    code: 'player_not_found',
  });
});
