// The TypeScript client asks with If-None-Match, and gives the body of before if nothing but time has changed.
import { GalaxydClient } from 'galaxyd-client';
import t from 'tap';
import { beginWithClient, interposed } from '../support/serving-client.js';

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
