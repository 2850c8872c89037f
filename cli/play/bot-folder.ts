// `galaxyd bot new`: writes the folder of a bot from the templates of its language, with a copy of the client, and checks that the
// bot loads. Nothing is installed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { botNamed } from '../../arena/bots/index.js';
import { MADE_LABEL_LENGTH_MAX } from '../../arena/limits.js';
import { labelOf } from '../../arena/tournament/entrants.js';
import { nameFault } from '../../http/checks/player-names.js';
import type { BotNewFlags, Language } from '../commands/bot.js';
import { printResult } from '../commands/command.js';
import { WrongUsage } from '../commands/exit-codes.js';

/** Folder of the package, or of the clone. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));
const PYTHON_TEMPLATE = join(PACKAGE, 'clients/python/template');
const PYTHON_CLIENT = join(PACKAGE, 'clients/python/src/galaxyd');
const TYPESCRIPT_TEMPLATE = join(PACKAGE, 'clients/typescript/template');
/** The build removes the types. */
const JAVASCRIPT_TEMPLATE = join(PACKAGE, 'clients/typescript/dist/template');
const JAVASCRIPT_CLIENT = join(PACKAGE, 'dist/arena/galaxyd-client.js');
/** Types of the client. `npm run build` makes them, and they are in the package; a clone that was only started has none. */
const CLIENT_TYPES = join(PACKAGE, 'clients/typescript/dist/types');
/** Parts of the Python client that a bot does not need. */
const NOT_COPIED = ['training', '__pycache__'];

interface BotLanguage {
  /** Writes the files of a bot. */
  readonly write: (folder: string) => Promise<void>;
  /** Program and arguments that load the strategy, in the folder of the bot. */
  readonly load: readonly [program: string, ...words: string[]];
  /** What to do if the program is missing, or too old. */
  readonly advice: string;
  readonly test: string;
  /** The file that one changes. */
  readonly strategy: string;
}

const BOT_LANGUAGES: Readonly<Record<Language, BotLanguage>> = {
  python: {
    write: writePython,
    load: ['python3', '-B', '-c', 'import bot'],
    advice: '--language javascript needs only Node',
    test: 'python3 -m unittest',
    strategy: 'strategy.py',
  },
  typescript: {
    write: writeTypeScript,
    load: ['node', '--input-type=module', '--eval', "await import('./strategy.ts')"],
    advice: 'Node 22.18 or later runs TypeScript as it is; --language javascript works with any',
    test: 'node --test',
    strategy: 'strategy.ts',
  },
  javascript: {
    write: writeJavaScript,
    load: ['node', '--input-type=module', '--eval', "await import('./strategy.js')"],
    advice: 'galaxyd itself runs with Node',
    test: 'node --test',
    strategy: 'strategy.js',
  },
};

/** @throws WrongUsage */
export async function createBot(given: string, { language }: BotNewFlags): Promise<void> {
  const folder = resolve(given);
  requireName(basename(folder));
  await requireEmpty(folder, given);
  const { write, load, advice, test, strategy } = BOT_LANGUAGES[language];
  // A folder is complete, or not there.
  const draft = `${folder}.new-${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    await write(draft);
    const fault = await loadFault(load, draft);
    if (fault !== null)
      throw new WrongUsage(`${language} does not run here: ${fault.replaceAll(draft, given)}; ${advice}`);
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  printResult({}, {}, () => [
    `${given} is a bot that plays. What it does is in ${join(given, strategy)}: change it, and see what that is worth.`,
    `  galaxyd bot try ${given}`,
    `  cd ${given} && ${test}`,
  ]);
}

/** The name of the folder becomes the label of the entrant. */
function requireName(name: string): void {
  if (labelOf(name) !== name) {
    throw new WrongUsage(
      `${name}: the name of a bot has 1 to ${MADE_LABEL_LENGTH_MAX} letters, digits, dots, hyphens or underscores, and begins with a letter or digit`,
    );
  }
  const fault = nameFault(name);
  if (fault !== undefined) throw new WrongUsage(`${name}: the name of a bot ${fault}`);
  if (botNamed(name) !== undefined) throw new WrongUsage(`${name} is a bot of galaxyd; choose another name`);
}

async function requireEmpty(folder: string, given: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw new WrongUsage(`${given} is not empty; name a new folder`);
}

async function writePython(folder: string): Promise<void> {
  await cp(PYTHON_TEMPLATE, folder, { recursive: true, filter: isCopied });
  await cp(PYTHON_CLIENT, join(folder, 'galaxyd'), { recursive: true, filter: isCopied });
}

function isCopied(path: string): boolean {
  return !NOT_COPIED.includes(basename(path));
}

async function writeTypeScript(folder: string): Promise<void> {
  for (const name of ['bot.ts', 'strategy.ts', 'bot.test.ts', 'tsconfig.json'])
    await cp(join(TYPESCRIPT_TEMPLATE, name), join(folder, name));
  await writeShared(folder, '.ts');
}

async function writeJavaScript(folder: string): Promise<void> {
  for (const name of ['bot.js', 'strategy.js', 'bot.test.js'])
    await cp(join(JAVASCRIPT_TEMPLATE, name), join(folder, name));
  await writeShared(folder, '.js');
}

/** What both languages of Node have. */
async function writeShared(folder: string, extension: '.ts' | '.js'): Promise<void> {
  for (const name of ['entrant.json', 'package.json', 'README.md']) {
    const text = await readFile(join(TYPESCRIPT_TEMPLATE, name), 'utf8');
    await writeFile(join(folder, name), text.replaceAll('.ts', extension));
  }
  await cp(JAVASCRIPT_CLIENT, join(folder, 'galaxyd-client.js'));
  if (!existsSync(CLIENT_TYPES)) return;
  await cp(CLIENT_TYPES, join(folder, 'types'), { recursive: true });
  const declarations = await readFile(join(TYPESCRIPT_TEMPLATE, 'galaxyd-client.d.ts'), 'utf8');
  await writeFile(
    join(folder, 'galaxyd-client.d.ts'),
    declarations.replaceAll("'galaxyd-client'", "'./types/index.js'"),
  );
}

/** @returns why a bot cannot be loaded; null if it can */
async function loadFault([program, ...words]: BotLanguage['load'], folder: string): Promise<string | null> {
  return await new Promise((settle) => {
    execFile(program, words, { cwd: folder }, (error, _output, errors) => {
      if (error === null) settle(null);
      else if (error.code === 'ENOENT') settle(`there is no ${program} in PATH`);
      else settle(faultLine(errors) ?? error.message);
    });
  });
}

/** The line that names an error, of what an interpreter prints. */
function faultLine(errors: string): string | undefined {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1);
}
