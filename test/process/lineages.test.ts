// Readers who are ahead of a restored world: whatever a client has kept of a past that is lost, the world says that it is not known, also
// once as much has happened in its own past. A reader that has nothing of the lost past reads on.
import { join } from 'node:path';
import { EventsExpired, GalaxydClient, type GameEvent } from 'galaxyd-client';
import t, { type Test } from 'tap';
import type { Origin } from '../../persistence/stores/origin.js';
import { hasPrograms, PYTHON_ENVIRONMENT, run } from '../clients/programs.js';
import { McpHost } from '../mcp/mcp-host.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { startPostgres } from '../support/postgres/postgres.js';
import '../support/ended-fetch.js';
import type { Client } from '../support/process/client.js';
import { CONNECTION_KINDS, connect } from '../support/process/event-connections.js';
import { ADMIN_KEY, done, galaxyd, serveArgs, start, statusOf } from '../support/process/operator.js';

const ADA = 'player-1';
/** Events of Ada, and of topic `world`, that both worlds have, and that clients have of the lost past. */
const SHARED = 3;
const LOST = 5;
const SHARED_IN_WORLD = 2;
const LOST_IN_WORLD = 4;
const MANUAL = ['--clock', 'manual', '--min-free-mib', '0', '--admin-key', ADMIN_KEY];

interface Player {
  readonly id: string;
  readonly planets: readonly [{ readonly id: string }];
}

/** A world with a past that is about to be lost. */
interface Lost {
  readonly folder: string;
  /** The last entry that is kept. */
  readonly seq: number;
  /** A seq of entries, not of events. */
  readonly lostSeq: number;
  readonly planetId: string;
  readonly queueId: string;
  readonly playerId: string;
}

async function newcomer(client: Client, name: string): Promise<Player> {
  const { status, body } = await client.post<Player>('/api/game/player', { name, isBot: true });
  if (status !== 201) throw new Error(`${name} was not created: ${status}`);
  return body;
}

/** Two events of Ada: an upgrade that begins and is cancelled. @returns the id of the upgrade */
async function upgradeAndCancel(client: Client, planetId: string): Promise<string> {
  const { body } = await client.post<{ buildings: { constructionQueue: { queueId: string }[] }[] }>(
    '/api/building/upgrade',
    { planetId, buildingType: 'iron_mine' },
  );
  const queueId = body.buildings.flatMap(({ constructionQueue }) => constructionQueue)[0]?.queueId ?? '';
  const { status } = await client.post('/api/building/cancel', { planetId, queueId });
  if (status !== 200) throw new Error(`${queueId} was not cancelled: ${status}`);
  return queueId;
}

async function lostPast(t: Test): Promise<Lost> {
  const folder = join(await temporaryFolder(t), 'world');
  const { galaxyd: server, client } = await start(t, { args: serveArgs(folder, ...MANUAL) });
  const { planets } = await newcomer(client, 'ada');
  await newcomer(client, 'bob');
  const planetId = planets[0].id;
  await upgradeAndCancel(client, planetId);
  const { seq } = await statusOf(client);
  const queueId = await upgradeAndCancel(client, planetId);
  const { id: playerId } = await newcomer(client, 'lost');
  await newcomer(client, 'lost-too');
  const { seq: lostSeq } = await statusOf(client);
  await server.stop();
  return { folder, seq, lostSeq, planetId, queueId, playerId };
}

/** Causes as many events as were lost, and more. */
async function goOn(client: Client, planetId: string): Promise<void> {
  for (let count = 0; count < 2; count += 1) await upgradeAndCancel(client, planetId);
  for (const name of ['new-1', 'new-2', 'new-3']) await newcomer(client, name);
}

async function restored(t: Test, { folder, seq }: Lost, to: string): Promise<Origin> {
  const args = ['restore', '--data', folder, '--to', to, '--until-seq', String(seq), '--json'];
  return JSON.parse(done(t, await galaxyd(t, ...args)));
}

/** Every way to read tells a reader with this seq that it must begin anew. */
async function refusedEverywhere(t: Test, url: string, base: number): Promise<void> {
  for (const [receiver, since, shared] of [
    [ADA, LOST, SHARED],
    ['world', LOST_IN_WORLD, SHARED_IN_WORLD],
  ] as const) {
    for (const kind of CONNECTION_KINDS) {
      const arrived: number[] = [];
      const refused = await connect(kind, { url, receiver, since, arrived: ({ seq }) => void arrived.push(seq) }).ended;
      t.same([refused.code, arrived], ['events_expired', []], `${kind} of ${receiver}, ahead`);
      const first = await new Promise<number>((resolve) => {
        const reading = connect(kind, {
          url,
          receiver,
          since: shared,
          arrived: ({ seq }) => {
            resolve(seq);
            reading.close();
          },
        });
      });
      t.equal(first, base + shared + 1, `${kind} of ${receiver}, not ahead`);
    }
  }
  const path = `${url}/api/event/player/${ADA}/stream`;
  const { status } = await fetch(path, { headers: { 'last-event-id': String(LOST) } });
  t.equal(status, 410, 'Last-Event-ID');
}

t.test('clients that keep something of a past that was lost', async (t) => {
  const lost = await lostPast(t);
  const to = join(await temporaryFolder(t), 'earlier');
  const { base } = await restored(t, lost, to);
  const { galaxyd: server, client } = await start(t, { args: serveArgs(to, ...MANUAL) });
  const { url } = server;
  const before = await client.get(`/api/event/player/${ADA}?since=${LOST}`);
  t.match(
    before,
    { status: 410, body: { code: 'events_expired', oldestSeq: base + 1 } },
    'before anything has happened',
  );
  // The client has one connection.
  const waiting = fetch(`${url}/api/event/player/${ADA}?since=${SHARED}&wait=30`);
  await goOn(client, lost.planetId);
  const { events } = (await (await waiting).json()) as { readonly events: readonly GameEvent[] };
  t.equal(events[0]?.seq, base + SHARED + 1, 'one who is not ahead waits');

  await t.test('are refused on each way to read', (t) => refusedEverywhere(t, url, base));

  await t.test('read the past that there is', async (t) => {
    const { body } = await client.get<{ events: GameEvent[]; lastSeq: number }>(`/api/event/player/${ADA}?since=0`);
    t.same(
      body.events.map(({ seq }) => seq),
      [1, 2, 3, 4, 5, 6, 7].map((n) => base + n),
      'without a gap',
    );
    const state = await client.get<{ lastEventSeq: number }>(`/api/game/state/${ADA}`);
    t.same([state.body.lastEventSeq, body.lastSeq], [base + 7, base + 7]);
  });

  await t.test('resync in TypeScript', async (t) => {
    const galaxyd = new GalaxydClient({ baseUrl: url });
    await t.rejects(galaxyd.events(ADA, { since: LOST }).next(), EventsExpired);
    const items = galaxyd.events(ADA, { since: LOST, resync: true });
    t.match((await items.next()).value, { type: 'resync', seq: base + 7 });
    await items.return?.();
    const onward = galaxyd.events(ADA, { since: SHARED });
    t.match((await onward.next()).value, { seq: base + SHARED + 1 });
    await onward.return?.();
    const world = galaxyd.worldEvents({ since: LOST_IN_WORLD, resync: true });
    t.match((await world.next()).value, { type: 'resync', seq: base });
    await world.return?.();
    const frames = galaxyd.mapFrames({ since: LOST_IN_WORLD });
    await t.rejects(frames.next(), EventsExpired, 'so does the map');
    const { body: map } = await galaxyd.get('/api/map');
    t.equal(map.feedSeq, base + SHARED_IN_WORLD + 3);
  });

  await t.test('resync in Python', async (t) => {
    if (!hasPrograms(t, 'python3')) return;
    const program = `
from galaxyd import Client, GalaxydError
with Client("${url}") as galaxyd:
    try:
        next(galaxyd.events("${ADA}", ${LOST}))
    except GalaxydError as error:
        print(error.code)
    print(next(galaxyd.events("${ADA}", ${SHARED}))["seq"])
`;
    t.equal(
      await run('python3', ['-c', program], { environment: PYTHON_ENVIRONMENT }),
      `events_expired\n${base + SHARED + 1}\n`,
    );
  });

  await t.test('are reported by the tool of language models', async (t) => {
    const host = await McpHost.start(t, { url, playerId: ADA });
    const ahead = await host.call('wait', { seconds: 1, since: LOST });
    t.match(ahead, { isError: true, text: /events_expired/ });
    t.match(await host.call('wait', { seconds: 1, since: SHARED }), { isError: false, text: /Something has happened/ });
  });

  await t.test('name what nobody else has', async (t) => {
    const { planetId, queueId, playerId } = lost;
    const upgrade = await client.post('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
    t.equal(upgrade.status, 200);
    t.match(upgrade.body, { buildings: [{}, { constructionQueue: [{ queueId: `queue-${base + 3}` }] }] });
    t.equal((await client.post('/api/building/cancel', { planetId, queueId })).status, 404, queueId);
    t.equal((await client.get(`/api/game/state/${playerId}`)).status, 404, playerId);
    const { body } = await client.get<{ players: { id: string }[] }>('/api/leaderboard');
    const ids = body.players.map(({ id }) => id).sort();
    t.same(ids, ['player-1', 'player-2', ...[3, 4, 5].map((number) => `player-${base + number}`)].sort());
    for (const id of ids) t.equal((await client.get(`/api/game/state/${id}`)).status, 200, id);
  });
  const { seq } = await statusOf(client);
  await server.stop();

  await t.test('a link into the lost past leads nowhere in a replay', async (t) => {
    const { galaxyd: replay, client } = await start(t, { args: ['replay', to, '--port', '0'] });
    const beyond = await client.post('/api/replay', { seq: lost.lostSeq });
    t.match(beyond, { status: 400, body: { code: 'invalid_request' } });
    t.match(await client.post('/api/replay', { seq }), { status: 200, body: { seq } });
    await replay.stop();
  });

  await t.test('a fork of the world that was lost has a past of its own, too', async (t) => {
    const place = await temporaryFolder(t);
    const forks = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const ending = await galaxyd(t, 'fork', '--data', lost.folder, '--to', join(place, name), '--json');
        return JSON.parse(done(t, ending)) as Origin;
      }),
    );
    const [one, two] = forks.map((fork) => fork.base);
    t.not(one, two);
    const { client } = await start(t, { args: serveArgs(join(place, 'one'), ...MANUAL) });
    const statusAt = async (since: number) => (await client.get(`/api/event/player/${ADA}?since=${since}`)).status;
    t.same(await Promise.all([LOST, LOST + 1].map(statusAt)), [200, 410], 'its past is that of the world');
    t.equal(await statusAt((two ?? 0) + LOST + 1), 410, 'that of the other fork is not');
    t.equal(await statusAt(base + LOST), 410, 'nor that of the restored world');
  });
});

const postgres = await startPostgres(t);
if (postgres !== null)
  t.test('leader and standby of a restored world in PostgreSQL tell the same', async (t) => {
    const lost = await lostPast(t);
    const { base } = await restored(t, lost, postgres.url('earlier'));
    // Its past was played with a clock that stood at the year 2000.
    const args = serveArgs(postgres.url('earlier'), '--admin-key', ADMIN_KEY, '--max-clock-jump-days', '36600');
    const leader = await start(t, { args });
    const standby = await start(t, { args });
    await goOn(leader.client, lost.planetId);
    const { seq } = await statusOf(leader.client);
    const seen = await standby.client.get(`/api/game/state/${ADA}`, { 'x-min-seq': String(seq) });
    t.equal(seen.status, 200);
    for (const { galaxyd: server } of [leader, standby]) await refusedEverywhere(t, server.url, base);
    const early = await standby.client.get(`/api/game/state/${ADA}`, { 'x-min-seq': String(lost.lostSeq) });
    t.equal(early.status, 200, 'the seq of a lost past is below all that follow: nobody waits for it');
  });
