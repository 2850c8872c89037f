// What is measured side by side answers alike: the bare server with the same bytes, the SQL peer with the same shapes and
// the same promise about the disk.
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { MIX_NAMES, MIXES } from '../../bench/loads/mixes.js';
import type { BareReply } from '../../bench/servers/bare-replies.js';
import { type GalaxydWorld, startGalaxydWorld } from '../../bench/servers/galaxyd-world.js';
import {
  entityAskedFor,
  entityShownBy,
  getRequest,
  type LoadRequest,
  planetAskedFor,
  postRequest,
} from '../../bench/servers/game-client.js';
import {
  prepared,
  readFilling,
  type SqlPeer,
  sampleReplies,
  startBareServer,
  startSqlPeer,
} from '../../bench/servers/peers.js';
import { createDatabase } from '../../bench/servers/sql-peer/peer-database.js';
import { defaultTransport } from '../../http/server/native/native-library.js';
import { TRANSPORT_KINDS, type TransportKind } from '../../http/server/transport.js';
import '../support/ended-fetch.js';

const folder = t.testdir();
let world: GalaxydWorld;
let peer: SqlPeer;

t.before(async () => {
  const size = { players: 12, workedPlanets: 4, grownPlayers: 1 };
  world = await startGalaxydWorld({ size, pace: 'calm', durability: 'durable', folder });
  const { names, client } = world;
  const playerIds = [...names.grownPlayerIds, ...names.bots.map(({ playerId }) => playerId)];
  peer = await startSqlPeer(folder, await readFilling(client, playerIds));
});
t.teardown(async () => {
  await world?.server.stop();
  await peer?.server.stop();
});

/** Asks a server. */
async function ask(url: string, { method, path, body, headers }: LoadRequest) {
  const sent = { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, { method, headers: sent, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: JSON.parse(await response.text()) as Record<string, unknown> };
}

/** Every name and kind of value in a JSON value, lists by their first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

/** Leaves out what depends on the time of the request: the stocks, which grow. */
function withoutStocks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, part) =>
    ['iron', 'silver', 'ember', 'h2', 'energy'].includes(name) ? typeof part : part,
  );
}

t.test('a world is set up as its size says', async (t) => {
  const { names, client } = world;
  t.equal(names.bots.length, 12);
  t.equal(names.workedPlanetIds.length, 4);
  const [grown = ''] = names.grownPlayerIds;
  const { planets } = await client.get<{ planets: { buildings: { level: number }[] }[] }>(`/api/game/state/${grown}`);
  t.equal(planets.length, 3);
  for (const { buildings } of planets)
    t.same(
      buildings.map(({ level }) => level),
      new Array(9).fill(5),
    );
});

t.test('the SQL peer shows the same state of a player, grown or new', async (t) => {
  for (const playerId of [world.names.grownPlayerIds[0] ?? '', world.names.bots[3]?.playerId ?? '']) {
    const request = getRequest(`/api/game/state/${playerId}`);
    const tested = await ask(world.server.url, request);
    const other = await ask(peer.server.url, request);
    t.equal(other.status, 200);
    t.same(withoutStocks(other.body), withoutStocks(tested.body), `${playerId}: all except the stocks`);
    t.same(shapeOf(other.body), shapeOf(tested.body));
  }
});

t.test('the SQL peer upgrades and cancels as the server under test does', async (t) => {
  const planetId = world.names.bots[0]?.planetId ?? '';
  const upgrade = postRequest('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  const answers = [];
  for (const { url } of [world.server, peer.server]) {
    const begun = await ask(url, upgrade);
    const again = await ask(url, upgrade);
    const queueId = /"queueId":"([^"]+)"/.exec(JSON.stringify(begun.body))?.[1];
    const cancelled = await ask(url, postRequest('/api/building/cancel', { planetId, queueId }));
    const gone = await ask(url, postRequest('/api/building/cancel', { planetId, queueId }));
    const absent = await ask(url, postRequest('/api/building/upgrade', { planetId, buildingType: 'anti_spy' }));
    const wrong = await ask(url, postRequest('/api/building/upgrade', { planetId, buildingType: 'castle' }));
    answers.push({
      shapes: [begun, cancelled].map(({ body }) => shapeOf(body)),
      statuses: [begun, again, cancelled, gone, absent, wrong].map(({ status }) => status),
      codes: [again, gone, absent].map(({ body }) => body['code']),
    });
  }
  t.same(answers[0]?.statuses, [200, 409, 200, 404, 404, 400]);
  t.same(answers[1], answers[0]);
});

t.test('the SQL peer knows which players it can be asked about', async (t) => {
  const bot = world.names.bots[1];
  t.ok(peer.knows(getRequest(`/api/game/state/${bot?.playerId}`)));
  t.ok(peer.knows(postRequest('/api/building/upgrade', { planetId: bot?.planetId, buildingType: 'zentrale' })));
  t.notOk(peer.knows(getRequest('/api/game/state/player-999999')));
  t.notOk(peer.knows(postRequest('/api/building/upgrade', { planetId: 'planet-9-9-9', buildingType: 'zentrale' })));
});

t.test('the SQL peer has every commit on disk before it answers', async (t) => {
  const database = createDatabase(join(t.testdir(), 'sample.sqlite'));
  t.teardown(() => void database.close());
  t.same(database.pragma('journal_mode'), [{ journal_mode: 'wal' }]);
  t.same(database.pragma('synchronous'), [{ synchronous: 2 }], '2 is FULL');
});

/** Those whose bare servers this Node can run. */
const TRANSPORTS = TRANSPORT_KINDS.filter((kind) => kind === 'javascript' || defaultTransport() === 'native');

t.test('the bare servers answer every request of every mix with bytes of the server under test', async (t) => {
  // The order matters: an upgrade that begins here never ends, since worlds of the mixes of upgrades are faster. So the two begin with the
  // first and the last planet.
  for (const name of MIX_NAMES.toReversed()) {
    const { requests, cancelsWhatItBegins } = MIXES[name];
    const all = requests(world.names, 1);
    const sent = name === 'upgrade-minimal' ? all.toReversed() : all;
    const first = sent[0];
    if (first === undefined || !(await world.client.offers(first))) {
      t.comment(`${name} is not offered by this server`);
      continue;
    }
    const replies = await sampleReplies(world.client, { requests: sent, cancelsWhatItBegins });
    for (const transport of TRANSPORTS) await requireSameBytes(t, transport, sent, replies);
    if (name === 'batch') t.notMatch(replies[0]?.body, /"status":[45]/, 'nothing in it is refused');
    if (cancelsWhatItBegins) t.ok(replies.some(({ pattern }) => pattern === '/api/building/cancel'));
  }
});

/** A bare server answers one request of each kind with one of the samples, or with one in which only the id differs. */
async function requireSameBytes(
  t: Test,
  transport: TransportKind,
  sent: readonly LoadRequest[],
  replies: readonly BareReply[],
): Promise<void> {
  const bare = await startBareServer(transport, replies);
  try {
    const kinds = new Map(sent.map((request) => [request.path.split('/').slice(0, 4).join('/'), request]));
    for (const request of kinds.values()) {
      const { status, body } = await ask(bare.url, request);
      t.equal(status, 200, `${transport}: ${request.method} ${request.path}`);
      const planetId = request.path.startsWith('/api/building/') ? entityAskedFor(request) : undefined;
      if (planetId !== undefined) t.equal(body['id'], planetId, 'of the planet that was asked for, not of the sample');
      const isBody = (sample: string) =>
        JSON.stringify(planetId === undefined ? body : { ...body, id: entityShownBy(sample) }) === sample;
      t.ok(
        replies.some((reply) => isBody(reply.body)),
        'the same body',
      );
    }
  } finally {
    await bare.stop();
  }
}

t.test('a load for a server that takes any queue id begins and cancels upgrades without reading a reply', async (t) => {
  const { requests, cancelsWhatItBegins } = MIXES['upgrade-cancel'];
  const load = { requests: requests(world.names).slice(4, 6), cancelsWhatItBegins };
  const [upgrade, other] = load.requests;
  const { requests: sent } = prepared(load, await sampleReplies(world.client, load));
  t.same([sent[0], sent[2]], [upgrade, other]);
  for (const [begun, cancel] of [sent.slice(0, 2), sent.slice(2)]) {
    t.equal(cancel?.path, '/api/building/cancel');
    t.equal(planetAskedFor(cancel as LoadRequest), planetAskedFor(begun as LoadRequest));
    t.match(cancel?.body, /"queueId":"queue-\d+"/);
  }
  t.equal(sent.length, 4);
});

t.test('the missing endpoints of a server are distinguished from its refusals', async (t) => {
  t.ok(await world.client.offers(postRequest('/api/building/upgrade', {})));
  t.notOk(await world.client.offers(postRequest('/api/building/demolish', {})));
  t.notOk(await world.client.offers(getRequest('/api/game/stat')));
});
