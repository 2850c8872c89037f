// The files that results are kept in: JSON, one run each, with everything that is needed to read the numbers.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchFailed } from '../bench-failed.js';
import type { ComparedReading } from '../comparison/readings.js';
import type { EndToEndResult } from '../end-to-end/end-to-end-run.js';
import type { OpenLoopReport } from '../end-to-end/open-loop-rounds.js';
import type { HostileReport } from '../hostile/hostile-run.js';
import type { SettingReading } from '../settings/settings-run.js';
import type { SnapshotReading } from '../snapshots/snapshot-run.js';
import type { Reading } from '../units/unit-case.js';
import type { CallReading } from '../websocket/call-run.js';
import type { SubscribersReport } from '../websocket/subscribers-run.js';
import type { ViewersReport } from '../websocket/viewers-run.js';
import { type Machine, type Revision, ROOT } from './machine.js';
import { resultTables } from './tables.js';

interface ResultHead {
  readonly format: 1;
  /** ISO 8601. */
  readonly measuredAt: string;
  /** The arguments that make the same run again. */
  readonly command: string;
  readonly machine: Machine;
  /** What sent the closed loops. */
  readonly loader: string;
  readonly durability: 'durable' | 'relaxed';
  /** Why the run ended early; absent if it was whole. */
  readonly failure?: string;
}

/** One run of the suite, or of parts of it. */
export interface SuiteResult extends ResultHead, SuiteParts {
  readonly kind: 'suite';
  readonly revision: Revision;
}

/** Empty or absent if it was not measured. */
export interface SuiteParts {
  readonly units: readonly Reading[];
  readonly endToEnd: readonly EndToEndResult[];
  readonly openLoop: readonly OpenLoopReport[];
  readonly snapshots?: readonly SnapshotReading[];
  readonly hostile?: HostileReport;
  readonly settings?: readonly SettingReading[];
  readonly calls?: readonly CallReading[];
  readonly subscribers?: SubscribersReport;
  readonly viewers?: ViewersReport;
}

/** Two revisions side by side. */
export interface ComparisonResult extends ResultHead {
  readonly kind: 'comparison';
  readonly revisions: readonly [Revision, Revision];
  readonly rounds: number;
  readonly readings: readonly ComparedReading[];
  readonly notes: readonly string[];
  /** Absent in results from before there was this. */
  readonly failures?: readonly string[];
}

export type BenchResult = SuiteResult | ComparisonResult;

/** The newest chosen result of each command, one a line, which are committed. */
const CHOSEN_FILE = join(ROOT, 'bench', 'results', 'chosen.jsonl');
/** All results of this machine, which are not. */
const LOCAL_FOLDER = join(ROOT, 'bench', 'results', 'local');

/** The arguments of `npm run` that run a script again. @param words what it was given */
export function commandText(script: string, words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w.,:/@~^=-]+$/.test(word) ? word : `'${word}'`));
  return words.length === 0 ? script : [script, '--', ...quoted].join(' ');
}

/** Prints a result as tables or JSON, and keeps it among the local ones, and if it is chosen among those, too. */
export function printAndKeep(result: BenchResult, { isJson, isChosen }: { isJson: boolean; isChosen: boolean }): void {
  const path = saveResult(result, LOCAL_FOLDER);
  if (isChosen) chooseResult(result);
  console.log(isJson ? JSON.stringify(result) : resultTables(result));
  console.error(`bench: kept in ${path}${isChosen ? `, and in ${CHOSEN_FILE.slice(ROOT.length)}` : ''}`);
}

/** @returns the path, relative to the repository */
export function saveResult(result: BenchResult, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const time = result.measuredAt.replace(/[:.]/g, '-');
  const name = `${time}-${result.kind}.json`;
  writeFileSync(join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return join(folder, name).slice(ROOT.length);
}

/** @throws BenchFailed if it cannot be read, or is no result of a format that is known here */
export function readResult(path: string): BenchResult {
  const result = parsedFile(path);
  if (result.format !== 1 || (result.kind !== 'suite' && result.kind !== 'comparison')) {
    throw new BenchFailed(`${path} is no result of this bench`);
  }
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
