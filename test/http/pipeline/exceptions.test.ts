// A bug that throws costs the request or the connection that meets it, and nothing else: no flag stays set, no timer is left, and
// others go on.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { Seats } from '../../../http/admission/seats.js';
import type { Exchange } from '../../../http/exchange/exchange.js';
import { HeldRequest } from '../../../http/game/held-request.js';
import type { FrameListener, FrameSocket } from '../../../http/server/web-socket.js';
import type { Sockets } from '../../../http/sockets/sockets.js';
import { servedSockets } from '../support/served-sockets.js';
import { until } from '../support/waiting.js';

const BUG = 'a bug of this test';

/** Throws at the next call of a method, and restores it. */
function breakOnce<Name extends string>(owner: Record<Name, unknown>, name: Name): void {
  const method = owner[name];
  owner[name] = () => {
    owner[name] = method;
    throw new Error(BUG);
  };
}

class Client implements FrameSocket {
  readonly unsentBytes = 0;
  readonly frames: { readonly op: string; readonly id?: number; readonly problem?: { readonly code: string } }[] = [];
  isDestroyed = false;
  readonly connection: FrameListener;

  constructor(sockets: Sockets) {
    this.connection = sockets.open(this, {
      authorization: '',
      forwardedFor: '',
      address: '192.0.2.1',
      owner: '192.0.2.1',
    });
  }

  send(frames: readonly string[]): boolean {
    this.frames.push(...frames.map((frame) => JSON.parse(frame)));
    return true;
  }

  close(): void {}

  destroy(): void {
    this.isDestroyed = true;
    this.connection.closed();
  }

  get ops(): string[] {
    return this.frames.map(({ op }) => op);
  }
}

async function scene(test: Parameters<typeof servedSockets>[0]) {
  const bugs: unknown[] = [];
  const { play, sockets, world } = await servedSockets(test, (error) => bugs.push(error));
  return { bugs, play, sockets, world };
}

t.test('a frame whose refusal fails is answered, and so are the frames behind it', async (t) => {
  const { bugs, sockets } = await scene(t);
  const [first, second] = [new Client(sockets), new Client(sockets)];
  breakOnce(sockets.admission as never, 'admits');
  first.connection.received('{"op":"nothing","id":7}');
  for (const client of [first, second]) client.connection.received('{"op":"ping"}');
  await until(() => second.ops.includes('pong') && first.ops.includes('pong'));
  t.match(bugs, [{ message: BUG }]);
  t.same(first.ops, ['welcome', 'error', 'pong']);
  t.match(first.frames[1], { id: 7, problem: { code: 'internal_error' } });
  t.same(second.ops, ['welcome', 'pong']);
});

t.test('a connection whose opening fails is answered, and later ones are written to as before', async (t) => {
  const { bugs, sockets } = await scene(t);
  breakOnce(sockets.traffic as never, 'worldTime');
  const client = new Client(sockets);
  t.equal(sockets.outbox.isInCallback, false);
  await until(() => client.frames.length > 0);
  t.match(bugs, [{ message: BUG }]);
  t.match(client.frames, [{ op: 'error', problem: { code: 'internal_error' } }]);
});

t.test('a connection whose events cannot be written is closed, and others get theirs', async (t) => {
  const { bugs, play, sockets } = await scene(t);
  const { planetId, playerId } = await play.rich('ada');
  const clients = [new Client(sockets), new Client(sockets)];
  for (const { connection } of clients) connection.received(JSON.stringify({ op: 'subscribe', playerId }));
  await until(() => clients.every(({ ops }) => ops.includes('subscribed')));
  breakOnce(sockets.hub as never, 'read');
  await play.grant(planetId, { iron: 1 });
  await until(() => clients.some(({ ops }) => ops.includes('event')));
  t.match(bugs, [{ message: BUG }]);
  t.same(
    clients.map(({ isDestroyed }) => isDestroyed),
    [true, false],
  );
  await play.grant(planetId, { iron: 1 });
  await until(() => clients[1]?.ops.filter((op) => op === 'event').length === 2);
});

t.test('a guest that fails when it gets its seat keeps no other one from a seat', async (t) => {
  const seats = new Seats({ seatsMax: 2, seatsPerOwnerMax: 2, waitingMax: 9 });
  const seated: string[] = [];
  const fails = (): void => {
    throw new Error(BUG);
  };
  t.throws(() => seats.ask(1, { isDone: false, seated: fails }), { message: BUG });
  seats.ask(1, { isDone: false, seated: () => seated.push('next') });
  t.same(seated, ['next']);
});

t.test('a request that fails when it begins to wait leaves no timer, and gives back what it had', async (t) => {
  const ended: string[] = [];
  const replies = { run: (_exchange: Exchange, work: () => void) => work(), answerBug: t.error };
  const exchange = { requestId: '', keepWaiting: () => true } as unknown as Exchange;
  const held = new HeldRequest(replies as never, exchange, () => {
    ended.push('answered');
  });
  const begin = (): never => {
    throw new Error(BUG);
  };
  t.throws(() => held.wait(1, () => ended.push('given back'), begin), { message: BUG });
  // Longer than it would have waited.
  await delay(20);
  t.same(ended, [], 'nothing wakes it');
  held.over();
  held.over();
  t.same(ended, ['given back'], 'once it is answered');
});
