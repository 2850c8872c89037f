// Files of the log that are removed, moved or replaced under a running server: it refuses commands, and the steps in
// docs/operating.md rescue what it has acknowledged.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Client } from '../support/process/client.js';
import type { GalaxydProcess } from '../support/process/galaxyd-process.js';
import { ADMIN_KEY, done, galaxyd as run, serveArgs, start } from '../support/process/operator.js';
import { hashOf } from '../support/process/snapshot-worlds.js';

const OPERATING = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
const RESCUE = /## A log file that is gone\n.*?```bash\n(.*?)```/s.exec(OPERATING)?.[1] ?? '';
const LOOK_MS = 20;
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
        done(t, await run(t, 'verify', '--data', world));
        const again = await start(t, { args: argsOf(world) });
        t.equal(await hashOf(again.galaxyd.url), hash, 'everything that was acknowledged is there');
        t.equal(await createBot(again.client, 'afterwards'), 201);
      }),
    ),
  );
});

t.test('a world whose files were moved is served again when they are back', async (t) => {
  const parts = { 'the file': join(SEGMENT, 'data.mdb'), 'the folder of the log': 'log', 'the whole world': '' };
  await Promise.all(
    Object.entries(parts).map(([what, part]) =>
      t.test(what, async (t) => {
        const scene = await aWorld(t);
        const { world, galaxyd, client } = scene;
        await rename(join(world, part), `${world}-moved`);
        await refused(t, scene);
        await galaxyd.printed(/galaxyd refuses commands: .*data\.mdb was moved, or another file has its name/);
        await rename(`${world}-moved`, join(world, part));
        while ((await client.get('/readyz')).status !== 200) await delay(LOOK_MS);
        await galaxyd.printed(/galaxyd finds all files of the log in their places/);
        t.equal(await createBot(client, 'afterwards'), 201);
      }),
    ),
  );
});

t.test('another file in the place of a moved one is not taken for it', async (t) => {
  const scene = await aWorld(t);
  const file = join(scene.world, SEGMENT, 'data.mdb');
  await rename(file, `${scene.world}-moved`);
  await writeFile(file, 'another file');
  await refused(t, scene);
});

const argsOf = (world: string): string[] => serveArgs(world, '--clock', 'manual', '--admin-key', ADMIN_KEY);

/** A world with some commands. */
async function aWorld(t: Test): Promise<Scene> {
  const world = join(await temporaryFolder(t), 'world');
  const scene = { world, ...(await start(t, { args: argsOf(world) })) };
  for (const name of ['ada', 'bob', 'cleo']) t.equal(await createBot(scene.client, name), 201);
  return scene;
}

/** Waits until it is noticed, and checks that nothing is accepted any more. */
async function refused(t: Test, { client, galaxyd }: Scene): Promise<void> {
  while ((await client.get('/readyz')).status !== 503) await delay(LOOK_MS);
  const hash = await hashOf(galaxyd.url);
  const { status, body } = await client.post<{ code: string }>('/api/game/player', { name: 'late', isBot: true });
  t.same([status, body.code], [503, 'storage_unavailable']);
  t.equal((await client.get('/api/status')).status, 200, 'reads go on');
  const snapshot = await client.post<{ detail: string }>('/api/admin/snapshot', {});
  t.equal(snapshot.status, 503);
  t.equal(await hashOf(galaxyd.url), hash);
}

async function createBot(client: Client, name: string): Promise<number> {
  return (await client.post('/api/game/player', { name, isBot: true })).status;
}
