// One owner per folder among real processes, with each kind of lock that this system can emulate.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { isLocked, lockFolder } from '../../../../persistence/log/lmdb/folder-lock.js';
import { WorldLocked } from '../../../../persistence/stores/world-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const HOLDER = fileURLToPath(new URL('./lock-holder.js', import.meta.url));

/** Another process that holds the lock of a folder until it dies. */
async function holderOf(t: Test, folder: string, platform: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [HOLDER, folder, platform], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout, 'data');
  t.equal(String(said), 'locked\n');
  return child;
}

// On systems other than Linux the lock is a socket file; Linux can emulate that, but not the lock of Windows.
const platforms: NodeJS.Platform[] = process.platform === 'linux' ? ['linux', 'darwin'] : [process.platform];

for (const platform of platforms) {
  t.test(`the lock of ${platform}`, async (t) => {
    await t.test('has one holder at a time within a process', async (t) => {
      const folder = await temporaryFolder(t);
      const lock = await lockFolder(folder, platform);
      await t.rejects(lockFolder(folder, platform), WorldLocked);
      t.equal(await isLocked(folder, platform), true);
      await lock.release();
      t.equal(await isLocked(folder, platform), false);
      t.equal(await isLocked(join(folder, 'missing'), platform), false);
      const again = await lockFolder(folder, platform);
      await again.release();
    });

    await t.test('is the same lock for all paths to a folder, and another for another folder', async (t) => {
      const parent = await temporaryFolder(t);
      await mkdir(join(parent, 'world'));
      await mkdir(join(parent, 'other'));
      await symlink(join(parent, 'world'), join(parent, 'alias'));
      const lock = await lockFolder(join(parent, 'world'), platform);
      await t.rejects(lockFolder(join(parent, 'alias'), platform), {
        name: 'WorldLocked',
        message: /alias is in use by another galaxyd/,
      });
      const other = await lockFolder(join(parent, 'other'), platform);
      await other.release();
      await lock.release();
    });

    // Fails on file systems that give the inode of a removed folder to the next one, as ext4 does.
    await t.test('is not that of a new folder after its own was removed', async (t) => {
      const parent = await temporaryFolder(t);
      await mkdir(join(parent, 'world'));
      const lock = await lockFolder(join(parent, 'world'), platform);
      await rm(join(parent, 'world'), { recursive: true });
      for (let folder = 0; folder < 20; folder += 1) {
        await mkdir(join(parent, `${folder}`));
        const other = await lockFolder(join(parent, `${folder}`), platform);
        await other.release();
      }
      await lock.release();
    });

    await t.test('is refused while another process holds it, and free once that was killed', async (t) => {
      const folder = await temporaryFolder(t);
      const holder = await holderOf(t, folder, platform);
      await t.rejects(lockFolder(folder, platform), WorldLocked);
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      const lock = await lockFolder(folder, platform);
      await t.rejects(lockFolder(folder, platform), WorldLocked, 'and it is a real one');
      await lock.release();
    });
  });
}

t.test('of many processes that find the file of a dead owner, at most one gets the lock', async (t) => {
  const folder = await temporaryFolder(t);
  for (let round = 0; round < 5; round += 1) {
    const holder = await holderOf(t, folder, 'darwin');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder, 'darwin')));
    const locks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    t.ok(locks.length <= 1, `${locks.length} owners`);
    t.ok(
      errors.every((error) => error instanceof WorldLocked),
      'the others report that it is in use',
    );
    for (const lock of locks) await lock.release();
    const next = await lockFolder(folder, 'darwin');
    await next.release();
    t.same(await readdir(folder), [], 'nothing is left behind');
  }
});

t.test('a missing folder cannot be locked', async (t) => {
  await t.rejects(lockFolder(join(await temporaryFolder(t), 'nowhere')), { code: 'ENOENT' });
});
