// The operator's subcommands under adverse conditions: a full disk, folders without permission, a concurrent
// subcommand, signals.
import { chmod, cp, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { lockFolder } from '../../../persistence/log/lmdb/folder-lock.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { Draws, drawSeed } from '../../support/process/draws.js';
import { runGalaxyd, runInTurn, startAndKill } from '../../support/process/galaxyd-process.js';
import { shortOrLong } from '../../support/process/lengths.js';
import { manualArgs, refused, serveArgs, start } from '../../support/process/operator.js';
import { SmallDisk } from '../../support/process/small-disk.js';
import { unprivileged } from '../../support/process/unprivileged.js';
import { verifiedHash } from '../../support/process/verified-hash.js';

const PLAYERS = 10_000;
const BULK = 10_000;
/** SIGNALS=100 sends 100 to each subcommand. */
const SIGNALS_SENT = Number(process.env['SIGNALS'] ?? 1);

/** A stopped world that takes some time to read and to write. */
async function largeWorld(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  const args = manualArgs(folder);
  const { galaxyd, client } = await start(t, { args });
  for (let count = 0; count < PLAYERS; count += BULK) {
    const { status } = await client.post('/api/admin/players', { count: BULK, namePrefix: `bot-${count}-` });
    t.ok(status < 300);
  }
  await galaxyd.stop();
  return folder;
}

t.test('signals, a full disk and another snapshot', async (t) => {
  const folder = await largeWorld(t);
  const draws = new Draws(drawSeed(t));
  const place = await temporaryFolder(t);
  const args = ['restore', '--data', folder, '--to', join(place, 'new')];
  const { durationMs } = JSON.parse((await runGalaxyd(t, { args: ['snapshot', '--data', folder, '--json'] })).stdout);
  const moments = Array.from({ length: SIGNALS_SENT }, () => draws.below(3 * durationMs));

  await t.test('interrupted, a restore leaves nothing behind', async (t) => {
    for (const afterMs of moments) {
      const { code, signal, stderr } = await startAndKill(t, { args }, afterMs, 'SIGINT');
      if (code === 0) {
        t.pass('it finished before the signal');
        await rm(join(place, 'new'), { recursive: true });
      } else {
        t.equal(signal, 'SIGINT');
        t.match(stderr, /^(galaxyd restore: it was interrupted and leaves nothing behind\n)?$/);
        // A signal between the end of the work and that of the process finds the whole folder, and nothing else was reported.
        if (stderr === '' && (await readdir(place)).includes('new')) {
          await t.resolves(verifiedHash(join(place, 'new')));
          await rm(join(place, 'new'), { recursive: true });
        }
      }
      t.same(await readdir(place), []);
    }
  });

  await t.test('interrupted, a snapshot leaves nothing behind', async (t) => {
    const snapshots = join(folder, 'snapshots');
    const taken = await readdir(snapshots);
    const args = ['snapshot', '--data', folder];
    for (const afterMs of moments) {
      for (const name of taken) await rm(join(snapshots, name), { recursive: true, force: true });
      const { code, signal, stderr } = await startAndKill(t, { args }, afterMs, 'SIGTERM');
      t.ok(code === 0 || signal === 'SIGTERM');
      // A signal between the end of the work and that of the process finds the complete snapshot; nothing else was
      // reported.
      const isWhole = code === 0 || (stderr === '' && (await readdir(snapshots)).length > 0);
      t.same(await readdir(snapshots), isWhole ? taken : []);
      if (isWhole) await t.resolves(verifiedHash(folder));
    }
  });

  await t.test('killed, a restore appears whole or not at all, and can be repeated', async (t) => {
    for (const afterMs of moments) {
      await startAndKill(t, { args }, afterMs);
      const isThere = (await readdir(place)).includes('new');
      const again = await runGalaxyd(t, { args });
      if (isThere) refused(t, again, 1, /is not empty, and galaxyd never overwrites anything\n$/);
      else t.equal(again.code, 0);
      t.same(await readdir(place), ['new'], 'the leftovers of the killed one are removed');
      await t.resolves(verifiedHash(join(place, 'new')));
      await rm(join(place, 'new'), { recursive: true });
    }
  });

  await t.test('while another process writes a snapshot, a second one is refused', async (t) => {
    await mkdir(join(folder, 'snapshots'), { recursive: true });
    const lock = await lockFolder(join(folder, 'snapshots'));
    refused(t, await runGalaxyd(t, { args: ['snapshot', '--data', folder] }), 4, /another snapshot is being written/);
    await lock.release();
  });

  await t.test('on a full disk nothing is left behind', async (t) => {
    const disk = await SmallDisk.make(t, 16);
    if (typeof disk === 'string') {
      t.pass(`not tested: ${disk}`, { skip: disk });
      return;
    }
    const names = await readdir(disk.seenFolder);
    for (const freeBytes of shortOrLong([64 * 1024, 1_200_000], [0, 64 * 1024, 512 * 1024, 1_200_000])) {
      await disk.fill(freeBytes);
      const to = join(disk.folder, 'new');
      const ending = await runGalaxyd(t, { args: ['restore', '--data', folder, '--to', to], by: disk.by });
      refused(t, ending, 75, /^galaxyd restore: .*(the disk is full|no space left|bytes left).*\n$/);
      await disk.relieve();
      t.same(await readdir(disk.seenFolder), names, `with ${freeBytes} bytes free`);
    }
    const into = await runGalaxyd(t, { args: ['restore', '--data', folder, '--to', disk.folder], by: disk.by });
    refused(t, into, 1, /is not empty/);
    await rm(join(disk.seenFolder, 'lost+found'), { recursive: true });
    const mounted = await runGalaxyd(t, { args: ['restore', '--data', folder, '--to', disk.folder], by: disk.by });
    t.equal(mounted.code, 0, 'the root of an empty mounted disk can hold a world');
    t.same((await readdir(disk.seenFolder)).sort(), ['log', 'origin.json', 'snapshots']);
  });
});

t.test('a missing permission is reported', async (t) => {
  if (process.getuid?.() !== 0) {
    t.pass('not tested', { skip: 'only root can run as another user' });
    return;
  }
  const by = await unprivileged(t);
  if (by === null) return;
  const own = await temporaryFolder(t);
  const { galaxyd } = await start(t, { args: serveArgs(own) });
  await galaxyd.stop();
  const place = await temporaryFolder(t);
  await chmod(place, 0o755);
  const closed = join(place, 'closed');
  const open = join(place, 'open');
  await cp(own, closed, { recursive: true });
  await cp(own, open, { recursive: true });
  await chmod(closed, 0o700);
  for (const name of ['.', ...(await readdir(open, { recursive: true }))]) {
    const path = join(open, name);
    await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);
  }
  const names = ['snapshot', 'snapshots', 'verify', 'log'];
  const [snapshot, verified, ...refusals] = await runInTurn(
    t,
    [
      ['snapshot', '--data', open],
      ['verify', '--data', open],
      ['fork', '--data', open, '--to', join(place, 'new')],
      ['fork', '--data', closed, '--to', join(place, 'new')],
      ...names.map((name) => [name, '--data', closed]),
    ],
    { by },
  );
  for (const refusal of refusals) refused(t, refusal, 78, /^galaxyd \w+: \S+: permission is denied\n$/);
  refused(t, snapshot, 78, /belongs to the user with the id 0; run it as that user, not as 65534/);
  t.equal(verified.code, 0, 'a readable folder is verified');
  t.same((await readdir(place)).sort(), ['closed', 'open']);
});
