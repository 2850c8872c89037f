// Parses `--entrants`: who plays in a tournament, shipped bots, commands, and folders whose manifest has a command.
import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { BOTS, botNamed } from '../bots/index.js';
import {
  ENTRANTS_MAX,
  LABEL_LENGTH_MAX,
  MADE_LABEL_LENGTH_MAX,
  SOURCE_LENGTH_MAX,
  WAKEUPS_PER_DAY_MAX,
} from '../limits.js';
import { isWithin, MANIFEST, manifestIn, requireWithin } from './manifest.js';
import { UnfitTournament } from './result.js';

/** A participant of a tournament. */
export interface Entrant {
  /** Name of the entrant and of its player. */
  readonly label: string;
  readonly kind: 'bot' | 'command';
  /** Name of the bot, or the command line or folder as it was given. */
  readonly source: string;
  /** Null for the budget of the tournament. */
  readonly wakeupsPerDay: number | null;
  /** Program and arguments of a command, with absolute paths. Empty for a bot. */
  readonly words: readonly string[];
  /** Files that a command names, but for a program that was found in PATH. Empty for a bot. */
  readonly files: readonly NamedFile[];
}

/** A file, and how a command names it. */
export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

/** Where programs and files of commands are looked up, and which labels a world takes. */
interface EntrantPorts {
  /** Folder for files that a command names. */
  readonly folder: string;
  /** PATH of the environment. */
  readonly path: string;
  /** What is wrong with a label as the name of a player; undefined for nothing. */
  nameFault(label: string): string | undefined;
}

/** The same, as far as names do not matter. */
type LookupPaths = Pick<EntrantPorts, 'folder' | 'path'>;

const LABEL = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_.@-]{0,${LABEL_LENGTH_MAX - 1}}$`);
const NAMED = /^([^\s='"/]+)=(.*)$/s;
const LIMITED = /^(.*[^@\s])@(\d{1,9})$/s;

/**
 * Parses a list such as `greedy,once=greedy@1,./my-bot,'python3 my_bot.py'`: names of bots, folders and command lines, separated by commas
 * outside of quotes. `LABEL=` names an entrant, `@N` limits its wake-ups per world day.
 *
 * @throws UnfitTournament
 */
export function entrantsOf(text: string, { nameFault, ...where }: EntrantPorts): Entrant[] {
  const pieces = piecesOf(text, (character) => character === ',').map((piece) => piece.trim());
  if (pieces.length > ENTRANTS_MAX) throw new UnfitTournament(`a tournament has at most ${ENTRANTS_MAX} entrants`);
  if (pieces.length < 2) throw new UnfitTournament('a tournament needs two entrants or more, such as greedy,expander');
  const taken = new Set<string>();
  const drafts = pieces.map((piece) => draftOf(piece, where));
  for (const { label, piece } of drafts) {
    if (label === null) continue;
    if (!LABEL.test(label)) {
      throw new UnfitTournament(
        `${piece}: a label has 1 to ${LABEL_LENGTH_MAX} letters, digits, dots, hyphens, underscores or @, and begins with a letter or digit`,
      );
    }
    if (taken.has(label.toLowerCase())) throw new UnfitTournament(`two entrants have the label ${label}`);
    taken.add(label.toLowerCase());
  }
  return drafts.map(({ label: given, ownName, piece, ...entrant }) => {
    const label = given ?? freeLabel(ownName, taken);
    const fault = nameFault(label);
    if (fault !== undefined)
      throw new UnfitTournament(`${piece}: the label ${label} ${fault}; LABEL= gives another one`);
    return { ...entrant, label };
  });
}

interface Draft extends Omit<Entrant, 'label'> {
  readonly piece: string;
  readonly label: string | null;
  readonly ownName: string;
}

function draftOf(piece: string, where: LookupPaths): Draft {
  if (piece === '')
    throw new UnfitTournament('an entrant is empty: two commas follow each other, or one ends the list');
  const [, label = null, unnamed = piece] = NAMED.exec(piece) ?? [];
  const [, source = unnamed, limit] = LIMITED.exec(unnamed) ?? [];
  const wakeupsPerDay = limit === undefined ? null : Number(limit);
  if (wakeupsPerDay !== null && (wakeupsPerDay < 1 || wakeupsPerDay > WAKEUPS_PER_DAY_MAX)) {
    throw new UnfitTournament(`${piece}: an entrant has 1 to ${WAKEUPS_PER_DAY_MAX} wake-ups per day`);
  }
  if (source.length > SOURCE_LENGTH_MAX) {
    throw new UnfitTournament(`an entrant has at most ${SOURCE_LENGTH_MAX} characters: ${source.slice(0, 60)}…`);
  }
  const suffix = wakeupsPerDay === null ? '' : `@${wakeupsPerDay}`;
  const isBot = botNamed(source) !== undefined;
  const folder = isBot ? null : folderOf(source, where);
  const { words, files } = isBot
    ? { words: [], files: [] }
    : folder === null
      ? commandOf(commandLineOf(source, where), where)
      : commandOfFolder(source, folder, where);
  const ownName = isBot ? source : folder === null ? nameOfCommand(words) : labelOf(basename(folder));
  const kind = isBot ? 'bot' : 'command';
  return { piece, label, kind, source, wakeupsPerDay, words, files, ownName: ownName + suffix };
}

/** Splits a text at separators outside of quotes. Keeps quotes and backslashes. */
function piecesOf(text: string, isSeparator: (character: string) => boolean): string[] {
  const pieces = [''];
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as string;
    if (quote === '' && isSeparator(character)) {
      pieces.push('');
      continue;
    }
    let taken = character;
    if (character === '\\' && quote !== "'") {
      index += 1;
      taken += text[index] ?? '';
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    pieces[pieces.length - 1] += taken;
  }
  if (quote !== '') throw new UnfitTournament(`a quotation mark is not closed: ${text}`);
  return pieces;
}

/** Removes quotes and backslashes, as a shell does. */
function unquoted(word: string): string {
  return word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_whole, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1');
  });
}

/** Removes quotes around a whole command line, unless they belong to the path of a program. */
function commandLineOf(source: string, where: LookupPaths): string {
  const words = piecesOf(source, (character) => /\s/.test(character));
  const line = unquoted(source);
  return words.length === 1 && line !== source && programAt(line, where) === null ? line.trim() : source;
}

/** @returns the absolute path of the folder that a source names; null if it names none */
function folderOf(source: string, { folder }: LookupPaths): string | null {
  const path = resolve(folder, unquoted(source));
  return source !== '' && statusOf(path)?.isDirectory() === true ? path : null;
}

/** The command of a folder's manifest. Its files are named relative to the folder, so that the place does not matter. */
function commandOfFolder(source: string, folder: string, { path }: LookupPaths): Pick<Entrant, 'words' | 'files'> {
  const manifest = refusing(() => manifestIn(folder));
  if (manifest === null || manifest.command === null) {
    throw new UnfitTournament(
      `${source}: the folder has no ${MANIFEST} with a command, such as {"command": ["python3", "bot.py"], "files": ["bot.py"]}`,
    );
  }
  const [name = '', ...rest] = manifest.command;
  const own = { folder, path };
  if (programAt(name, own) === null)
    throw new UnfitTournament(`${source}: its ${MANIFEST} starts ${name}, and there is no such program`);
  const command = commandOfWords([name, ...rest], own);
  refusing(() => {
    for (const { name: word, path: file } of command.files) {
      // The program may be an interpreter elsewhere, but nothing of another entrant.
      const mayBeElsewhere = word === name && !isWithin(folder, file) && !existsSync(join(dirname(file), MANIFEST));
      if (!mayBeElsewhere) requireWithin(folder, file);
    }
  });
  return { ...command, files: [...command.files, { name: MANIFEST, path: join(folder, MANIFEST) }] };
}

/** Makes an error a refusal. */
function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new UnfitTournament((error as Error).message);
  }
}

/**
 * Splits a command line into words. The program and each argument that names a file become absolute paths, since the command runs in
 * a folder of its own. No shell is involved.
 */
function commandOf(source: string, where: LookupPaths): Pick<Entrant, 'words' | 'files'> {
  const words = piecesOf(source, (character) => /\s/.test(character))
    .filter((word) => word !== '')
    .map(unquoted);
  const [name = ''] = words;
  if (programAt(name, where) === null) {
    const bots = BOTS.map((bot) => bot.name).join(', ');
    throw new UnfitTournament(`${source}: there is no bot and no program named ${name}; the bots are ${bots}`);
  }
  return commandOfWords(words, where);
}

/** @param words whose first one is a program that exists */
function commandOfWords([name = '', ...rest]: readonly string[], where: LookupPaths): Pick<Entrant, 'words' | 'files'> {
  const program = programAt(name, where) ?? name;
  const named = rest.filter((word) => isFile(resolve(where.folder, word)));
  const files = [...(name.includes('/') ? [name] : []), ...named];
  return {
    words: [program, ...rest.map((word) => (named.includes(word) ? resolve(where.folder, word) : word))],
    files: files.map((word) => ({ name: word, path: resolve(where.folder, word) })),
  };
}

/** @returns the path of a program; null if there is none */
export function programAt(name: string, { folder, path }: LookupPaths): string | null {
  if (name.includes('/')) return isFile(resolve(folder, name)) ? resolve(folder, name) : null;
  if (name === '') return null;
  const places = path.split(delimiter).filter((place) => place !== '');
  return places.map((place) => join(resolve(folder, place), name)).find(isExecutable) ?? null;
}

function isFile(path: string): boolean {
  return statusOf(path)?.isFile() === true;
}

/** @returns null if nothing is there */
function statusOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // A long argument is not a path.
    return null;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** Names a command after its script, else after its program. */
function nameOfCommand([program = '', ...rest]: readonly string[]): string {
  const script = rest.find((word) => isAbsolute(word) && isFile(word)) ?? program;
  return labelOf(basename(script, extname(script)));
}

/** Makes a label of the name of a file or folder, with room for suffixes. */
export function labelOf(fileName: string): string {
  const name = fileName.replace(/[^A-Za-z0-9_.-]+/g, '-');
  return name.replace(/^[^A-Za-z0-9]+/, '').slice(0, MADE_LABEL_LENGTH_MAX) || 'command';
}

function freeLabel(name: string, taken: Set<string>): string {
  let label = name;
  for (let copy = 2; taken.has(label.toLowerCase()); copy += 1) label = `${name}-${copy}`;
  taken.add(label.toLowerCase());
  return label;
}
