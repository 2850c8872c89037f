// A real server whose clock is paused, killed, started again, resumed, and given another speed: nothing is early or late by a millisecond,
// and its log replays to the same state, up to any moment.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { WorldClockBody } from '../../http/schemas/world.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { PlayerState } from '../support/process/bot-choices.js';
import type { Client } from '../support/process/client.js';
import { ADMIN_KEY, done, galaxyd as run, serveArgs, start, stateOf, statusOf } from '../support/process/operator.js';

/** At this speed the first upgrade of a mine takes four seconds. */
const SPEED = '60';
const PAUSE_MS = 1_500;

interface EventsBody {
  readonly events: readonly { readonly type: string; readonly at: string }[];
}

async function changed<T>(client: Client, path: string, body: object = {}): Promise<T> {
  const reply = await client.post<T>(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

t.test('a paused world keeps every promise, through a kill, a restore and another speed', async (t) => {
  const world = join(await temporaryFolder(t), 'world');
  const args = serveArgs(world, '--admin-key', ADMIN_KEY, '--keep-history', '--min-free-mib', '0');
  const first = await start(t, { args: [...args, '--speed', SPEED] });
  const ada = await changed<PlayerState>(first.client, '/api/game/player', { name: 'ada', isBot: true });
  const planetId = ada.planets[0]?.id ?? '';
  const upgrade = { planetId, buildingType: 'iron_mine' };
  const { nextTimerAt } = await changed<{ nextTimerAt: string }>(first.client, '/api/building/upgrade', upgrade);
  const paused = await changed<WorldClockBody>(first.client, '/api/admin/clock/pause');
  const before = await stateOf(first.client);
  await first.galaxyd.kill();
  await delay(PAUSE_MS);

  const { client, galaxyd } = await start(t, { args });
  t.match(await statusOf(client), { pausedAt: paused.pausedAt, worldTime: paused.worldTime }, 'still paused');
  t.same(await stateOf(client), before);
  t.equal((await client.post('/api/game/player', { name: 'bob', isBot: true })).status, 503);
  const resumed = await changed<WorldClockBody>(client, '/api/admin/clock/resume');
  t.equal(resumed.worldTime, paused.worldTime, 'it goes on from there');
  t.ok(resumed.lagMs >= PAUSE_MS);
  const events = async () => (await client.get<EventsBody>(`/api/event/player/${ada.id}?since=0&wait=10`)).body.events;
  let completed: string | undefined;
  while (completed === undefined) {
    completed = (await events()).find(({ type }) => type === 'building_completed')?.at;
    await delay(50);
  }
  t.equal(completed, nextTimerAt, 'at the promised instant, to the millisecond');

  await changed(client, '/api/admin/clock/speed', { speed: 120 });
  const second = await changed<{ nextTimerAt: string }>(client, '/api/building/upgrade', upgrade);
  const { worldTime, seq } = await statusOf(client);
  const leftMs = Date.parse(second.nextTimerAt) - Date.parse(worldTime);
  t.ok(leftMs > 3_500 && leftMs <= 4_500, `nine minutes at speed 120, ${leftMs} ms left`);
  await galaxyd.stop();

  done(t, await run(t, 'verify', '--data', world));
  const earlier = join(await temporaryFolder(t), 'earlier');
  done(t, await run(t, 'restore', '--data', world, '--to', earlier, '--until-seq', String(before.seq)));
  const back = await start(t, { args: serveArgs(earlier, '--admin-key', ADMIN_KEY, '--min-free-mib', '0') });
  t.match(await statusOf(back.client), { speed: 60, pausedAt: paused.pausedAt, worldTime: paused.worldTime });
  const forked = join(await temporaryFolder(t), 'forked');
  done(t, await run(t, 'fork', '--data', world, '--to', forked));
  const fork = await start(t, { args: serveArgs(forked, '--admin-key', ADMIN_KEY, '--min-free-mib', '0') });
  t.match(await statusOf(fork.client), { speed: 120, pausedAt: null });
  t.ok((await statusOf(fork.client)).seq > seq);
});

t.test('--on-downtime says whether a world makes up for the time in which it was down', async (t) => {
  const world = join(await temporaryFolder(t), 'world');
  const args = serveArgs(world, '--admin-key', ADMIN_KEY, '--min-free-mib', '0');
  const pauses = [...args, '--on-downtime', 'pause'];
  const downFor = async (end: () => Promise<unknown>): Promise<number> => {
    await end();
    const { lastMs } = await lastEntryOf(t, world);
    await delay(PAUSE_MS);
    return lastMs;
  };
  const first = await start(t, { args: [...pauses, '--speed', SPEED] });
  const ada = await changed<PlayerState>(first.client, '/api/game/player', { name: 'ada', isBot: true });
  const upgrade = { planetId: ada.planets[0]?.id ?? '', buildingType: 'iron_mine' };
  const { nextTimerAt } = await changed<{ nextTimerAt: string }>(first.client, '/api/building/upgrade', upgrade);
  const { worldTime } = await statusOf(first.client);
  const stoppedMs = await downFor(() => first.galaxyd.stop());
  t.ok(stoppedMs >= Date.parse(worldTime), 'the log has the instant of the stop');

  const second = await start(t, { args: pauses });
  const afterStopMs = Date.parse((await statusOf(second.client)).worldTime);
  t.ok(afterStopMs >= stoppedMs, 'it went on from there');
  t.ok((await clockOf(second.client)).lagMs >= PAUSE_MS);
  const killedMs = await downFor(() => second.galaxyd.kill());

  const third = await start(t, { args: pauses });
  const { lagMs } = await clockOf(third.client);
  t.ok(lagMs >= 2 * PAUSE_MS, 'the same after a kill');
  t.ok(Date.parse((await statusOf(third.client)).worldTime) >= killedMs);
  const { body } = await third.client.get<EventsBody>(`/api/event/player/${ada.id}?since=0&wait=20`);
  const find = ({ events }: EventsBody) => events.find(({ type }) => type === 'building_completed')?.at;
  let completed = find(body);
  while (completed === undefined) {
    await delay(50);
    completed = find((await third.client.get<EventsBody>(`/api/event/player/${ada.id}?since=0`)).body);
  }
  t.equal(completed, nextTimerAt, 'at the promised instant, to the millisecond');
  const beforeMs = Date.parse((await statusOf(third.client)).worldTime);
  await downFor(() => third.galaxyd.stop());

  const fourth = await start(t, { args });
  t.equal((await clockOf(fourth.client)).lagMs, lagMs, 'by default nothing more is skipped');
  const passedMs = Date.parse((await statusOf(fourth.client)).worldTime) - beforeMs;
  t.ok(passedMs >= PAUSE_MS, `${passedMs} ms were made up for`);
});

/** World time of the last entry in the log of a world that nobody serves. */
async function lastEntryOf(t: Test, world: string): Promise<{ readonly lastMs: number }> {
  const verified = JSON.parse(done(t, await run(t, 'verify', '--data', world, '--json'))) as { worldTime: string };
  return { lastMs: Date.parse(verified.worldTime) };
}

/** Where the clock stands; asking changes nothing. */
async function clockOf(client: Client): Promise<WorldClockBody> {
  const { pausedAt } = await statusOf(client);
  return await changed<WorldClockBody>(client, `/api/admin/clock/${pausedAt === null ? 'resume' : 'pause'}`);
}
