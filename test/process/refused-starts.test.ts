// Every kind of start that is refused, tried with the real program: if another start would be refused as well, its exit code is one after
// which the unit of deploy/ does not try again.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { EXIT_CODES } from '../../cli/commands/exit-codes.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { runGalaxyd } from '../support/process/galaxyd-process.js';
import { serveArgs, start } from '../support/process/operator.js';
import { unprivileged } from '../support/process/unprivileged.js';
import { root } from '../tidy/repository.js';

const { usage, damaged, clockJumped, unfit, failed, inUse, tryAgain } = EXIT_CODES;
const unit = await readFile(join(root, 'deploy', 'galaxyd.service'), 'utf8');
const lasting = (/^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1] ?? '').split(' ').map(Number);

t.test('the unit tries again after what may pass, and not after what lasts', async (t) => {
  t.same(lasting, [usage.code, damaged.code, clockJumped.code, unfit.code]);
  for (const { code } of [failed, inUse, tryAgain]) t.notOk(lasting.includes(code));
});

const place = await temporaryFolder(t);
const at = (name: string): string => join(place, name);

/** Each is refused now and always. */
const LASTING: readonly (readonly [what: string, args: readonly string[], ending: { code: number }])[] = [
  ['a flag that does not exist', ['--prt', '1'], usage],
  ['a value out of bounds', ['--speed', '0'], usage],
  ['options that contradict each other', ['--clock', 'turns'], usage],
  ['a store that does not exist', ['--data', 'mysql://world'], usage],
  ['rules that are no rules', ['--rules', at('unsound.json')], unfit],
  ['rules that are not there', ['--rules', at('missing.json')], unfit],
  ['a file in the place of the folder', ['--data', at('file')], unfit],
  ['a path through a file', ['--data', join(at('file'), 'world')], unfit],
];

t.test('what lasts', async (t) => {
  await writeFile(at('unsound.json'), '{"name": "mine"}');
  await writeFile(at('file'), '');
  for (const [what, flags, { code }] of LASTING) {
    const args = serveArgs(at('new'), ...flags);
    t.match(await runGalaxyd(t, { args, rules: null }), { code, signal: null }, what);
  }
  const few = await runGalaxyd(t, {
    args: serveArgs(at('new'), '--connections', '300'),
    by: ['prlimit', '--nofile=256'],
  });
  t.match(few, { code: unfit.code }, 'more connections than files');
  const by = await unprivileged(t);
  if (by === null) return;
  await chmod(place, 0o700);
  t.match(await runGalaxyd(t, { args: serveArgs(at('new')), by }), { code: unfit.code }, 'no permission');
});

t.test('what lasts in a world that is there', async (t) => {
  const world = at('world');
  const served = await start(t, { args: serveArgs(world, '--seed', '5') });
  await served.galaxyd.stop();
  t.match(await runGalaxyd(t, { args: serveArgs(world, '--seed', '6') }), { code: unfit.code }, 'another seed');
  await writeFile(join(world, 'origin.json'), '{}');
  t.match(await runGalaxyd(t, { args: serveArgs(world) }), { code: damaged.code }, 'damage');
});

t.test('what may pass', async (t) => {
  const world = at('busy');
  const { galaxyd } = await start(t, { args: serveArgs(world) });
  t.match(await runGalaxyd(t, { args: serveArgs(world) }), { code: inUse.code }, 'another process serves the world');
  await galaxyd.stop();
  const listener = createServer().listen(0, '127.0.0.1');
  t.teardown(() => listener.close());
  await new Promise((resolve) => listener.once('listening', resolve));
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const args = serveArgs(world, '--port', String(port));
  t.match(await runGalaxyd(t, { args }), { code: failed.code }, 'the port is in use');
});
