// `galaxyd serve` as an operator uses it: flags and variables, refusals in a sentence, and what a restart recovers.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { serveCommand } from '../../../cli/commands/serve.js';
import type { PlanetBody } from '../../../http/schemas/planet.js';
import { defaultTransport } from '../../../http/world-server.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import type { PlayerState } from '../../support/process/bot-choices.js';
import { Client } from '../../support/process/client.js';
import { freePort } from '../../support/process/free-port.js';
import { GalaxydProcess, runGalaxyd } from '../../support/process/galaxyd-process.js';
import {
  ADMIN_KEY,
  manualArgs,
  refused,
  refusedLine,
  serveArgs,
  start,
  statusOf,
  testLines,
} from '../../support/process/operator.js';
import { replayLog, storedRecords } from '../../support/process/replayed-log.js';
import { Visitor } from '../../support/visitor.js';

const FLAGS =
  'config host port data advertise lease-ms seed speed systems-per-galaxy rules vary clock traces max-clock-jump-days on-downtime auth registration development admin-key admin-keys spectator-key durability min-free-mib stop-seconds snapshot-minutes snapshot-log-mib verify-hours keep-history transport require-native connections connections-per-address registrations-per-minute rate-limits rate-per-second rate-burst trusted-proxies allowed-hosts cors-origins log-format'.split(
    ' ',
  );

const TURNS = ['--clock', 'turns', '--auth', 'key'];
const isNativeLoaded = defaultTransport() === 'native';
/** Flags of a server that has to be native, if its library loads. */
const REQUIRED = isNativeLoaded ? ['--require-native'] : [];
const RELAXED = ['--admin-key', 'long-enough', '--durability', 'relaxed'];

const SHARED = ['serve', '--data', 'postgres://nobody@127.0.0.1:9/world', '--port', '0'];

t.test('--help lists every flag with its variable, and impossible combinations are refused', (t) =>
  testLines(t, [
    {
      what: '--help',
      lines: [['serve', '--help']],
      check: (t, { code, stdout }) => {
        t.equal(code, 0);
        const flags = serveCommand(async () => {}).options.map(({ long }) => long?.slice(2));
        t.same(flags, FLAGS);
        const words = stdout.split(/[^\w-]+/);
        for (const flag of FLAGS) {
          t.ok(words.includes(`--${flag}`), `--${flag}`);
          t.ok(words.includes(`GALAXYD_${flag.toUpperCase().replaceAll('-', '_')}`), `the variable of --${flag}`);
        }
      },
    },
    refusedLine(
      'a shared store needs a URL that other machines can use',
      [...SHARED, '--host', '0.0.0.0'],
      2,
      /^galaxyd cannot serve: --host 0\.0\.0\.0 does not say .* --advertise http:/,
    ),
    refusedLine(
      'time does not stand in a world that a standby takes over',
      [...SHARED, '--on-downtime', 'pause'],
      2,
      /^galaxyd cannot serve: a standby takes over .* --on-downtime pause needs a world in a folder/,
    ),
    refusedLine(
      'a shared store takes no games of turns',
      [...SHARED, ...TURNS, '--admin-key', 'a-key-of-a-test'],
      2,
      /^galaxyd cannot serve: one process plays a game of turns, so --clock turns/,
    ),
  ]),
);

t.test('invalid arguments end with exit code 2 and a sentence', async (t) => {
  const flags: [what: string, args: string[], sentence: RegExp][] = [
    ['an unknown flag', ['--prt', '1'], /^error: unknown option '--prt'/],
    ['one word too many', ['now'], /^error: too many arguments/],
    ['an invalid port', ['--port', '65536'], /^error: .*--port.* 0 to 65535/],
    ['an invalid speed', ['--speed', '0'], /^error: .*--speed.*'0' is invalid/],
    ['an invalid seed', ['--seed', '1.5'], /^error: .*--seed.*'1.5' is invalid/],
    ['an invalid clock', ['--clock', 'lunar'], /^error: .*--clock.*real, manual/],
    ['turns without keys', ['--clock', 'turns'], /^error: --clock turns requires --auth key/],
    ['turns without an operator', TURNS, /^error: --clock turns requires --admin-key/],
    ['traces without turns', ['--traces', './traces'], /^error: --traces requires --clock turns/],
    ['relaxed turns', [...TURNS, ...RELAXED], /^error: --clock turns requires --durability durable/],
    ['a URL with a path', ['--advertise', 'http://10.0.0.5/world'], /^error: .*--advertise.*without a path/],
    ['a lease that is too short', ['--lease-ms', '499'], /^error: .*--lease-ms.* 500 to 60000/],
    ['no jump at all', ['--max-clock-jump-days', '0'], /^error: .*--max-clock-jump-days.* 1 to 100000/],
    ['a verification once a year', ['--verify-hours', '8760'], /^error: .*--verify-hours.* 0 to 500/],
    ['a short admin key', ['--admin-key', 'short'], /^error: .*--admin-key.*8 to 256/],
  ];
  const ofOthers = {
    GALAXYD_KEY_SECRET: 'a-secret-of-a-tournament',
    GALAXYD_COMMAND: 'galaxyd',
    GALAXYD_API_KEY: 'gxd_key',
  };
  const variables: [what: string, env: Record<string, string>, sentence: RegExp][] = [
    ['those of other commands', { ...ofOthers, GALAXYD_CLOCK: 'turns' }, /^error: --clock turns requires --auth key/],
    ['an unknown one', { GALAXYD_PROT: '1' }, /^error: unknown environment variable GALAXYD_PROT/],
    ['one out of bounds', { GALAXYD_SPEED: '-1' }, /^error: .*'-1' from env 'GALAXYD_SPEED' is invalid/],
    ['an empty one', { GALAXYD_SEED: '' }, /^error: .*'' from env 'GALAXYD_SEED' is invalid/],
  ];
  const folder = await temporaryFolder(t);
  await testLines(t, [
    refusedLine('an unknown subcommand', ['sevre'], 2, /^error: unknown command 'sevre'/),
    ...flags.map(([what, args, sentence]) => refusedLine(what, serveArgs(folder, ...args), 2, sentence)),
  ]);
  for (const [what, env, sentence] of variables) {
    await t.test(`variables: ${what}`, async (t) =>
      refused(t, await runGalaxyd(t, { args: serveArgs(folder), env }), 2, sentence),
    );
  }
  t.same(await readdir(folder), [], 'and nothing was created');
});

t.test('variables replace flags, and flags take precedence', async (t) => {
  const folder = await temporaryFolder(t);
  const env = {
    GALAXYD_PORT: '0',
    GALAXYD_DATA: folder,
    GALAXYD_SEED: '77',
    GALAXYD_SPEED: '2.5',
    GALAXYD_SYSTEMS_PER_GALAXY: '9',
    GALAXYD_CLOCK: 'manual',
    GALAXYD_ADMIN_KEY: ADMIN_KEY,
    GALAXYD_DURABILITY: 'durable',
  };
  const { galaxyd, client } = await start(t, { args: ['serve', '--durability', 'relaxed'], env });
  const expected = { speed: 2.5, systemsPerGalaxy: 9, clock: 'manual', durability: 'relaxed', auth: 'none' };
  t.match(await statusOf(client), expected);
  t.equal((await client.get('/api/admin/state-hash')).status, 200);
  t.match(galaxyd.stdout, /\(seed 77, speed 2\.5, manual clock, relaxed, auth none\)/);
  const port = Number(new URL(galaxyd.url).port);
  t.ok(port > 0 && port !== 3000, `port 0 takes a free port and reports it: ${port}`);
  await galaxyd.stop();
});

t.test('a world cannot be started as another one', async (t) => {
  const folder = await temporaryFolder(t);
  const own = ['--seed', '5', '--speed', '10', '--systems-per-galaxy', '20'];
  await (await GalaxydProcess.start(t, { args: serveArgs(folder, ...own) })).stop();
  const rows: [flag: string, value: string, sentence: RegExp][] = [
    ['--seed', '6', /^galaxyd cannot serve: the world has seed 5 and cannot be started with 6;/],
    ['--speed', '1', /^galaxyd cannot serve: the world has speed 10 and cannot be started with 1;/],
    ['--systems-per-galaxy', '300', /^galaxyd cannot serve: the world has systems per galaxy 20 and .* with 300;/],
  ];
  await testLines(
    t,
    rows.map(([flag, value, sentence]) => refusedLine(flag, serveArgs(folder, flag, value), 78, sentence)),
  );
  t.test('it can with its own settings, or without any', async (t) => {
    for (const flags of [own, []]) {
      const { galaxyd, client } = await start(t, { args: serveArgs(folder, ...flags) });
      t.match(galaxyd.stdout, /\(seed 5, /);
      t.match(await statusOf(client), { speed: 10, systemsPerGalaxy: 20 });
      await galaxyd.stop();
    }
  });
});

t.test('a folder or a port in use is refused, and its owner goes on', async (t) => {
  const folder = await temporaryFolder(t);
  const otherFolder = await temporaryFolder(t);
  // A port that was requested by number, because one that the system chose is never shared.
  const port = String(await freePort());
  const { galaxyd, client } = await start(t, { args: ['serve', '--port', port, '--data', folder, ...REQUIRED] });
  t.equal(new URL(galaxyd.url).port, port);
  if (isNativeLoaded) {
    t.notMatch(galaxyd.stdout, /native/, 'it does not mention the native part that it has');
    const { http, hint } = await statusOf(client);
    t.same({ http, hint }, { http: 'native', hint: undefined });
  }

  t.test('the folder', async (t) => {
    const ending = await runGalaxyd(t, { args: serveArgs(folder) });
    refused(t, ending, 4, /^galaxyd cannot serve: the data folder .* is in use by another galaxyd/);
    t.match(ending.stderr, folder);
  });

  t.test('the port', async (t) => {
    const ending = await runGalaxyd(t, { args: ['serve', '--port', port, '--data', otherFolder] });
    refused(t, ending, 1, new RegExp(`^galaxyd cannot serve: .*${port} \\(in use`));
  });

  t.test('the first goes on, and the other world was released', async (t) => {
    const created = await client.post<PlayerState>('/api/game/player', { name: 'ada', isBot: true });
    t.equal(created.status, 201);
    t.equal((await client.get(`/api/game/state/${created.body.id}`)).status, 200);
    const other = await GalaxydProcess.start(t, { args: serveArgs(otherFolder) });
    t.equal((await other.stop()).code, 0);
  });
});

t.test('on a stop signal it ends in order, and the next start recovers the world', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await start(t, { args: manualArgs(folder) });
  t.match(first.galaxyd.stdout, /made a new world in/);
  const { body: player } = await first.client.post<PlayerState>('/api/game/player', { name: 'ada', isBot: true });
  const planetId = player.planets[0]?.id ?? '';
  await first.client.post('/api/building/upgrade', { planetId, buildingType: 'iron_mine' });
  await first.client.post('/api/admin/clock/advance', { seconds: 100 });
  const before = await statusOf(first.client);
  const stateBefore = await first.client.get(`/api/game/state/${player.id}`);
  await endsInOrder(t, first.galaxyd, 'SIGTERM');

  const second = await start(t, { args: manualArgs(folder) });
  t.match(second.galaxyd.stdout, new RegExp(`recovered ${folder}: ${before.seq} entries of the log`));
  const after = await statusOf(second.client);
  t.equal(after.worldTime, before.worldTime, 'the manual clock keeps its position');
  t.same([after.seq, after.nextTimerAt, after.startedAt], [before.seq, before.nextTimerAt, before.startedAt]);
  t.same((await second.client.get(`/api/game/state/${player.id}`)).body, stateBefore.body);
  await second.client.post('/api/admin/clock/advance', { nextTimer: true });
  const { body: planet } = await second.client.get<PlanetBody>(`/api/game/planet/${planetId}`);
  t.equal(planet.buildings.find(({ type }) => type === 'iron_mine')?.level, 2, 'and the upgrade is finished');
  const { seq } = await statusOf(second.client);
  await endsInOrder(t, second.galaxyd, 'SIGINT');
  t.equal((await replayLog(folder)).engine.seq, seq, 'and the last entry is there as well');
});

async function endsInOrder(t: Test, galaxyd: GalaxydProcess, signal: NodeJS.Signals): Promise<void> {
  galaxyd.signal(signal);
  const { code, stdout, stderr } = await galaxyd.ending();
  t.same({ code, stderr }, { code: 0, stderr: '' }, signal);
  t.match(stdout, /galaxyd stopped\n$/);
}

t.test('keys are still valid after a restart, and only their hashes are on disk', async (t) => {
  const folder = await temporaryFolder(t);
  const args = serveArgs(folder, '--auth', 'key');
  const first = await start(t, { args });
  const { body } = await first.client.post<{ id: string; apiKey: string }>('/api/game/player', {
    name: 'ada',
    isBot: true,
  });
  await first.galaxyd.stop();
  const { galaxyd } = await start(t, { args });
  const owner = new Client(galaxyd.url, body.apiKey);
  t.equal((await owner.get(`/api/game/state/${body.id}`)).status, 200);
  owner.close();
  const stranger = new Client(galaxyd.url, `${body.apiKey}x`);
  t.equal((await stranger.get(`/api/game/state/${body.id}`)).status, 401);
  stranger.close();
  await galaxyd.stop();
  const records = await storedRecords(join(folder, 'log'));
  const secret = Buffer.from(body.apiKey.replace(/^gxd_/, ''));
  t.ok(secret.length > 20);
  t.notOk(records.some(({ bytes }) => Buffer.from(bytes).includes(secret)));
});

t.test('without the native part', async (t) => {
  const env = { GALAXYD_TRANSPORT: 'javascript' };
  t.test('it starts, says so, and a second process on its port is refused', async (t) => {
    const { galaxyd, client } = await start(t, { args: serveArgs(await temporaryFolder(t)), env });
    t.match(galaxyd.stdout, /^galaxyd runs over Node's own HTTP server\..*docs\/operating\.md/m);
    const status = await statusOf(client);
    t.equal(status.http, 'javascript');
    t.match(status.hint, /uWebSockets\.js, whose native part was not asked for/);
    const args = ['serve', '--port', new URL(galaxyd.url).port, '--data', await temporaryFolder(t)];
    refused(t, await runGalaxyd(t, { args, env }), 1, /^galaxyd cannot serve: .* \(in use/m);
    t.equal((await galaxyd.stop()).code, 0);
  });
  t.test('--require-native refuses', async (t) => {
    const folder = await temporaryFolder(t);
    const ending = await runGalaxyd(t, { args: serveArgs(folder, '--require-native'), env });
    refused(t, ending, 78, /^galaxyd cannot serve: the native part of uWebSockets\.js was not asked for\./m);
  });
});

t.test('--allowed-hosts names the hosts of a world without keys, and * stands for any', async (t) => {
  const statuses = async (...flags: string[]): Promise<number[]> => {
    const { url } = await GalaxydProcess.start(t, { args: manualArgs(await temporaryFolder(t), ...flags) });
    const hosts = ['localhost', 'play.example', 'other.example'];
    const visitors = hosts.map((host) => new Visitor({ port: Number(new URL(url).port), host }));
    return Promise.all(visitors.map(async (visitor) => (await visitor.ask('GET', '/api/status')).status));
  };
  t.same(await statuses(), [200, 400, 400]);
  t.same(await statuses('--allowed-hosts', 'play.example,localhost'), [200, 200, 400]);
  t.same(await statuses('--allowed-hosts', '*'), [200, 200, 200]);
});
