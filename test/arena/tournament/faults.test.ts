// Entrants that do everything wrong, as real processes beside a bot that plays: each harms only itself.
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { OUTPUT_BYTES_MAX } from '../../../arena/limits.js';
import { faultyEntrants } from '../../../arena/tournament/faults.js';
import { type Timings, timingsIn } from '../../../arena/tournament/folder.js';
import { OVERRUNS_MAX } from '../../../http/limits.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { galaxyd } from '../../support/process/operator.js';
import { findingsIn, played } from '../support/tournament-run.js';

/** Each waits for its first turn and then misbehaves; without waiting, the game could be over before. */
const SCRIPT = `
const { GALAXYD_SERVER: server, GALAXYD_PLAYER: own, GALAXYD_API_KEY: key } = process.env;
const send = async (method, path, body, as = key) => {
  const headers = { authorization: 'Bearer ' + as, 'content-type': 'application/json' };
  const reply = await fetch(server + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: reply.status, ...(await reply.json()) };
};
const turn = async () => {
  for (;;) {
    const reply = await send('GET', '/api/turn?wait=5');
    if (reply.state !== 'waiting') return reply.state;
  }
};
const state = (id) => send('GET', '/api/game/state/' + id);
const upgrade = (planetId, buildingType = 'iron_mine') => send('POST', '/api/building/upgrade', { planetId, buildingType });
const kinds = {
  async crasher() {
    await turn();
    throw new Error('crashed on purpose');
  },
  async liar() {
    const { id: home } = (await state(own)).planets[0];
    const others = ['player-1', 'player-2', 'player-3', 'player-4'].filter((id) => id !== own);
    const foreign = await Promise.all(others.map(state));
    console.log('foreign state', foreign.map(({ code }) => code).join());
    await turn();
    await send('POST', '/api/turn/end', { wakeAt: null, wakeOn: [] });
    const late = await upgrade(home);
    console.log('after its turn', late.code);
    console.log('ends a turn', (await send('POST', '/api/turn/end')).code);
    console.log('operator', (await send('GET', '/api/admin/turns')).code, (await send('POST', '/api/admin/turns/withdraw', { playerId: others[0] })).code);
    console.log('clock', (await send('POST', '/api/admin/clock/advance', { seconds: 60 })).code);
    console.log('joins', (await send('POST', '/api/game/player', { name: 'more', isBot: true })).code);
    console.log('guesses', (await send('GET', '/api/turn', undefined, 'gxd_' + 'A'.repeat(43))).code);
    await turn();
  },
  async flooder() {
    const { id: home } = (await state(own)).planets[0];
    while ((await turn()) === 'active') {
      const { turn: number } = await send('POST', '/api/turn/end');
      const codes = new Set();
      for (let burst = 0; burst < 2; burst += 1) {
        const replies = await Promise.all(Array.from({ length: 100 }, () => upgrade(home, 'shipyard')));
        for (const { code } of replies) codes.add(code);
      }
      console.log('turn', number, 'floods with', [...codes].join());
    }
  },
  // Says nothing in its turns, and ends when it gets no further one.
  async sleeper() {
    for (;;) {
      const { state } = await send('GET', '/api/turn');
      if (state === 'over') break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  },
  // Thinks in its turns, so that the game takes a while.
  async thinker() {
    while ((await turn()) === 'active') {
      await new Promise((resolve) => setTimeout(resolve, 200));
      await send('POST', '/api/turn/end');
    }
  },
  // Opens as many idle connections as it can, and then plays.
  async filler() {
    const { connect } = await import('node:net');
    const { hostname, port } = new URL(server);
    let closed = 0;
    const open = () => connect(Number(port), hostname).on('error', () => {}).on('close', () => (closed += 1));
    await turn();
    for (let count = 0; count < 2_000; count += 1) open();
    while (closed < 1_000) await new Promise((resolve) => setTimeout(resolve, 20));
    console.log('closed', closed);
  },
  // Each of its requests is a connection of its own.
  async newcomer() {
    let refused = 0;
    const { request } = await import('node:http');
    const ask = (method, path) => new Promise((resolve) => {
      const asked = request(server + path, { method, agent: false, headers: { authorization: 'Bearer ' + key } }, async (reply) => {
        let body = '';
        for await (const part of reply) body += part;
        resolve(JSON.parse(body));
      });
      asked.on('error', () => { refused += 1; resolve({}); }).end();
    });
    for (;;) {
      const { state } = await ask('GET', '/api/turn?wait=5');
      if (state === 'over') break;
      if (state === 'active') await ask('POST', '/api/turn/end');
    }
    console.log('refused', refused);
  },
  async spender() {
    const { id: home } = (await state(own)).planets[0];
    while ((await turn()) === 'active') {
      const codes = new Set();
      for (let count = 0; count < 30; count += 1) codes.add((await upgrade(home)).code);
      console.log([...codes].join());
      await send('POST', '/api/turn/end');
    }
  },
};
await kinds[process.argv[2]]();
`;

t.test('each harms only itself, and the game goes on', async (t) => {
  const folder = await temporaryFolder(t);
  const script = join(folder, 'entrant.mjs');
  await writeFile(script, SCRIPT);
  await writeFile(join(folder, 'broken'), '#!/nowhere/interpreter\n');
  await chmod(join(folder, 'broken'), 0o755);
  const node = `${process.execPath} ${script}`;
  const entrants = [
    'greedy',
    ...['crasher', 'liar', 'flooder', 'spender'].map((kind) => `${kind}=${node} ${kind}`),
    `broken=${join(folder, 'broken')}`,
    'gone=/bin/sh -c "exit 7"',
    // Hangs, prints without end, has children, and ignores SIGTERM.
    `hog=/bin/sh -c "trap '' TERM; sleep 1000 & yes & wait; sleep 1000"`,
  ];
  const { out, result } = await played(t, entrants.join(','), {
    days: 0.5,
    seeds: [1],
    commandsPerDay: 20,
    wakeupsPerDay: 8,
    // The test waits for it once. No other entrant takes as long, however busy the machine is.
    wallSecondsPerTurn: 15,
  });
  const [game] = result.games;
  const row = (label: string) => game?.players.find((player) => player.label === label);
  const log = (label: string) => readFile(join(out, 'games/0001/entrants', `${label}.log`), 'utf8');
  const timings = JSON.parse(await readFile(join(out, 'timings.json'), 'utf8')) as Timings;
  const { endings = {}, reasons = [] } = timings.games[0] ?? {};

  t.match(row('greedy'), { isWithdrawn: false, rank: 1 });
  t.ok((row('greedy')?.commands ?? 0) > 0);
  t.match(endings, {
    greedy: 'played to the end',
    crasher: 'exit code 1',
    gone: 'exit code 7',
    broken: /ENOENT/,
    hog: 'ended by SIGKILL',
    liar: 'exit code 0',
    flooder: 'exit code 0',
    spender: 'exit code 0',
  });
  for (const label of ['crasher', 'gone', 'broken']) t.match(row(label), { commands: 0, isWithdrawn: true }, label);
  t.same(row('crasher')?.earlyEnd, { kind: 'crash', exitCode: 1, signal: null });
  t.same(row('gone')?.earlyEnd, { kind: 'crash', exitCode: 7, signal: null });
  t.same(row('broken')?.earlyEnd, { kind: 'refused_start', exitCode: null, signal: null });
  t.match(row('hog'), { commands: 0, overruns: 1, earlyEnd: null });
  t.ok(reasons.includes('hog ran out of time in a turn'));
  t.match(game, { isRepeatable: false });
  t.match(await log('crasher'), /crashed on purpose/);
  t.ok((await log('hog')).length < OUTPUT_BYTES_MAX + 200);

  const said = await log('liar');
  t.match(said, /foreign state (not_owner,?){3,4}\n/);
  t.match(said, /after its turn not_your_turn\nends a turn not_your_turn\n/);
  t.match(
    said,
    /operator (unauthenticated|forbidden) (unauthenticated|forbidden)\nclock (unauthenticated|forbidden)\n/,
  );
  t.match(said, /joins registration_closed\nguesses unauthenticated\n/);
  t.match(row('liar'), { commands: 0, refusals: {}, isWithdrawn: false });

  // Its commands outside of its turns are refused, and those within fail, since it has no shipyard.
  t.match(await log('flooder'), /^turn \d+ floods with .*not_your_turn/m);
  t.match(row('flooder'), { overruns: 0, isWithdrawn: false });

  t.match(row('spender'), { commands: 20, isWithdrawn: false });
  t.match(await log('spender'), /command_budget_spent/);
  const faulty = faultyEntrants(result, timings.games).map(({ label, words }) => `${label} ${words}`);
  t.same(faulty, [
    'crasher ended before 1 game was over (exit code 1)',
    'broken could not be started in 1 game',
    'gone ended before 1 game was over (exit code 7)',
    'hog ran out of time in 1 turn',
  ]);
  t.same(
    result.withheld.map(({ label, finished, faults }) => [label, finished, faults]),
    [
      ['crasher', 0, 1],
      ['broken', 0, 1],
      ['gone', 0, 1],
    ],
  );
  t.same(await findingsIn(out), [], 'what they did is verified like everything else');
});

t.test('an entrant that opens connections without end is cut, named, and harms nobody', async (t) => {
  const script = join(await temporaryFolder(t), 'entrant.mjs');
  await writeFile(script, SCRIPT);
  const entrants = ['newcomer', 'filler'].map((kind) => `${kind}=${process.execPath} ${script} ${kind}`);
  // The server of the game has room for fewer connections than the entrant opens.
  const { out, result } = await played(t, entrants.join(','), { days: 1, seeds: [1] }, { openFilesMax: 400 });
  const timings = await timingsIn(out);
  const refused = timings?.games[0]?.refusedConnections ?? {};
  t.same(Object.keys(refused), ['filler']);
  t.ok((refused['filler'] ?? 0) >= 1_000, `${refused['filler']}`);
  t.match(await readFile(join(out, 'games/0001/entrants/newcomer.log'), 'utf8'), /refused 0\n\n\(exit code 0\)/);
  const [newcomer] = result.games[0]?.players.filter(({ label }) => label === 'newcomer') ?? [];
  t.match(newcomer, { overruns: 0, isWithdrawn: false, earlyEnd: null });
  const [faulty, ...others] = faultyEntrants(result, timings?.games ?? []);
  t.match(faulty, {
    label: 'filler',
    game: 1,
    // On a busy machine it runs out of time before it ends.
    words: /opened \d,\d{3} connections too many$/,
  });
  t.same(others, []);
});

t.test('an entrant that is withdrawn for its overruns, and ends then, has not crashed', async (t) => {
  const script = join(await temporaryFolder(t), 'entrant.mjs');
  await writeFile(script, SCRIPT);
  const entrants = ['sleeper', 'thinker'].map((kind) => `${kind}=${process.execPath} ${script} ${kind}`);
  const { out, result } = await played(t, entrants.join(','), { days: 15, seeds: [1], wallSecondsPerTurn: 1 });
  const [sleeper] = result.games[0]?.players.filter(({ label }) => label === 'sleeper') ?? [];
  t.match(sleeper, { overruns: OVERRUNS_MAX, isWithdrawn: true, earlyEnd: null });
  t.match(await readFile(join(out, 'games/0001/entrants/sleeper.log'), 'utf8'), /exit code 0/);
  t.match(faultyEntrants(result, []), [{ label: 'sleeper', words: 'ran out of time in 3 turns' }]);
  t.match(result.withheld, [{ label: 'sleeper', finished: 0, faults: 3 }]);
});

t.test('standings name who is at fault, and --strict makes it the exit code', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const play = (...flags: string[]) => {
    const entrants = `idler,greedy,gone=/bin/sh -c "exit 7"`;
    return galaxyd(t, 'tournament', '--entrants', entrants, '--days', '0.01', '--seeds', '2', '--out', out, ...flags);
  };
  const strict = await play('--strict');
  t.equal(strict.code, 1, strict.stderr);
  t.match(strict.stdout, /^entrant .* firsts {2}faults\n(idler|greedy) .* 0\n(idler|greedy) .* 0\n/);
  t.match(strict.stdout, /^gone +withheld: finished 0 of 2 games +2$/m);
  const log = join(out, 'games/0001/entrants/gone.log');
  t.ok(strict.stdout.includes(`\ngone ended before 2 games were over (exit code 7), first in game 1; see ${log}\n`));
  t.match(await readFile(log, 'utf8'), /exit code 7/);
  await rm(out, { recursive: true });
  t.match(await play('--json'), {
    code: 0,
    stdout: /"withheld":\[\{"label":"gone","games":2,"finished":0,"faults":2\}\]/,
  });
});
