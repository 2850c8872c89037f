// The folder of a tournament: one process at a time uses it, and an unreadable file never makes it start again.
import { spawn } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { keptOrDrawnKeySecret, TournamentFolder } from '../../../arena/tournament/folder.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';

const FITS = () => null;

t.test('a folder that another living process uses is refused, and that of a dead one is taken over', async (t) => {
  const path = await temporaryFolder(t);
  const other = spawn('sleep', ['60']);
  t.teardown(() => other.kill('SIGKILL'));
  const lock = `tournament-${other.pid}-of-this-test.lock`;
  await writeFile(join(path, lock), '');
  await t.rejects(TournamentFolder.take(path, FITS), {
    name: 'UnfitTournament',
    message: `${path} cannot be used: process ${other.pid} runs a tournament in it`,
  });
  t.same(await readdir(path), [lock], 'and nothing is left of the attempt');
  other.kill('SIGKILL');
  await new Promise((resolve) => other.once('exit', resolve));
  const { folder, found } = await TournamentFolder.take(path, FITS);
  t.equal(found, null);
  const locks = await readdir(path);
  t.equal(locks.length, 1);
  t.not(locks[0], lock, 'the lock of the dead process is gone');
  await folder.release();
  t.same(await readdir(path), []);
});

t.test('what cannot be read is reported, and not taken for missing', async (t) => {
  const path = await temporaryFolder(t);
  t.not(await keptOrDrawnKeySecret(path), '', 'a missing secret is drawn');
  await mkdir(join(path, 'key-secret'));
  await t.rejects(keptOrDrawnKeySecret(path), { code: 'EISDIR' });
  await mkdir(join(path, 'result.json'));
  await t.rejects(TournamentFolder.take(path, FITS), { code: 'EISDIR' });
  t.same(await readdir(path), ['key-secret', 'result.json'], 'and the folder is released');
});

t.test('a folder with a link in it is not used: the target of the link would be replaced or removed', async (t) => {
  const outside = await temporaryFolder(t);
  await mkdir(join(outside, '0007'));
  await writeFile(join(outside, 'kept'), 'as it was');
  for (const [name, target] of [
    ['games', outside],
    ['result.json.new', join(outside, 'kept')],
  ] as const) {
    const path = await temporaryFolder(t);
    await writeFile(join(path, 'result.json'), JSON.stringify({ games: [] }));
    await symlink(target, join(path, name));
    const refusal = {
      name: 'UnfitTournament',
      message: /cannot be used: \S+ is neither a file nor a folder$/,
    };
    await t.rejects(TournamentFolder.take(path, FITS), refusal);
    await t.rejects(keptOrDrawnKeySecret(path), refusal);
    t.same(await readdir(path), [name, 'result.json'].sort(), 'and the folder is released');
  }
  t.same(await readdir(outside), ['0007', 'kept']);
});
