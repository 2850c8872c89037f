// Which of the clients of WebSockets get their events first, if some have much to catch up with.
import t, { type Test } from 'tap';
import { parsePlanetId, parsePlayerId } from '../../../engine/terms/ids.js';
import { SOCKET_EVENTS_PER_TURN } from '../../../http/limits.js';
import type { FrameListener, FrameSocket } from '../../../http/server/web-socket.js';
import type { Sockets } from '../../../http/sockets/sockets.js';
import { servedSockets } from '../support/served-sockets.js';
import { until } from '../support/waiting.js';

const LATE_CLIENTS = 40;
/** Each client gets them in many turns. */
const EVENTS = 10 * SOCKET_EVENTS_PER_TURN;

/** A connection that counts events. */
class Reader implements FrameSocket {
  unsentBytes = 0;
  /** Players of the events, in the order in which they came. */
  readonly playerIds: string[] = [];
  subscriptionCount = 0;
  readonly #listener: FrameListener;

  constructor(sockets: Sockets) {
    this.#listener = sockets.open(this, {
      authorization: '',
      forwardedFor: '',
      address: '127.0.0.1',
      owner: '127.0.0.1',
    });
  }

  subscribe(playerId: string, since?: number): this {
    this.#listener.received(JSON.stringify({ op: 'subscribe', playerId, since }));
    return this;
  }

  /** Stops reading, until resume(). */
  pause(): void {
    this.unsentBytes = 1;
  }

  resume(): void {
    this.unsentBytes = 0;
    this.#listener.drained();
  }

  send(frames: readonly string[]): boolean {
    for (const frame of frames) {
      const { op, playerId } = JSON.parse(frame) as { readonly op: string; readonly playerId: string };
      if (op === 'event') this.playerIds.push(playerId);
      if (op === 'subscribed') this.subscriptionCount += 1;
    }
    return this.unsentBytes === 0;
  }
  close(): void {}
  destroy(): void {}
}

interface Owner {
  readonly playerId: string;
  readonly planetId: string;
}

/** A game with two players, and how one of them causes events of its own. */
async function game(t: Test) {
  const { play, sockets, world } = await servedSockets(t);
  const { rules, universe, eventLog } = world.engine.world;
  const shipType = rules.ships.findIndex(({ type }) => type === 'scout');
  const [ada, bob] = [await play.rich('ada'), await play.rich('bob')];
  for (const { planetId } of [ada, bob]) await play.construct(planetId, 'shipyard');
  const act = ({ planetId }: Owner, events: number): void => {
    const planetKey = parsePlanetId(universe, planetId);
    for (let pair = 0; pair < events / 2; pair += 1) {
      world.sequencer.submit({ type: 'build_ships', planetKey, shipType, count: 1 });
      world.sequencer.submit({ type: 'cancel_ships', planetKey, shipType });
    }
  };
  const lastSeq = ({ playerId }: Owner): number => eventLog.lastSeq(parsePlayerId(world.engine.world, playerId));
  return { act, ada, bob, lastSeq, sockets };
}

const lateReaders = (sockets: Sockets) => Array.from({ length: LATE_CLIENTS }, () => new Reader(sockets));
const eventCount = (readers: readonly Reader[]) => readers.reduce((sum, { playerIds }) => sum + playerIds.length, 0);

/** Waits until the live client has all new events, and says how few the others have got since its first one. */
async function checkOrder(t: Test, live: Reader, late: readonly Reader[]): Promise<void> {
  await until(() => live.playerIds.length > 0);
  const firstCount = eventCount(late);
  await until(() => live.playerIds.length === EVENTS);
  const count = eventCount(late) - firstCount;
  t.ok(count < 0.3 * LATE_CLIENTS * EVENTS, `they get ${count} events while it gets ${EVENTS}`);
  await until(() => eventCount(late) === LATE_CLIENTS * EVENTS);
  t.pass('and get all of theirs');
}

t.test('clients that resume from far behind do not delay the events of others', async (t) => {
  const { act, ada, bob, lastSeq, sockets } = await game(t);
  const since = lastSeq(ada);
  act(ada, EVENTS);
  const live = new Reader(sockets).subscribe(bob.playerId);
  await until(() => live.subscriptionCount === 1);
  const late = lateReaders(sockets).map((reader) => reader.subscribe(ada.playerId, since));
  act(bob, EVENTS);
  await checkOrder(t, live, late);
});

t.test('nor do clients that read again after a pause', async (t) => {
  const { act, ada, bob, sockets } = await game(t);
  const live = new Reader(sockets).subscribe(bob.playerId);
  const late = lateReaders(sockets).map((reader) => reader.subscribe(ada.playerId));
  await until(() => [live, ...late].every(({ subscriptionCount }) => subscriptionCount === 1));
  for (const reader of late) reader.pause();
  act(ada, EVENTS);
  await until(() => late.every(({ playerIds }) => playerIds.length > 0));
  act(bob, EVENTS);
  for (const reader of late) reader.resume();
  await checkOrder(t, live, late);
});

t.test('a subscription with much to catch up with does not delay the others of its connection for long', async (t) => {
  const { act, ada, bob, lastSeq, sockets } = await game(t);
  const since = [lastSeq(ada), lastSeq(bob)];
  act(ada, EVENTS);
  act(bob, 2);
  const reader = new Reader(sockets).subscribe(ada.playerId, since[0]).subscribe(bob.playerId, since[1]);
  await until(() => reader.playerIds.length === EVENTS + 2);
  t.ok(reader.playerIds.indexOf(bob.playerId) <= 2 * SOCKET_EVENTS_PER_TURN);
});
