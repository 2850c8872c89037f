// A data folder whose permissions change under a running server.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, refused, serveArgs, start } from '../support/process/operator.js';
import { hashOf } from '../support/process/snapshot-worlds.js';
import { unprivileged } from '../support/process/unprivileged.js';

async function createBot(client: Client, name: string): Promise<number> {
  return (await client.post('/api/game/player', { name, isBot: true })).status;
}

t.test('a snapshot without permissions fails, the server goes on, and can be started again', async (t) => {
  const by = await unprivileged(t);
  if (by === null) return;
  const folder = await temporaryFolder(t);
  await chmod(folder, 0o777);
  const args = serveArgs(join(folder, 'world'), '--clock', 'manual', '--admin-key', ADMIN_KEY);
  const first = await start(t, { args, by });
  const log = join(folder, 'world', 'log');
  const snapshots = join(folder, 'world', 'snapshots');
  for (const [name, mode, closed] of [
    ['not-writable', 0o500, log],
    ['not-readable', 0o300, log],
    ['snapshots', 0o500, snapshots],
  ] as const) {
    await chmod(closed, mode);
    t.equal(await createBot(first.client, `before-${name}`), 201);
    const { status, body } = await first.client.post<{ code: string; detail: string }>('/api/admin/snapshot', {});
    t.same([status, body.code], [503, 'snapshot_failed'], name);
    t.match(body.detail, /EACCES/);
    t.equal(await createBot(first.client, `after-${name}`), 201, 'commands go on');
    await chmod(closed, 0o700);
    t.equal((await first.client.post('/api/admin/snapshot', {})).status, 201, 'with the permission it works again');
  }
  const hash = await hashOf(first.galaxyd.url);
  await first.galaxyd.kill();

  // A process that dies while it creates a segment leaves such a folder: the start has to remove it.
  await mkdir(join(log, '.begun-log-0000000000000099'));
  await chmod(log, 0o500);
  refused(t, await runGalaxyd(t, { args, by }), 78, /^galaxyd cannot serve: .*log.*permission is denied\n$/);
  await chmod(log, 0o700);
  const again = await start(t, { args, by });
  t.equal(await hashOf(again.galaxyd.url), hash, 'nothing is lost');
});
