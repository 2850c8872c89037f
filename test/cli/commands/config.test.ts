// The configuration file of a server: each key is an option, each fault is named with its line, and the command line and the environment
// come before the file.
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { OPERATOR_FILE_BYTES_MAX } from '../../../cli/limits.js';
import { type ConfigCheck, checkConfig } from '../../../cli/serve/config-check.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { runGalaxyd } from '../../support/process/galaxyd-process.js';
import { refused, start, statusOf } from '../../support/process/operator.js';

const place = await temporaryFolder(t);
const file = join(place, 'galaxyd.toml');
const world = join(place, 'world');

/** Checks a file with these lines, after one that names a folder. */
async function checked(...lines: string[]): Promise<ConfigCheck> {
  await writeFile(file, [`data = ${JSON.stringify(world)}`, ...lines].join('\n'), { mode: 0o600 });
  return checkConfig(file);
}

const settingIn = ({ settings }: ConfigCheck, name: string) => settings.find(({ option }) => option === name);

/** All faults are in the line after the first one. */
const FAULTS: readonly (readonly [line: string, message: RegExp])[] = [
  ['prt = 1', /^prt is no option of galaxyd serve\. The keys are: host, port, data,/],
  ['config = "other.toml"', /^config is no option/],
  ['[serve]', /^serve is no option/],
  ['"port number" = 1', /^port number is no option/],
  ['__proto__ = 1', /^__proto__ is no option/],
  ['port = "4000"', /^port: It must be a number, without quotes\.$/],
  ['port = 65536', /^port: It must be a whole number from 0 to 65535\.$/],
  ['port = 1.5', /^port: It must be a whole number/],
  ['port = true', /^port: It takes <number>, "port to listen on;/],
  ['port = 2026-01-01', /^port: It takes <number>/],
  ['port = ["1"]', /^port: It takes <number>.*, and no list\.$/],
  ['host = 5', /^host: It must be text in quotes\.$/],
  ['auth = "keys"', /^auth: Allowed choices are none, key\.$/],
  ['rate-limits = true', /^rate-limits: It takes "on" or "off"\.$/],
  ['keep-history = "true"', /^keep-history: It must be true or false\.$/],
  ['trusted-proxies = ["10.0.0.0/33"]', /^trusted-proxies: 10\.0\.0\.0\/33 is not a network/],
  ['trusted-proxies = [1]', /^trusted-proxies: It takes <networks>/],
  ['admin-key = "short"', /^admin-key: It must have 8 to 256/],
  ['port = 1\nport = 2', /\(column \d+\)$/],
  ['port =', /\(column \d+\)$/],
];

t.test('each fault is named with its line', async (t) => {
  for (const [line, message] of FAULTS) {
    const { isSound, faults } = await checked(line);
    t.notOk(isSound, line);
    t.equal(faults.length, 1, line);
    t.match(faults[0]?.message, message, line);
    t.equal(faults[0]?.line, line.includes('\n') ? 3 : 2, line);
  }
  const both = await checked('# a comment', 'prt = 1', '', 'port = -1');
  t.same(
    both.faults.map(({ line }) => line),
    [3, 5],
    'all of them at once',
  );
});

t.test('what a file quotes is not repeated: it may be a key', async (t) => {
  for (const line of [
    'admin-key = "tell-nobody',
    'admin-key = "tell nobody"',
    'data = "postgress://me:tell-nobody@db/w"',
  ]) {
    await writeFile(file, line);
    t.notMatch(JSON.stringify(await checkConfig(file)), /tell.nobody/, line);
  }
});

t.test('options that do not go together, and what the file names', async (t) => {
  const rows: readonly (readonly [lines: string, message: RegExp])[] = [
    ['clock = "turns"\nauth = "key"', /^--clock turns requires --admin-key/],
    [
      'rules = "./nowhere.json"',
      /nowhere\.json: there is no such file, and the rule sets with a name are standard-1, /,
    ],
    [`rules = ${JSON.stringify(file)}`, /is not a rule set/],
    ['connections = 1000000', /^1000000 connections need a limit of \d+ open files/],
    ['transport = "javascript"\nrequire-native = true', /^the native part of uWebSockets\.js/],
  ];
  for (const [lines, message] of rows) {
    const { isSound, faults } = await checked(lines);
    t.same([isSound, faults.length], [false, 1], lines);
    t.match(faults[0]?.message, message);
  }
  await writeFile(file, `data = ${JSON.stringify(join(file, 'world'))}`);
  t.match((await checkConfig(file)).faults[0]?.message, /a part of the path is not a folder$/);
  await writeFile(file, 'data = "postgres://me@db.example/world"\nhost = "0.0.0.0"');
  t.match((await checkConfig(file)).faults[0]?.message, /^--host 0\.0\.0\.0 does not say where other processes/);
});

t.test('warnings name what starts and is perhaps not meant', async (t) => {
  const rows: readonly (readonly [lines: string, message: RegExp])[] = [
    ['registration = "closed"', /^registration is closed and there is no admin key/],
    ['port = 0', /^port 0 takes another/],
    ['host = "0.0.0.0"', /^the world has no keys .* anybody/],
    ['trusted-proxies = "127.0.0.1"', /^a proxy passes requests on/],
    ['spectator-key = "those-who-watch"', /^spectator-key has no effect/],
    ['auth = "key"\nrate-limits = "off"', /^nothing limits/],
    ['connections = 10', /^one address may open all connections/],
  ];
  for (const [lines, message] of rows) {
    const { isSound, warnings } = await checked(lines);
    t.same([isSound, warnings.length], [true, 1], lines);
    t.match(warnings[0], message);
  }
  t.same((await checked()).warnings, []);
});

t.test('a check shows what the server would run with, and no secret', async (t) => {
  const check = await checked(
    'admin-key = "let-me-in-please"',
    'trusted-proxies = ["10.0.0.0/8", "::1"]',
    'speed = 2.5',
  );
  t.same(check.faults, []);
  t.same(settingIn(check, 'admin-key'), { option: 'admin-key', value: '[secret]', source: 'file', meaning: null });
  t.match(settingIn(check, 'trusted-proxies'), { value: ['10.0.0.0/8', '::1'], source: 'file' });
  t.match(settingIn(check, 'speed'), { value: 2.5, source: 'file' });
  t.match(settingIn(check, 'port'), { value: 3000, source: 'default' });
  t.match(settingIn(check, 'development'), { value: null, meaning: 'on with --auth none, else off' });
  process.env['GALAXYD_SPEED'] = '3';
  t.teardown(() => delete process.env['GALAXYD_SPEED']);
  t.match(settingIn(await checked('speed = 2.5'), 'speed'), { value: 3, source: 'environment' });
  process.env['GALAXYD_SPEED'] = 'fast';
  t.match((await checked()).faults, [{ line: null, message: /'fast' from env 'GALAXYD_SPEED' is invalid/ }]);
});

t.test('a file with a key is for its owner and its group', { skip: process.platform === 'win32' }, async (t) => {
  t.equal((await checked('admin-key = "let-me-in-please"')).isSound, true);
  await chmod(file, 0o640);
  t.equal((await checkConfig(file)).isSound, true);
  await chmod(file, 0o604);
  t.match((await checkConfig(file)).faults, [{ line: 2, message: /^admin-key is a secret, and others may read/ }]);
  await checked('port = 4000');
  await chmod(file, 0o644);
  t.equal((await checkConfig(file)).isSound, true, 'one without a key is for everybody');
});

t.test('a link is followed; what is no file, or too long, is refused', async (t) => {
  await checked('port = 4000');
  await symlink(file, join(place, 'link.toml'));
  t.equal((await checkConfig(join(place, 'link.toml'))).isSound, true);
  t.match((await checkConfig(place)).faults, [{ message: /is not a regular file$/ }]);
  t.match((await checkConfig(join(place, 'nowhere'))).faults, [{ message: /there is no such file or folder$/ }]);
  await writeFile(file, `\uFEFF#${' '.repeat(OPERATOR_FILE_BYTES_MAX - 4)}`);
  t.equal((await checkConfig(file)).isSound, true, 'the longest one, with a byte order mark');
  await writeFile(file, `#${' '.repeat(OPERATOR_FILE_BYTES_MAX)}`);
  t.match((await checkConfig(file)).faults, [{ message: /more than the maximum of/ }]);
});

t.test('the command line comes before the environment, the environment before the file', async (t) => {
  await checked('port = 0', 'seed = 1', 'speed = 2', 'systems-per-galaxy = 9', 'clock = "manual"', 'min-free-mib = 0');
  const env = { GALAXYD_CONFIG: file, GALAXYD_SPEED: '3', GALAXYD_SEED: '2' };
  const { galaxyd, client } = await start(t, { args: ['serve', '--seed', '4'], env });
  t.match(galaxyd.stdout, /\(seed 4, /);
  t.match(await statusOf(client), { speed: 3, systemsPerGalaxy: 9, clock: 'manual' });
});

t.test('a server does not start with a file that is not sound', async (t) => {
  const run = (...args: string[]) => runGalaxyd(t, { args, rules: null });
  await checked('port = 70000', 'prt = 1');
  refused(
    t,
    await run('serve', '--config', file),
    78,
    /^galaxyd serve: .* is not a configuration that can be used:\n {2}line 2: port/,
  );
  const check = await run('config', 'check', file);
  t.equal(check.code, 78);
  t.match(check.stdout, /^port = 3000\n/m);
  t.match(check.stdout, /^fault: line 3: prt is no option .*\n.* is not sound\n$/m);
  t.match(JSON.parse((await run('config', 'check', file, '--json')).stdout), { isSound: false, faults: [{}, {}] });
  await checked('clock = "turns"');
  refused(t, await run('serve', '--config', file), 78, /\n {2}--clock turns requires --auth key/);
  refused(t, await run('serve', '--config', join(place, 'nowhere')), 78, /nowhere: there is no such file or folder/);
  await checked('port = 4000');
  const sound = await run('config', 'check', file);
  t.same([sound.code, sound.stderr], [0, '']);
  t.match(sound.stdout, /^port = 4000 {2}# from the file\n[\s\S]*^data = .*[\s\S]*is sound\n$/m);
});
