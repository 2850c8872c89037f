// Named pipes, devices, links and huge files in a data folder, as an archive or another user may put them there: every
// command either does its work or says in a sentence what prevents it. None hangs, dies of a signal or follows a link.
// The log has a file of its own: planted-log.test.ts.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { type Ending, runGalaxyd } from '../support/process/galaxyd-process.js';
import { refused } from '../support/process/operator.js';
import { holdToPlanted } from '../support/process/planted-check.js';
import { PLANTED_ELSEWHERE } from '../support/process/planted-rows.js';
import { worldWithSnapshots } from '../support/process/snapshot-worlds.js';

t.test('whatever replaces a file or a folder, each command ends by itself', async (t) => {
  await holdToPlanted(t, PLANTED_ELSEWHERE, await worldWithSnapshots(t, { crowd: 50 }));
});

for (const kind of ['restore', 'fork'] as const) {
  t.test(`${kind} does not follow a planted link`, async (t) => {
    const { folder } = await worldWithSnapshots(t, { snapshots: 1, crowd: 50 });
    const made = (to: string): Promise<Ending> => runGalaxyd(t, { args: [kind, '--data', folder, '--to', to] });
    const place = await temporaryFolder(t);
    const victim = await temporaryFolder(t);
    await writeFile(join(victim, 'precious'), 'everything');
    const empty = join(place, 'empty');
    await mkdir(empty);
    for (const [to, stage] of [
      [join(place, 'new'), join(place, '.galaxyd-partial-new')],
      [empty, join(empty, '.galaxyd-partial')],
    ] as const) {
      await symlink(victim, stage);
      refused(t, await made(to), 1, /\.galaxyd-partial\S* is not a folder, and is in the way of the new folder/);
      t.same(await readdir(victim), ['precious']);
      t.equal(await readFile(join(victim, 'precious'), 'utf8'), 'everything');
      t.ok((await readdir(dirname(stage))).includes(basename(stage)), 'the link is left as it is');
    }
    const left = join(place, '.galaxyd-partial-other');
    await mkdir(left);
    await symlink(victim, join(left, 'log'));
    await symlink(join(victim, 'precious'), join(left, 'origin.json'));
    t.equal((await made(join(place, 'other'))).code, 0, 'leftovers of a process that died are removed');
    t.same(await readdir(victim), ['precious'], 'but nothing behind a link in it');
    t.same((await readdir(join(place, 'other'))).sort(), ['log', 'origin.json', 'snapshots']);
  });
}
