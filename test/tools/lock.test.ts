// The lock under which packages are installed and sources are built: a dead holder is replaced, by one process only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { shortOrLong } from '../support/process/lengths.js';

const CONTENDER = fileURLToPath(new URL('../support/process/lock-contender.js', import.meta.url));
const LOCK_MODULE = new URL('../../../tools/lock.mjs', import.meta.url).href;
const CONTENDERS = shortOrLong(12, 200);
/** No process has it: Linux has at most 2^22. */
const NOBODY = 2 ** 22 + 1;

type Ending = readonly [code: number | null, signal: NodeJS.Signals | null];

t.test('many processes that take over a lock from dead ones never hold it together', async (t) => {
  const folder = await temporaryFolder(t);
  const claims = join(folder, 'claims');
  const holder = join(folder, 'holder');
  await mkdir(claims);
  await writeFile(join(claims, `${NOBODY}-of-a-dead-process`), '');
  await writeFile(holder, '');
  const contenders = Array.from({ length: CONTENDERS }, () => {
    const contender = spawn(process.execPath, [CONTENDER, LOCK_MODULE, claims, holder], { stdio: 'ignore' });
    t.teardown(() => contender.kill('SIGKILL'));
    return once(contender, 'exit') as unknown as Promise<Ending>;
  });
  const endings = await Promise.all(contenders);
  t.same(
    endings.filter(([code, signal]) => code !== null || signal !== 'SIGKILL'),
    [],
    'each had it alone, and died with it',
  );
  t.equal((await readdir(claims)).length, 1, 'only the last claim is left');
});
