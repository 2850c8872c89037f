// Every loader sends what its load says: lists in turn, and cancellings of upgrades that were answered before.
import t from 'tap';
import { closedLoop, type LoaderName } from '../../bench/end-to-end/closed-loop.js';
import { type LoadPlan, portionOf } from '../../bench/end-to-end/load.js';
import { measure as runOpenLoop } from '../../bench/end-to-end/open-loop-run.js';
import { measureSideBySide } from '../../bench/end-to-end/side-by-side.js';
import { wrkVersion } from '../../bench/end-to-end/wrk.js';
import { cancelOf, getRequest, postRequest } from '../../bench/servers/game-client.js';
import { serveFake, UpgradeDesk } from './support/fake-server.js';

type Send = (load: LoadPlan) => Promise<{ failures: number }>;

const closed =
  (name: LoaderName): Send =>
  (load) =>
    closedLoop(name).measure({ ...load, seconds: 1 });
const open: Send = (load) => runOpenLoop({ ...load, ratePerSecond: 500, seconds: 0.5, windowSeconds: 0.5 });
const loaders: readonly (readonly [name: string, send: Send, isMissing: boolean])[] = [
  ['wrk', closed('wrk'), wrkVersion() === undefined],
  ['autocannon', closed('autocannon'), false],
  ['the open loop', open, false],
];

for (const [name, send, isMissing] of loaders) {
  const options = isMissing ? { skip: `${name} is not installed` } : {};

  t.test(
    `${name} sends a list in turn, with bodies and headers, and counts refusals as failures`,
    options,
    async (t) => {
      const server = await serveFake(t, ({ path }) => ({ status: path === '/b' ? 422 : 200 }));
      const batch = { ...postRequest('/b', { planetId: 'planet-1' }), headers: { prefer: 'return=minimal' } };
      const { failures } = await send({
        url: server.url,
        connections: 1,
        requests: [getRequest('/a'), batch],
        cancelsWhatItBegins: false,
      });
      t.ok(failures > 0, 'the refusals are counted');
      t.ok(failures < server.seen.length, 'and nothing else');
      t.ok(server.seen.length >= 4, 'at least two rounds');
      const odd = server.seen.filter(({ path }, index) => path !== server.seen[index % 2]?.path);
      t.same(odd, [], 'one after the other');
      const post = server.seen.find(({ method }) => method === 'POST');
      t.match(post, {
        path: '/b',
        body: '{"planetId":"planet-1"}',
        headers: { 'content-type': 'application/json', prefer: 'return=minimal' },
      });
    },
  );

  t.test(`${name} cancels each upgrade once its reply is there, and never sends one twice`, options, async (t) => {
    const desk = new UpgradeDesk();
    const server = await serveFake(t, (request) => desk.answer(request));
    const upgrades = Array.from({ length: 40 }, (_, index) =>
      postRequest('/api/building/upgrade', { planetId: `planet-1-${index}-1`, buildingType: 'iron_mine' }),
    );
    const { failures } = await send({
      url: server.url,
      connections: 8,
      requests: upgrades,
      cancelsWhatItBegins: true,
    });
    t.equal(desk.refused, 0);
    t.equal(failures, 0);
    t.ok(desk.cancelled > 40, `planets came round again: ${desk.cancelled}`);
    t.ok(desk.running.size <= 8, 'what is left begun was in flight at the end');
  });
}

t.test('a cancelling names the planet and the queue entry of the reply', async (t) => {
  const reply = '{"id":"planet-1-2-3","buildings":[{"id":"x","constructionQueue":[{"queueId":"queue-7"}]}]}';
  t.same(cancelOf(reply), postRequest('/api/building/cancel', { planetId: 'planet-1-2-3', queueId: 'queue-7' }));
  t.equal(cancelOf('{"id":"planet-1-2-3","buildings":[]}'), undefined);
  t.equal(cancelOf('{"code":"upgrade_in_progress"}'), undefined);
});

t.test('runs whose upgrades are cancelled never share a planet; others send the whole list', async (t) => {
  const requests = ['/1', '/2', '/3', '/4', '/5', '/6'].map(getRequest);
  const paths = (cancelsWhatItBegins: boolean, run: number) =>
    portionOf({ requests, cancelsWhatItBegins }, run, 3).map(({ path }) => path);
  t.same(
    [0, 1, 2].flatMap((run) => paths(true, run)),
    ['/1', '/2', '/3', '/4', '/5', '/6'],
  );
  t.same(paths(false, 1), ['/1', '/2', '/3', '/4', '/5', '/6']);
});

t.test('servers are measured by turns, each beginning as often as the others', async (t) => {
  const order: string[] = [];
  const rates: Record<string, number[]> = { a: [100, 200, 300], b: [50, 100, 100] };
  const load = { connections: 1, seconds: 1, requests: [getRequest('/')], cancelsWhatItBegins: false };
  const contestants = ['a', 'b'].map((name) => ({ name, load: { ...load, url: name } }));
  const standings = await measureSideBySide(
    contestants,
    3,
    async ({ url }) => {
      order.push(url);
      const latencies = { p50Ms: 1, p99Ms: 2, p999Ms: 3, maxMs: 4 };
      return { requestsPerSecond: rates[url]?.shift() ?? 0, failures: 1, ...latencies };
    },
    () => {},
  );
  t.same(order, ['a', 'b', 'b', 'a', 'a', 'b']);
  t.match(standings, [
    { name: 'a', ratio: 1, failures: 3, requestsPerSecond: { median: 200 } },
    { name: 'b', ratio: 2, failures: 3, requestsPerSecond: { median: 100 }, p99Ms: 2 },
  ]);
});
