// Named pipes, devices, links and huge files in a data folder, as an archive or another user may put them there: every
// command either does its work or says in a sentence what prevents it. None hangs, dies of a signal or follows a link.
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import type { Ending } from '../support/process/galaxyd-process.js';
import { type LinesTest, refused, testLines } from '../support/process/operator.js';
import { holdToPlanted } from '../support/process/planted-check.js';
import { PLANTED } from '../support/process/planted-rows.js';
import { worldWithSnapshots } from '../support/process/snapshot-worlds.js';

/** Tests that change it use a copy. */
const kept = await worldWithSnapshots(t, { crowd: 50 });

t.test('whatever replaces a file or a folder, each command ends by itself', (t) => holdToPlanted(t, PLANTED, kept));

t.test('restore and fork do not follow a planted link', async (t) => {
  const victim = await temporaryFolder(t);
  await writeFile(join(victim, 'precious'), 'everything');
  const tests: LinesTest[] = [];
  for (const kind of ['restore', 'fork'] as const) {
    const place = await temporaryFolder(t);
    const line = (to: string): string[] => [kind, '--data', kept.folder, '--to', to];
    const empty = join(place, 'empty');
    await mkdir(empty);
    for (const [to, stage] of [
      [join(place, 'new'), join(place, '.galaxyd-partial-new')],
      [empty, join(empty, '.galaxyd-partial')],
    ] as const) {
      await symlink(victim, stage);
      const check = async (t: Test, ending: Ending): Promise<void> => {
        refused(t, ending, 1, /\.galaxyd-partial\S* is not a folder, and is in the way of the new folder/);
        t.ok((await readdir(dirname(stage))).includes(basename(stage)), 'the link is left as it is');
      };
      tests.push({ what: `${kind} to ${basename(to)}`, lines: [line(to)], check });
    }
    const left = join(place, '.galaxyd-partial-other');
    await mkdir(left);
    await symlink(victim, join(left, 'log'));
    await symlink(join(victim, 'precious'), join(left, 'origin.json'));
    const check = async (t: Test, ending: Ending): Promise<void> => {
      t.equal(ending.code, 0, 'leftovers of a process that died are removed');
      t.same((await readdir(join(place, 'other'))).sort(), ['log', 'origin.json', 'snapshots']);
    };
    tests.push({ what: `${kind} beside leftovers`, lines: [line(join(place, 'other'))], check });
  }
  await testLines(t, tests);
  t.same(await readdir(victim), ['precious'], 'but nothing behind a link in them');
  t.equal(await readFile(join(victim, 'precious'), 'utf8'), 'everything');
});
