// Fair turns: queued work is done in turns, and the delay that a batch or /metrics causes for others is bounded. The
// clock of the process moves only when a test moves it, so that no test depends on the speed of the machine.
import t from 'tap';
import { type Work, WorkQueue } from '../../../http/admission/work-queue.js';
import {
  METRICS_MAX_AGE_MS,
  QUEUED_REQUESTS_MAX,
  SHAPE_ERRORS_SHOWN_MAX,
  WORK_SLICE_MS,
} from '../../../http/limits.js';
import { GATHERED_BODIES } from '../../../http/server/body-budget.js';
import { RequestCounts } from '../../../http/server/request-counts.js';
import { OwnClock } from '../support/own-clock.js';
import { begin } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

/** Work of several steps that records each of them. */
function workOf(name: string, steps: number, done: string[]): Work & { isDone: boolean } {
  let left = steps;
  return {
    isDone: false,
    step() {
      left -= 1;
      done.push(name);
      return left === 0;
    },
    failed(error) {
      done.push(`${name} failed: ${String(error)}`);
    },
  };
}

t.test('owners take turns, and so does the work of one owner, slice by slice', async (t) => {
  // The clock advances by a slice with each read, so that a slice is one step.
  new OwnClock(t, WORK_SLICE_MS);
  const queue = new WorkQueue();
  const done: string[] = [];
  for (const name of ['a1', 'a2', 'a3']) queue.add('a', workOf(name, 2, done));
  queue.add(7, workOf('b1', 3, done));
  queue.add('c', workOf('c1', 1, done));
  t.same(done, [], 'nothing is done before the turn is over');
  await until(() => queue.size === 0);
  t.same(done, ['a1', 'b1', 'c1', 'a2', 'b1', 'a3', 'b1', 'a1', 'a2', 'a3']);
});

t.test('work continues until its slice ends', async (t) => {
  new OwnClock(t, 0);
  const queue = new WorkQueue();
  const done: string[] = [];
  for (const name of ['a1', 'a2']) queue.add('a', workOf(name, 2, done));
  queue.add(7, workOf('b1', 2, done));
  await until(() => queue.size === 0);
  t.same(done, ['a1', 'a1', 'b1', 'b1', 'a2', 'a2']);
});

t.test('a late owner waits for one step of each other owner, not for all of their work', async (t) => {
  new OwnClock(t, WORK_SLICE_MS);
  const queue = new WorkQueue();
  const done: string[] = [];
  for (let count = 0; count < 1_000; count += 1) queue.add('busy', workOf('busy', 100, done));
  await until(() => done.length >= 5);
  const before = done.length;
  queue.add('late', workOf('late', 2, done));
  await until(() => done.filter((name) => name === 'late').length === 2);
  t.ok(done.length - before <= 4, `${done.length - before} steps`);
});

t.test('a turn of the event loop does about WORK_SLICE_MS of work', async (t) => {
  const clock = new OwnClock(t, 0);
  const queue = new WorkQueue();
  const done: string[] = [];
  const turnsOf: number[] = [];
  let turn = 0;
  const countTurn = (): void => {
    turn += 1;
    if (queue.size > 0) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  const work = workOf('work', 9, done);
  queue.add('a', {
    isDone: false,
    step() {
      clock.nowMs += WORK_SLICE_MS / 2;
      turnsOf.push(turn);
      return work.step();
    },
    failed() {},
  });
  await until(() => queue.size === 0);
  t.same(
    turnsOf.map((number) => number - (turnsOf[0] ?? 0)),
    [0, 0, 1, 1, 2, 2, 3, 3, 4],
  );
});

t.test('abandoned work is not done', async (t) => {
  new OwnClock(t, WORK_SLICE_MS);
  const queue = new WorkQueue();
  const done: string[] = [];
  const given = workOf('given up', 10, done);
  queue.add('a', given);
  await until(() => done.length === 2);
  given.isDone = true;
  queue.add('a', workOf('next', 1, done));
  await until(() => queue.size === 0);
  t.same(done, ['given up', 'given up', 'next']);
});

t.test('an exception drops only the work that threw it', async (t) => {
  new OwnClock(t, 0);
  const queue = new WorkQueue();
  const done: string[] = [];
  const broken = workOf('broken', 1, done);
  broken.step = () => {
    throw new Error('on purpose');
  };
  queue.add('a', broken);
  queue.add('a', workOf('other', 2, done));
  await until(() => queue.size === 0);
  t.same(done, ['broken failed: Error: on purpose', 'other', 'other']);
});

t.test('one owner leaves half of the queue to others', async (t) => {
  new OwnClock(t, 0);
  const queue = new WorkQueue();
  const done: string[] = [];
  let count = 0;
  while (count < QUEUED_REQUESTS_MAX && queue.add('busy', workOf('busy', 1, done))) count += 1;
  t.equal(count, QUEUED_REQUESTS_MAX / 2);
  t.equal(queue.add('late', workOf('late', 1, done)), true);
  await until(() => queue.size === 0);
  t.equal(queue.add('busy', workOf('busy', 1, done)), true, 'what is done makes room');
  await until(() => queue.size === 0);
});

t.test('the queue is bounded, and finished work makes room', async (t) => {
  new OwnClock(t, 0);
  const queue = new WorkQueue();
  const done: string[] = [];
  for (let count = 0; count < QUEUED_REQUESTS_MAX; count += 1) {
    if (!queue.add(count, workOf('work', 1, done))) t.fail(`refused after ${count}`);
  }
  t.equal(queue.add('another', workOf('one too many', 1, done)), false);
  t.equal(queue.size, QUEUED_REQUESTS_MAX);
  await until(() => queue.size === 0);
  t.equal(done.length, QUEUED_REQUESTS_MAX);
  t.equal(queue.add('another', workOf('now', 1, done)), true);
  await until(() => queue.size === 0);
  t.equal(done.at(-1), 'now');
});

t.test('a batch of reads lets other requests through', async (t) => {
  const { client, play } = await begin(t);
  const { playerId } = await play.rich('reader');
  const path = `/api/game/state/${playerId}`;
  // The clock advances by half a slice at each read, so that one operation of the batch runs in each turn of the event
  // loop.
  new OwnClock(t, WORK_SLICE_MS / 2);
  const replies: string[] = [];
  const operations = Array.from({ length: 1_000 }, () => ({ method: 'GET', path }));
  const batch = client.command<{ results: { status: number }[] }>('/api/batch', { operations }).then((body) => {
    replies.push('batch');
    return body;
  });
  for (let count = 0; count < 20; count += 1) {
    await client.read('/healthz');
    replies.push('read');
  }
  t.ok(GATHERED_BODIES.usedBytes > 0, 'the rest of the batch keeps its share of the memory');
  const { results } = await batch;
  t.equal(results.filter(({ status }) => status === 200).length, 1_000);
  t.equal(GATHERED_BODIES.usedBytes, 0);
  t.same(replies, [...Array<string>(20).fill('read'), 'batch']);
});

t.test('a batch with one command among its reads is checked in slices, but runs as one unit', async (t) => {
  const { client, play } = await begin(t);
  const { planetId } = await play.rich('builder');
  const rival = await play.rich('rival');
  const read = { method: 'GET', path: `/api/game/state/${rival.playerId}` };
  const upgrade = { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } };
  const operations = [...Array(400).fill(read), upgrade, ...Array(400).fill(read)];
  new OwnClock(t, WORK_SLICE_MS / 2);
  let results: { status: number; body: unknown }[] | undefined;
  client.command<{ results: { status: number; body: unknown }[] }>('/api/batch', { operations }).then((body) => {
    results = body.results;
  }, t.threw);
  let rivalCommands = 0;
  for (; results === undefined; rivalCommands += 1) await play.grant(rival.planetId, { iron: 1 });
  t.ok(rivalCommands > 4, `${rivalCommands} commands of the rival ran during the checks of the batch`);
  t.equal(results.filter(({ status }) => status === 200).length, operations.length);
  const states = results.toSpliced(400, 1).map(({ body }) => JSON.stringify(body));
  t.equal(new Set(states).size, 1, 'none of them ran between two operations of the batch');
});

t.test('the number of shape errors of a batch is bounded, and each broken operation has one', async (t) => {
  const { client } = await begin(t);
  const unknown = Object.fromEntries(Array.from({ length: 2 * SHAPE_ERRORS_SHOWN_MAX }, (_, key) => [`key${key}`, 0]));
  const operations = Array.from({ length: 1_000 }, () => ({
    method: 'POST',
    path: '/api/fleet/launch',
    body: unknown,
  }));
  const { results } = await client.command<{ results: { status: number; body: { errors: unknown[] } }[] }>(
    '/api/batch',
    {
      operations,
    },
  );
  const counts = results.map(({ body }) => body.errors.length);
  t.equal(counts[0], SHAPE_ERRORS_SHOWN_MAX);
  t.same(counts.slice(1), Array(999).fill(1));
  const alone = await client.refusal('POST', '/api/fleet/launch', unknown);
  t.equal(alone.errors?.length, SHAPE_ERRORS_SHOWN_MAX);
});

t.test('/metrics is rendered at most once in METRICS_MAX_AGE_MS', async (t) => {
  const clock = new OwnClock(t, 0);
  const { client } = await begin(t, { server: { metricsMaxAgeMs: METRICS_MAX_AGE_MS } });
  const page = async (): Promise<string> => (await client.send('GET', '/metrics')).text;
  const first = await page();
  t.match(first, /galaxyd_/);
  await client.read('/healthz');
  clock.nowMs += METRICS_MAX_AGE_MS - 1;
  t.equal(await page(), first);
  t.same(new Set(await Promise.all(Array.from({ length: 20 }, page))), new Set([first]), 'however many clients ask');
  clock.nowMs += 1;
  t.not(await page(), first);
});

t.test(
  'many requests for /metrics are answered over many turns, whether the page is cached or being rendered',
  async (t) => {
    const clock = new OwnClock(t, 0);
    // Only a reply takes time on this clock.
    const { answered: count } = RequestCounts.prototype;
    RequestCounts.prototype.answered = function (...outcome) {
      clock.nowMs += WORK_SLICE_MS;
      count.apply(this, outcome);
    };
    t.teardown(() => {
      RequestCounts.prototype.answered = count;
    });
    const { client } = await begin(t, { server: { metricsMaxAgeMs: 1e6 } });
    const askers = 40;
    for (const name of ['being made', 'at hand']) {
      let answered = 0;
      const isOver = Promise.all(
        Array.from({ length: askers }, async () => {
          await client.send('GET', '/metrics');
          answered += 1;
        }),
      );
      const answeredInTurns: number[] = [];
      while (answered < askers) {
        const before = answered;
        await turns(1);
        answeredInTurns.push(answered - before);
      }
      await isOver;
      t.ok(Math.max(...answeredInTurns) <= askers / 4, `${name}: ${answeredInTurns.filter((count) => count > 0)}`);
    }
  },
);
