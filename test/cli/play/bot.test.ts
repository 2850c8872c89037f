// galaxyd bot new and bot try: the bots that are written play in each language, and a trial says what a bot did.
import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { GalaxydClient } from 'galaxyd-client';
import t, { type Test } from 'tap';
import { hasPrograms, run } from '../../clients/programs.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { BUNDLED, type Ending, GalaxydProcess, runGalaxyd } from '../../support/process/galaxyd-process.js';
import { serveArgs } from '../../support/process/operator.js';
import { root } from '../../tidy/repository.js';

const SECONDS_PER_DAY = 86_400;
const STRATEGY_LINES_MAX = 100;
/** Buildings that the first look plans: five on each planet, and a shipyard. */
const FIRST_BUILDINGS = 11;
/** Node in PATH is the one that runs the tests. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;

const bot = (t: Test, cwd: string, ...args: string[]): Promise<Ending> =>
  runGalaxyd(t, { args: ['bot', ...args], cwd, env: { PATH, NODE_OPTIONS: '' } });

/** Each language with the programs that it needs, and how its tests are run. */
const LANGUAGES = [
  ['python', ['python3'], ['python3', '-B', '-m', 'unittest']],
  ['javascript', [], [process.execPath, '--test']],
  ...('typescript' in process.features && process.features.typescript
    ? [['typescript', [], [process.execPath, '--test']] as const]
    : []),
] as const;

for (const [language, programs, [program, ...words]] of LANGUAGES) {
  t.test(`a bot in ${language} passes its own test, which plays a game`, async (t) => {
    if (!hasPrograms(t, ...programs)) return;
    const folder = await temporaryFolder(t);
    const made = await bot(t, folder, 'new', 'my-bot', '--language', language);
    t.match(made, { code: 0, stderr: '' });
    t.match(made.stdout, /^ {2}galaxyd bot try my-bot$/m);
    const own = join(folder, 'my-bot');
    const output = await run(program, words, {
      cwd: own,
      environment: { PATH, GALAXYD_COMMAND: `${process.execPath} ${BUNDLED}` },
    });
    t.match(output, /^(Ran 1 test in|# pass 1$)/m);
    const strategy = await readFile(join(own, /strategy\.\w+/.exec(made.stdout)?.[0] ?? ''), 'utf8');
    t.ok(strategy.split('\n').length <= STRATEGY_LINES_MAX, 'a strategy is read at once');
    const manifest = JSON.parse(await readFile(join(own, 'entrant.json'), 'utf8')) as { files: string[] };
    const files = await readdir(own);
    t.same(
      manifest.files.filter((name) => !files.includes(name)),
      [],
      'all files of the manifest are there',
    );
  });
}

t.test('the types of the client come with a bot, and find a wrong request', async (t) => {
  const folder = await temporaryFolder(t);
  t.match(await bot(t, folder, 'new', 'my-bot', '--language', 'javascript'), { code: 0 });
  const check = async (path: string): Promise<string> => {
    const text = `import { GalaxydClient } from './galaxyd-client.js';\nawait new GalaxydClient({ baseUrl: '' }).get('${path}');\n`;
    await writeFile(join(folder, 'my-bot/asks.mts'), text);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', '--types', 'node'];
    const modules = join(root, 'node_modules');
    const words = [
      join(modules, 'typescript-native/bin/tsc'),
      'asks.mts',
      ...options,
      '--typeRoots',
      join(modules, '@types'),
    ];
    return await run(process.execPath, words, { cwd: join(folder, 'my-bot') });
  };
  t.equal(await check('/api/status'), '');
  await t.rejects(check('/api/nothing'), /Argument of type '"\/api\/nothing"' is not assignable/);
});

for (const [language, program, file] of [
  ['python', 'python3', 'bot.py'],
  ['javascript', process.execPath, 'bot.js'],
] as const) {
  t.test(`a bot in ${language} plays in a live world, and sleeps between two looks`, async (t) => {
    if (!hasPrograms(t, program)) return;
    const folder = await temporaryFolder(t);
    t.match(await bot(t, folder, 'new', 'my-bot', '--language', language), { code: 0 });
    // At this speed two hours pass in a second.
    const args = serveArgs(join(folder, 'world'), '--auth', 'key', '--speed', '7200', '--min-free-mib', '0');
    const { url } = await GalaxydProcess.start(t, { args, rules: null });
    const { body } = await new GalaxydClient({ baseUrl: url }).post('/api/game/player', { body: { name: 'Ada' } });
    const apiKey = 'apiKey' in body ? body.apiKey : '';
    const environment = { PATH, GALAXYD_SERVER: url, GALAXYD_PLAYER: body.id, GALAXYD_API_KEY: apiKey };
    const env = { ...process.env, NODE_OPTIONS: '', ...environment };
    const child = spawn(program, [file], { cwd: join(folder, 'my-bot'), env, stdio: 'ignore' });
    t.teardown(() => child.kill('SIGKILL'));
    const ada = new GalaxydClient({ baseUrl: url, apiKey });
    const params = { path: { playerId: body.id } };
    let buildings = 0;
    for (let since = 0; buildings <= FIRST_BUILDINGS && child.exitCode === null; ) {
      const page = await ada.get('/api/event/player/{playerId}', { params: { ...params, query: { since, wait: 20 } } });
      buildings += page.body.events.filter(({ type }) => type === 'building_started').length;
      since = page.body.lastSeq;
    }
    t.equal(child.exitCode, null, 'it still plays');
  });
}

/** What a bot without a client begins with. */
const REQUESTS = `
const { GALAXYD_SERVER: server, GALAXYD_API_KEY: key, GALAXYD_PLAYER: playerId } = process.env;
const send = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  return await (await fetch(server + path, { method, headers, body: body && JSON.stringify(body) })).json();
};
const planetsOf = async (id) => (await send('GET', '/api/game/state/' + id)).planets;
`;
/** Takes the second planet and builds once. Two commands are refused. */
const STEADY = `${REQUESTS}
for (let turn; (turn = await send('GET', '/api/turn?wait=20')).state !== 'over'; ) {
  if (turn.state === 'waiting') continue;
  if (turn.turn === 1) {
    const [{ id: planetId }] = await planetsOf(playerId);
    await send('POST', '/api/game/planet/starter/' + playerId, { playerId });
    for (let time = 1; time <= 3; time += 1)
      await send('POST', '/api/building/upgrade', { planetId, buildingType: 'zentrale' });
  }
  await send('POST', '/api/turn/end', {});
}
`;
/** Researches, and sends a scout to the home of the best of the others. */
const BUSY = `${REQUESTS}
let hasOrdered = false;
for (let turn; (turn = await send('GET', '/api/turn?wait=20')).state !== 'over'; ) {
  if (turn.state === 'waiting') continue;
  const [{ id: planetId, buildings, planetShips }] = await planetsOf(playerId);
  if (turn.turn === 1) {
    await send('POST', '/api/research/start', { playerId, researchType: 'mining' });
    await send('POST', '/api/building/construct', { planetId, buildingType: 'shipyard' });
  }
  if (!hasOrdered && buildings.some(({ type, level }) => type === 'shipyard' && level === 1)) {
    hasOrdered = true;
    await send('POST', '/api/shipyard/build', { planetId, shipType: 'scout', count: 1 });
  }
  if (planetShips.length > 0) {
    const { players } = await send('GET', '/api/leaderboard');
    const targetPlanetId = players.find(({ id }) => id !== playerId).home.planetId;
    const ships = [{ type: 'scout', count: 1 }];
    await send('POST', '/api/fleet/launch', { playerId, mission: 'espionage', originPlanetId: planetId, targetPlanetId, ships });
  }
  await send('POST', '/api/turn/end', {});
}
`;
/** Prints and ends. */
const BROKEN = `
console.error('one\\n\\ntwo');
process.exit(3);
`;

/** @returns the folder that the bots are in */
async function botsOf(t: Test, programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const [name, text] of Object.entries(programs)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'bot.mjs'), text);
    const manifest = { command: [process.execPath, 'bot.mjs'], files: ['bot.mjs'] };
    await writeFile(join(folder, name, 'entrant.json'), JSON.stringify(manifest));
  }
  return folder;
}

t.test('a trial says what a bot did, what was refused and why it won', async (t) => {
  const folder = await botsOf(t, { steady: STEADY });
  const game = ['try', 'steady', '--against', 'idler', '--same-rules', '--days', '0.1'];
  const [told, asJson] = [await bot(t, folder, ...game), await bot(t, folder, ...game, '--json')];
  t.match(asJson.code, 0);
  const { bot: own, rivals, reasons } = JSON.parse(asJson.stdout);
  const refusal = {
    code: 'upgrade_in_progress',
    count: 2,
    first: {
      worldTime: '2000-01-01T00:00:00.000Z',
      request: 'POST /api/building/upgrade',
      detail: /^Another building of the planet is being upgraded\./,
    },
  };
  // docs/first-bot.md shows what a second planet and the next level of a zentrale are worth, and how long that takes.
  t.match(own, {
    name: 'steady',
    rank: 1,
    commands: { create_second_starter: 1, upgrade_building: 1 },
    planets: 2,
    secondPlanetMs: 0,
    isSecondPlanetFree: true,
    // Both planets lean to iron: 150 % of 114 and of 144.
    production: { iron: 171 + 216 },
    buildings: { zentrale: 3 },
    refusals: [refusal],
    faults: [],
    overruns: 0,
  });
  t.equal(own.points.at(-1) - rivals[0].points.at(-1), 1255 + 585);
  t.equal(own.idleShare, 1 - 240 / (2 * 0.1 * SECONDS_PER_DAY));
  // Of 96 looks at two planets, 90 seconds apart, three found the one that built.
  t.equal(own.unusedShare, 1 - 3 / (2 * 96));
  t.match(rivals, [
    { name: 'idler', rank: 2, planets: 1, secondPlanetMs: null, idleShare: 1, unusedShare: 1, commands: {} },
  ]);
  t.equal(reasons[0], 'steady took its free second planet at 00:00:00, idler never had one.');
  t.equal(told.code, 0);
  t.match(told.stdout, /^steady has rank 1 of 2 after 0\.1 days \(seed 1\)\.\n/);
  t.match(
    told.stdout,
    /^Refused: upgrade_in_progress, 2 times; first at 2000-01-01T00:00:00\.000Z, POST \/api\/building/m,
  );
  t.match(told.stdout, `Why steady is ahead of idler:\n- ${reasons.join('\n- ')}\n`);
});

t.test('a trial counts research, ships and launches', async (t) => {
  const folder = await botsOf(t, { busy: BUSY });
  const game = ['try', 'busy', '--against', 'idler', '--same-rules', '--days', '0.1', '--json'];
  const { bot: own, reasons } = JSON.parse((await bot(t, folder, ...game)).stdout);
  t.match(own, {
    commands: { start_research: 1, construct_building: 1, build_ships: 1, launch_fleet: 1 },
    refusals: [],
    secondPlanetMs: null,
    buildings: { shipyard: 1 },
    research: { mining: 1 },
    ships: { scout: 1 },
    launches: { espionage: 1 },
  });
  // A scout costs 80 iron and 40 silver, and a quarter of that counts (docs/rules.md).
  t.equal(own.pointsFor.ships, (80 + 40) / 4);
  t.equal(own.pointsFor.battles, 0);
  t.equal(own.pointsFor.buildings + own.pointsFor.ships, own.points.at(-1));
  t.ok(reasons.includes('busy launched 1 fleet, idler 0; most of all espionage: 1 and 0.'), reasons.join(' '));
});

t.test('a trial with faults ends with code 1 and shows the end of the output; --keep keeps the game', async (t) => {
  const folder = await botsOf(t, { broken: BROKEN });
  const ending = await bot(t, folder, 'try', 'broken', '--against', 'greedy', '--days', '0.1', '--keep', 'game');
  t.equal(ending.code, 1);
  t.match(ending.stdout, /^broken has rank 2 of 2/);
  t.match(
    ending.stdout,
    /Faults: it ended before 1 game was over \(exit code 3\)\. Its output ends with:\n {2}one\n {2}two\n/,
  );
  t.match(ending.stdout, /^- greedy took its free second planet at 00:00:00, broken never had one\.$/m);
  t.match(await readdir(join(folder, 'game')), ['SHA256SUMS', 'games', 'points.csv', 'result.json']);
  const again = await bot(t, folder, 'try', 'broken', '--keep', 'game');
  t.match(again, { code: 2, stderr: /game cannot be used: a tournament was finished there/ });
});

t.test('what cannot be written is refused with a sentence, and nothing is left behind', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'full/inner'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  const python = join(folder, 'bin/python3');
  for (const [args, sentence] of [
    [['full'], /full is not empty; name a new folder/],
    [['greedy'], /greedy is a bot of galaxyd; choose another name/],
    [['-x'], /unknown option/],
    [['my bot'], /my bot: the name of a bot has 1 to 24 letters, digits/],
    [['all'], /all: the name of a bot must not look like all, which is reserved/],
    [['a'.repeat(25)], /the name of a bot has 1 to 24 letters/],
    [['one', '--language', 'cobol'], /Allowed choices are python, typescript, javascript/],
  ] as const) {
    t.match(await bot(t, folder, 'new', ...args), { code: 2, stderr: sentence }, args.join(' '));
  }
  const nowhere = await bot(t, folder, 'try', 'nowhere');
  t.match(nowhere, { code: 2, stderr: /nowhere is not a folder; galaxyd bot new nowhere writes one/ });
  const poor = (language: string) =>
    runGalaxyd(t, { args: ['bot', 'new', 'one', '--language', language], cwd: folder, env: { PATH: dirname(python) } });
  // The test starts galaxyd with it.
  await writeFile(join(folder, 'bin/env'), '#!/bin/sh\nexec /usr/bin/env "$@"\n');
  await chmod(join(folder, 'bin/env'), 0o755);
  const missing = /python does not run here: there is no python3 in PATH; --language javascript needs only Node/;
  t.match(await poor('python'), { code: 2, stderr: missing });
  await writeFile(
    python,
    '#!/bin/sh\necho "this bot needs Python 3.11 or later, and this is Python 3.8.1" >&2; exit 1\n',
  );
  await chmod(python, 0o755);
  t.match(await poor('python'), {
    code: 2,
    stderr: /python does not run here: this bot needs Python 3\.11 or later, and this/,
  });
  await writeFile(join(folder, 'bin/node'), `#!/bin/sh\necho "TypeError: Unknown file extension .ts" >&2; exit 1\n`);
  await chmod(join(folder, 'bin/node'), 0o755);
  const old =
    /typescript does not run here: TypeError: Unknown.*Node 22\.18 or later.*--language javascript works with any/;
  t.match(await poor('typescript'), { code: 2, stderr: old });
  t.same((await readdir(folder)).sort(), ['bin', 'full']);
});
