// The operator reads with the admin key what each player reads with its own, and sends no command in a player's name.
import t, { type Test } from 'tap';
import { RECORDED } from '../../../http/documents/recorded-examples.js';
import { isStream, type Route } from '../../../http/pipeline/route.js';
import { ROUTES } from '../../../http/routes/table.js';
import { NewcomersClient } from '../support/contract/breakages.js';
import { type EventPageBody, StreamReader } from '../support/event-client.js';
import { FrameClient } from '../support/frame-client.js';
import { type GameClient, statusesOf } from '../support/game-client.js';
import { GET_REQUESTS } from '../support/get-requests.js';
import { firstPlanet, Play, type PlayerBody } from '../support/play.js';
import { ADMIN_KEY, begin, type Serving } from '../support/serving.js';
import { beginTurnWorld, inTurn } from '../support/turn-play.js';

const SPECTATOR_KEY = 'a-spectator-of-this-test';

const OF_PLAYERS = ROUTES.filter(({ access }) => access === 'player');
/** GET /api/turn asks for the caller's own turn, and the operator has none. */
const READS = OF_PLAYERS.filter(({ method, tag }) => method === 'GET' && tag !== 'turns');

interface Owned extends Serving {
  /** Sends the key of the player. */
  readonly owner: GameClient;
  readonly player: PlayerBody;
}

/** A world with keys. */
async function withKeys(t: Test): Promise<Serving & { readonly owner: GameClient }> {
  const serving = await begin(t, { auth: 'key', server: { spectatorKey: SPECTATOR_KEY } });
  const owner = new NewcomersClient(serving.port);
  t.teardown(() => owner.close());
  return { ...serving, owner };
}

/** A world with keys, and its first player. */
async function owned(t: Test): Promise<Owned> {
  const serving = await withKeys(t);
  const player = await new Play(serving.owner, serving.admin).newcomer('ada');
  return { ...serving, player };
}

/** A world with keys, in which a player has done what a read of the route needs, and the path of that read. */
async function prepared(t: Test, { operationId }: Route) {
  const { owner, ...serving } = await withKeys(t);
  const prepare = GET_REQUESTS[operationId];
  if (prepare === undefined) throw new Error(`${operationId} has no request that succeeds`);
  const { path } = await prepare({ ...serving, client: owner, play: new Play(owner, serving.admin) });
  return { ...serving, owner, path };
}

t.test('every read of a player is answered to the operator as to the player', async (t) => {
  t.ok(READS.length >= 12, 'the table has the reads of players');
  for (const route of READS) {
    const { admin, client, owner, path } = await prepared(t, route);
    const [own, seen] = [await owner.request('GET', path), await admin.request('GET', path)];
    t.equal(seen.status, 200, route.operationId);
    t.ok(seen.text.length > 0);
    // Of a stream each has read one piece, which may be longer or shorter.
    const length = isStream(route) ? Math.min(seen.text.length, own.text.length) : Infinity;
    t.equal(seen.text.slice(0, length), own.text.slice(0, length), route.operationId);
    if (!isStream(route))
      t.equal((await admin.readAgain(path, own)).status, 304, `${route.operationId} has the same tag`);
    for (const key of ['', 'wrong', SPECTATOR_KEY])
      t.equal((await client.as(key).request('GET', path)).status, 401, path);
  }
});

t.test('no write of a player is answered to the operator', async (t) => {
  const { admin, play } = await owned(t);
  const before = await play.hash();
  for (const { method, operationId, path, body: rule } of OF_PLAYERS) {
    if (method === 'GET') continue;
    const { parameters = {}, body } = RECORDED.operations[operationId] ?? {};
    const sent = path.replace(/:(\w+)/g, (_, name: string) => String(parameters[name]));
    const options = rule === null || body === undefined ? {} : { body };
    t.match((await admin.request(method, sent, options)).body, { code: 'unauthenticated' }, operationId);
  }
  t.same(await play.hash(), before);
});

t.test('in a batch of the operator reads are answered and commands are not', async (t) => {
  const { admin, player } = await owned(t);
  const planetId = firstPlanet(player).id;
  const results = await admin.batch([
    { method: 'GET', path: `/api/game/state/${player.id}` },
    { method: 'POST', path: '/api/building/upgrade', body: { planetId, buildingType: 'iron_mine' } },
    { method: 'GET', path: `/api/game/options/${planetId}` },
  ]);
  t.same(statusesOf(results), [200, 401, 200]);
});

t.test('the operator follows the events of a player by long poll, stream and WebSocket', async (t) => {
  const { admin, owner, player, port } = await owned(t);
  const planetId = firstPlanet(player).id;
  const path = `/api/event/player/${player.id}`;
  const stream = await StreamReader.open(port, `${path}/stream?since=0`, { authorization: `Bearer ${ADMIN_KEY}` });
  const socket = await FrameClient.open(port, { key: ADMIN_KEY });
  t.match(await socket.ask({ op: 'subscribe', id: 1, playerId: player.id }), { op: 'subscribed', lastSeq: 1 });
  const poll = admin.read<EventPageBody>(`${path}?since=1&wait=30`);
  await owner.command('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  const event = { seq: 2, type: 'building_started' };
  t.match((await poll).events, [event]);
  t.match((await stream.events(2)).at(-1), event);
  t.match(await socket.take(({ op }) => op === 'event'), event);
  const call = { op: 'call', id: 2, method: 'GET', path: `/api/game/state/${player.id}` };
  t.match(await socket.ask(call), { op: 'reply', status: 200, body: { id: player.id } });
  const command = { op: 'call', id: 3, method: 'POST', path: `/api/game/planet/starter/${player.id}` };
  t.match(await socket.ask(command), { op: 'reply', status: 401 });
  stream.close();
  socket.webSocket.terminate();
});

t.test('a player that does not exist is not found, and a key of another player opens nothing', async (t) => {
  const { admin, client, player } = await owned(t);
  t.match(await admin.refusal('GET', '/api/game/state/player-999'), { code: 'player_not_found' });
  t.match(await admin.refusal('GET', '/api/plan/planet/planet-1-0-99'), { code: 'planet_not_found' });
  const { apiKey = '' } = await client.command<{ apiKey?: string }>(
    '/api/game/player',
    { name: 'bob', isBot: true },
    201,
  );
  t.match(await client.as(apiKey).refusal('GET', `/api/game/state/${player.id}`), { code: 'not_owner' });
});

t.test('in a game of turns the operator is no entrant, and reads the entrants', async (t) => {
  const serving = await beginTurnWorld(t);
  const { id, client } = await inTurn(serving);
  t.match(await serving.admin.refusal('GET', '/api/turn'), { code: 'forbidden' });
  t.same(await serving.admin.read(`/api/game/state/${id}`), await client.read(`/api/game/state/${id}`));
});
