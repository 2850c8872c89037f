// The open loop counts from the instant at which a request was due: with a clock and connections of the test's own, and
// with a real server that stalls.
import t from 'tap';
import { requestSource } from '../../bench/loads/load.js';
import type { OnReply, Reply } from '../../bench/loads/load-connection.js';
import { OpenLoop, measure as runOpenLoop, type Sender } from '../../bench/loads/open-loop.js';
import { getRequest, type LoadRequest } from '../../bench/servers/game-client.js';
import { serveFake } from './support/fake-server.js';

const OK: Reply = { status: 200, body: Buffer.from('{}') };

/** Connections whose replies the test gives, on a clock that the test moves. */
class Stage {
  nowMs = 0;
  readonly sent: { request: LoadRequest; atMs: number }[] = [];
  readonly #waiting: OnReply[] = [];

  readonly nowUs = (): number => this.nowMs * 1000;

  readonly sender: Sender = {
    send: (request, onReply) => {
      this.sent.push({ request, atMs: this.nowMs });
      this.#waiting.push(onReply);
    },
  };

  loop(ratePerSecond: number, count: number, connections: number, windowCount = count): OpenLoop {
    const requests = [getRequest('/a'), getRequest('/b')];
    const source = requestSource({ requests, cancelsWhatItBegins: false });
    const senders = Array.from({ length: connections }, () => this.sender);
    return new OpenLoop({ ratePerSecond, count, windowCount }, senders, source, this.nowUs);
  }

  /** Answers the request that has been waiting longest. */
  answer(reply: Reply | 'broken' = OK): void {
    this.#waiting.shift()?.(reply === 'broken' ? undefined : reply, 'it broke');
  }
}

t.test('requests are sent when they are due, in turn', async (t) => {
  const stage = new Stage();
  const loop = stage.loop(1000, 4, 4);
  for (const nowMs of [0, 0.5, 1, 2, 3, 4]) {
    stage.nowMs = nowMs;
    loop.step();
  }
  t.same(
    stage.sent.map(({ request, atMs }) => [request.path, atMs]),
    [
      ['/a', 0],
      ['/b', 1],
      ['/a', 2],
      ['/b', 3],
    ],
  );
  t.ok(loop.isAllDue);
  t.notOk(loop.isOver, 'nothing was answered yet');
});

t.test('a server that stalls is charged for every request that was due meanwhile', async (t) => {
  const stage = new Stage();
  const loop = stage.loop(1000, 100, 1);
  loop.step();
  stage.nowMs = 99;
  loop.step();
  t.equal(stage.sent.length, 1, 'the only connection is taken');
  // The stall ends; from now on every reply comes at once.
  stage.nowMs = 100;
  while (!loop.isOver) stage.answer();
  const { p50Ms, p99Ms, maxMs, answered, failures } = loop.result();
  t.equal(answered, 100);
  t.equal(failures, 0);
  // Request n was due at n ms and answered at 100 ms. A closed loop would have seen one slow reply and 99 fast ones.
  t.ok(Math.abs(maxMs - 100) <= 0.1, `the slowest took 100 ms: ${maxMs}`);
  t.ok(Math.abs(p50Ms - 50) <= 1.1, `the middle one 50 ms: ${p50Ms}`);
  t.ok(Math.abs(p99Ms - 99) <= 1.1, `the 99th 99 ms: ${p99Ms}`);
});

t.test('what fails, breaks or stays unanswered is counted', async (t) => {
  const stage = new Stage();
  const loop = stage.loop(1000, 4, 4);
  stage.nowMs = 10;
  loop.step();
  stage.answer({ status: 503, body: Buffer.alloc(0) });
  stage.answer('broken');
  stage.answer();
  stage.nowMs = 5_000;
  const { answered, failures, maxMs } = loop.result();
  t.equal(answered, 2, 'the 503 is a reply');
  t.equal(failures, 3);
  t.ok(maxMs >= 4_900, 'the missing one took until the end');
});

t.test('windows tell how a long run went', async (t) => {
  const stage = new Stage();
  const loop = stage.loop(1000, 30, 1, 10);
  for (let nowMs = 0; !loop.isOver; nowMs += 1) {
    stage.nowMs = nowMs;
    loop.step();
    stage.answer();
  }
  const { windows, answered } = loop.result();
  t.match(windows, [{ answered: 10 }, { answered: 10 }, { answered: 10 }]);
  t.equal(answered, 30);
});

t.test('over real connections, the wait behind a stalled reply is part of the latency', async (t) => {
  const stallMs = 300;
  const server = await serveFake(t, async (_request, index) => {
    if (index === 0) await new Promise((resolve) => setTimeout(resolve, stallMs));
    return {};
  });
  const result = await runOpenLoop({
    server: 'the fake',
    url: server.url,
    connections: 1,
    requests: [getRequest('/')],
    cancelsWhatItBegins: false,
    ratePerSecond: 200,
    seconds: 0.3,
    windowSeconds: 0.3,
  });
  t.equal(result.answered, 60);
  t.equal(result.failures, 0);
  // However slow this machine is: nothing was answered before the stall was over, so that a request that was due n ms
  // before its end took n ms at least. Half of the sixty were due in the first half of it.
  t.ok(result.maxMs >= stallMs - 5, `the first took the whole stall: ${result.maxMs} ms`);
  t.ok(result.p50Ms >= stallMs / 2 - 15, `half of them at least half of it: ${result.p50Ms} ms`);
});

t.test('a connection that breaks costs one failure and is opened again', async (t) => {
  const server = await serveFake(t, (_request, index) => (index === 3 ? 'broken' : {}));
  const load = {
    server: 'the fake',
    url: server.url,
    connections: 1,
    requests: [getRequest('/')],
    cancelsWhatItBegins: false,
  };
  const result = await runOpenLoop({ ...load, ratePerSecond: 100, seconds: 0.1, windowSeconds: 0.1 });
  t.match(result, { answered: 9, failures: 1 });
  t.equal(server.seen.length, 10);
});
