// A machine whose clock jumps by hours, forward and back, while a real server runs and while it does not: the world's
// time only moves forward, and nothing is lost.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client } from '../support/process/client.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { ADMIN_KEY, serveArgs, statusOf } from '../support/process/operator.js';
import { Past } from '../support/process/past.js';
import { replayLog } from '../support/process/replayed-log.js';
import { Swarm } from '../support/process/swarm.js';

const HOUR_MS = 3_600_000;
/** Longer than any step of this test, and shorter than any jump. */
const STEP_MS_MAX = HOUR_MS / 2;
const BOTS = 8;

t.test('the clock jumps, and the world does not', async (t) => {
  const seed = drawSeed(t);
  const folder = join(await temporaryFolder(t), 'world');
  const shift = join(await temporaryFolder(t), 'shift');
  const ledger = new DeedLedger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, new Draws(seed), BOTS, ADMIN_KEY);
  const preload = new URL('../support/process/jumping-clock.js', import.meta.url);
  const by = ['env', `NODE_OPTIONS=--import=${preload}`, `CLOCK_SHIFT=${shift}`];
  const args = serveArgs(folder, '--admin-key', ADMIN_KEY, '--speed', '20000');
  const jumpTo = async (hours: number): Promise<void> => {
    await writeFile(`${shift}.new`, String(hours * HOUR_MS));
    await rename(`${shift}.new`, shift);
  };
  let lastMs = 0;
  const worldMs = async (client: Client): Promise<number> => Date.parse((await statusOf(client)).worldTime);

  /** Starts a server, lets the clock jump to each position while bots play, and kills it. */
  const live = async (startHours: number, jumps: readonly number[]): Promise<number> => {
    await jumpTo(startHours);
    const galaxyd = await GalaxydProcess.start(t, { args, by });
    const client = new Client(galaxyd.url, ADMIN_KEY);
    await past.askForHash(client);
    const startMs = await worldMs(client);
    t.ok(startMs >= lastMs, 'the world continues where it was, or later');
    lastMs = startMs;
    swarm.begin(galaxyd.url);
    for (const hours of jumps) {
      await jumpTo(hours);
      swarm.isResting = false;
      await swarm.acknowledged(20);
      swarm.isResting = true;
      t.equal((await client.post('/api/admin/snapshot', {})).status, 201);
      const nowMs = await worldMs(client);
      t.ok(nowMs >= lastMs && nowMs - lastMs < STEP_MS_MAX, `to ${hours} h: ${nowMs - lastMs} ms have passed`);
      lastMs = nowMs;
      await past.gather(folder);
    }
    client.close();
    await galaxyd.kill();
    await swarm.settled();
    t.same((await past.compare(folder)).faults, []);
    // Time that only reads have shown is not in the log: after a crash the world may show it once more.
    lastMs = past.lastEntryMs;
    return startMs;
  };

  await live(0, shortOrLong([5], [0, 5, -7, 0]));
  const lastEntryMs = lastMs;
  const restartMs = await live(-7, shortOrLong([3], [-7, 3]));
  t.ok(restartMs - lastEntryMs < STEP_MS_MAX, 'with the clock set back, it goes on from its last entry');
  const forwardMs = Date.now() + 6 * HOUR_MS;
  t.ok((await live(6, [-20])) >= forwardMs, 'with the clock set forward, the world catches up');
  t.ok((await live(0, [0])) >= forwardMs, 'and never goes back');
});

t.test('across a jump, timers fire in order and not before they are due', async (t) => {
  const folder = join(await temporaryFolder(t), 'world');
  const shift = join(await temporaryFolder(t), 'shift');
  const preload = new URL('../support/process/jumping-clock.js', import.meta.url);
  const by = ['env', `NODE_OPTIONS=--import=${preload}`, `CLOCK_SHIFT=${shift}`];
  await writeFile(shift, '0');
  const galaxyd = await GalaxydProcess.start(t, { args: serveArgs(folder, '--admin-key', ADMIN_KEY), by });
  const client = new Client(galaxyd.url, ADMIN_KEY);
  const { body } = await client.post<{ planets: { id: string }[] }>('/api/game/player', { name: 'ada', isBot: true });
  const planetId = body.planets[0]?.id ?? '';
  t.equal((await client.post('/api/building/upgrade', { planetId, buildingType: 'iron_mine' })).status, 200);
  const { nextTimerAt } = await statusOf(client);
  await writeFile(shift, String(30 * HOUR_MS));
  t.equal((await statusOf(client)).nextTimerAt, nextTimerAt, 'a duration does not get shorter');
  client.close();
  await galaxyd.kill();
  await writeFile(shift, String(-HOUR_MS));
  const behind = await GalaxydProcess.start(t, { args: serveArgs(folder, '--admin-key', ADMIN_KEY), by });
  const other = new Client(behind.url, ADMIN_KEY);
  t.equal((await statusOf(other)).nextTimerAt, nextTimerAt);
  other.close();
  await behind.kill();
  await writeFile(shift, String(HOUR_MS));
  const ahead = await GalaxydProcess.start(t, { args: serveArgs(folder, '--admin-key', ADMIN_KEY), by });
  const last = new Client(ahead.url, ADMIN_KEY);
  t.equal((await statusOf(last)).nextTimerAt, null, 'it fell due meanwhile, and has fired');
  last.close();
  await ahead.kill();
  const instants: number[] = [];
  await replayLog(folder, { visit: ({ atMs }) => instants.push(atMs) });
  t.same(
    instants,
    instants.toSorted((a, b) => a - b),
  );
});
