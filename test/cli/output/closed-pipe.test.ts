// A reader that closes the pipe before anything is printed, as `galaxyd … | head` may: no subcommand prints a stack trace, and the exit
// code is that of a reader who stays.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { GALAXYD } from '../../../cli/serve/process.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';

/** Runs a command line whose standard output nobody reads. */
async function unread(args: readonly string[]): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const [program = '', ...first] = GALAXYD;
  const child = spawn(program, [...first, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += bytes;
  });
  const [code] = await once(child, 'close');
  return { code, stderr };
}

t.test('nobody reads what a subcommand prints', async (t) => {
  const wrong = await temporaryFolder(t);
  await writeFile(join(wrong, 'result.json'), '{}');
  t.same(await unread(['--help']), { code: 0, stderr: '' });
  t.same(await unread(['serve', '--help']), { code: 0, stderr: '' });
  t.same(await unread(['rules', 'show', 'standard-2']), { code: 0, stderr: '' });
  t.same(await unread(['tournament', 'verify', wrong]), { code: 1, stderr: '' }, 'what is wrong stays wrong');
});
