// A stream of events whose client lags: it writes no more until the client has taken what it was sent, then continues where it was; a
// client that never reads is cut off with a reason. And comments, which come in turns. The clock of these tests is moved by hand.
import { mock } from 'node:test';
import t from 'tap';
import { EventHub } from '../../../http/events/event-hub.js';
import type { EventReadersParts } from '../../../http/events/event-readers.js';
import { EventStream, StreamClock } from '../../../http/events/event-stream.js';
import { ReaderCounts } from '../../../http/events/reader-counts.js';
import type { Exchange, StreamListener } from '../../../http/exchange/exchange.js';
import { EVENT_STREAM_COMMENT_MS, READER_STALL_MS } from '../../../http/limits.js';
import { begin } from '../support/serving.js';
import { turns, until } from '../support/waiting.js';

/** A client that takes what it is sent as long as `reads` is true. */
class Client {
  reads = true;
  hasEnded = false;
  text = '';
  listener: StreamListener | null = null;
  readonly exchange = {
    requestId: 'of-this-test',
    stream: (listener: StreamListener) => {
      this.listener = listener;
      return { write: (part: string) => this.#take(part), end: () => this.#end() };
    },
  } as unknown as Exchange;

  get ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent/gm)].map(([, id]) => Number(id));
  }

  #take(part: string): boolean {
    this.text += part;
    return this.reads;
  }

  #end(): void {
    this.hasEnded = true;
    this.listener?.closed();
  }
}

async function scene(test: Parameters<typeof begin>[0]) {
  const { play, world } = await begin(test);
  const { planetId } = await play.rich('ada');
  const { engine, sequencer } = world;
  const counts = new ReaderCounts();
  const hub = new EventHub({ world: engine.world, sequencer });
  const access = { faultOfReader: () => null };
  const parts = {
    hub,
    counts,
    access,
    onBug: (error: unknown) => test.fail(String(error)),
    admission: { ownerOf: () => 'one', opened() {}, sent() {} },
  } as unknown as EventReadersParts;
  const grant = (): Promise<unknown> => play.grant(planetId, { iron: 1 });
  const clock = new StreamClock();
  let ended = 0;
  const open = (client: Client): void =>
    new EventStream(parts, client.exchange, 1, 0).begin(clock, () => {
      ended += 1;
    });
  return { hub, counts, grant, open, clock, parts, ended: () => ended };
}

t.test('a client that lags gets nothing more until it has taken what it was sent', async (t) => {
  const { hub, grant, open, ended } = await scene(t);
  const client = new Client();
  client.reads = false;
  open(client);
  t.same(client.ids, [], 'the first block has filled its connection');
  for (let count = 0; count < 5; count += 1) await grant();
  await turns();
  t.same(client.ids, []);
  client.reads = true;
  client.listener?.drained();
  const { lastSeq } = hub.span(1);
  const all = Array.from({ length: lastSeq }, (_, index) => index + 1);
  await until(() => client.ids.length >= lastSeq);
  t.same(client.ids, all);
  await grant();
  await until(() => client.ids.length > lastSeq);
  t.same(client.ids, [...all, lastSeq + 1], 'and goes on as before');
  client.listener?.closed();
  t.equal(ended(), 1);
  t.equal(hub.listenerCount, 0);
});

t.test('streams that resume write nothing in the turn in which they are opened, and everything later', async (t) => {
  const { hub, grant, open } = await scene(t);
  for (let count = 0; count < 20; count += 1) await grant();
  await turns();
  const { lastSeq } = hub.span(1);
  const clients = Array.from({ length: 100 }, () => new Client());
  for (const client of clients) open(client);
  t.ok(clients.every(({ ids }) => ids.length === 0));
  await until(() => clients.every(({ ids }) => ids.length === lastSeq));
  for (const client of clients) client.reads = false;
  await grant();
  await until(() => clients.every(({ ids }) => ids.length === lastSeq + 1));
  await grant();
  await turns();
  for (const { listener } of clients) listener?.drained();
  t.ok(
    clients.every(({ ids }) => ids.length === lastSeq + 1),
    'nor in the turn in which their clients have read',
  );
  await until(() => clients.every(({ ids }) => ids.length === lastSeq + 2));
  for (const { listener } of clients) listener?.closed();
});

t.test('a comment that fails ends its stream with a reason, and no other one', async (t) => {
  const { open, clock, parts, ended } = await scene(t);
  const clients = [new Client(), new Client()];
  for (const client of clients) open(client);
  const bugs: unknown[] = [];
  const { access } = parts;
  const faultOfReader = (): null => {
    Object.assign(parts, { access });
    throw new Error('a bug of this test');
  };
  Object.assign(parts, { access: { faultOfReader }, onBug: (error: unknown) => bugs.push(error) });
  for (let tick = 0; tick < 15; tick += 1) clock.tick();
  t.match(bugs, [{ message: 'a bug of this test' }]);
  t.same(
    clients.map(({ hasEnded }) => hasEnded),
    [true, false],
  );
  t.match(clients[0]?.text, /"code":"internal_error"/);
  t.match(clients[1]?.text, /:\n\n$/);
  clients[1]?.listener?.closed();
  t.equal(ended(), 2);
});

t.test('a client that never reads is cut off with a reason', async (t) => {
  const { counts, open, ended } = await scene(t);
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const client = new Client();
  client.reads = false;
  open(client);
  mock.timers.tick(READER_STALL_MS - 1);
  t.notOk(client.hasEnded);
  mock.timers.tick(1);
  t.ok(client.hasEnded);
  t.match(client.text, /\nevent: error\ndata: \{.*"code":"overloaded".*\}\n\n$/);
  t.equal(counts.cutOff.stalled, 1);
  t.equal(counts.streamsOpen, 0);
  t.equal(ended(), 1);
});

t.test('every stream gets a comment each 15 seconds, but not all at the same time', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const clock = new StreamClock();
  const ticks: number[] = [];
  const ends = Array.from({ length: 30 }, (_, index) => clock.add({ tick: () => void ticks.push(index) }));
  mock.timers.tick(EVENT_STREAM_COMMENT_MS / 15);
  t.same(ticks, [0, 15], 'a share of them');
  mock.timers.tick((EVENT_STREAM_COMMENT_MS / 15) * 14);
  t.same(
    [...ticks].sort((a, b) => a - b),
    [...ends.keys()],
    'each once',
  );
  for (const end of ends) end();
  mock.timers.tick(EVENT_STREAM_COMMENT_MS);
  t.equal(ticks.length, 30, 'nothing runs without streams');
});

t.test('a comment keeps an idle stream open', async (t) => {
  const { clock, open } = await scene(t);
  const client = new Client();
  open(client);
  t.notMatch(client.text, /^:/m);
  for (let tick = 0; tick < 15; tick += 1) clock.tick();
  t.match(client.text, /\n\n:\n\n$/);
  client.listener?.closed();
});
