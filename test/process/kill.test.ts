// A real server under a swarm, killed with SIGKILL again and again: whoever was told that something happened is right.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { temporaryFolder } from '../persistence/temporary-folder.js';
import { Client } from '../support/process/client.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess, killWhileStarting } from '../support/process/galaxyd-process.js';
import { Ledger } from '../support/process/ledger.js';
import { Past } from '../support/process/past.js';
import { replayLog } from '../support/process/replayed-log.js';
import { Swarm } from '../support/process/swarm.js';

const KILLS = 20;
const KILLS_AT_START = 10;
/** By then it has got as far as serving, on most machines. */
const START_MS = 500;
const BOTS = 24;
const ADMIN_KEY = 'kill-test-key';
/** At this speed an upgrade takes milliseconds, so that timers fire all the time, while the process is down too. */
const SPEED = '20000';

t.test('killed at 20 random moments, the world keeps everything that it acknowledged or showed', async (t) => {
  const seed = drawSeed(t);
  const folder = await temporaryFolder(t);
  const draws = new Draws(seed);
  const ledger = new Ledger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, new Draws(seed + 1), BOTS, ADMIN_KEY);
  const args = ['serve', '--port', '0', '--data', folder, '--speed', SPEED, '--admin-key', ADMIN_KEY];

  const startServer = async (): Promise<GalaxydProcess> => {
    const galaxyd = await GalaxydProcess.start(t, { args });
    const client = new Client(galaxyd.url, ADMIN_KEY);
    const seq = await past.askForHash(client);
    client.close();
    t.ok(seq >= past.lastSeq, `it goes on at seq ${seq}, with all ${past.lastSeq} entries of the log`);
    t.equal(galaxyd.stderr, '', 'it starts without complaint');
    return galaxyd;
  };

  for (let kill = 1; kill <= KILLS; kill += 1) {
    const acknowledgements = draws.between(20, 200);
    const lateMs = draws.below(4);
    const galaxyd = await startServer();
    swarm.begin(galaxyd.url);
    await swarm.acknowledged(acknowledgements);
    if (lateMs > 0) await delay(lateMs);
    const { signal, stderr } = await galaxyd.kill();
    await swarm.settled();
    t.same({ signal, stderr }, { signal: 'SIGKILL', stderr: '' });
    t.same(
      (await past.compare(folder)).faults,
      [],
      `kill ${kill}, ${lateMs} ms after ${acknowledgements} acknowledgements`,
    );
  }

  const galaxyd = await startServer();
  swarm.begin(galaxyd.url);
  await swarm.acknowledged(100);
  swarm.end();
  await swarm.settled();
  const client = new Client(galaxyd.url, ADMIN_KEY);
  await past.askForHash(client);
  client.close();
  t.equal((await galaxyd.stop()).code, 0);
  t.same((await past.compare(folder)).faults, [], 'and after it was asked to stop');
  const { acknowledged, refused, unknown } = ledger.tally();
  t.comment(`${past.lastSeq} entries; ${acknowledged} acknowledged, ${refused} refused, ${unknown} without an answer`);
  t.ok(acknowledged > KILLS * 20, 'there was something to lose');
});

t.test('killed while it starts, with a world or before there is one, it starts the next time', async (t) => {
  const draws = new Draws(drawSeed(t));
  const folder = await temporaryFolder(t);
  const args = ['serve', '--port', '0', '--data', folder, '--seed', '9', '--admin-key', ADMIN_KEY];
  const createBots = async (namePrefix: string): Promise<void> => {
    const galaxyd = await GalaxydProcess.start(t, { args });
    const client = new Client(galaxyd.url, ADMIN_KEY);
    t.equal((await client.post('/api/admin/players', { count: 50, namePrefix })).status, 201);
    client.close();
    await galaxyd.kill();
  };
  for (const namePrefix of ['first', 'second']) {
    for (let kill = 1; kill <= KILLS_AT_START / 2; kill += 1) {
      const { stderr } = await killWhileStarting(t, { args }, draws.below(START_MS));
      t.equal(stderr, '');
    }
    await createBots(namePrefix);
  }
  const { engine } = await replayLog(folder);
  t.same([engine.world.settings.seed, engine.world.playerCount, engine.seq], [9, 100, 3]);
});
