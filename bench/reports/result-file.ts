// The files that results are kept in: JSON, one run each, with everything that is needed to read the numbers.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchFailed } from '../bench-failed.js';
import type { ComparedReading } from '../comparison/verdict.js';
import type { EndToEndResult } from '../end-to-end/end-to-end-run.js';
import type { OpenLoopReport } from '../end-to-end/open-loop-rounds.js';
import type { HostileReport } from '../hostile/hostile-run.js';
import type { SnapshotReading } from '../snapshots/snapshot-run.js';
import type { Reading } from '../units/unit-case.js';
import { type Machine, type Revision, ROOT } from './machine.js';

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
}

/** One run of the suite, or of parts of it. */
export interface SuiteResult extends ResultHead {
  readonly kind: 'suite';
  readonly revision: Revision;
  readonly units: readonly Reading[];
  readonly endToEnd: readonly EndToEndResult[];
  readonly openLoop: readonly OpenLoopReport[];
  /** Absent in results from before there were any. */
  readonly snapshots?: readonly SnapshotReading[];
  /** Absent if it was not measured. */
  readonly hostile?: HostileReport;
}

/** Two revisions side by side. */
export interface ComparisonResult extends ResultHead {
  readonly kind: 'comparison';
  readonly revisions: readonly [Revision, Revision];
  readonly rounds: number;
  readonly readings: readonly ComparedReading[];
  readonly notes: readonly string[];
}

export type BenchResult = SuiteResult | ComparisonResult;

/** Chosen results, which are committed. */
export const RESULT_FOLDER = join(ROOT, 'bench', 'results');
/** All results of this machine, which are not. */
export const LOCAL_FOLDER = join(RESULT_FOLDER, 'local');

/** The arguments of `npm run` that run a script again. @param words what it was given */
export function commandText(script: string, words: readonly string[]): string {
  const quoted = words.map((word) => (/^[\w.,:/@~^=-]+$/.test(word) ? word : `'${word}'`));
  return words.length === 0 ? script : [script, '--', ...quoted].join(' ');
}

/** @returns the path, relative to the repository */
export function saveResult(result: BenchResult, folder: string = LOCAL_FOLDER): string {
  mkdirSync(folder, { recursive: true });
  const time = result.measuredAt.replace(/[:.]/g, '-');
  const name = `${time}-${result.kind}.json`;
  writeFileSync(join(folder, name), `${JSON.stringify(result, null, 2)}\n`);
  return join(folder, name).slice(ROOT.length);
}

/** @throws BenchFailed where it cannot be read, or is no result of a format that is known here */
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

/** Paths of the committed results, or of the newest local one of each kind where none is committed. */
export function chosenResults(): string[] {
  const committed = resultsIn(RESULT_FOLDER);
  if (committed.length > 0) return committed;
  const local = resultsIn(LOCAL_FOLDER);
  const newest = ['suite', 'comparison'].map((kind) => local.filter((path) => path.endsWith(`-${kind}.json`)).at(-1));
  return newest.filter((path) => path !== undefined);
}

function resultsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
