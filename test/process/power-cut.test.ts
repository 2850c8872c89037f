// A real server on a disk of its own, with repeated power cuts: data that was only in memory is lost, and still
// everything that clients were told is true. SIGKILL alone would keep the pages that were written and not yet flushed.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { Client } from '../support/process/client.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { shortOrLong } from '../support/process/lengths.js';
import { Past } from '../support/process/past.js';
import { SmallDisk } from '../support/process/small-disk.js';
import { Swarm } from '../support/process/swarm.js';

const POWER_CUTS = shortOrLong(2, 8);
const BOTS = 24;
const DISK_MIB = 64;
const ADMIN_KEY = 'power-cut-key';
const SPEED = '20000';

t.test('through power cuts, the world keeps everything that it acknowledged or showed', async (t) => {
  const made = await SmallDisk.make(t, DISK_MIB);
  if (typeof made === 'string') {
    t.pass(`not tested: ${made}`, { skip: made });
    return;
  }
  let disk = made;
  const seed = drawSeed(t);
  const draws = new Draws(seed);
  const ledger = new DeedLedger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, new Draws(seed + 1), BOTS, ADMIN_KEY);
  for (let cut = 1; cut <= POWER_CUTS; cut += 1) {
    const data = ['--data', join(disk.folder, 'world'), '--min-free-mib', '0'];
    const args = ['serve', '--port', '0', ...data, '--speed', SPEED, '--admin-key', ADMIN_KEY];
    const galaxyd = await GalaxydProcess.start(t, { args, by: disk.by });
    const client = new Client(galaxyd.url, ADMIN_KEY);
    t.ok((await past.askForHash(client)) >= past.lastSeq, 'it continues after every entry of the log');
    client.close();
    swarm.begin(galaxyd.url);
    const acknowledgements = draws.between(20, 200);
    const lateMs = draws.below(4);
    await swarm.acknowledged(acknowledgements);
    if (lateMs > 0) await delay(lateMs);
    await galaxyd.kill();
    disk = await disk.afterPowerCut(t);
    await swarm.settled();
    const { faults } = await past.compare(join(disk.seenFolder, 'world'));
    t.same(faults, [], `power cut ${cut}, ${lateMs} ms after ${acknowledgements} acknowledgements`);
  }
  const { acknowledged, refused, unknown } = ledger.tally();
  t.comment(`${past.lastSeq} entries; ${acknowledged} acknowledged, ${refused} refused, ${unknown} without an answer`);
  t.ok(acknowledged >= POWER_CUTS * 20, 'enough commands could have been lost');
});
