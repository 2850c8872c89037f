// Batches of the TypeScript client: typed results, refusals among them, options as they are.
import { GalaxydClient, operation } from 'galaxyd-client';
import t from 'tap';
import { FaultProxy } from '../support/fault-proxy.js';
import { beginWithClient } from '../support/serving-client.js';

t.test('each operation has its own result, with the type of its reply', async (t) => {
  const { galaxyd, play } = await beginWithClient(t);
  const { playerId, planetId } = await play.rich('ada');
  const { body: results } = await galaxyd.batch([
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    operation.get('/api/report/player/{playerId}', { params: { path: { playerId }, query: { limit: 5 } } }),
    { method: 'GET', path: `/api/game/state/${playerId}` },
  ]);
  const [upgrade, again, reports, state] = results;
  t.equal(upgrade.ok && upgrade.body?.buildings.length, 4);
  t.match(again, { ok: false, status: 409, code: 'upgrade_in_progress', problem: { status: 409 } });
  t.same(reports.ok && reports.body, []);
  t.match(state, { ok: true, status: 200, body: { name: 'ada' } });
});

t.test('a batch of a list made by a program has a list of results', async (t) => {
  const { galaxyd, play } = await beginWithClient(t);
  const players = [await play.newcomer('a'), await play.newcomer('b')];
  const { body: results } = await galaxyd.batch(
    players.map(({ id }) => operation.get('/api/game/state/{playerId}', { params: { path: { playerId: id } } })),
  );
  t.same(
    results.map((result) => result.ok && result.body?.name),
    ['a', 'b'],
  );
  await t.rejects(galaxyd.batch([]), { code: 'invalid_request' });
});

t.test('a batch whose reply is lost takes effect once; of a long reply only the statuses are kept', async (t) => {
  const { port, play } = await beginWithClient(t);
  const { playerId, planetId } = await play.rich('ada');
  const proxy = await FaultProxy.start(t, port);
  const shaky = new GalaxydClient({ baseUrl: proxy.url });
  proxy.break('lost');
  const reading = { method: 'GET', path: `/api/game/state/${playerId}` } as const;
  const { body: results } = await shaky.batch([
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } }),
    ...Array.from({ length: 200 }, () => reading),
  ]);
  t.equal(results.length, 202);
  t.same(results[0], { ok: true, status: 200, body: null });
  t.same(results[1], { ok: false, status: 409, code: 'upgrade_in_progress', problem: null });
});
