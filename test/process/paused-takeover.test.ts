// The long story of a pause, with real processes on one PostgreSQL: a world is paused, its speed doubled, its leader killed; an hour passes
// on the clock of the machine before a standby takes over; the world is resumed, verified, shown as it was, restored to before the pause
// and forked. Both clients and their streams go on through all of it.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GalaxydClient, type GameEvent } from 'galaxyd-client';
import t, { type Test } from 'tap';
import { hasPrograms, PYTHON_ENVIRONMENT, run as runProgram } from '../clients/programs.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import '../support/ended-fetch.js';
import { startPostgres } from '../support/postgres/postgres.js';
import { Client } from '../support/process/client.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, done, galaxyd as run, serveArgs, start, stateOf, statusOf } from '../support/process/operator.js';

const HOUR_MS = 3_600_000;
/** At this speed the first upgrade of a mine takes four seconds. */
const SPEED = '60';
/** Long enough for the clock to jump between the death of the leader and the claim of its successor. */
const LEASE_MS = '3000';

/** Creates a player, which waits while the world is paused, and prints the public events until it is resumed. */
const PYTHON = `
import json, sys, threading
from galaxyd import Client
from galaxyd.operations import create_player

client = Client(sys.argv[1].split(","))

def follow():
    for event in client.world_events(0):
        print(json.dumps(event), flush=True)
        if event["type"] == "clock_resumed":
            return

following = threading.Thread(target=follow)
following.start()
client.call(create_player(name="from python", is_bot=True))
following.join()
`;

t.test('a standby takes over a paused world, and nothing is early or late', async (t) => {
  const postgres = await startPostgres(t);
  if (postgres === null) return;
  const shift = join(await temporaryFolder(t), 'shift');
  const jumpTo = async (ms: number): Promise<void> => {
    await writeFile(`${shift}.new`, String(ms));
    await rename(`${shift}.new`, shift);
  };
  await jumpTo(0);
  const preload = new URL('../support/process/jumping-clock.js', import.meta.url);
  const by = ['env', `NODE_OPTIONS=--import=${preload}`, `CLOCK_SHIFT=${shift}`];
  const args = [...['serve', '--port', '0', '--speed', SPEED, '--lease-ms', LEASE_MS], '--admin-key', ADMIN_KEY];
  const env = { GALAXYD_DATA: postgres.url() };
  const processes: GalaxydProcess[] = [];
  for (let count = 0; count < 3; count += 1) processes.push(await GalaxydProcess.start(t, { args, env, by }));
  const urls = processes.map(({ url }) => url) as [string, ...string[]];
  const [leader, ...others] = processes as [GalaxydProcess, ...GalaxydProcess[]];
  const galaxyd = new GalaxydClient({ baseUrl: urls });
  const operator = new GalaxydClient({ baseUrl: urls, apiKey: ADMIN_KEY });
  t.equal(await leaderOf(urls), leader.url, 'the first one leads');

  const { body: ada } = await galaxyd.post('/api/game/player', { body: { name: 'ada', isBot: true } });
  const planetId = ada.planets[0]?.id ?? '';
  const { body: planet } = await galaxyd.post('/api/building/upgrade', {
    body: { planetId, buildingType: 'iron_mine' },
  });
  const before = await stateAt(t, leader.url);
  const { body: paused } = await operator.post('/api/admin/clock/pause', {});
  await operator.post('/api/admin/clock/speed', { body: { speed: 120 } });
  const during = await stateAt(t, leader.url);
  const ended = new AbortController();
  t.teardown(() => ended.abort());
  const { signal } = ended;
  const world = collected(galaxyd.worldEvents({ since: 0, signal }), 'clock_resumed');
  const own = collected(galaxyd.events(ada.id, { since: 0, signal }), 'building_completed');
  const inPause = galaxyd.post('/api/game/player', { body: { name: 'from typescript', isBot: true }, signal });
  const python = hasPrograms(t, 'python3')
    ? runProgram('python3', ['-c', PYTHON, urls.join(',')], { environment: PYTHON_ENVIRONMENT })
    : null;

  // If one fails, its own check says so.
  void Promise.allSettled([world, own, inPause, python]);

  await leader.kill();
  await jumpTo(HOUR_MS);
  const left = others.map(({ url }) => url);
  const successor = await leaderOf(left);
  t.not(successor, leader.url);
  t.same(await stateAt(t, successor), during, 'the state is the same, to the hash');
  for (const url of left) {
    const client = new Client(url);
    t.match(await statusOf(client), { pausedAt: paused.pausedAt, worldTime: paused.worldTime, speed: 120 }, url);
    client.close();
  }
  const { body: resumed, worldTime } = await operator.post('/api/admin/clock/resume', {});
  t.equal(resumed.worldTime, paused.pausedAt, 'it goes on from there');
  t.ok(worldTime >= resumed.worldTime);
  t.ok(resumed.lagMs >= HOUR_MS, `an hour behind the machine: ${resumed.lagMs} ms`);

  t.equal((await inPause).status, 201, 'the command has waited');
  const completed = (await own).at(-1);
  t.equal(completed?.at, planet.nextTimerAt, 'at the promised instant, to the millisecond');
  const seen = await world;
  const story = ['player_joined', 'clock_paused', 'speed_changed', 'clock_resumed'];
  t.same(
    seen.filter(({ type }) => story.includes(type)).map(({ type }) => type),
    story,
  );
  t.same(
    seen.map(({ seq }) => seq),
    seen.map((_, index) => index + 1),
    'each once',
  );
  if (python !== null) {
    const events = (await python)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as GameEvent);
    t.same(events, seen, 'the same to the Python client');
  }
  const after = await stateAt(t, successor);
  for (const each of others) await each.stop();
  await tellTheSame(t, postgres.url(), { before, during, after }, paused.pausedAt ?? '');
});

interface StateAt {
  readonly seq: number;
  readonly hash: string;
}

/** A replay, a restore and a fork have the states that were served. */
async function tellTheSame(
  t: Test,
  url: string,
  { before, during, after }: Readonly<Record<'before' | 'during' | 'after', StateAt>>,
  pausedAt: string,
): Promise<void> {
  done(t, await run(t, 'verify', '--data', url));
  const serve = ['--admin-key', ADMIN_KEY, '--min-free-mib', '0'];
  for (const [state, at] of [
    [before, null],
    [during, pausedAt],
  ] as const) {
    const replay = ['replay', url, '--port', '0', '--admin-key', ADMIN_KEY, '--at', String(state.seq)];
    const { client, galaxyd } = await start(t, { args: replay });
    t.same(await stateOf(client), state, `the replay of seq ${state.seq}`);
    t.equal((await client.get<{ pausedAt: string | null }>('/api/status')).body.pausedAt, at);
    await galaxyd.stop();
  }
  const folder = await temporaryFolder(t);
  const [earlier, forked] = [join(folder, 'earlier'), join(folder, 'forked')];
  done(t, await run(t, 'restore', '--data', url, '--to', earlier, '--until-seq', String(before.seq)));
  done(t, await run(t, 'fork', '--data', url, '--to', forked));
  for (const [place, state, speed] of [
    [earlier, before, 60],
    [forked, after, 120],
  ] as const) {
    const { client, galaxyd } = await start(t, { args: serveArgs(place, ...serve) });
    t.match(
      await statusOf(client),
      { speed, pausedAt: null, origin: { seq: state.seq, stateHash: state.hash } },
      place,
    );
    await galaxyd.stop();
  }
}

async function stateAt(t: Test, url: string): Promise<StateAt> {
  const client = new Client(url, ADMIN_KEY);
  t.teardown(() => client.close());
  return await stateOf(client);
}

/** The process that leads, as soon as one does. */
async function leaderOf(urls: readonly string[]): Promise<string> {
  for (;;) {
    for (const url of urls) if ((await fetch(`${url}/readyz?role=leader`)).status === 200) return url;
    await delay(20);
  }
}

/** The events up to the first of a type. */
async function collected(events: AsyncIterable<GameEvent>, last: GameEvent['type']): Promise<GameEvent[]> {
  const all: GameEvent[] = [];
  for await (const event of events) {
    all.push(event);
    if (event.type === last) break;
  }
  return all;
}
