// Results: one run each, with everything that is needed to read the numbers, the files that they are kept in, and docs/performance.md.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BenchFailed } from '../bench-failed.js';
import { TEMPORARY_PLACE } from '../processes/clean-up.js';
import { type Table, tableText } from './table.js';

export interface BenchResult {
  readonly format: 2;
  /** ISO 8601. */
  readonly measuredAt: string;
  /** The arguments of `npm run` that make the same run again. */
  readonly command: string;
  /** What was measured; without it no number means anything. */
  readonly revision: Revision;
  readonly machine: Machine;
  /** What sent the closed loops. */
  readonly loader: string;
  readonly durability: 'durable' | 'relaxed';
  /** Why the run ended early; absent if it was whole. */
  readonly failure?: string;
  readonly tables: readonly Pick<Table, 'name' | 'notes' | 'rows' | 'faults'>[];
}

export interface Machine {
  readonly node: string;
  readonly system: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  /** File system of the folder that worlds and databases were written to. */
  readonly fileSystem: string;
}

export interface Revision {
  /** The revision as the command line names it. */
  readonly name: string;
  /** Short hash; `unknown` without git. */
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly isDirty: boolean;
}

/** This checkout, seen from dist/bench/runner. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** The newest chosen result of each command, one a line, which are committed. */
const CHOSEN_FILE = join(ROOT, 'bench', 'results', 'chosen.jsonl');
/** All results of this machine, which are not. */
const LOCAL_FOLDER = join(ROOT, 'bench', 'results', 'local');
/** Between these marks the results stand. What is outside of them is written by people and never changed. */
const BEGIN = '<!-- results: written by `npm run bench -- report` -->';
const END = '<!-- end of results -->';
const DOCUMENT = join(ROOT, 'docs', 'performance.md');
const BYTES_PER_GIB = 1024 ** 3;

export function thisMachine(): Machine {
  return {
    node: process.version,
    system: `${type()} ${release()}`,
    cpu: cpus()[0]?.model.trim() || 'unknown',
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / BYTES_PER_GIB),
    fileSystem: fileSystemOf(TEMPORARY_PLACE),
  };
}

/** The name that df(1) of GNU coreutils gives the file system of a folder; `unknown` elsewhere. */
function fileSystemOf(folder: string): string {
  try {
    const output = execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8', stdio: 'pipe' });
    return output.trim().split('\n').at(-1) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** What is checked out in a folder, changes included. */
export function revisionOf(folder: string): Revision {
  const name = 'this checkout';
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
    return { name, commit: git('rev-parse', '--short=12', 'HEAD'), isDirty: git('status', '--porcelain') !== '' };
  } catch {
    return { name, commit: 'unknown', isDirty: false };
  }
}

/** The arguments of `npm run` that run the bench again. @param words what it was given */
export function commandText(words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w.,:/@~^=-]+$/.test(word) ? word : `'${word}'`));
  return words.length === 0 ? 'bench' : ['bench', '--', ...quoted].join(' ');
}

/** Everything in a result, with a line before it that says what it was measured on. */
export function resultText({ tables, failure, ...head }: BenchResult): string {
  const { revision, machine, loader, durability, measuredAt, command } = head;
  const { node, system, cores, cpu, memoryGib, fileSystem } = machine;
  return [
    `${revisionText(revision)}, Node ${node}, ${system}, ${cores} cores of ${cpu}, ${memoryGib} GiB, ${fileSystem}, ` +
      `loader ${loader}, ${durability}, measured ${measuredAt.slice(0, 10)} with \`npm run ${command}\`.`,
    ...(failure === undefined ? [] : [`Incomplete: ${failure}`]),
    ...tables.flatMap(({ notes, rows, faults }) => [
      ...notes,
      ...(rows.length === 0 ? [] : [tableText(rows)]),
      ...faults.map((fault) => `Fault: ${fault}`),
    ]),
  ].join('\n\n');
}

export function revisionText({ name, commit, isDirty }: Revision): string {
  return `${name === commit ? '' : `${name}, `}commit ${commit}${isDirty ? ' with changes' : ''}`;
}

/** Prints a result as tables or JSON, and keeps it among the local ones, and if it is chosen among those, too. */
export function printAndKeep(result: BenchResult, { isJson, isChosen }: { isJson: boolean; isChosen: boolean }): void {
  const path = saveResult(result, LOCAL_FOLDER);
  if (isChosen) chooseResult(result);
  console.log(isJson ? JSON.stringify(result) : resultText(result));
  console.error(`bench: kept in ${path}${isChosen ? `, and in ${CHOSEN_FILE.slice(ROOT.length)}` : ''}`);
}

/** @returns the path, relative to the repository */
export function saveResult(result: BenchResult, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${result.measuredAt.replace(/[:.]/g, '-')}.json`);
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  return path.slice(ROOT.length);
}

/** @throws BenchFailed if it cannot be read, or is not a result of the present format */
export function readResult(path: string): BenchResult {
  const result = parsedFile(path);
  if (result.format !== 2) throw new BenchFailed(`${path} is not a result of this bench`);
  return result;
}

function parsedFile(path: string): BenchResult {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new BenchFailed(`${path} cannot be read: ${String(error)}`);
  }
}

/** Adds a result to the chosen ones, in place of that of the same command. */
export function chooseResult(result: BenchResult, file = CHOSEN_FILE): void {
  const others = chosenResults(file).filter(({ command }) => command !== result.command);
  writeFileSync(file, [...others, result].map((chosen) => `${JSON.stringify(chosen)}\n`).join(''));
}

/** The oldest first. */
export function chosenResults(file = CHOSEN_FILE): BenchResult[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => JSON.parse(line));
}

export function writePerformanceDocument(results: readonly BenchResult[]): void {
  const sections = results.map((result) => `### ${titleOf(result)}\n\n${resultText(result)}`);
  writeFileSync(DOCUMENT, withResults(readFileSync(DOCUMENT, 'utf8'), sections.join('\n\n')));
}

/**
 * Puts text between the marks of a document.
 *
 * @throws BenchFailed if the marks are missing
 */
export function withResults(document: string, text: string): string {
  const begin = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (begin < 0 || end < begin)
    throw new BenchFailed('docs/performance.md has lost the marks between which results stand');
  return `${document.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${document.slice(end)}`;
}

function titleOf({ tables, measuredAt }: BenchResult): string {
  const names = [...new Set(tables.map(({ name }) => name))].join(', ');
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} on ${measuredAt.slice(0, 10)}`;
}
