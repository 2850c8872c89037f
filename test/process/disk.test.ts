// On a disk that is nearly full commands are refused and reads go on; a disk that is really full ends the process
// before it sends a false reply.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { PlayerState } from '../support/process/bot-choices.js';
import { Client } from '../support/process/client.js';
import { DeedLedger } from '../support/process/deed-ledger.js';
import { Draws, drawSeed } from '../support/process/draws.js';
import { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { Past } from '../support/process/past.js';
import { SmallDisk } from '../support/process/small-disk.js';
import { Swarm } from '../support/process/swarm.js';

const ADMIN_KEY = 'disk-test-key';
const BOTS = 8;
const MIB = 1024 * 1024;
/** More than any disk has. */
const ENDLESS_MIB = '1000000000';

interface Problem {
  readonly code: string;
  readonly retryAfterMs: number;
}

const create = (client: Client, name: string) =>
  client.post<PlayerState & Problem>('/api/game/player', { name, isBot: true });

t.test('with less free space than the floor, commands are refused and reads go on', async (t) => {
  const folder = await temporaryFolder(t);
  const args = ['serve', '--port', '0', '--data', folder, '--clock', 'manual', '--admin-key', ADMIN_KEY];
  const ample = await GalaxydProcess.start(t, { args });
  const before = new Client(ample.url, ADMIN_KEY);
  const { body: player } = await create(before, 'ada');
  const hash = await before.get('/api/admin/state-hash');
  before.close();
  await ample.stop();

  const low = await GalaxydProcess.start(t, { args: [...args, '--min-free-mib', ENDLESS_MIB] });
  const client = new Client(low.url, ADMIN_KEY);
  const planetId = player.planets[0]?.id ?? '';
  const rows: [path: string, body: object][] = [
    ['/api/game/player', { name: 'bob', isBot: true }],
    [`/api/game/planet/starter/${player.id}`, {}],
    ['/api/building/upgrade', { planetId, buildingType: 'iron_mine' }],
    ['/api/research/start', { playerId: player.id, researchType: 'drive_ion' }],
    ['/api/admin/players', { count: 3, namePrefix: 'bot' }],
    [`/api/admin/planet/${planetId}/grant`, { iron: 1 }],
  ];
  for (const [path, body] of rows) {
    const reply = await client.post<Problem>(path, body);
    t.same([reply.status, reply.body.code], [503, 'storage_unavailable'], path);
    t.ok(reply.body.retryAfterMs > 0 && Number(reply.headers['retry-after']) > 0, 'it says when to retry');
  }
  t.equal((await create(client, 'ada')).status, 200, 'an existing player is only read');
  t.equal((await client.get(`/api/game/state/${player.id}`)).status, 200);
  t.equal((await client.get('/api/status')).status, 200);
  t.same((await client.get('/api/admin/state-hash')).body, hash.body, 'nothing was changed');
  client.close();
  t.equal((await low.stop()).code, 0);
});

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
  const args = ['serve', '--port', '0', '--data', join(disk.folder, 'floor'), '--min-free-mib', '16'];
  const galaxyd = await GalaxydProcess.start(t, { args, by: disk.by });
  const client = new Client(galaxyd.url);
  /** Creates bots until the reply has the status. */
  const creates = async (name: string, status: number): Promise<boolean> => {
    for (let look = 1; (await create(client, `${name}-${look}`)).status !== status; look += 1) await delay(20);
    return true;
  };
  t.ok(await creates('ample', 201));
  await disk.fill(8 * MIB);
  t.ok(await creates('low', 503), 'below the floor commands are refused');
  t.equal((await client.get('/api/status')).status, 200, 'and reads go on');
  await disk.relieve();
  t.ok(await creates('relieved', 201), 'with space again they are accepted');
  client.close();
  t.equal((await galaxyd.stop()).code, 0);
}

async function runFull(t: Test, disk: SmallDisk): Promise<void> {
  const draws = new Draws(drawSeed(t));
  const ledger = new DeedLedger();
  const past = new Past(ledger);
  const swarm = new Swarm(ledger, draws, BOTS, ADMIN_KEY);
  const data = ['--data', join(disk.folder, 'full'), '--min-free-mib', '0'];
  const args = ['serve', '--port', '0', ...data, '--speed', '20000', '--admin-key', ADMIN_KEY];
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
