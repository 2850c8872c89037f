// A real server under a swarm, and the processes beside it, killed with SIGKILL again and again: everything that
// clients were told is true afterwards. Here each kind of death comes once; `npm run kills` repeats it as often as
// requested.
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { Client } from '../support/process/client.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess, startAndKill } from '../support/process/galaxyd-process.js';
import { KillRun } from '../support/process/kill-run.js';
import { shortOrLong } from '../support/process/lengths.js';
import { serveArgs } from '../support/process/operator.js';
import { replayLog } from '../support/process/replayed-log.js';

const KILLS_AT_START = shortOrLong(2, 10);
const ADMIN_KEY = 'kill-test-key';

t.test('killed during any operation, the world keeps everything that it acknowledged or showed', async (t) => {
  const seed = drawSeed(t);
  const run = new KillRun({ owner: t, seed, folder: `${await temporaryFolder(t)}/world` });
  for (const [index, kind] of run.kinds().entries()) t.same(await run.kill(kind), [], `${index + 1}: ${kind}`);
  t.same(await run.finish(), [], 'and after a stop in order');
  const { figures } = run;
  t.comment(JSON.stringify(figures));
  t.ok(figures.acknowledged > 100, 'enough commands could have been lost');
  t.ok(figures.repeated > 0, 'and some could have taken effect twice');
});

t.test('killed during its start, with or without a world, it starts the next time', async (t) => {
  const draws = new Draws(drawSeed(t));
  const folder = await temporaryFolder(t);
  const args = ['serve', '--port', '0', '--data', folder, '--seed', '9', '--admin-key', ADMIN_KEY];
  const before = performance.now();
  await (await GalaxydProcess.start(t, { args: serveArgs(await temporaryFolder(t)) })).kill();
  const startMs = performance.now() - before;
  const createBots = async (namePrefix: string): Promise<void> => {
    const galaxyd = await GalaxydProcess.start(t, { args });
    const client = new Client(galaxyd.url, ADMIN_KEY);
    t.equal((await client.post('/api/admin/players', { count: 50, namePrefix })).status, 201);
    client.close();
    await galaxyd.kill();
  };
  for (const namePrefix of ['first', 'second']) {
    for (let kill = 1; kill <= KILLS_AT_START / 2; kill += 1) {
      const { stderr } = await startAndKill(t, { args }, draws.below(startMs));
      t.equal(stderr, '');
    }
    await createBots(namePrefix);
  }
  const { engine } = await replayLog(folder);
  t.same([engine.world.settings.seed, engine.world.playerCount, engine.seq], [9, 100, 3]);
});
