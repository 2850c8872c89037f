// A tournament from its command line to its verification: the same result byte for byte, an interruption, and every kind of change
// to its folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { VERIFIED_FILE_BYTES_MAX, VERIFIED_TEXT_BYTES_MAX } from '../../../arena/limits.js';
import { writeSums } from '../../../arena/tournament/folder.js';
import { entrantTrace } from '../../../arena/tournament/game.js';
import type { Settings, Tournament } from '../../../arena/tournament/result.js';
import { sumFindings } from '../../../arena/tournament/verify.js';
import { systemsForPlayers } from '../../../arena/tournament/world-size.js';
import { NO_DEALS } from '../../../cli/play/deal-counts.js';
import { Rules } from '../../../engine/rules/rules.js';
import { varied } from '../../../engine/rules/vary.js';
import { rulesIdentity } from '../../../persistence/rules/stored-rules.js';
import { beginReplay } from '../../http/support/serving.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { type Ending, interruptGalaxyd, runGalaxyd, runInTurn } from '../../support/process/galaxyd-process.js';
import { done, galaxyd, refused } from '../../support/process/operator.js';
import { TEST_RULES, TEST_RULES_FLAGS } from '../../support/test-rules.js';
import { altered, changeBytes, editResult, findingsIn, places, played, SHORT } from '../support/tournament-run.js';

const LONG = process.env['LONG'] === '1';
/** An instance of the rules of tests. */
const VARIED = rulesIdentity(new Rules(varied(TEST_RULES.set, 7)));
const ENTRANTS = 'greedy,random,once=greedy@1';
const days = LONG ? 3 : 1;
const README = readFileSync(new URL('../../../../README.md', import.meta.url), 'utf8');

/** What the command line chooses. */
const SIZE = { systemsPerGalaxy: systemsForPlayers(ENTRANTS.split(',').length) };

/** All tests read this tournament. */
const cup = await played(t, ENTRANTS, { days, variation: 'each', ...SIZE });

t.test('its result says what was played', async (t) => {
  const { result } = cup;
  t.match(result, { format: 1, isFinished: true, settings: { days, seeds: [1, 2], rounds: 1 } });
  t.same(
    result.entrants.map(({ label, kind, source, wakeupsPerDay }) => [label, kind, source, wakeupsPerDay]),
    [
      ['greedy', 'bot', 'greedy', 24],
      ['random', 'bot', 'random', 24],
      ['once', 'bot', 'greedy', 1],
    ],
  );
  t.same(
    result.games.map(({ number, seed, round }) => [number, seed, round]),
    [
      [1, 1, 1],
      [2, 2, 1],
    ],
  );
  for (const { players, worldTime, isRepeatable } of result.games) {
    t.equal(Date.parse(worldTime) - Date.parse('2000-01-01T00:00:00Z'), days * 86_400_000);
    t.equal(isRepeatable, true);
    t.same(players.map(({ label }) => label).sort(), ['greedy', 'once', 'random']);
    const once = players.find(({ label }) => label === 'once');
    const greedy = players.find(({ label }) => label === 'greedy');
    t.equal(once?.wakeups, Math.ceil(days), 'one turn a day');
    t.ok((greedy?.wakeups ?? 0) > (once?.wakeups ?? 0));
    t.ok((greedy?.points ?? 0) >= (once?.points ?? 0));
  }
  t.not(
    String(result.games[0]?.players.map(({ label }) => label)),
    String(result.games[1]?.players.map(({ label }) => label)),
  );
  t.match(await readFile(join(cup.out, 'timings.json'), 'utf8'), /"wallMs"/);
  t.notMatch(await readFile(join(cup.out, 'result.json'), 'utf8'), /wallMs|durationMs/, 'no time by the clock');
  t.same((await readdir(cup.out)).sort(), [
    'SHA256SUMS',
    'games',
    'points.csv',
    'result.json',
    'results.csv',
    'timings.json',
  ]);
});

t.test('its folder has a trace of each entrant', async (t) => {
  const { result, out } = cup;
  for (const { number, players } of result.games) {
    for (const { label, playerId, commands, refusals } of players) {
      const text = await readFile(join(out, entrantTrace(number, label)), 'utf8');
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      t.ok(text.includes(`/api/game/state/${playerId}`), label);
      const refused = lines.filter(({ turn, code }) => turn !== null && typeof code === 'string');
      t.equal(
        refused.length,
        Object.values(refusals).reduce((sum, count) => sum + count, 0),
      );
      t.ok(commands === 0 || lines.some(({ method, status }) => method === 'POST' && status === 200));
    }
  }
  t.notOk(existsSync(join(out, 'games/0001/traces')));
  const copy = await altered(t, out, (copy) => appendFile(join(copy, entrantTrace(1, 'greedy')), '{}\n'));
  t.same(places(await findingsIn(copy)), ['games/0001/entrants/greedy.jsonl, checksum']);
});

t.test('galaxyd replay shows its games', async (t) => {
  const { client, replay } = await beginReplay(t, { tournament: cup.out });
  t.same(await client.read('/api/tournament'), cup.result);
  for (const { number, seq, stateHash, players } of cup.result.games) {
    t.match(await client.command('/api/replay', { game: number, atSeq: seq }), { game: number, last: { seq } });
    t.equal(replay.engine.stateHash(), stateHash);
    for (const { playerId, label } of players)
      t.match(await client.read(`/api/game/state/${playerId}`), { name: label });
  }
});

t.test('over the other transport, interrupted and taken up again, it has the same result byte for byte', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const args = ['tournament', '--entrants', ENTRANTS, '--days', String(days), '--seeds', '2', ...TEST_RULES_FLAGS];
  args.push('--key-secret', SHORT.keySecret, '--out', out);
  if (!LONG) t.match(README, `galaxyd -- ${args.slice(0, -1).join(' ')} ./cup`);
  args.push('--transport', 'javascript');
  const interrupted = await interruptGalaxyd(t, { args }, 'played game 1');
  t.equal(interrupted.signal, 'SIGINT');
  t.match(interrupted.stderr, /it was interrupted; its finished games are kept/);
  const text = await readFile(join(out, 'result.json'), 'utf8');
  const left = JSON.parse(text) as Tournament;
  t.equal((await stat(join(out, 'key-secret'))).mode & 0o777, 0o600, 'nobody else reads the secret');
  t.match(left, { isFinished: false, settings: { keySecret: null }, games: [{ number: 1 }] });
  t.notOk(existsSync(join(out, 'games', '0002')), 'the game under way is gone');
  t.same(places(await findingsIn(out)), ['SHA256SUMS, file', 'result.json, isFinished']);
  const unfit = (other: Partial<Settings>, message: RegExp): Promise<unknown> =>
    t.rejects(played(t, ENTRANTS, { days, variation: 'each', ...SIZE, ...other }, {}, { out }), {
      name: 'UnfitTournament',
      message,
    });
  await unfit({ rounds: 2 }, /a tournament with rounds 1 was begun there, and not 2/);
  await unfit({ keySecret: 'another-secret-of-a-test' }, /a tournament with another key secret was begun there/);
  await writeFile(join(out, 'result.json'), JSON.stringify({ ...left, settings: null }));
  await unfit({}, /its result is not that of a tournament: \/settings must be object/);
  await writeFile(join(out, 'result.json'), text);
  // Without the flag, the stored secret is used.
  const finished = await galaxyd(t, ...args.filter((arg) => arg !== '--key-secret' && arg !== SHORT.keySecret));
  t.equal(finished.code, 0, finished.stderr);
  t.notMatch(finished.stderr, /played game 1 of/);
  if (!LONG) t.match(README, `\`\`\`text\n${finished.stdout.replaceAll(out, './cup')}\`\`\`\n`, 'the README shows it');
  for (const name of ['result.json', 'points.csv', 'results.csv'])
    t.equal(await readFile(join(out, name), 'utf8'), await readFile(join(cup.out, name), 'utf8'), name);
  await unfit({}, /a tournament was finished there; name another folder/);
});

t.test('every seed has rules of its own, which are verified', async (t) => {
  const { out, result } = await played(t, 'idler,greedy', { days: 0.02, variation: 'each', rounds: 2 });
  const [first, again, second] = result.games.map((game) => game.rules);
  t.match(first, { name: /^standard-1-vary-\d+$/ });
  t.same(again, first, 'all rounds play the same instance');
  t.not(second?.digest, first?.digest);
  t.same(await findingsIn(out), []);
  const forged = await altered(t, out, (copy) =>
    editResult(copy, ({ games: [, one, other] }) => {
      if (one?.rules === undefined || other === undefined) throw new Error('a game has no rules');
      other.rules = one.rules;
    }),
  );
  t.ok(places(await findingsIn(forged)).includes('result.json, game 3, rules'));
  const same = await played(t, 'idler,greedy', { days: 0.02, seeds: [1], variation: 7, rules: VARIED });
  t.equal(same.result.games[0]?.rules, undefined, 'the settings name the rules that all games have');
  t.same(await findingsIn(same.out), []);
  const others = await altered(t, same.out, (copy) =>
    editResult(copy, ({ settings }) => Object.assign(settings, { rules: { ...VARIED, digest: '0123456789abcdef' } })),
  );
  t.ok(places(await findingsIn(others)).includes('games/0001/world, game 1, rules.digest'));
});

t.test('games that take the same course are named, and so are pairs that are not separated', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const args = ['tournament', '--entrants', 'idler,idler', '--days', '0.01', '--seeds', '3', '--out', out];
  args.push('--key-secret', SHORT.keySecret);
  const { stdout: text } = await galaxyd(t, ...args, '--same-rules');
  t.match(text, /\nOf 3 games, 2 took the same course as an earlier one and did not count: 2, 3\.\n/);
  t.match(text, /\nThe games do not separate idler and idler-2\.\n$/);
  const { settings, games } = JSON.parse(await readFile(join(out, 'result.json'), 'utf8')) as Tournament;
  t.equal(settings.variation, null);
  t.equal(new Set(games.map(({ courseDigest }) => courseDigest)).size, 1);
  t.equal(new Set(games.map(({ stateHash }) => stateHash)).size, 3, 'although their worlds differ');
  await rm(out, { recursive: true });
  const varied = JSON.parse((await galaxyd(t, ...args, '--json')).stdout);
  t.match(varied, { repeating: [], unseparated: [{ one: 'idler', other: 'idler-2', gamesNeeded: null }] });
});

const DATA = 'games/0001/world/log/log-0000000000000001/data.mdb';

t.test('a changed byte in any file is found by its checksum', async (t) => {
  const paths = (await readFile(join(cup.out, 'SHA256SUMS'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.slice(66));
  t.ok(paths.includes(DATA) && paths.includes('timings.json') && paths.includes('result.json'));
  for (const path of paths) {
    const folder = await altered(t, cup.out, async (copy) => {
      const bytes = await readFile(join(copy, path));
      const at = Math.floor(bytes.length / 2);
      bytes[at] = (bytes[at] as number) ^ 1;
      await writeFile(join(copy, path), bytes);
    });
    t.same(places(await sumFindings(folder)), [`${path}, checksum`], path);
  }
  const folder = await altered(t, cup.out, (copy) => changeBytes(join(copy, 'SHA256SUMS'), '  timings'));
  t.match(places(await findingsIn(folder)), [/^SHA256SUMS, line \d+$/, 'timings.json, checksum']);
});

t.test('files that are missing, or were added, are named', async (t) => {
  const gone = await altered(t, cup.out, (copy) => rm(join(copy, DATA)));
  t.match(places(await findingsIn(gone)), [`${DATA}, checksum`, 'games/0001/world, game 1, world']);
  const more = await altered(t, cup.out, (copy) => writeFile(join(copy, 'games', 'note.txt'), ''));
  t.same(places(await findingsIn(more)), ['games/note.txt, checksum']);
  const bare = await altered(t, cup.out, (copy) => rm(join(copy, 'SHA256SUMS')));
  t.same(places(await findingsIn(bare)), ['SHA256SUMS, file']);
  refused(
    t,
    await galaxyd(t, 'tournament', 'verify', await temporaryFolder(t)),
    1,
    /holds no tournament: there is no result\.json/,
  );
});

t.test('anything but a file is reported, and nothing is read from it', async (t) => {
  // Reading from the pipe would never end.
  const pipe = await altered(t, cup.out, async (copy) => {
    await rm(join(copy, 'timings.json'));
    execFileSync('mkfifo', [join(copy, 'timings.json')]);
  });
  t.same(places(await findingsIn(pipe)), ['timings.json, kind']);
  const outside = join(await temporaryFolder(t), 'result.json');
  const linked = await altered(t, cup.out, async (copy) => {
    await rename(join(copy, 'result.json'), outside);
    await symlink(outside, join(copy, 'result.json'));
  });
  t.same(places(await findingsIn(linked)), ['result.json, kind']);
  const large = await altered(t, cup.out, (copy) => truncate(join(copy, 'result.json'), VERIFIED_TEXT_BYTES_MAX + 1));
  t.same(places(await findingsIn(large)), ['result.json, checksum', 'result.json, file']);
  // A file with a hole in it, which an archive holds in a few bytes.
  const huge = await altered(t, cup.out, (copy) => truncate(join(copy, DATA), VERIFIED_FILE_BYTES_MAX + 1));
  t.same(places(await findingsIn(huge)), [`${DATA}, bytes`]);
});

t.test('a terminal does not take names of files as commands', async (t) => {
  const folder = await altered(t, cup.out, (copy) => writeFile(join(copy, '\u001b[2J\u202e'), ''));
  const { stdout } = await runGalaxyd(t, { args: ['tournament', 'verify', folder] });
  t.match(stdout, /\\u001b\[2J\\u202e, checksum/);
  t.notMatch(stdout, /[^\P{C}\n]/u);
});

type Game = Tournament['games'][number];

/** The findings after a change whose author has renewed the checksums. */
async function afterForgery(t: Test, change: (copy: string) => Promise<void>): Promise<string[]> {
  const folder = await altered(t, cup.out, async (copy) => {
    await change(copy);
    await writeSums(copy);
  });
  return places(await findingsIn(folder));
}

t.test('a forger who renews the checksums is found by the replay', async (t) => {
  const world = 'games/0001/world, game 1';
  t.same(await afterForgery(t, (copy) => changeBytes(join(copy, DATA), 'greedy')), [`${world}, world`]);
  const swapped = await afterForgery(t, (copy) =>
    cp(join(copy, 'games/0002'), join(copy, 'games/0001'), { recursive: true, force: true }),
  );
  t.ok(swapped.includes(`${world}, seed`) && swapped.includes(`${world}, greedy, keyHash`), `${swapped}`);
  t.ok(swapped.includes('result.json, game 1, stateHash') && swapped.includes('result.json, game 1, logDigest'));
});

t.test('a forged snapshot is found', async (t) => {
  const folder = await altered(t, cup.out, async (copy) => {
    done(t, await galaxyd(t, 'snapshot', '--data', join(copy, 'games/0001/world')));
    await writeSums(copy);
  });
  t.same(await findingsIn(folder), [], 'a snapshot is not a fault');
  const forged = await altered(t, folder, async (copy) => {
    const snapshots = join(copy, 'games/0001/world/snapshots');
    const [name = ''] = await readdir(snapshots);
    const [chunk = ''] = (await readdir(join(snapshots, name))).filter((file) => !file.includes('manifest'));
    await changeBytes(join(snapshots, name, chunk), 'greedy');
    await writeSums(copy);
  });
  t.same(places(await findingsIn(forged)), ['games/0001/world, game 1, world']);
});

t.test('a forged result is found: games', async (t) => {
  const forge = (edit: (game: Game) => void): Promise<string[]> =>
    afterForgery(t, (copy) => editResult(copy, ({ games: [, game] }) => edit(game as Game)));
  const place = 'result.json, game 2';
  const forged = {
    seed: 7,
    round: 2,
    orderSeed: 7,
    seq: 9,
    stateHash: '0123456789abcdef',
    logDigest: '00',
    courseDigest: '11',
  };
  const found = await forge((game) => Object.assign(game, forged, { worldTime: '2001-01-01T00:00:00.000Z' }));
  t.same(found.sort(), [...Object.keys(forged), 'worldTime'].map((field) => `${place}, ${field}`).sort());
  t.same(await forge((game) => Object.assign(game, { isRepeatable: false })), [
    `${place}, isRepeatable`,
    'timings.json, game 2, isRepeatable',
  ]);
  const { label = '' } = cup.result.games[1]?.players[0] ?? {};
  const counts = { playerId: 'player-9', points: 1, commands: 499, wakeups: 1_000, isWithdrawn: true };
  const miscounted = await forge(({ players }) => Object.assign(players[0] ?? {}, counts));
  t.same(
    miscounted.sort(),
    Object.keys(counts)
      .map((field) => `${place}, ${label}, ${field}`)
      .sort(),
  );
  const income = { deliveredUnits: 1, lootUnits: 2, harvestedUnits: 3 };
  t.same(
    (await forge(({ players }) => Object.assign(players[0] ?? {}, { income }))).sort(),
    Object.keys(income)
      .map((field) => `${place}, ${label}, ${field}`)
      .sort(),
  );
  const deals = Object.fromEntries(Object.keys(NO_DEALS).map((field) => [field, 1]));
  t.same(
    (await forge(({ players }) => Object.assign(players[0] ?? {}, { deals }))).sort(),
    Object.keys(deals)
      .map((field) => `${place}, ${label}, ${field}`)
      .sort(),
  );
  const byOthers = await forge(({ players }) => Object.assign(players[0] ?? {}, { wakeupsByOthers: 1_000 }));
  t.same(byOthers, [`${place}, ${label}, wakeupsByOthers`]);
  const early = await forge(({ players }) => Object.assign(players[0] ?? {}, { isWithdrawn: true, overruns: 2 }));
  t.ok(early.includes(`${place}, ${label}, isWithdrawn`), 'a server withdraws nobody after two overruns');
  const ranked = await forge(({ players }) => Object.assign(players[0] ?? {}, { rank: 2.5 }));
  t.ok(ranked.includes(`${place}, ${label}, rank`) && ranked.includes(`result.json, ${label}, ratings.meanRank`));
  t.ok((await forge((game) => game.players.reverse())).includes(`${place}, starts`));
});

t.test('a forged result is found: settings, entrants and ratings', async (t) => {
  const forge = (edit: (result: Tournament) => void): Promise<string[]> =>
    afterForgery(t, (copy) => editResult(copy, edit));
  // Keys and orders are derived from every setting; schedule.test.ts tries all.
  for (const change of [
    { commandsPerDay: 501 },
    { wallSecondsPerTurn: 31 },
    { keySecret: 'another-secret-of-a-test' },
  ]) {
    const found = await forge(({ settings }) => Object.assign(settings, change));
    t.ok(found.includes('result.json, game 1, orderSeed'), JSON.stringify(change));
    t.ok(found.includes('games/0001/world, game 1, greedy, keyHash'));
  }
  const generous = await forge(({ entrants }) => Object.assign(entrants[0] ?? {}, { commandsPerDay: 100_000 }));
  t.ok(
    generous.some((place) => /^result\.json, \w+, commandsPerDay$/.test(place)),
    'a budget of its own',
  );
  const rules = { ...SHORT.rules, digest: '0123456789abcdef' };
  const others = await forge(({ settings }) =>
    Object.assign(settings, { speed: 2, systemsPerGalaxy: 299, days: 0.1, rules, rounds: 2 }),
  );
  for (const field of ['speed', 'systemsPerGalaxy', 'worldTime']) {
    t.ok(others.includes(`games/0001/world, game 1, ${field}`), field);
  }
  t.ok(others.includes('result.json, number of games'));
  const renamed = await forge(({ entrants }) => Object.assign(entrants[0] ?? {}, { source: 'planner' }));
  t.ok(renamed.includes('result.json, game 1, orderSeed'));
  const unprogrammed = await forge(({ entrants }) => Object.assign(entrants[0] ?? {}, { programDigest: '00' }));
  t.same(unprogrammed, ['result.json, greedy, programDigest']);
  const rated = {
    rating: 2_000,
    low: 1,
    high: 3_000,
    meanRank: 1.25,
    meanRankLow: 1.1,
    meanRankHigh: 1.3,
    games: 3,
    firsts: 9,
    faults: 1,
  };
  const found = await forge(({ ratings }) =>
    Object.assign(ratings.find(({ label }) => label === 'greedy') ?? {}, rated),
  );
  t.same(
    found,
    Object.keys(rated).map((field) => `result.json, greedy, ratings.${field}`),
  );
  t.ok((await forge(({ ratings }) => ratings.reverse())).includes('result.json, ratings'));
  const withheld = { label: 'once', games: 2, finished: 0, faults: 2 };
  t.same(await forge((result) => result.withheld.push(withheld)), ['result.json, withheld']);
  const pair = { one: 'greedy', other: 'once', gamesNeeded: 3 };
  t.same(await forge((result) => Object.assign(result, { unseparated: [pair] })), ['result.json, unseparated']);
  t.same(await forge((result) => Object.assign(result, { isFinished: false })), ['result.json, isFinished']);
  t.same(await forge((result) => Object.assign(result, { games: 7 })), ['result.json, shape']);
  const torn = await afterForgery(t, (copy) => writeFile(join(copy, 'result.json'), '{'));
  t.same(torn, ['result.json, content']);
});

t.test('a forged table is found', async (t) => {
  for (const name of ['points.csv', 'results.csv']) {
    const forged = await afterForgery(t, (copy) => changeBytes(join(copy, name), 'greedy'));
    t.same(forged, [`${name}, content`]);
    t.same(await afterForgery(t, (copy) => rm(join(copy, name))), [`${name}, content`]);
  }
});

t.test('a forged result is found: what no tournament writes', async (t) => {
  const forge = (edit: (result: Tournament) => void): Promise<string[]> =>
    afterForgery(t, (copy) => editResult(copy, edit));
  // A schedule of a million games, and an end beyond the range of dates.
  t.same(await forge(({ settings }) => Object.assign(settings, { seeds: new Array(1_000).fill(1), rounds: 1_000 })), [
    'result.json, games of settings.seeds and settings.rounds',
  ]);
  t.same(await forge(({ settings }) => Object.assign(settings, { days: 1e300 })), ['result.json, settings.days']);
  t.same(await forge(({ settings }) => Object.assign(settings, { keySecret: null })), [
    'result.json, settings.keySecret',
  ]);
  t.same(await forge(({ games }) => Object.assign(games[0] ?? {}, { note: 'cheated' })), ['result.json, shape']);
  const edited = (from: string, to: string): Promise<string[]> =>
    afterForgery(t, async (copy) => {
      const path = join(copy, 'result.json');
      await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
    });
  t.same(await edited('{', '{"__proto__": {"isFinished": true},'), ['result.json, shape']);
  t.same(await edited('"isFinished": true', '"isFinished": false, "isFinished": true'), ['result.json, form']);
  // The sum of refused commands is right, but exceeds the budget.
  const refused = await forge(({ games: [, game] }) => {
    const [player] = game?.players ?? [];
    if (player !== undefined) Object.assign(player, { commands: player.commands + 500 }).refusals['no_such'] = 500;
  });
  t.match(refused, [/^result\.json, game 2, \S+, commands$/]);
  const timings = await afterForgery(t, (copy) => writeFile(join(copy, 'timings.json'), '{"games":[null]}'));
  t.same(timings, ['timings.json, game 1, isRepeatable', 'timings.json, game 2, isRepeatable']);
  for (const path of ['note.txt', 'games/0001/note.txt', 'games/0003/world/note', 'games/00001/world/note']) {
    const added = await afterForgery(t, async (copy) => {
      await mkdir(dirname(join(copy, path)), { recursive: true });
      await writeFile(join(copy, path), '');
    });
    t.same(added, [`${path}, file`]);
  }
});

t.test('what the command line asks for wrongly is refused with a sentence; what verify finds is printed', async (t) => {
  const used = await temporaryFolder(t);
  await writeFile(join(used, 'mine.txt'), '');
  const need = ['--days', '1', '--seeds', '1'];
  const rows: readonly (readonly [args: readonly string[], code: number, sentence: RegExp])[] = [
    [[], 2, /missing: .*--entrants/],
    [['--entrants', 'idler,idler', ...need], 2, /missing: --out, as in /],
    [['--entrants', 'idler,idler', ...need, '--vary', '1', '--same-rules', '--out', used], 2, /exclude each other/],
    [['--entrants', 'idler', ...need, '--out', used], 2, /needs two entrants or more/],
    [['--entrants', 'idler,nobody', ...need, '--out', used], 2, /there is no bot and no program named nobody/],
    [['--entrants', 'idler,idler', ...need, '--out', used], 2, /cannot be used: it is not empty/],
    [['--days', '0'], 2, /a number from 0\.001 to 3650/],
    [['--seeds', '9..7'], 2, /a number from 1 to 1000, or a range/],
    [['--rounds', '0'], 2, /whole number from 1 to 1000/],
    [['--commands-per-day', '-1'], 2, /whole number from 0/],
    [['--key-secret', 'short'], 2, /16 to 256 characters/],
    [['--jobs', '65'], 2, /whole number from 1 to 64/],
    [
      ['--entrants', 'idler,idler', ...need, '--rounds', '1000', '--seeds', '2', '--out', used],
      2,
      /2000 games; .* at most 1000/,
    ],
    [['--entrants', 'idler,idler', ...need, '--out', used, '--rules', 'nothing.json'], 78, /nothing\.json/],
    [['verify'], 2, /missing required argument 'folder'/],
    [['table', used], 1, /result\.json cannot be read: ENOENT/],
    [['table', cup.out, '--format', 'html'], 2, /Allowed choices are text, csv, markdown, latex/],
    [['verify', used], 1, /holds no tournament: there is no result\.json/],
  ];
  const folder = await altered(t, cup.out, (copy) => changeBytes(join(copy, 'timings.json'), 'wallMs'));
  const verify = ['tournament', 'verify'];
  const [sound, json, unsound, ...endings] = await runInTurn(t, [
    [...verify, cup.out],
    [...verify, cup.out, '--json'],
    [...verify, folder],
    ...rows.map(([args]) => ['tournament', ...args]),
  ]);
  t.match(done(t, sound as Ending), /galaxyd found everything sound: 2 games, /);
  const found = JSON.parse(done(t, json as Ending));
  t.match(found, { isSound: true, findings: [], games: 2, unrepeatable: [] });
  t.match(unsound, {
    code: 1,
    stdout: /wrong:\n {2}timings\.json, checksum: is [0-9a-f]{64}, and should be [0-9a-f]{64}/,
  });
  for (const [index, [args, code, sentence]] of rows.entries()) {
    t.comment(args.join(' '));
    refused(t, endings[index] as Ending, code, sentence);
  }
});

t.test('with fewer players per game, all play equally often, and the same is verified', async (t) => {
  for (const playersPerGame of [2, 1]) {
    const settings = { days: 0.1, seeds: [1], playersPerGame };
    const { out, result } = await played(t, 'greedy,random,once=greedy@1', settings);
    t.equal(result.games.length, 3);
    t.ok(result.games.every(({ players }) => players.length === playersPerGame));
    t.same(
      result.ratings.map(({ games }) => games),
      [playersPerGame, playersPerGame, playersPerGame],
    );
    t.ok((result.ratings.find(({ label }) => label === 'greedy')?.rating ?? 0) > 1500, 'and they are compared');
    t.same(await findingsIn(out), []);
    const forged = await altered(t, out, async (copy) => {
      await editResult(copy, (edited) => void Object.assign(edited.settings, { playersPerGame: 4 }));
      await writeSums(copy);
    });
    t.same(places(await findingsIn(forged)), ['result.json, settings.playersPerGame']);
  }
});

t.test('the command line plays a cup in small games, and says how long it takes', async (t) => {
  const out = join(await temporaryFolder(t), 'cup');
  const play = (entrants: string, ...flags: string[]) =>
    galaxyd(t, 'tournament', '--entrants', entrants, '--out', out, ...flags);
  const few = await play('greedy,random', '--days', '1', '--seeds', '1', '--players-per-game', '3');
  refused(t, few, 2, /there are 2 entrants, and not 3 for each game/);
  const idlers = (length: number) => Array.from({ length }, (_, index) => `e${index}=idler`).join(',');
  const many = await play(idlers(50), '--days', '1', '--seeds', '41', '--players-per-game', '8');
  refused(t, many, 2, /41 seeds in 1 rounds are 1025 games; a tournament has at most 1000/);
  const sizes = ['--days', '0.001', '--seeds', '1', '--players-per-game', '8'];
  const cup = await play(idlers(11), ...sizes, '--jobs', '1', '--json');
  t.match(cup, {
    code: 0,
    stderr:
      /^galaxyd plays 11 games with 8 of 11 entrants each, so that each plays 8, in galaxies of 24 systems; that takes about \d+ s, /,
  });
  t.equal(JSON.parse(cup.stdout).games, 11);
});
