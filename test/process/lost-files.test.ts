// Files of the log that are removed, moved or replaced under a running server: it refuses commands, and the steps in
// docs/operating.md rescue what it has acknowledged.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { create } from '../support/command-words.js';
import { durable, openFolder } from '../support/opened-world.js';
import type { Client } from '../support/process/client.js';
import type { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { createBot, manualArgs, start } from '../support/process/operator.js';
import { hashOf } from '../support/process/snapshot-worlds.js';
import { verifiedHash } from '../support/process/verified-hash.js';

const OPERATING = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const RESCUE = /## A log file that is gone\n.*?```bash\n(.*?)```/s.exec(OPERATING)?.[1] ?? '';
const SEGMENT = join('log', 'log-0000000000000001');
const isLinux = process.platform === 'linux';

interface Scene {
  readonly world: string;
  readonly galaxyd: GalaxydProcess;
  readonly client: Client;
}

t.test('a file of the log that was removed is noticed and rescued', { skip: !isLinux }, async (t) => {
  const removals: Readonly<Record<string, (world: string) => Promise<void>>> = {
    'the newest file': (world) => rm(join(world, SEGMENT, 'data.mdb')),
    'the folder of the newest segment': (world) => rm(join(world, SEGMENT), { recursive: true }),
    'the whole world': (world) => rm(world, { recursive: true }),
    'another file has its name': async (world) => {
      const file = join(world, SEGMENT, 'data.mdb');
      await cp(file, `${file}-older`);
      await rename(`${file}-older`, file);
    },
  };
  await Promise.all(
    Object.entries(removals).map(([what, remove]) =>
      t.test(what, async (t) => {
        const scene = await aWorld(t);
        const { world, galaxyd, client } = scene;
        await remove(world);
        await refused(t, scene);
        await galaxyd.printed(/galaxyd refuses commands: .*data\.mdb was removed; .* copied \/proc\/\d+\/fd\/\d+/);
        const hash = await hashOf(galaxyd.url);
        client.close();
        await promisify(execFile)('bash', ['-ec', RESCUE], { env: { ...process.env, PID: String(galaxyd.pid) } });
        await galaxyd.ending();
        t.equal(await verifiedHash(world), hash, 'everything that was acknowledged is there');
        const again = await openFolder(t, world);
        again.sequencer.submit(create('afterwards', true));
        await durable(again);
      }),
    ),
  );
});

t.test('a world whose files were moved is served again when they are back', async (t) => {
  const scene = await aWorld(t);
  const { world, galaxyd, client } = scene;
  const timesPrinted = (sentence: string, times: number): Promise<void> =>
    galaxyd.printed(new RegExp(`(${sentence}.*){${times}}`, 's'));
  for (const [index, part] of [join(SEGMENT, 'data.mdb'), 'log', ''].entries()) {
    await rename(join(world, part), `${world}-moved`);
    await refused(t, scene);
    await timesPrinted('galaxyd refuses commands: .*data\\.mdb was moved, or another file has its name', index + 1);
    await rename(`${world}-moved`, join(world, part));
    await galaxyd.untilReadiness(200);
    await timesPrinted('galaxyd finds all files of the log in their places', index + 1);
    t.equal(await createBot(client, `after-${index}`), 201);
  }
  const file = join(world, SEGMENT, 'data.mdb');
  await rename(file, `${world}-moved`);
  await writeFile(file, 'another file');
  await refused(t, scene);
});

/** A world with some commands. */
async function aWorld(t: Test): Promise<Scene> {
  const world = join(await temporaryFolder(t), 'world');
  const scene = { world, ...(await start(t, { args: manualArgs(world) })) };
  for (const name of ['ada', 'bob', 'cleo']) t.equal(await createBot(scene.client, name), 201);
  return scene;
}

/** Waits until it is noticed, and checks that nothing is accepted any more. */
async function refused(t: Test, { client, galaxyd }: Scene): Promise<void> {
  await galaxyd.untilReadiness(503);
  const hash = await hashOf(galaxyd.url);
  const { status, body } = await client.post<{ code: string }>('/api/game/player', { name: 'late', isBot: true });
  t.same([status, body.code], [503, 'storage_unavailable']);
  t.equal((await client.get('/api/status')).status, 200, 'reads go on');
  const snapshot = await client.post<{ detail: string }>('/api/admin/snapshot', {});
  t.equal(snapshot.status, 503);
  t.equal(await hashOf(galaxyd.url), hash);
}
