// The TypeScript client at a real server: it reads events and sends calls over a WebSocket, also through a proxy that breaks connections
// at random bytes.
import { build } from 'esbuild';
import { EventsExpired, GalaxydClient, type GameEvent, operation } from 'galaxyd-client';
import t from 'tap';
import { playEveryEvent } from '../../http/support/every-event.js';
import { MapModel } from '../../http/support/map-model.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { shortOrLong } from '../../support/process/lengths.js';
import { root } from '../../tidy/repository.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { beginWithClient } from '../support/serving-client.js';

/** Upgrades that are started and cancelled, in the test with broken connections. */
const ROUNDS = shortOrLong(8, 500);

/** A connection of that test breaks after this many bytes at most. */
const CUT_BYTES_MAX = 5_000;

const construct = (planetId: string) =>
  operation.post('/api/building/upgrade', { body: { planetId, buildingType: 'iron_mine' } });
const cancel = (planetId: string, queueId: string) =>
  operation.post('/api/building/cancel', { body: { planetId, queueId } });

/** All events of a player as the server has them. */
async function kept(galaxyd: GalaxydClient, playerId: string): Promise<GameEvent[]> {
  const events: GameEvent[] = [];
  for (;;) {
    const params = { path: { playerId }, query: { since: events.length } };
    const { body } = await galaxyd.get('/api/event/player/{playerId}', { params });
    events.push(...body.events);
    if (events.length === body.lastSeq) return events;
  }
}

async function read<Item>(reader: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of reader) if (items.push(item) === count) break;
  return items;
}

t.test('through broken connections every call takes effect once, and every event comes once', async (t) => {
  const draws = new Draws(drawSeed(t));
  const { galaxyd, port, play } = await beginWithClient(t);
  const { playerId, planetId } = await play.rich('ada');
  const proxy = await FaultProxy.start(t, port);
  proxy.cutConnections(() => draws.between(1, CUT_BYTES_MAX));
  const shaky = new GalaxydClient({ baseUrl: proxy.url });
  const before = await kept(galaxyd, playerId);
  const reading = read(shaky.events(playerId, { since: 0 }), before.length + 2 * ROUNDS);
  const world = read(shaky.worldEvents({ since: 0 }), 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = await shaky.socket.call(construct(planetId));
    const [queueId = ''] = started.ok ? (started.body?.buildings.flatMap(queueIds) ?? []) : [];
    const cancelled = await shaky.socket.call(cancel(planetId, queueId));
    if (!cancelled.ok) t.fail(`round ${round}: ${JSON.stringify([started, cancelled])}`);
  }
  const received = await reading;
  const all = await kept(galaxyd, playerId);
  t.same(received, all, 'the sequence is that of the server');
  t.equal(all.length, before.length + 2 * ROUNDS, 'nothing was started twice');
  t.match(await world, [{ seq: 1, type: 'player_joined', playerId }]);
  // The replies of the rounds alone are longer than two connections can be.
  t.ok(proxy.connectionCount > 2, `${proxy.connectionCount} connections`);
});

t.test('through broken connections the frames of the map lead to the present', async (t) => {
  const draws = new Draws(drawSeed(t));
  const serving = await beginWithClient(t, {}, { server: { mapFrameMs: 1 } });
  const { galaxyd, client, port } = serving;
  const proxy = await FaultProxy.start(t, port);
  proxy.cutConnections(() => draws.between(1, 20_000));
  const shaky = new GalaxydClient({ baseUrl: proxy.url });
  const model = await MapModel.of(client);
  const story = playEveryEvent(serving, false).then(() => true);
  let isOver = false;
  for await (const frame of shaky.mapFrames({ since: model.position })) {
    model.apply(frame);
    isOver ||= frame.events.some(({ type }) => type === 'speed_changed');
    if (isOver) break;
  }
  t.ok(await story);
  const now = await MapModel.of(client);
  t.equal(model.position, now.position);
  t.strictSame(model.picture, now.picture);
  await t.rejects(read(galaxyd.mapFrames({ since: now.position + 1 }), 1), EventsExpired);
});

const queueIds = ({ constructionQueue }: { constructionQueue: { queueId: string }[] }): string[] =>
  constructionQueue.map(({ queueId }) => queueId);

t.test('many calls at once are all answered, each with its own reply', async (t) => {
  const { galaxyd, play } = await beginWithClient(
    t,
    {},
    { server: { rateLimits: { perSecond: 10_000, burst: 10_000 } } },
  );
  const players = [await play.newcomer('ada'), await play.newcomer('bea')];
  const results = await Promise.all(
    Array.from({ length: 900 }, (_, index) => {
      const playerId = players[index % 2]?.id ?? '';
      return galaxyd.socket.call(operation.get('/api/game/state/{playerId}', { params: { path: { playerId } } }));
    }),
  );
  t.ok(results.every((result, index) => result.ok && result.body?.id === players[index % 2]?.id));
});

t.test('a reader begins after the event that a state names; expired events are an error or a new state', async (t) => {
  const { galaxyd, play } = await beginWithClient(t);
  const { playerId, planetId } = await play.rich('ada');
  const { body: state } = await galaxyd.get('/api/game/state/{playerId}', { params: { path: { playerId } } });
  await play.grant(planetId, { iron: 1 });
  const [granted] = await read(galaxyd.events(playerId, { since: state.lastEventSeq }), 1);
  t.match(granted, { seq: state.lastEventSeq + 1, type: 'resources_granted', data: { planetId } });

  await t.rejects(read(galaxyd.events(playerId, { since: 1_000 }), 1), { name: 'EventsExpired', oldestSeq: 1 });
  const resyncing = galaxyd.events(playerId, { since: 1_000, resync: true })[Symbol.asyncIterator]();
  const { value: resync } = await resyncing.next();
  t.match(resync, { type: 'resync', seq: granted?.seq, state: { id: playerId } });
  await play.grant(planetId, { iron: 1 });
  t.match((await resyncing.next()).value, { seq: (granted?.seq ?? 0) + 1 });
  await resyncing.return?.();
  await t.rejects(galaxyd.events('player-99').next(), { name: 'GalaxydProblem', code: 'player_not_found' });
});

t.test('with keys a client reads its own player and the world, and nothing else', async (t) => {
  const { url, client } = await beginWithClient(t, {}, { auth: 'key' });
  const create = (name: string) =>
    client.command<{ id: string; apiKey: string }>('/api/game/player', { name, isBot: true }, 201);
  const [ada, bea] = [await create('ada'), await create('bea')];
  const galaxyd = new GalaxydClient({ baseUrl: url, apiKey: ada.apiKey });
  t.match(await read(galaxyd.events(ada.id, { since: 0 }), 1), [{ type: 'player_created', playerId: ada.id }]);
  t.match(await read(galaxyd.worldEvents({ since: 0 }), 2), [{ playerId: ada.id }, { playerId: bea.id }]);
  await t.rejects(galaxyd.events(bea.id).next(), { name: 'GalaxydProblem', code: 'not_owner' });
  const stranger = new GalaxydClient({ baseUrl: url, apiKey: 'nobodys-key' });
  await t.rejects(stranger.events(ada.id).next(), { name: 'GalaxydProblem', code: 'unauthenticated' });
});

t.test('a bundle for browsers does not contain the WebSocket of Node', async (t) => {
  const bundle = async (platform: 'browser' | 'node'): Promise<string[]> => {
    const { metafile } = await build({
      stdin: { contents: "export { GalaxydClient } from 'galaxyd-client';", resolveDir: root },
      bundle: true,
      format: 'esm',
      platform,
      metafile: true,
      write: false,
    });
    return Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/ws/'));
  };
  t.same(await bundle('browser'), []);
  t.ok((await bundle('node')).length > 0);
});
