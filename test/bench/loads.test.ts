// Every loader sends what its load says: lists in turn, and cancellings of upgrades that were answered before.
import t from 'tap';
import { BenchFailed } from '../../bench/bench-failed.js';
import { closedLoop, type LoaderName } from '../../bench/loads/closed-loop.js';
import { type Failures, type LoadPlan, portionOf } from '../../bench/loads/load.js';
import { measure as runOpenLoop } from '../../bench/loads/open-loop.js';
import { wrkVersion } from '../../bench/loads/wrk.js';
import { failuresIn, latencyCells, measureInTurn, type Samples } from '../../bench/runner/run.js';
import { cancelOf, getRequest, postRequest } from '../../bench/servers/game-client.js';
import { type FakeReply, serveFake, UpgradeDesk } from './support/fake-server.js';

type Send = (load: LoadPlan) => Promise<Failures & { answered: number }>;

const LATENCIES = { p50Ms: 1, p99Ms: 2 };

const closed =
  (name: LoaderName): Send =>
  (load) =>
    closedLoop(name).measure({ ...load, seconds: 1 });
const open: Send = (load) => runOpenLoop({ ...load, ratePerSecond: 500, seconds: 0.3, windowSeconds: 0.3 });
const loaders: readonly (readonly [name: string, send: Send, isMissing: boolean])[] = [
  ['wrk', closed('wrk'), wrkVersion() === undefined],
  ['the own closed loop', closed('own'), false],
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
        server: 'the fake',
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
      server: 'the fake',
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

  t.test(`${name} counts replies that are not about what was asked, and goes on`, options, async (t) => {
    const wrong: readonly (readonly [what: string, reply: FakeReply, shown: RegExp])[] = [
      ['another planet', { body: '{"id":"planet-9-9-9","queue":[{"queueId":"queue-1"}]}' }, /^200 .*planet-9-9-9/],
      ['no planet', { body: '[]' }, /^200 \[\]/],
      ['a redirection', { status: 302, body: '{}' }, /^302/],
      ['a refusal', { status: 404, body: '{"code":"planet_not_found"}' }, /^404 .*planet_not_found/],
    ];
    for (const [what, reply, shown] of wrong) {
      const server = await serveFake(t, () => reply);
      const requests = [1, 2, 3, 4].map((index) =>
        postRequest('/api/building/upgrade', { planetId: `planet-1-${index}-1`, buildingType: 'iron_mine' }),
      );
      const load = { server: 'the fake', url: server.url, connections: 1, requests, cancelsWhatItBegins: true };
      const { answered, failures, firstFailure } = await send(load);
      t.ok(answered > 1, `${what}: ${answered}`);
      t.equal(failures, answered, what);
      t.match(firstFailure, shown, what);
    }
  });
}

t.test(
  'a closed loop that measures nothing ends with one sentence that names the server',
  { skip: wrkVersion() === undefined ? 'wrk is not installed' : false },
  async (t) => {
    const send = closed('wrk');
    const load = { server: 'the fake', connections: 1, requests: [getRequest('/a')], cancelsWhatItBegins: false };
    const deaf = await serveFake(t, () => new Promise<FakeReply>(() => {}));
    await t.rejects(send({ ...load, url: deaf.url }), { name: 'BenchFailed', message: /^the fake answered nothing/ });
    const gone = send({ ...load, url: 'http://127.0.0.1:1' });
    await t.rejects(gone, { name: 'BenchFailed', message: /^the fake(:| answered nothing)/ }, 'nobody listens');
    const short = await serveFake(t, () => ({ body: '' }));
    const known = { ...load, url: short.url, replyBytes: 4_000 };
    await t.rejects(send(known), { name: 'BenchFailed', message: /replies of the fake are too short: \d+ bytes/ });
    await t.rejects(send({ ...load, url: short.url, requests: [] }), { name: 'BenchFailed' }, 'nothing to send');
  },
);

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
  const once = portionOf({ requests, cancelsWhatItBegins: false, isOnce: true }, 1, 5);
  t.same(
    once.map(({ path }) => path),
    ['/3'],
    'nor does a run send again what is accepted only once; the first was the sample',
  );
  t.same(paths(false, 1), ['/1', '/2', '/3', '/4', '/5', '/6']);
});

t.test('servers are measured in turn, and each begins as often as the others', async (t) => {
  const order: string[] = [];
  const rates: Record<string, number[]> = { a: [100, 200, 300], b: [50, 100, 100] };
  const contestants = ['a', 'b'].map((name) => ({ name }));
  const measure = async ({ name }: { name: string }) => {
    order.push(name);
    return { ...LATENCIES, perSecond: rates[name]?.shift() ?? 0, failures: 1, firstFailure: `of ${name}` };
  };
  type Sample = Awaited<ReturnType<typeof measure>>;
  let measured: readonly Samples<Sample>[] = [];
  const conclude = (samples: readonly Samples<Sample>[]) => {
    measured = samples;
  };
  await measureInTurn(contestants, { rounds: 3, measure, onRound: () => {}, conclude });
  t.same(order, ['a', 'b', 'b', 'a', 'a', 'b']);
  const [a, b] = measured;
  t.equal(measured.length, 2);
  t.match(a?.spread('perSecond'), { lower: 150, median: 200, upper: 250 });
  t.equal(a?.ratio('perSecond', b), 2, 'median of the ratios of the rounds');
  t.equal(a?.ratio('perSecond', undefined), null, 'nothing is compared with what was not measured');
  t.same([b?.median('perSecond'), b?.most('perSecond'), b?.sum('perSecond')], [100, 100, 250]);
  t.same(latencyCells(b?.rounds ?? [], ['p50Ms', 'p99Ms'], 'read: '), { 'read: p50 ms': 1, 'read: p99 ms': 2 });
  t.same(failuresIn(b as Samples<Sample>), { failures: 3, firstFailure: 'of b' });
});

t.test('the whole rounds before one that fails are kept', async (t) => {
  const concluded: (readonly (readonly number[])[])[] = [];
  const fail = (failing: number) =>
    measureInTurn(['a', 'b'], {
      rounds: 3,
      measure: async (name, round) => {
        if (round === failing && name === 'a') throw new BenchFailed('it broke');
        return round;
      },
      onRound: () => {},
      conclude: (measured) => concluded.push(measured.map(({ rounds }) => rounds)),
    });
  await t.rejects(fail(1), { message: 'it broke' });
  t.same(concluded, [[[0], [0]]], 'b was measured in the second round, too');
  await t.rejects(fail(0), { message: 'it broke' });
  t.equal(concluded.length, 1, 'nothing is concluded from no round');
});
