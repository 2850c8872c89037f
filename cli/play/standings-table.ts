// The standings of a tournament as a table for papers and spreadsheets.
import type { Timings } from '../../arena/tournament/folder.js';
import type { Rating, Tournament } from '../../arena/tournament/result.js';
import type { TableFlags } from '../commands/tournament.js';
import { resultLines } from './standings-text.js';

/**
 * @param out folder of the tournament, as messages name it
 * @param timings what was measured; null if that is not known
 */
export function tableLines(
  result: Tournament,
  out: string,
  timings: Timings | null,
  format: TableFlags['format'],
): string[] {
  if (format === 'text') return resultLines(result, out, timings);
  return { csv: csvLines, markdown: markdownLines, latex: latexLines }[format](result);
}

/** Columns with figures of an entrant, which one without a rating does not have. */
const FIGURES: readonly (readonly [heading: string, cell: (rating: Rating) => string])[] = [
  ['rating', ({ rating }) => String(rating)],
  ['95 % interval', ({ low, high }) => `${low} to ${high}`],
  ['mean rank', ({ meanRank }) => meanRank.toFixed(2)],
  ['95 % interval', ({ meanRankLow, meanRankHigh }) => `${meanRankLow.toFixed(2)} to ${meanRankHigh.toFixed(2)}`],
  ['firsts', ({ firsts }) => String(firsts)],
];
const HEADINGS = ['entrant', ...FIGURES.map(([heading]) => heading), 'games', 'faults'];

/** A row for each entrant. */
function rowsOf({ ratings, withheld }: Tournament): string[][] {
  return [
    ...ratings.map((row) => [
      row.label,
      ...FIGURES.map(([, cell]) => cell(row)),
      String(row.games),
      String(row.faults),
    ]),
    ...withheld.map(({ label, games, faults }) => [
      label,
      'withheld',
      ...FIGURES.slice(1).map(() => ''),
      String(games),
      String(faults),
    ]),
  ];
}

const DIGEST_DIGITS_SHOWN = 16;

/** What a reader needs in order to play the same tournament. */
function captionOf({ galaxyd, settings, games }: Tournament): string {
  const { setting, rules, variation, seeds, days } = settings;
  const varied =
    variation === null ? '' : variation === 'each' ? ', varied for each instance' : `, varied by ${variation}`;
  const facts = [
    ...(setting === undefined
      ? []
      : [`Setting: ${setting.name} ${setting.version} (${setting.digest.slice(0, DIGEST_DIGITS_SHOWN)})`]),
    `Games: ${games.length}`,
    `instances: ${seeds.length}`,
    `world days: ${days}`,
    `rules: ${rules.name} (${rules.digest})${varied}`,
    `galaxyd ${galaxyd}`,
  ];
  return `${facts.join('; ')}. Entrants who finished less than half of their games have no rating.`;
}

/** One column for each number. */
function csvLines({ ratings, withheld }: Tournament): string[] {
  const names = ['rating', 'low', 'high', 'meanRank', 'meanRankLow', 'meanRankHigh', 'firsts'] as const;
  const line = (values: readonly unknown[]): string => values.map((value) => csvCell(String(value))).join(',');
  return [
    line(['label', ...names, 'games', 'faults']),
    ...ratings.map((row) => line([row.label, ...names.map((name) => row[name]), row.games, row.faults])),
    ...withheld.map(({ label, games, faults }) => line([label, ...names.map(() => ''), games, faults])),
  ];
}

/** As RFC 4180 has it. */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownLines(result: Tournament): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;
  return [
    line(HEADINGS),
    `| --- |${' ---: |'.repeat(HEADINGS.length - 1)}`,
    ...rowsOf(result).map(line),
    '',
    markdownCell(captionOf(result)),
  ];
}

function markdownCell(text: string): string {
  return text.replace(/[\\`*_|<>[\]]/g, '\\$&');
}

/** Needs the package booktabs. */
function latexLines(result: Tournament): string[] {
  const line = (cells: readonly string[]): string => `${cells.map(latexCell).join(' & ')} \\\\`;
  return [
    `% ${latexCell(captionOf(result))}`,
    `\\begin{tabular}{l${'r'.repeat(HEADINGS.length - 1)}}`,
    '\\toprule',
    line(HEADINGS),
    '\\midrule',
    ...rowsOf(result).map(line),
    '\\bottomrule',
    '\\end{tabular}',
  ];
}

const LATEX_WORDS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
};

function latexCell(text: string): string {
  const ranges = text.replace(/(\d) to (\d)/g, '$1--$2');
  return ranges.replace(/[\\~^{}$&#_%]/g, (character) => LATEX_WORDS[character] ?? `\\${character}`);
}
