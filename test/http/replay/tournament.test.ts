// A replay of the folder of a tournament: which folders are refused and why, what is shown while the tournament still runs, and how
// it moves between games.
import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import {
  TOURNAMENT_ENTRANTS_MAX,
  TOURNAMENT_GAMES_MAX,
  TOURNAMENT_RESULT_BYTES_MAX,
  TRACE_LINES_PER_REPLY_MAX,
  TRACE_OUTPUT_BYTES_MAX,
} from '../../../http/limits.js';
import { TournamentFolder, TournamentUnreadable } from '../../../http/replay/tournament-folder.js';
import type { TournamentBody, TournamentTraceBody } from '../../../http/schemas/tournament.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { madeResult } from '../../support/tournament/made-result.js';
import { READ_LINE, REFUSED_LINE } from '../../support/tournament/traces.js';
import { LABELS, writeResult, writtenTournament } from '../../support/tournament/written-tournament.js';
import { ADMIN_KEY, beginReplay } from '../support/serving.js';

const unexpected = (error: unknown): never => {
  throw error;
};

t.test('a folder is recognised by its result, which must be one', async (t) => {
  const folder = await temporaryFolder(t);
  t.notOk(await TournamentFolder.isAt(folder));
  t.notOk(await TournamentFolder.isAt(join(folder, 'nothing')));
  const sound = madeResult({ labels: LABELS, games: 1 });
  const damaged: readonly (readonly [result: unknown, reason: RegExp])[] = [
    ['{"format":1', /result\.json is not the result of a tournament: it is not JSON/],
    ['[]', /is not the result of a tournament/],
    [{ ...sound, format: 2 }, /has format 2; this galaxyd knows 1/],
    [{ ...sound, games: sound.games.map((game) => ({ ...game, seq: 'many' })) }, /: \/games\/0\/seq must be integer/],
    [{ ...sound, entrants: [] }, /\/entrants/],
  ];
  for (const [result, reason] of damaged) {
    await writeResult(folder, result);
    t.ok(await TournamentFolder.isAt(folder));
    await t.rejects(TournamentFolder.open(folder, unexpected), { name: 'TournamentUnreadable', message: reason });
  }
  await rm(join(folder, 'result.json'));
  await mkdir(join(folder, 'result.json'));
  await t.rejects(TournamentFolder.open(folder, unexpected), TournamentUnreadable, 'a folder in its place');
});

t.test('the largest tournament can be read', async (t) => {
  const folder = await temporaryFolder(t);
  const labels = Array.from({ length: TOURNAMENT_ENTRANTS_MAX }, (_, index) => `entrant-${index}`);
  const result = madeResult({ labels, games: TOURNAMENT_GAMES_MAX });
  await writeResult(folder, result);
  const { text } = await (await TournamentFolder.open(folder, unexpected)).result();
  t.ok(text.length < TOURNAMENT_RESULT_BYTES_MAX / 2, `${text.length} characters`);
  t.equal(text, JSON.stringify(result));
});

t.test('the result is read again once it has changed, and a damaged one hides nothing', async (t) => {
  const folder = await temporaryFolder(t);
  const failures: unknown[] = [];
  const result = (games: number, isFinished: boolean): TournamentBody =>
    madeResult({ labels: LABELS, games, isFinished });
  const secret = 'the-secret-of-a-tournament-that-runs';
  const running = result(1, false);
  await writeResult(folder, { ...running, settings: { ...running.settings, keySecret: secret } });
  const opened = await TournamentFolder.open(folder, (error) => failures.push(error));
  const first = await opened.result();
  t.match(first.body, { isFinished: false, games: { length: 1 }, settings: { keySecret: null } });
  t.notMatch(first.text, secret, 'the keys of later games could be derived from it');
  t.equal(await opened.result(), first, 'an unchanged file is not parsed again');

  await writeResult(folder, result(2, false));
  t.equal((await opened.result()).body.games.length, 2);
  await writeResult(folder, '{');
  t.equal((await opened.result()).body.games.length, 2);
  await opened.result();
  t.equal(failures.length, 1, 'the failure is reported once');
  await writeResult(folder, result(2, true));
  await utimes(join(folder, 'result.json'), 1, 1);
  t.match((await opened.result()).body, { isFinished: true, settings: { keySecret: /./ } });
});

t.test('a replay moves between games, and only between those that are over', async (t) => {
  const { folder, result } = await writtenTournament(t);
  const { client } = await beginReplay(t, { tournament: folder });
  const [first, second] = result.games as [TournamentBody['games'][number], TournamentBody['games'][number]];
  const leaders = async (): Promise<unknown> =>
    (await client.read<{ players: { points: number }[] }>('/api/leaderboard')).players.map(({ points }) => points);
  t.match(await client.command('/api/replay', { seq: first.seq }), { game: 1 });
  const ofFirst = await leaders();
  await client.command('/api/replay', { isPlaying: true });
  t.match(await client.command('/api/replay', { game: 2 }), {
    game: 2,
    seq: 1,
    isPlaying: false,
    last: { seq: second.seq },
  });
  await client.command('/api/replay', { seq: second.seq });
  t.notSame(await leaders(), ofFirst);
  t.match(await client.read('/api/replay/timeline'), { indexedShare: 1 });

  for (const [body, path, message] of [
    [{ game: 3 }, '/game', /there is no game 3: games 1 to 2 are over/],
    [{ game: 1, atSeq: 9_999 }, '', /is outside: the history holds/],
    [{ game: 0 }, '/game', /must be at least 1/],
  ] as const) {
    const refused = await client.refusal('POST', '/api/replay', body);
    t.match(refused, { code: 'invalid_request', errors: [{ path, message }] });
  }
  t.match(await client.read('/api/replay'), { game: 2, seq: second.seq }, 'a refused movement changes nothing');
  t.match(await client.command('/api/replay', { game: 1, atSeq: first.seq }), { game: 1, seq: first.seq });
  t.same(await leaders(), ofFirst);
});

t.test('a result that is not a file, or too long, cannot be shown', async (t) => {
  const pipe = await temporaryFolder(t);
  // Opening it for reading would never end.
  execFileSync('mkfifo', [join(pipe, 'result.json')]);
  await t.rejects(
    TournamentFolder.open(pipe, () => {}),
    { name: 'TournamentUnreadable', message: /not a regular file/ },
  );
  const { folder } = await writtenTournament(t);
  await truncate(join(folder, 'result.json'), TOURNAMENT_RESULT_BYTES_MAX + 1);
  await t.rejects(
    TournamentFolder.open(folder, () => {}),
    { name: 'TournamentUnreadable', message: new RegExp(`${TOURNAMENT_RESULT_BYTES_MAX + 1}`) },
  );
});

t.test('a tournament without a game that is over cannot be shown', async (t) => {
  const folder = await temporaryFolder(t);
  await writeResult(folder, madeResult({ labels: LABELS, games: 0, isFinished: false }));
  await t.rejects(beginReplay(t, { tournament: folder }), { name: 'NoSuchGame', message: /no game .* is over yet/ });
});

t.test('games that end while the tournament is shown can be opened', async (t) => {
  const { folder, result } = await writtenTournament(t);
  await writeResult(folder, { ...result, isFinished: false, games: result.games.slice(0, 1) });
  const { admin } = await beginReplay(t, { tournament: folder, adminKey: ADMIN_KEY });
  t.match(await admin.refusal('POST', '/api/replay', { game: 2 }), { code: 'invalid_request' });
  await writeResult(folder, result);
  t.match(await admin.command('/api/replay', { game: 2 }), { game: 2 });
});

t.test('a game whose world is missing is refused, and another one can still be opened', async (t) => {
  const { folder } = await writtenTournament(t);
  await rm(join(folder, 'games', '0002'), { recursive: true });
  const failures: unknown[] = [];
  const { client } = await beginReplay(t, { tournament: folder, onFailure: (error) => failures.push(error) });
  const refused = await client.refusal('POST', '/api/replay', { game: 2 });
  t.match(refused, { errors: [{ path: '/game', message: /the world of game 2 cannot be read; the log/ }] });
  t.notMatch(JSON.stringify(refused), folder, 'clients are not told where it is');
  t.match(failures, [{ name: 'NoWorld' }]);
  t.match(await client.command('/api/replay', { game: 1 }), { game: 1 });
});

t.test('a replay that shows no tournament has no games', async (t) => {
  const { client } = await beginReplay(t);
  t.match(await client.refusal('GET', '/api/tournament'), { code: 'forbidden', detail: /no tournament/ });
  const refused = await client.refusal('POST', '/api/replay', { game: 1 });
  t.match(refused, { code: 'invalid_request', errors: [{ path: '/game', message: /shows no tournament/ }] });
});

t.test('the trace of an entrant is shown with what it printed, as far as it has the form of one', async (t) => {
  const { folder } = await writtenTournament(t);
  const entrants = join(folder, 'games', '0001', 'entrants');
  await mkdir(entrants, { recursive: true });
  const many = Array.from({ length: TRACE_LINES_PER_REPLY_MAX }, () => REFUSED_LINE);
  const foreign = ['{"turn":"first"}', 'nonsense', '[]', '{"turn":1,'];
  const texts = [READ_LINE, ...many].map((line) => JSON.stringify(line));
  await writeFile(join(entrants, 'builder.jsonl'), [...texts, '{"isCut":true,"bytesMax":5}', ...foreign].join('\n'));
  await writeFile(join(entrants, 'builder.log'), `${'x'.repeat(TRACE_OUTPUT_BYTES_MAX)}the last word`);
  const { client } = await beginReplay(t, { tournament: folder });
  const path = '/api/tournament/trace?game=1&entrant=builder';
  const shown = await client.read<TournamentTraceBody>(path);
  t.same(shown.lines.slice(0, 2), [READ_LINE, REFUSED_LINE]);
  t.match(shown, { game: 1, label: 'builder', lineCount: texts.length, isCut: true, output: /the last word$/ });
  t.equal(shown.output?.length, TRACE_OUTPUT_BYTES_MAX);
  t.equal(shown.lines.length, TRACE_LINES_PER_REPLY_MAX);
  const rest = await client.read<TournamentTraceBody>(`${path}&offset=${TRACE_LINES_PER_REPLY_MAX}`);
  t.same(rest.lines, [REFUSED_LINE]);
  t.match(await client.read(`${path}&only=refused`), { lineCount: many.length, isCut: true });
  const none = { lines: [], lineCount: 0, isCut: false, output: null };
  t.match(await client.read('/api/tournament/trace?game=2&entrant=builder'), none, 'a game without traces');
});

t.test('only what is in the result names a file', async (t) => {
  const { folder } = await writtenTournament(t);
  const failures: unknown[] = [];
  await mkdir(join(folder, 'games', '0001', 'entrants', 'idler.jsonl'), { recursive: true });
  const { client } = await beginReplay(t, { tournament: folder, onFailure: (error) => failures.push(error) });
  const refusal = (query: string) => client.refusal('GET', `/api/tournament/trace?${query}`);
  t.match(await refusal('game=1&entrant=nobody'), { detail: /game 1 has no entrant nobody/i });
  t.match(await refusal('game=9&entrant=idler'), { detail: /there is no game 9/i });
  t.match(await refusal('game=1&entrant=..%2Fworld'), { detail: /has no entrant/ });
  t.match(await refusal(`game=1&entrant=${'x'.repeat(65)}`), { errors: [{ message: /label of an entrant/ }] });
  const refused = await refusal('game=1&entrant=idler');
  t.match(refused, { detail: /cannot be read; the log/ });
  t.notMatch(JSON.stringify(refused), folder, 'clients are not told where it is');
  t.match(failures, [{ name: 'UnfitFile' }]);
});

t.test('a label of the result that is no name of a file has no trace', async (t) => {
  const label = '../../../outside';
  const { folder } = await writtenTournament(t, { labels: [label, 'idler'], games: 1 });
  await writeFile(join(folder, 'outside.jsonl'), JSON.stringify(READ_LINE));
  await mkdir(join(folder, 'games', '0001', 'entrants'), { recursive: true });
  const { client } = await beginReplay(t, { tournament: folder });
  const path = `/api/tournament/trace?game=1&entrant=${encodeURIComponent(label)}`;
  t.match(await client.read(path), { label, lines: [], output: null });
});

t.test('a link to another folder has no traces', async (t) => {
  const { folder } = await writtenTournament(t);
  const elsewhere = await temporaryFolder(t);
  await writeFile(join(elsewhere, 'idler.log'), 'of somebody else');
  await symlink(elsewhere, join(folder, 'games', '0001', 'entrants'));
  const { client } = await beginReplay(t, { tournament: folder });
  t.match(await client.read('/api/tournament/trace?game=1&entrant=idler'), { lines: [], output: null });
});
