// `galaxyd replay` as an operator uses it: beside the server of the same folder, with and without keys.
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { ReplayPositionBody, TimelineBody } from '../../../http/schemas/replay.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import type { Client } from '../../support/process/client.js';
import {
  ADMIN_KEY,
  createBot,
  manualArgs,
  refusedLine,
  start,
  statusOf,
  testLines,
} from '../../support/process/operator.js';
import { replayLog } from '../../support/process/replayed-log.js';
import { writeResult, writtenTournament } from '../../support/tournament/written-tournament.js';

const replayArgs = (folder: string, ...more: string[]): string[] => ['replay', folder, '--port', '0', ...more];

async function play(client: Client, name: string): Promise<void> {
  for (let number = 1; number <= 3; number += 1) await createBot(client, `${name}-${number}`);
  await client.post('/api/admin/clock/advance', { seconds: 3600 });
}

/** Asks until a reply fits. */
async function until<T>(client: Client, path: string, fits: (body: T) => boolean): Promise<T> {
  for (;;) {
    const { body } = await client.get<T>(path);
    if (fits(body)) return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Reads the children from /proc, which only Linux has. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

t.test('a replay runs beside the server, shows each position, and leaves nothing behind', async (t) => {
  const folder = await temporaryFolder(t);
  const temporary = await temporaryFolder(t);
  const live = await start(t, { args: manualArgs(folder) });
  await play(live.client, 'early');
  const { seq: early } = await statusOf(live.client);
  await play(live.client, 'middle');
  const { seq: middle } = await statusOf(live.client);
  const args = replayArgs(folder, '--at', String(early), '--admin-key', ADMIN_KEY);
  const replay = await start(t, { args, env: { TMPDIR: temporary } });
  t.match(await statusOf(replay.client), { isReplay: true, seq: early, players: 3 });
  t.match((await replay.client.get('/api/replay')).body, { seq: early, first: { seq: 1 }, last: { seq: middle } });
  t.match((await replay.client.post('/api/game/player', { name: 'late', isBot: true })).body, { code: 'read_only' });
  await until<TimelineBody>(replay.client, '/api/replay/timeline', ({ indexedShare }) => indexedShare === 1);

  await play(live.client, 'late');
  const { seq: late } = await statusOf(live.client);
  await until<ReplayPositionBody>(replay.client, '/api/replay', ({ last }) => last.seq === late);
  const { hashes } = await replayLog(folder, { hashAt: [early, middle, late] });
  for (const seq of [late, early, middle]) {
    t.match((await replay.client.post('/api/replay', { seq })).body, { seq });
    t.same((await replay.client.get('/api/admin/state-hash')).body, { seq, hash: hashes.get(seq) });
  }
  await play(live.client, 'last');
  t.equal((await replay.galaxyd.stop()).code, 0);
  t.equal((await live.galaxyd.stop()).code, 0, 'the server has noticed nothing');
  t.same(await readdir(temporary), []);

  await t.test('a terminal that is closed ends a replay, which leaves nothing behind', async (t) => {
    if (process.platform !== 'linux') return;
    const env = { TMPDIR: temporary, GALAXYD_ADMIN_KEY: ADMIN_KEY };
    const { client, galaxyd: replay } = await start(t, { args: replayArgs(folder), env });
    await until<TimelineBody>(client, '/api/replay/timeline', ({ indexedShare }) => indexedShare === 1);
    t.equal((await readdir(temporary)).length, 1);
    for (const child of await childrenOf(replay.pid as number)) process.kill(child, 'SIGHUP');
    await new Promise((resolve) => setTimeout(resolve, 200));
    replay.signal('SIGHUP');
    for (let count = 0; count < 100 && (await readdir(temporary)).length > 0; count += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    t.same(await readdir(temporary), []);
  });
});

t.test('a world with keys is shown to its operator only', async (t) => {
  const folder = await temporaryFolder(t);
  const live = await start(t, { args: manualArgs(folder, '--auth', 'key') });
  const { body: player } = await live.client.post<{ id: string; apiKey: string }>('/api/game/player', { name: 'ada' });
  await live.galaxyd.stop();
  const nothing = await temporaryFolder(t);
  const refusals = [
    refusedLine('without a key', replayArgs(folder), 1, /^galaxyd cannot replay: .*--admin-key/),
    refusedLine('beyond the end', replayArgs(folder, '--at', '900'), 1, /^galaxyd cannot replay: /),
    refusedLine('a folder without a world', replayArgs(join(nothing, 'world')), 1, /^galaxyd cannot replay: /),
  ];
  await testLines(t, refusals, { by: ['env', `TMPDIR=${nothing}`] });
  t.same(await readdir(nothing), []);

  const env = { GALAXYD_ADMIN_KEY: ADMIN_KEY };
  const replay = await start(t, { args: replayArgs(folder, '--at', '2'), env });
  t.match((await replay.client.get(`/api/game/state/${player.id}`)).body, { name: 'ada' });
  for (const key of ['', player.apiKey, 'something-else']) {
    for (const path of ['/api/status', '/api/replay', '/api/leaderboard', '/api/map', `/api/game/state/${player.id}`]) {
      const { status } = await fetch(replay.galaxyd.url + path, { headers: { authorization: `Bearer ${key}` } });
      t.equal(status, 401, path);
    }
  }
  for (const path of ['/healthz', '/dashboard', '/docs'])
    t.equal((await fetch(replay.galaxyd.url + path)).status, 200, path);
  await replay.galaxyd.stop();
});

t.test('the games of a tournament are shown one after the other, without a key once it is over', async (t) => {
  const { folder, result } = await writtenTournament(t);
  const temporary = await temporaryFolder(t);
  const env = { TMPDIR: temporary };
  const running = { ...result, isFinished: false, games: result.games.slice(0, 1) };
  const copyWith = async (content: Parameters<typeof writeResult>[1]): Promise<string> => {
    const copy = await temporaryFolder(t);
    await cp(folder, copy, { recursive: true });
    await writeResult(copy, content);
    return copy;
  };
  const notOver = /^galaxyd cannot replay: the tournament is not over.*--admin-key/;
  const noResult = /result\.json is not the result of a tournament/;
  await testLines(t, [
    refusedLine('not over', replayArgs(await copyWith(running)), 1, notOver),
    refusedLine('no result', replayArgs(await copyWith('{}')), 3, noResult),
    refusedLine('shown to everybody', replayArgs(folder, '--host', '0.0.0.0'), 1, /--admin-key/),
  ]);

  const { client, galaxyd: replay } = await start(t, { args: replayArgs(folder, '--game', '2'), env });
  t.match((await client.get('/api/replay')).body, { game: 2, seq: 1, last: { seq: result.games[1]?.seq } });
  for (const { number, seq } of [...result.games, ...result.games]) {
    t.match((await client.post('/api/replay', { game: number, atSeq: seq })).body, { game: number, seq });
    await until<TimelineBody>(client, '/api/replay/timeline', ({ indexedShare }) => indexedShare === 1);
    t.equal((await readdir(temporary)).length, 1, 'nothing is left of the game before');
    if (process.platform === 'linux') t.equal((await childrenOf(replay.pid as number)).length, 1);
  }
  t.equal((await replay.stop()).code, 0);
  t.same(await readdir(temporary), []);
});
