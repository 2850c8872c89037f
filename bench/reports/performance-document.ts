// Writes results into docs/performance.md, between two marks, and their chart beside it. The text outside of the marks
// is written by people and never changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchFailed } from '../bench-failed.js';
import { type Bar, type BarGroup, barChart } from './bar-chart.js';
import { ROOT } from './machine.js';
import type { BenchResult, SuiteResult } from './result-file.js';
import { resultTables } from './tables.js';

const BEGIN = '<!-- results: written by `npm run bench -- report` -->';
const END = '<!-- end of results -->';
const DOCUMENT = join(ROOT, 'docs', 'performance.md');
const CHART_NAME = 'performance.svg';

/** @returns the paths that were written, relative to the repository */
export function writePerformanceDocument(results: readonly BenchResult[]): string[] {
  const suites = results.filter((result) => result.kind === 'suite');
  const groups = suites.flatMap(chartGroups);
  const chart = groups.length === 0 ? [] : [`![Requests a second beside the peers](${CHART_NAME})`];
  const sections = results.map((result) => `### ${titleOf(result)}\n\n${resultTables(result)}`);
  const text = withResults(readFileSync(DOCUMENT, 'utf8'), [...chart, ...sections].join('\n\n'));
  writeFileSync(DOCUMENT, text);
  if (groups.length === 0) return ['docs/performance.md'];
  writeFileSync(join(ROOT, 'docs', CHART_NAME), barChart(groups));
  return ['docs/performance.md', `docs/${CHART_NAME}`];
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

function titleOf(result: BenchResult): string {
  if (result.kind === 'suite') return `The suite on ${result.measuredAt.slice(0, 10)}`;
  const [before, after] = result.revisions;
  return `${before.name} and ${after.name} on ${result.measuredAt.slice(0, 10)}`;
}

/** One group of bars for each mix and size, a bar for each server. */
function chartGroups({ endToEnd }: SuiteResult): BarGroup[] {
  return endToEnd
    .filter(({ standings }) => standings.length > 0)
    .map(({ title, players, connections, operations, standings }) => ({
      title: `${title}: ${players.toLocaleString('en')} players, ${connections} connections`,
      unit: operations === 1 ? 'requests/s' : 'commands/s',
      bars: standings.map(({ name, requestsPerSecond }): Bar => {
        return { label: name, series: name, value: Math.round(requestsPerSecond.median * operations) };
      }),
    }));
}
