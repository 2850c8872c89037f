// Files of admin keys: galaxyd admin-key makes them, a server reads them at its start and on SIGHUP, and only hashes are in them.
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readAdminKeys } from '../../../cli/commands/admin-key-file.js';
import { OperatorFileUnsound } from '../../../cli/commands/operator-file.js';
import { keyHash } from '../../../http/admission/identity.js';
import { ADMIN_KEYS_MAX } from '../../../http/limits.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { Client } from '../../support/process/client.js';
import { GalaxydProcess, runGalaxyd } from '../../support/process/galaxyd-process.js';
import { done, refused, serveArgs } from '../../support/process/operator.js';

const place = await temporaryFolder(t);
const file = join(place, 'admin-keys');
const hashOf = (name: string): string => keyHash(`gxd_key-of-${name}`);
const line = (name: string, kind = 'full'): string => `${name} ${kind} ${hashOf(name)}`;
const written = (...lines: string[]): Promise<void> => writeFile(file, lines.join('\n'), { mode: 0o600 });

async function statusWith(t: Test, url: string, key: string): Promise<number> {
  const client = new Client(url, key);
  t.teardown(() => client.close());
  return (await client.get('/api/admin/players')).status;
}

t.test('a key is printed once, and only its hash is kept', async (t) => {
  const path = join(place, 'made');
  const made = (...args: string[]) => runGalaxyd(t, { args: ['admin-key', ...args, '--admin-keys', path] });
  const alice = await made('new', 'alice');
  t.equal(alice.code, 0);
  t.match(alice.stdout, /^gxd_[\w-]{43}\n$/);
  t.match(alice.stderr, /the only time that the key of alice is shown/);
  const { key } = JSON.parse(done(t, await made('new', 'grafana', '--kind', 'read', '--json')));
  t.same(await readAdminKeys(path), [
    { name: 'alice', kind: 'full', hash: keyHash(alice.stdout.trim()) },
    { name: 'grafana', kind: 'read', hash: keyHash(key) },
  ]);
  t.notMatch(await readFile(path, 'utf8'), /gxd_/);
  if (process.platform !== 'win32') t.equal((await stat(path)).mode & 0o777, 0o600);
  t.equal(done(t, await made('list')), 'alice full\ngrafana read\n');
  refused(t, await made('new', 'alice'), 1, /has a key of alice already$/m);
  refused(t, await made('new', 'Alice!'), 2, /the name of a key must be/);
  refused(t, await made('new', 'admin-key'), 2, /the name of a key must be/);
});

t.test('each line that is wrong is named, and no word of it that may be a key', async (t) => {
  const rows: readonly (readonly [lines: string[], message: RegExp])[] = [
    [['gxd_a-key-by-itself'], /^it must be a name, a kind and the hash/],
    [[line('Alice')], /^its name must be/],
    [[line('admin-key')], /^its name must be .* and not admin-key$/],
    [[line('alice', 'all')], /^the kind of alice must be full or read$/],
    [['alice full gxd_the-key-instead-of-its-hash'], /^it must be a name/],
    [[`${line('alice')} more`], /^it must be a name/],
    [[line('alice'), line('alice', 'read')], /^the name alice was there before$/],
    [[line('alice'), `bob read ${hashOf('alice')}`], /^bob has the key of another name$/],
  ];
  for (const [lines, message] of rows) {
    await written('# keys', ...lines);
    const error = await readAdminKeys(file).catch((error: unknown) => error);
    t.ok(error instanceof OperatorFileUnsound, lines.join());
    if (!(error instanceof OperatorFileUnsound)) return;
    t.match(error.faults, [{ line: lines.length + 1, message }]);
    t.notMatch(error.lines.join(), /gxd_/);
  }
  const names = Array.from({ length: ADMIN_KEYS_MAX + 1 }, (_, index) => `operator-${index}`);
  await written(...names.slice(1).map((name) => line(name)));
  t.equal((await readAdminKeys(file)).length, ADMIN_KEYS_MAX);
  await written(...names.map((name) => line(name)));
  await t.rejects(readAdminKeys(file), OperatorFileUnsound);
  const args = ['admin-key', 'new', 'alice', '--admin-keys', file];
  await written(...names.slice(1).map((name) => line(name)));
  refused(t, await runGalaxyd(t, { args }), 1, /has as many keys as it may/);
});

t.test('a server reads its file again on SIGHUP, and keeps the old keys if it cannot', async (t) => {
  await written(line('alice'), line('bob'));
  const args = serveArgs(join(place, 'world'), '--admin-keys', file, '--log-format', 'json');
  const galaxyd = await GalaxydProcess.start(t, { args });
  const expectKeys = async (...names: string[]) => {
    for (const name of ['alice', 'bob', 'carol']) {
      t.equal(await statusWith(t, galaxyd.url, `gxd_key-of-${name}`), names.includes(name) ? 200 : 401, name);
    }
  };
  await expectKeys('alice', 'bob');
  await written(line('alice', 'read'), line('carol'));
  galaxyd.signal('SIGHUP');
  await galaxyd.printed(/"event":"admin_keys_read"/);
  t.match(
    galaxyd.stdout,
    /"added":\["carol"\],"removed":\["bob"\],"changed":\["alice"\].*again: added carol; removed bob; changed alice/,
  );
  await expectKeys('alice', 'carol');
  await chmod(file, 0o604);
  galaxyd.signal('SIGHUP');
  await galaxyd.printed(/"event":"admin_keys_kept"/);
  t.match(galaxyd.stdout, /keeps its admin keys: .* may be read or written by others/);
  await expectKeys('alice', 'carol');
  t.match(await galaxyd.stop(), { code: 0 });
});

t.test('a server does not start with a file that it cannot use', async (t) => {
  const start = () => runGalaxyd(t, { args: serveArgs(join(place, 'none'), '--admin-keys', file), rules: null });
  await chmod(file, 0o600);
  await written('gxd_a-key-by-itself');
  refused(t, await start(), 78, /is not a file of admin keys that can be used:\n {2}line 1: it must be a name/);
  await written(line('alice'));
  await chmod(file, 0o602);
  refused(t, await start(), 78, /may be read or written by others.*chmod o-rwx/);
});
