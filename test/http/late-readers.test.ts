// Many WebSockets resume from far behind while another one has all events. New events are written to that one first.
import t from 'tap';
import { parsePlanetId, parsePlayerId } from '../../engine/ids.js';
import { WorkQueue } from '../../http/admission/work-queue.js';
import { SOCKET_EVENTS_PER_TURN } from '../../http/limits.js';
import { ServedGame } from '../../http/served-game.js';
import type { Sockets } from '../../http/sockets/sockets.js';
import { Traffic } from '../../http/transport/traffic.js';
import type { FrameSocket } from '../../http/transport/web-socket.js';
import { begin } from './support/serving.js';
import { until } from './support/waiting.js';

const LATE_CLIENTS = 40;
/** Each client gets them in many turns. */
const EVENTS = 10 * SOCKET_EVENTS_PER_TURN;

/** A connection that takes everything at once, and counts events. */
class Reader implements FrameSocket {
  readonly unsentBytes = 0;
  eventCount = 0;
  isSubscribed = false;

  constructor(sockets: Sockets, playerId: string, since?: number) {
    const listener = sockets.open(this, { authorization: '', forwardedFor: '', address: '127.0.0.1' });
    listener.received(JSON.stringify({ op: 'subscribe', playerId, since }));
  }

  send(frames: readonly string[]): boolean {
    this.eventCount += frames.filter((frame) => frame.startsWith('{"op":"event",')).length;
    this.isSubscribed ||= frames.some((frame) => frame.startsWith('{"op":"subscribed",'));
    return true;
  }
  close(): void {}
  destroy(): void {}
}

t.test('who catches up does not delay the events of others', async (t) => {
  const { play, world } = await begin(t);
  const { rules, universe } = world.engine.world;
  const shipType = rules.ships.findIndex(({ type }) => type === 'scout');
  const [ada, bob] = [await play.rich('ada'), await play.rich('bob')];
  for (const { planetId } of [ada, bob]) await play.construct(planetId, 'shipyard');
  /** Each command causes an event of the owner. */
  const act = ({ planetId }: { readonly planetId: string }): void => {
    const planetKey = parsePlanetId(universe, planetId);
    for (let pair = 0; pair < EVENTS / 2; pair += 1) {
      world.sequencer.submit({ type: 'build_ships', planetKey, shipType, count: 1 });
      world.sequencer.submit({ type: 'cancel_ships', planetKey, shipType });
    }
  };
  const since = world.engine.world.eventLog.lastSeq(parsePlayerId(ada.playerId));
  act(ada);

  const notHere = () => {
    throw new Error('no reader of events needs it');
  };
  const { sockets } = new ServedGame(
    {
      world,
      turns: null,
      auth: 'none',
      registration: 'open',
      development: 'on',
      adminKey: null,
      spectatorKey: null,
      transport: 'native',
      admission: { registrationsPerMinute: 0, rateLimits: null, trustedProxies: [] },
      connections: { connectionsMax: 100, connectionsPerAddressMax: 100 },
      onBug: notHere,
      log: { droppedLines: 0 },
    },
    { traffic: new Traffic(() => world.sequencer.readNow()), work: new WorkQueue(), server: notHere },
  );
  const live = new Reader(sockets, bob.playerId);
  await until(() => live.isSubscribed);
  const late = Array.from({ length: LATE_CLIENTS }, () => new Reader(sockets, ada.playerId, since));
  act(bob);
  const lateCount = () => late.reduce((sum, { eventCount }) => sum + eventCount, 0);
  await until(() => live.eventCount === EVENTS);
  t.ok(lateCount() < 0.3 * LATE_CLIENTS * EVENTS, `they have ${lateCount()} events when it has all new ones`);
  await until(() => lateCount() === LATE_CLIENTS * EVENTS);
  t.pass('and get all of theirs');
});
