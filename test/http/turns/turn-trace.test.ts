// The traces of a game of turns: every request of an entrant has its line, whatever way it came, and none has a key.
import t, { type Test } from 'tap';
import { TRACE_ANSWER_LENGTH_MAX, TRACE_BODY_LENGTH_MAX, TRACE_BYTES_MAX } from '../../../http/limits.js';
import { FrameClient } from '../support/frame-client.js';
import type { Serving } from '../support/serving.js';
import { beginGame, beginTurnWorld, endOf, inTurn, type Seat, seats, turnOf, upgrade } from '../support/turn-play.js';

interface TraceLine {
  readonly requestId: string;
  readonly turn: number | null;
  readonly wokenBy?: unknown;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly code?: string;
  readonly answer?: unknown;
  readonly answerLength?: number;
  readonly ms: number;
}

/** A world of turns whose traces are kept. */
async function traced(t: Test): Promise<{ serving: Serving; linesOf: (seat: Seat) => TraceLine[]; texts: string[] }> {
  const written = new Map<string, string[]>();
  const texts: string[] = [];
  const traces = {
    write(playerId: string, line: string) {
      texts.push(line);
      written.set(playerId, [...(written.get(playerId) ?? []), line]);
    },
  };
  const serving = await beginTurnWorld(t, { server: { turns: { traces } } });
  const linesOf = ({ id }: Seat) => (written.get(id) ?? []).map((line) => JSON.parse(line) as TraceLine);
  return { serving, linesOf, texts };
}

t.test('each request has a line, with its turn, why that began, and what was answered', async (t) => {
  const { serving, linesOf } = await traced(t);
  const ada = await inTurn(serving);
  const mine = { planetId: ada.planetId, buildingType: 'iron_mine' };
  await upgrade(ada);
  await upgrade(ada);
  await endOf(ada, { wakeOn: ['building_completed'] });
  await turnOf(ada);
  await ada.client.send('GET', '/api/nowhere');
  await ada.client.request('POST', '/api/building/upgrade', { body: { planetId: ada.planetId } });
  await ada.client.request('POST', '/api/building/upgrade', { body: '{"planetId":' });
  t.match(linesOf(ada), [
    {
      turn: 1,
      wokenBy: { reason: 'wish', type: null, playerId: null },
      worldTime: '2000-01-01T00:00:00.000Z',
      method: 'GET',
      path: '/api/turn?wait=30',
      status: 200,
      answerLength: Number,
      ms: Number,
    },
    { turn: 1, method: 'POST', path: '/api/building/upgrade', body: mine, status: 200, answer: { id: ada.planetId } },
    { turn: 1, status: 409, code: 'upgrade_in_progress', answer: { code: 'upgrade_in_progress' } },
    { turn: 1, path: '/api/turn/end', body: { wakeOn: ['building_completed'] }, status: 200 },
    { turn: 2, wokenBy: { reason: 'event', type: 'building_completed' }, path: '/api/turn?wait=30' },
    { turn: 2, method: 'GET', path: '/api/nowhere', status: 404, code: 'route_not_found' },
    { turn: 2, body: { planetId: ada.planetId }, status: 400, code: 'invalid_request' },
    { turn: 2, body: '{"planetId":', status: 400 },
  ]);
  t.notOk(linesOf(ada).some(({ turn, wokenBy }, index, all) => wokenBy !== undefined && all[index - 1]?.turn === turn));
});

t.test('operations of a batch and calls have lines of their own', async (t) => {
  const { serving, linesOf } = await traced(t);
  const ada = await inTurn(serving);
  const body = { planetId: ada.planetId, buildingType: 'iron_mine' };
  const operation = { method: 'POST' as const, path: '/api/building/upgrade', body };
  const reads = [`/api/game/state/${ada.id}`, '/api/nowhere'].map((path) => ({ method: 'GET', path }));
  await ada.client.batch([operation, operation, ...reads]);
  await ada.client.request('POST', '/api/batch', { body: {} });
  const socket = await FrameClient.open(serving.port, { key: ada.key });
  socket.send({ op: 'call', id: 'one', ...operation });
  await socket.take(({ id }) => id === 'one');
  socket.webSocket.close();
  const lines = linesOf(ada).slice(1);
  t.match(lines, [
    // The shape of all is looked at first.
    { path: '/api/nowhere', status: 404, code: 'route_not_found' },
    { path: '/api/building/upgrade', body, status: 200 },
    { path: '/api/building/upgrade', body, status: 409, code: 'upgrade_in_progress' },
    { method: 'GET', path: `/api/game/state/${ada.id}`, status: 200, answerLength: Number },
    { path: '/api/batch', body: {}, status: 400, code: 'invalid_request' },
    { path: '/api/building/upgrade', body, status: 409, code: 'upgrade_in_progress' },
  ]);
  t.equal(lines.length, 6, 'a batch that was run has none');
  const ids = lines.slice(0, 4).map(({ requestId }) => requestId);
  t.match(ids, [/\.3$/, /\.0$/, /\.1$/, /\.2$/]);
  t.equal(new Set(ids.map((id) => id.split('.')[0])).size, 1);
});

t.test('others, and requests without a key, are in no trace; and no key is', async (t) => {
  const { serving, linesOf, texts } = await traced(t);
  const [ada, bob] = (await seats(serving, 'ada', 'bob')) as [Seat, Seat];
  await beginGame(serving, [ada]);
  await turnOf(ada);
  await upgrade(bob);
  await serving.client.send('GET', '/api/turn');
  t.match(linesOf(bob), [{ turn: null, status: 409, code: 'not_your_turn' }]);
  t.equal(linesOf(ada).length, 1);
  const count = texts.length;
  await ada.client.request('POST', '/api/building/upgrade', { body: { planetId: ada.key, buildingType: bob.key } });
  await ada.client.send('GET', `/api/game/state/${bob.key}`);
  t.equal(texts.length, count + 2);
  t.notOk(texts.some((line) => line.includes(ada.key) || line.includes(bob.key)));
  t.match(texts.at(-1), /gxd_…/);
});

t.test('long bodies and answers are cut, and a trace ends with a line that says so', async (t) => {
  const { serving, linesOf, texts } = await traced(t);
  const ada = await inTurn(serving);
  const long = 'x'.repeat(TRACE_BODY_LENGTH_MAX);
  const upgradeOf = (buildingType: string) =>
    ada.client.request('POST', '/api/building/upgrade', { body: { planetId: ada.planetId, buildingType } });
  await upgradeOf(long);
  const cut = linesOf(ada).at(-1);
  t.equal(String(cut?.body).length, TRACE_BODY_LENGTH_MAX + 1);
  t.ok(JSON.stringify(cut?.answer ?? '').length <= TRACE_ANSWER_LENGTH_MAX + 100);
  const needed = Math.ceil(TRACE_BYTES_MAX / TRACE_BODY_LENGTH_MAX);
  for (let count = 0; count <= needed; count += 1) await upgradeOf(long);
  t.same(JSON.parse(texts.at(-1) ?? ''), { isCut: true, bytesMax: TRACE_BYTES_MAX });
  t.ok(texts.join('').length <= TRACE_BYTES_MAX + 100);
  t.ok(texts.length < needed + 3, 'nothing follows it');
});
