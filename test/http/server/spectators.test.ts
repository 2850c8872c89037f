// What spectators get, over both servers: the map, the fleets, and frames of what changes. A viewer who applies frames knows the same as
// one who fetches the documents of the present.
import t from 'tap';
import { MAP_CATCH_UP_EVENTS_MAX } from '../../../http/limits.js';
import type { PlayerMarketBody } from '../../../http/schemas/market.js';
import type { PactBody } from '../../../http/schemas/pacts.js';
import type { FleetBody } from '../../../http/schemas/player.js';
import { playEveryEvent } from '../support/every-event.js';
import { FrameClient } from '../support/frame-client.js';
import { type MapFrameBody, MapModel } from '../support/map-model.js';
import { Scrape } from '../support/scrape.js';
import { ADMIN_KEY, begin, beginHeld, type Serving } from '../support/serving.js';
import { offered, takes, traders } from '../support/traders.js';
import { until } from '../support/waiting.js';
import { proposedPact } from '../support/write-requests.js';

/** Frames and documents are made as fast as the server can. */
const server = { mapFrameMs: 1 };

interface Viewer {
  readonly socket: FrameClient;
  readonly model: MapModel;
}

/** A viewer at the present. @param key '' for none */
async function viewer({ client, port }: Serving, key = ''): Promise<Viewer> {
  const socket = await FrameClient.open(port, key === '' ? {} : { key });
  return resubscribed(socket, await MapModel.of(client.as(key)));
}

async function resubscribed(socket: FrameClient, model: MapModel): Promise<Viewer> {
  const answer = await socket.ask({ op: 'subscribe', id: 1, topic: 'map', since: model.position });
  if (answer.op !== 'subscribed') throw new Error(JSON.stringify(answer));
  return { socket, model };
}

/** Applies frames up to a seq. @returns them */
async function upTo(seq: number, { socket, model }: Viewer): Promise<MapFrameBody[]> {
  const frames: MapFrameBody[] = [];
  while (model.position < seq) frames.push(await model.next(socket));
  return frames;
}

/** The documents of the present: they may be a moment old. */
async function present({ client, world }: Serving, key = ''): Promise<MapModel> {
  const lastSeq = world.engine.world.eventLog.lastSeq(-1);
  for (;;) {
    const model = await MapModel.of(client.as(key));
    if (model.position === lastSeq) return model;
  }
}

/** Numbers in an id. */
const numbersIn = (id: string): number[] => (id.match(/\d+/g) ?? []).map(Number);

/** A player that launches transports to a planet beside its own. */
async function launcher({ play }: Serving) {
  const { playerId, planetId } = await play.fleetOwner('ada', { transport: 3 });
  const targetPlanetId = await play.neighbour(planetId);
  const ships = [{ type: 'transport', count: 1 }];
  const body = { playerId, originPlanetId: planetId, targetPlanetId, ships, mission: 'transport' };
  const launch = async (): Promise<FleetBody> => (await play.launch(body)).fleet;
  return { playerId, planetId, targetPlanetId, launch };
}

for (const auth of ['none', 'key'] as const) {
  t.test(`frames show everything that happens, auth ${auth}`, async (t) => {
    const serving = await begin(t, { auth, server: { ...server, development: 'on' } });
    const key = auth === 'key' ? ADMIN_KEY : '';
    const [early, late] = [await viewer(serving, key), await viewer(serving, key)];
    await playEveryEvent(serving, auth === 'key');
    const now = await present(serving, key);
    const frames = await upTo(now.position, early);
    t.strictSame(early.model.picture, now.picture, 'the same as the documents of the present');
    t.ok(now.picture.cells.length > 0);
    t.equal(frames.flatMap(({ battles }) => battles).length, 4);
    const counted = frames.reduce((sum, { eventCount }) => sum + eventCount, 0);
    t.ok(counted >= now.position);
    const types = new Set(frames.flatMap(({ events }) => events.map(({ type }) => type)));
    for (const type of ['fleet_recalled', 'fleet_destroyed', 'colonization_failed', 'player_retired'] as const)
      t.ok(types.has(type), type);

    // The other one has missed all of it.
    await late.socket.ask({ op: 'unsubscribe', id: 2, topic: 'map' });
    late.socket.frames.length = 0;
    const { model } = await resubscribed(late.socket, new MapModel());
    await upTo(now.position, { socket: late.socket, model });
    t.strictSame(model.picture, now.picture, 'the same from the beginning');
    for (const { socket } of [early, late]) socket.close();
  });
}

t.test('a fleet is shown where it is, on its way there and back, and if it is recalled', async (t) => {
  const serving = await begin(t, { server });
  const { client, play } = serving;
  const { playerId, planetId, targetPlanetId, launch } = await launcher(serving);
  const fleet = await launch();
  const [number = 0] = numbersIn(fleet.id);
  const [there, home] = [numbersIn(targetPlanetId), numbersIn(planetId)];
  const [departsAtMs, arrivesAtMs] = [Date.parse(fleet.launchedAt), Date.parse(fleet.arrivesAt)];
  const flightMs = arrivesAtMs - departsAtMs;
  const legOf = async (id: number) => (await present(serving)).legs.get(id);
  t.strictSame(await legOf(number), [number, 1, 1, 0, ...home, ...there, departsAtMs, arrivesAtMs]);
  await play.toNextTimer();
  t.strictSame(await legOf(number), [number, 1, 1, 1, ...there, ...home, arrivesAtMs, arrivesAtMs + flightMs]);

  const other = await launch();
  await play.advance(2);
  await client.command(`/api/fleet/${other.id}/recall`, { playerId });
  const [id = 0] = numbersIn(other.id);
  const [from, to] = (await legOf(id))?.slice(-2) ?? [];
  const recalledAtMs = Date.parse(other.launchedAt) + 2_000;
  t.equal(to, recalledAtMs + 2_000, 'it is back after as long again');
  t.equal((recalledAtMs - (from ?? 0)) / flightMs, 1 - 2_000 / flightMs, 'from where it was');
});

t.test('a pact is on the map while it is in force, and a proposal never', async (t) => {
  const serving = await begin(t, { server });
  const { client, play } = serving;
  const { ada, bob, pact } = await proposedPact(serving);
  const one = await viewer(serving);
  t.strictSame((await present(serving)).picture.pacts, []);
  const { endsAt } = await client.command<PactBody>(`/api/pact/${pact.id}/accept`, { playerId: bob });
  const [number = 0] = numbersIn(pact.id);
  const homes = await Promise.all([ada, bob].map(async (id) => (await play.state(id)).planets[0]?.id ?? ''));
  const places = [...numbersIn(ada), ...numbersIn(bob), ...homes.flatMap(numbersIn)];
  const agreed = await present(serving);
  t.strictSame(agreed.picture.pacts, [[number, 0, ...places, Date.parse(endsAt)]]);
  t.match(await upTo(agreed.position, one), [{ pacts: [[number]], pactsGone: [], eventCount: 1 }]);
  const cancelled = await client.command<PactBody>(`/api/pact/${pact.id}/cancel`, { playerId: ada });
  const noticed = await present(serving);
  t.strictSame(noticed.picture.pacts, [[number, 0, ...places, Date.parse(cancelled.endsAt)]], 'with another end');
  await upTo(noticed.position, one);
  t.strictSame(one.model.picture, noticed.picture);
  await play.advanceTo(cancelled.endsAt);
  const ended = await present(serving);
  t.strictSame(ended.picture.pacts, []);
  t.match(await upTo(ended.position, one), [{ pacts: [], pactsGone: [number] }]);
  one.socket.close();
});

t.test('goods are on the map until they arrive, or their receiver is retired, and an offer never', async (t) => {
  const serving = await begin(t, { server });
  const { admin, play } = serving;
  const [ada, bob] = await traders(serving);
  const one = await viewer(serving);
  const offer = await offered(ada, { toPlayerId: bob.playerId });
  t.strictSame((await present(serving)).picture.goods, []);
  await takes(bob, offer);
  const agreed = await present(serving);
  const { goods } = await bob.client.read<PlayerMarketBody>(`/api/market/player/${bob.playerId}`);
  const [toBob] = goods as [PlayerMarketBody['goods'][number]];
  const [number = 0] = numbersIn(offer.id);
  const players = [ada.playerId, bob.playerId].flatMap(numbersIn);
  const way = [ada.planetId, bob.planetId].flatMap(numbersIn);
  const times = [toBob.sentAt, toBob.arrivesAt].map((at) => Date.parse(at));
  t.strictSame(agreed.picture.goods[0], [2 * number, ...players, ...way, ...times]);
  t.match(agreed.picture.goods[1], [2 * number + 1, players[1], players[0]], 'and those of the other side');
  t.match(await upTo(agreed.position, one), [{ goods: [[2 * number], [2 * number + 1]], eventCount: 1 }]);
  await admin.command(`/api/admin/player/${ada.playerId}/retire`);
  const retired = await present(serving);
  t.match(retired.picture.goods, [[2 * number]], 'only what is on its way to the other player');
  t.equal(retired.picture.goods.length, 1);
  await upTo(retired.position, one);
  t.strictSame(one.model.picture, retired.picture);
  await play.advanceTo(toBob.arrivesAt);
  await play.newcomer('cid');
  const arrived = await present(serving);
  t.strictSame(arrived.picture.goods, []);
  await upTo(arrived.position, one);
  t.strictSame(one.model.picture, arrived.picture);
  one.socket.close();
});

t.test('all viewers at one position get the same frame, which is made once', async (t) => {
  const serving = await begin(t, { server });
  const { launch } = await launcher(serving);
  const viewers = await Promise.all([viewer(serving), viewer(serving), viewer(serving)]);
  const before = await Scrape.of(serving.client);
  await launch();
  const { position } = await present(serving);
  for (const one of viewers) t.match(await upTo(position, one), [{ eventCount: 1, legs: [[1]] }]);
  const after = await Scrape.of(serving.client);
  t.strictSame(after.growth('map_frames_made_total', before), { '{kind="shared"}': 1 });
  t.strictSame(after.growth('map_frames_delivered_total', before), { '': 3 });
  t.equal(after.value('map_viewers'), 3);
  for (const { socket } of viewers) socket.close();
  await Scrape.until(serving.client, (scrape) => scrape.value('map_viewers') === 0);
});

t.test('who has missed too much fetches the map again', async (t) => {
  const serving = await begin(t, { server });
  const one = await viewer(serving);
  await serving.admin.command('/api/admin/players', { count: MAP_CATCH_UP_EVENTS_MAX + 1, namePrefix: 'bot' }, 201);
  const now = await present(serving);
  await upTo(now.position, one);
  t.strictSame(one.model.picture, now.picture);
  await one.socket.ask({ op: 'unsubscribe', id: 'end', topic: 'map' });
  for (const since of [0, now.position + 1]) {
    const answer = await one.socket.ask({ op: 'subscribe', id: since, topic: 'map', since });
    t.match(answer, { op: 'error', problem: { code: 'events_expired', oldestSeq: 2 } }, `since ${since}`);
  }
  t.match(await one.socket.ask({ op: 'subscribe', id: 1, topic: 'map', since: 1 }), { op: 'subscribed' });
  one.socket.close();
});

t.test('with keys only spectators and the operator see fleets; players see the map', async (t) => {
  const serving = await begin(t, { auth: 'key', server: { ...server, spectatorKey: 'only-for-watching' } });
  const { client, admin, port } = serving;
  const { apiKey } = await client.command<{ apiKey: string }>('/api/game/player', { name: 'ada', isBot: true }, 201);
  const [player, spectator] = [client.as(apiKey), client.as('only-for-watching')];
  for (const path of ['/api/map', '/api/map/fleets'])
    t.match(await client.refusal('GET', path), { code: 'unauthenticated' });
  t.match(await player.refusal('GET', '/api/map/fleets'), { code: 'forbidden' });
  for (const caller of [player, spectator, admin]) t.match(await caller.read('/api/map'), { players: 1 });
  for (const caller of [spectator, admin]) t.match(await caller.read('/api/map/fleets'), { total: 0 });
  t.match(await client.read('/api/leaderboard/history'), { players: [{ name: 'ada' }] });

  const socket = await FrameClient.open(port, { key: apiKey });
  t.match(await socket.ask({ op: 'subscribe', id: 1, topic: 'map' }), { op: 'error', problem: { code: 'forbidden' } });
  await socket.ask({ op: 'hello', id: 2, key: 'only-for-watching' });
  t.match(await socket.ask({ op: 'subscribe', id: 3, topic: 'map' }), { op: 'subscribed', topic: 'map', lastSeq: 1 });
  t.match(await socket.ask({ op: 'subscribe', id: 4, topic: 'map' }), { problem: { code: 'invalid_request' } });
  t.match(await socket.ask({ op: 'unsubscribe', id: 5, topic: 'map' }), { op: 'unsubscribed', topic: 'map' });
  socket.close();
});

t.test('a frame comes once what it shows is durable', async (t) => {
  const serving = await beginHeld(t, { server });
  const one = await viewer(serving);
  const { client, log } = serving;
  log.hold();
  const joining = client.request('POST', '/api/game/player', { body: { name: 'ada', isBot: true } });
  await until(() => log.isWaiting);
  const framesMade = 'map_frames_made_total{kind="shared"}';
  await Scrape.until(client, (scrape) => scrape.value(framesMade) === 1);
  await one.socket.ask({ op: 'ping', id: 7 });
  t.notOk(
    one.socket.frames.some(({ op }) => op === 'frame'),
    'it is made, and waits',
  );
  log.release();
  await joining;
  t.match(await one.model.next(one.socket), { owners: [[1, 0, 1, 1]], events: [{ type: 'player_joined' }] });
  one.socket.close();
});
