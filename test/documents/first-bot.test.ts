// Does what docs/first-bot.md says, command by command: starts the worlds that it starts, sends its requests and compares
// the answers, and runs its bots.
import { readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GalaxydClient } from 'galaxyd-client';
import t, { type Test } from 'tap';
import { hasPrograms, PYTHON_ENVIRONMENT, run } from '../clients/programs.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { GalaxydProcess, runGalaxyd } from '../support/process/galaxyd-process.js';
import { root } from '../tidy/repository.js';
import { curlSteps, playCurlSteps } from './curl-steps.js';

const repository = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, repository), 'utf8');
const DOCUMENT = read('docs/first-bot.md');
/** A command that starts a world, and what the page does with that world. */
const PARTS = DOCUMENT.split(/```sh\nnpm start -- /).slice(1);
/** How a command line of galaxyd begins in a clone. It needs no world. */
const IN_CLONE = 'npm run galaxyd -- ';
/** Programs on the page, and the files that they are. */
const PROGRAMS = [
  ['python', 'clients/python/examples/first_bot.py'],
  ['ts', 'clients/typescript/examples/first-bot.ts'],
] as const;

t.test('every command of docs/first-bot.md does what it should, in this order', async (t) => {
  t.equal(PARTS.length, 2, 'a slow world and a fast one');
  for (const part of PARTS) {
    const [flags = ''] = part.split('\n', 1);
    await t.test(`npm start -- ${flags}`, (t) => playPart(t, flags, part));
  }
});

t.test('a copy of the example takes its turns in the tournament of the page', async (t) => {
  if (!hasPrograms(t, 'python3')) return;
  const [, example = '', copy = '', line = ''] =
    /```sh\ncp (\S+) (\S+)\nnpm run galaxyd -- (tournament [^\n]+)\n```/.exec(DOCUMENT) ?? [];
  const [, entrants = '', days = '', out = ''] =
    /--entrants "([^"]+)" (--days \d+ --seeds \d+) --out (\S+)$/.exec(line) ?? [];
  t.ok(entrants.includes(copy) && days !== '' && out !== '', line);
  // A copy in the repository would be left behind, and days of play take long.
  const played = entrants.replace(copy, join(root, example));
  const args = ['tournament', '--entrants', played, '--days', '0.1', '--seeds', '1', '--strict', '--out', 'cup'];
  const cwd = await temporaryFolder(t);
  const output = await run(process.execPath, [join(root, 'dist/cli/main.js'), ...args], { cwd });
  t.match(output, /^mine +\d.* 0$/m, 'it has a rating and no fault');
});

t.test('the programs on the page are those in the repository', async (t) => {
  for (const [language, path] of PROGRAMS) {
    const shown = new RegExp(`\`\`\`${language}\n(.+?)\`\`\``, 's').exec(DOCUMENT)?.[1];
    t.equal(shown, read(path), path);
    t.match(DOCUMENT, `\`${path}\``);
  }
});

t.test('the commands about a bot of your own write one that plays', async (t) => {
  if (!hasPrograms(t, 'python3')) return;
  const [, block = ''] = new RegExp(`\`\`\`sh\\n(${IN_CLONE}[^\`]+)\\n\`\`\``).exec(DOCUMENT) ?? [];
  const cwd = join(await temporaryFolder(t), 'clone');
  await mkdir(cwd);
  for (const command of block.split('\n')) {
    const ending = await runGalaxyd(t, { args: command.replace(IN_CLONE, '').split(' '), cwd });
    t.equal(ending.code, 0, ending.stderr);
  }
  t.match(block, /bot new .*\n.*bot try /);
});

t.test('in a world with keys a program saves the key of its player, for its user alone', async (t) => {
  const cwd = await temporaryFolder(t);
  const { url } = await GalaxydProcess.start(t, {
    args: ['serve', '--data', 'world', '--port', '0', '--min-free-mib', '0', '--auth', 'key', '--speed', '100000'],
    cwd,
    rules: null,
  });
  const commands = {
    Bea: ['python3', join(root, 'clients/python/examples/first_bot.py')],
    Cleo: [process.execPath, join(root, 'clients/typescript/dist/examples/first-bot.js')],
  } as const;
  for (const [number, [name, [program, path]]] of Object.entries(commands).entries()) {
    if (!hasPrograms(t, program)) continue;
    const play = () => run(program, [path, url, name], { cwd, environment: PYTHON_ENVIRONMENT });
    t.match(await play(), /^10 (upgrade|construct) /m, path);
    const keyFile = join(cwd, `${name}.key`);
    t.equal(statSync(keyFile).mode & 0o777, 0o600);
    const player = new GalaxydClient({ baseUrl: url, apiKey: readFileSync(keyFile, 'utf8') });
    const { body } = await player.get('/api/game/state/{playerId}', {
      params: { path: { playerId: `player-${number + 1}` } },
    });
    t.equal(body.name, name);
    await t.rejects(play(), /exist/i, 'nothing is created if the file is there');
  }
});

async function playPart(t: Test, flags: string, part: string): Promise<void> {
  const cwd = await temporaryFolder(t);
  const args = ['serve', ...flags.split(' '), '--port', '0', '--min-free-mib', '0'];
  const { url } = await GalaxydProcess.start(t, { args, cwd, rules: null });
  const blocks = [...part.matchAll(/```sh\n([^`]+)\n```/g)].map(([, block = '']) => block);
  const bots = blocks.filter((block) => !block.startsWith('curl ') && !block.includes(IN_CLONE));
  t.equal(bots.length, flags.includes('--clock manual') ? 0 : PROGRAMS.length);
  for (const bot of bots) {
    if (bot.includes('python3') && !hasPrograms(t, 'python3')) continue;
    const output = await run('bash', ['-c', bot.replace('http://127.0.0.1:3000', url)], {
      cwd: fileURLToPath(repository),
      environment: { PYTHONDONTWRITEBYTECODE: '1' },
    });
    t.match(output, /^10 (upgrade|construct) /m, bot);
  }
  if (bots.length > 0 && !hasPrograms(t, 'python3')) return;
  await playCurlSteps(t, curlSteps(t, part), url, 'docs/first-bot.md');
}
