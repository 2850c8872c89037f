// What a start shows on a terminal while it recovers a world.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { GalaxydProcess } from '../../support/process/galaxyd-process.js';
import { serveArgs } from '../../support/process/operator.js';

const PROGRAM = fileURLToPath(new URL('../../../cli/main.js', import.meta.url));
const HASTY_CLOCK = new URL('../../support/process/hasty-clock.js', import.meta.url).href;
const REMOVED = '\r\u001b[K';

t.test('a start that is refused removes its progress before it says why', async (t) => {
  const folder = await temporaryFolder(t);
  await (await GalaxydProcess.start(t, { args: serveArgs(folder, '--seed', '5'), rules: null })).stop();
  const words = [process.execPath, '--import', HASTY_CLOCK, PROGRAM, ...serveArgs(folder, '--seed', '6')];
  // script(1) runs it on a terminal.
  const shown = spawn('script', ['-qec', words.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => shown.kill('SIGKILL'));
  const output = await text(shown.stdout);
  t.match(output, `${REMOVED}galaxyd replays the log`, 'it was shown');
  t.match(output, `${REMOVED}galaxyd cannot serve: the world has seed 5`);
});
