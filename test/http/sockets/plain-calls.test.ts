// Calls that are read by hand mean exactly what JSON.parse and the checks make of the same text.
import t from 'tap';
import { type ClientFrame, type FrameFault, isFault } from '../../../http/sockets/client-frame.js';
import type { CallFrame } from '../../../http/sockets/plain-calls.js';
import { servedSockets } from '../support/served-sockets.js';
import { variantsOf } from '../support/text-variants.js';

const PLANET = 'planet-1-0-26';
const BODY = { planetId: PLANET, shipType: 'scout', count: 1 };
const FLIGHT = {
  playerId: 'player-1',
  originPlanetId: PLANET,
  targetPlanetId: PLANET,
  ships: { scout: 1 },
  mission: 'attack',
};

/** Frames as JSON.stringify of the clients writes them. */
const FLAT: readonly object[] = [
  { op: 'call', id: 1_000, method: 'POST', path: '/api/shipyard/build', body: BODY, prefer: 'return=minimal' },
  { op: 'call', id: 7, method: 'POST', path: '/api/shipyard/build', body: { ...BODY, playerId: 'player-1' } },
  { op: 'call', id: 0, method: 'POST', path: '/api/building/cancel', body: { planetId: PLANET, queueId: 'queue-1' } },
];

/** Frames without a body, or whose body must be parsed. */
const OTHERS: readonly object[] = [
  { op: 'call', id: 1, method: 'GET', path: '/api/game/state/player-1' },
  { op: 'call', id: 1, method: 'GET', path: '/api/event/player/player-1?since=0', prefer: 'return=minimal' },
  { op: 'call', id: 12, method: 'POST', path: '/api/fleet/launch', body: FLIGHT, prefer: 'return=minimal' },
  { op: 'call', id: 3, method: 'POST', path: '/api/game/player', body: { name: 'Zoë', isBot: true } },
  { op: 'call', id: 1, method: 'GET', path: '/api/shipyard/build', body: BODY },
  { op: 'call', id: 1, method: 'PUT', path: `/api/plan/planet/${PLANET}`, body: { steps: [] } },
  { op: 'call', id: 1, method: 'POST', path: '/nowhere', body: {} },
  { op: 'ping', id: 4 },
];

/** What a frame means, as JSON: absent fields are as good as undefined ones, and the check of a body is done before or after. */
function meaning(frame: ClientFrame | FrameFault): string {
  if (isFault(frame)) return `${frame.code} ${frame.id}`;
  if (frame.op !== 'call') return JSON.stringify(frame);
  const { isBodyRead: _, found, ...call } = frame as CallFrame;
  const { query, match, matches } = found;
  return JSON.stringify([call, query, match?.parameters, matches.map(({ endpoint }) => endpoint.path)]);
}

t.test('a call means the same, however it is read', async (t) => {
  const { sockets } = await servedSockets(t);
  const { frames } = sockets;
  let readCount = 0;
  for (const frame of [...FLAT, ...OTHERS]) {
    const text = JSON.stringify(frame);
    const wrong = [text, ...variantsOf(text)].filter((variant) => {
      const read = frames.read(variant);
      // With a space in front it is parsed as a whole.
      const parsed = frames.read(` ${variant}`);
      if (meaning(read) !== meaning(parsed)) return true;
      if (isFault(read) || read.op !== 'call' || !read.isBodyRead) return false;
      readCount += 1;
      return read.found.match?.endpoint.bodyCheck?.accepts(JSON.parse(JSON.stringify(read.body))) !== true;
    });
    t.same(wrong, [], text);
  }
  t.ok(readCount > 100, `${readCount} bodies were read`);
});

t.test('flat bodies of usual calls are read, and others are parsed', async (t) => {
  const { sockets } = await servedSockets(t);
  const isRead = (frame: object) => {
    const call = sockets.frames.read(JSON.stringify(frame));
    return 'isBodyRead' in call && call.isBodyRead;
  };
  t.ok(FLAT.every(isRead));
  t.notOk(OTHERS.some(isRead));
});
