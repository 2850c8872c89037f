// The digest of an entrant's program: what changes it, what does not, and a tournament that refuses to mix versions.
import { mkdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { PROGRAM_FILES_MAX } from '../../../arena/limits.js';
import { type Entrant, entrantsOf } from '../../../arena/tournament/entrants.js';
import { programDigest } from '../../../arena/tournament/program.js';
import type { Tournament } from '../../../arena/tournament/result.js';
import { nameFault } from '../../../http/checks/player-names.js';
import { BUILD } from '../../../http/version.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { interruptGalaxyd } from '../../support/process/galaxyd-process.js';
import { galaxyd } from '../../support/process/operator.js';
import { findingsIn, played } from '../support/tournament-run.js';

const PATH = process.env['PATH'] ?? '';

function entrantIn(folder: string, command: string): Entrant {
  const [, entrant] = entrantsOf(`idler,one=${command}`, { folder, path: PATH, nameFault });
  if (entrant === undefined) throw new Error('there is no entrant');
  return entrant;
}

async function digestIn(folder: string, command: string): Promise<string | null> {
  return await programDigest(entrantIn(folder, command));
}

/** A folder with a program of several files. */
async function programFolder(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'lib'));
  await writeFile(join(folder, 'bot.mjs'), 'first');
  await writeFile(join(folder, 'lib/plan.mjs'), 'first');
  return folder;
}

t.test('it depends on the command line and on the files that this names, and not on where they lie', async (t) => {
  const folder = await programFolder(t);
  const first = await digestIn(folder, 'node bot.mjs');
  t.match(first, /^[0-9a-f]{64}$/);
  t.not(await digestIn(folder, 'node bot.mjs 2'), first);
  await writeFile(join(folder, 'lib/plan.mjs'), 'second');
  t.equal(await digestIn(folder, 'node bot.mjs'), first, 'nobody names the other file');
  const elsewhere = join(await temporaryFolder(t), 'elsewhere');
  await rename(folder, elsewhere);
  t.equal(await digestIn(elsewhere, 'node bot.mjs'), first);
  await writeFile(join(elsewhere, 'bot.mjs'), 'second');
  t.not(await digestIn(elsewhere, 'node bot.mjs'), first);
  t.equal(await digestIn(folder, 'idler'), null, 'a bot of galaxyd is as old as galaxyd');
});

t.test('entrant.json beside a program names files and folders that belong to it', async (t) => {
  const folder = await programFolder(t);
  const bare = await digestIn(folder, 'node bot.mjs');
  const manifest = (content: string) => writeFile(join(folder, 'entrant.json'), content);
  await manifest('{"files": ["lib"]}');
  const whole = await digestIn(folder, 'node bot.mjs');
  t.not(whole, bare);
  await mkdir(join(folder, 'lib/__pycache__'));
  await writeFile(join(folder, 'lib/__pycache__/plan.pyc'), '');
  t.equal(await digestIn(folder, 'node bot.mjs'), whole, 'what Python writes does not count');
  await writeFile(join(folder, 'lib/plan.mjs'), 'second');
  t.not(await digestIn(folder, 'node bot.mjs'), whole);
  for (const [content, message] of [
    ['{"files": ["missing.mjs"]}', /the program of one cannot be read: ENOENT.*missing/],
    ['{"files": "lib"}', /entrant\.json must be like/],
    ['{', /entrant\.json must be like/],
    ['{"files": ["/dev/null"]}', /ENOENT/],
  ] as const) {
    await manifest(content);
    await t.rejects(digestIn(folder, 'node bot.mjs'), { name: 'UnfitTournament', message });
  }
});

t.test('of a folder it depends on the manifest and on what that names, and not on where the folder lies', async (t) => {
  const folder = await temporaryFolder(t);
  const bot = join(folder, 'bot');
  await mkdir(bot);
  await writeFile(join(bot, 'bot.mjs'), 'first');
  await writeFile(join(bot, 'other.mjs'), 'first');
  const write = (...files: string[]) =>
    writeFile(join(bot, 'entrant.json'), JSON.stringify({ command: [process.execPath, 'bot.mjs'], files }));
  await write();
  const first = await digestIn(folder, './bot');
  await writeFile(join(bot, 'bot.mjs'), 'second');
  const second = await digestIn(folder, './bot');
  t.not(second, first, 'the command names the file');
  await writeFile(join(bot, 'other.mjs'), 'second');
  t.equal(await digestIn(folder, './bot'), second, 'nobody names the other file');
  await write('other.mjs');
  const whole = await digestIn(folder, './bot');
  t.not(whole, second);
  await writeFile(join(bot, 'other.mjs'), 'third');
  t.not(await digestIn(folder, './bot'), whole);
  const there = await digestIn(folder, './bot');
  const elsewhere = join(await temporaryFolder(t), 'elsewhere');
  await rename(folder, elsewhere);
  t.equal(await digestIn(elsewhere, './bot'), there);
});

t.test('a program has a limited number of files', async (t) => {
  const folder = await programFolder(t);
  await writeFile(join(folder, 'entrant.json'), '{"files": ["many"]}');
  await mkdir(join(folder, 'many'));
  const add = (number: number) => writeFile(join(folder, 'many', `${number}`), '');
  // The program and entrant.json are files, too.
  for (let number = 2; number < PROGRAM_FILES_MAX; number += 1) await add(number);
  t.match(await digestIn(folder, 'node bot.mjs'), /^[0-9a-f]{64}$/);
  await add(PROGRAM_FILES_MAX);
  await t.rejects(digestIn(folder, 'node bot.mjs'), { message: /it has more than 1000 files/ });
});

t.test('a manifest names nothing outside of its folder, also by a link; a command line may', async (t) => {
  const folder = await temporaryFolder(t);
  const [own, rival] = [join(folder, 'own'), join(folder, 'rival')];
  for (const one of [own, rival]) {
    await mkdir(one);
    await writeFile(join(one, 'bot.mjs'), one);
  }
  const manifest = (content: object) => writeFile(join(own, 'entrant.json'), JSON.stringify(content));
  const refused = {
    name: 'UnfitTournament',
    message: /own\/entrant\.json names .* which is .*\/rival.*, outside of its folder/,
  };
  await symlink('../rival', join(own, 'folder'));
  await symlink('../rival/bot.mjs', join(own, 'file.mjs'));
  await mkdir(join(own, 'lib'));
  await symlink('../../rival/bot.mjs', join(own, 'lib', 'deep.mjs'));
  for (const name of ['../rival', '../rival/bot.mjs', 'folder', 'folder/bot.mjs', 'file.mjs', 'lib']) {
    await manifest({ files: [name] });
    await t.rejects(digestIn(folder, 'node own/bot.mjs'), refused, name);
  }
  await unlink(join(own, 'lib', 'deep.mjs'));
  await symlink('../bot.mjs', join(own, 'lib', 'deep.mjs'));
  await manifest({ files: ['lib'] });
  t.match(await digestIn(folder, 'node own/bot.mjs'), /^[0-9a-f]{64}$/, 'a link within it');
  t.match(await digestIn(folder, 'node own/bot.mjs rival/bot.mjs own/file.mjs'), /^[0-9a-f]{64}$/);

  await writeFile(join(rival, 'entrant.json'), '{"files": []}');
  await symlink('../../rival/bot.mjs', join(own, 'lib', 'run.mjs'));
  for (const command of [
    ['node', 'bot.mjs', '../rival/bot.mjs'],
    ['node', 'file.mjs'],
    // Modules beside the link would run as those of the rival's program.
    ['lib/run.mjs', 'bot.mjs'],
    // Its manifest would be followed, too.
    ['../rival/bot.mjs', 'bot.mjs'],
  ]) {
    await manifest({ command, files: [] });
    t.throws(() => entrantIn(folder, './own'), refused, command.join(' '));
  }
  await unlink(join(own, 'entrant.json'));
  await symlink('../rival/entrant.json', join(own, 'entrant.json'));
  await t.rejects(digestIn(folder, 'node own/bot.mjs'), refused, 'the manifest itself');
});

t.test('folders that many ways of links lead to are not walked without end', async (t) => {
  const folder = await programFolder(t);
  await writeFile(join(folder, 'entrant.json'), '{"files": ["0"]}');
  // Two links in each folder lead to the next, so that there are 2,047 ways. Linux would follow 40 links, one after the other.
  const levels = 10;
  for (let level = 0; level <= levels; level += 1) await mkdir(join(folder, `${level}`));
  for (let level = 0; level < levels; level += 1)
    for (const name of ['one', 'other']) await symlink(`../${level + 1}`, join(folder, `${level}`, name));
  await t.rejects(digestIn(folder, 'node bot.mjs'), { message: /it has more than 1000 folders/ });
});

/** Ends each of its turns. */
const PLAYER = `
const { GALAXYD_SERVER: server, GALAXYD_API_KEY: key } = process.env;
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
for (;;) {
  const { state } = await (await fetch(server + '/api/turn?wait=20', { headers })).json();
  if (state === 'over') break;
  if (state === 'active') await fetch(server + '/api/turn/end', { method: 'POST', headers, body: '{}' });
}
`;

t.test('a program that changes between the games of a tournament is named, and no versions are mixed', async (t) => {
  const folder = await temporaryFolder(t);
  const out = join(folder, 'cup');
  const script = join(folder, 'bot.mjs');
  await writeFile(script, PLAYER);
  const entrants = `idler,mine=${process.execPath} ${script}`;
  const args = ['tournament', '--entrants', entrants, '--days', '1', '--seeds', '3', '--out', out];
  t.equal((await interruptGalaxyd(t, { args }, 'played game 1')).signal, 'SIGINT');
  const left = JSON.parse(await readFile(join(out, 'result.json'), 'utf8')) as Tournament;
  t.match(left.entrants, [{ programDigest: null }, { programDigest: /^[0-9a-f]{64}$/ }]);
  t.equal(left.galaxyd, BUILD, 'with its commit, if that is known');
  await writeFile(script, `${PLAYER}// another version`);
  const changed = await galaxyd(t, ...args);
  t.equal(changed.code, 2);
  t.match(changed.stderr, /the program of mine changed since the tournament began; restore what was there/);
  t.same(JSON.parse(await readFile(join(out, 'result.json'), 'utf8')), left, 'what was played is kept');
  await writeFile(script, PLAYER);
  t.match(await galaxyd(t, ...args), { code: 0 });
  t.same(await findingsIn(out), []);

  const during = { path: PATH, onProgress: () => void writeFile(script, `${PLAYER}// a third version`) };
  const again = played(t, entrants, { days: 0.1 }, during);
  await t.rejects(again, { name: 'UnfitTournament', message: /the program of mine changed/ }, 'while it runs');
});

t.test('two versions of a program play the same games', async (t) => {
  const folder = await temporaryFolder(t);
  const script = join(folder, 'bot.mjs');
  const playedBy = async (text: string): Promise<Tournament> => {
    await writeFile(script, text);
    const { result } = await played(t, `idler,mine=${process.execPath} ${script}`, { days: 0.05 });
    return result;
  };
  const [one, other] = [await playedBy(PLAYER), await playedBy(`${PLAYER}// another version`)];
  t.not(one.entrants[1]?.programDigest, other.entrants[1]?.programDigest);
  t.same(one.games, other.games);
});
