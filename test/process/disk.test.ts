// A disk that becomes nearly full while a server runs, and one that is really full: it ends the process before it sends a false reply.
// crash-table.test.ts has a disk that is nearly full at the start.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { Client } from '../support/process/client.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, createBot, serveArgs } from '../support/process/operator.js';
import { Past } from '../support/process/past.js';
import { SmallDisk } from '../support/process/small-disk.js';
import { Swarm } from '../support/process/swarm.js';

const BOTS = 8;
const MIB = 1024 * 1024;
t.test('on a small disk', async (t) => {
  const disk = await SmallDisk.make(t, 48);
  if (typeof disk === 'string') {
    t.pass(`not tested: ${disk}`, { skip: disk });
    return;
  }
  t.test('it notices the floor while it runs, and also when space is free again', (t) => crossFloor(t, disk));
  t.test('a full disk ends the process before it sends a false reply', (t) => runFull(t, disk));
});

async function crossFloor(t: Test, disk: SmallDisk): Promise<void> {
  const args = serveArgs(join(disk.folder, 'floor'), '--min-free-mib', '16');
  const galaxyd = await GalaxydProcess.start(t, { args, by: disk.by });
  const client = new Client(galaxyd.url);
  /** Creates bots until the reply has the status. */
  const creates = async (name: string, status: number): Promise<boolean> => {
    for (let look = 1; (await createBot(client, `${name}-${look}`)) !== status; look += 1) await delay(20);
    return true;
  };
  t.ok(await creates('ample', 201));
  await disk.fill(8 * MIB);
  t.ok(await creates('low', 503), 'below the floor commands are refused');
  await galaxyd.printed(/galaxyd refuses commands: the disk has \d+ bytes left, and 16777216 must be free/);
  t.equal((await client.get('/api/status')).status, 200, 'and reads go on');
  await disk.relieve();
  t.ok(await creates('relieved', 201), 'with space again they are accepted');
  await galaxyd.printed(/galaxyd has room on the disk again: \d+ bytes are left/);
  client.close();
  t.equal((await galaxyd.stop()).code, 0);
}

async function runFull(t: Test, disk: SmallDisk): Promise<void> {
  const draws = new Draws(drawSeed(t));
  const ledger = new DeedLedger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, draws, BOTS, ADMIN_KEY);
  const flags = ['--min-free-mib', '0', '--speed', '20000', '--admin-key', ADMIN_KEY];
  const args = serveArgs(join(disk.folder, 'full'), ...flags);
  const found = join(disk.seenFolder, 'full');

  const first = await GalaxydProcess.start(t, { args, by: disk.by });
  swarm.begin(first.url);
  await swarm.acknowledged(draws.between(20, 200));
  await disk.fill();
  const { signal, stderr } = await first.ending();
  await swarm.settled();
  t.equal(signal, 'SIGKILL', 'it ends itself');
  t.match(stderr, /^galaxyd stops: LogWriteFailed: .*could not be written/m, 'and reports why');
  t.same((await past.compare(found)).faults, [], 'everything acknowledged is there');

  await disk.relieve();
  const second = await GalaxydProcess.start(t, { args, by: disk.by });
  const client = new Client(second.url, ADMIN_KEY);
  t.ok((await past.askForHash(client)) >= past.lastSeq, 'with space again it continues after every entry of the log');
  client.close();
  swarm.begin(second.url);
  await swarm.acknowledged(50);
  swarm.end();
  await swarm.settled();
  t.equal((await second.stop()).code, 0);
  t.same((await past.compare(found)).faults, []);
}
