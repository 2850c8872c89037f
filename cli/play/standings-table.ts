// The standings of a tournament, and the deals of its entrants, as tables for papers and spreadsheets.
import type { Timings } from '../../arena/tournament/folder.js';
import type { Deals, Rating, Tournament } from '../../arena/tournament/result.js';
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
  if (format === 'csv') return csvLines(result);
  const table = { headings: HEADINGS, rows: rowsOf(result), caption: captionOf(result) };
  return format === 'markdown' ? markdownLines(table) : latexLines(table);
}

/** What entrants agreed on with each other in all games: a row for each entrant, in the order of the standings. */
export function dealLines(result: Tournament, format: TableFlags['format']): string[] {
  const table = dealTable(result);
  switch (format) {
    case 'text':
      return textLines(table);
    case 'csv':
      return [['label', 'games', ...DEALS], ...table.rows].map(csvLine);
    case 'markdown':
      return markdownLines(table);
    case 'latex':
      return latexLines(table);
  }
}

/** A table for people. */
interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly caption: string;
}

/** The headings of the counts, which DEALS_CAPTION explains. */
const DEAL_HEADINGS: Readonly<Record<keyof Deals, string>> = {
  pactsProposed: 'proposed',
  pactsAccepted: 'accepted',
  pactsHonoured: 'honoured',
  pactsBroken: 'broken',
  attacksAfterBreaking: 'attacks',
  offersMade: 'offers',
  offersSold: 'sold',
  offersExpired: 'expired',
  offersTaken: 'taken',
  messagesSent: 'messages',
};
const DEALS = Object.keys(DEAL_HEADINGS) as (keyof Deals)[];
const DEALS_CAPTION =
  'Pacts proposed, accepted, honoured and broken, and attacks on partners of broken pacts; offers in the market, those sold and expired, ' +
  'and offers of others taken; messages. Sums over all games';

function dealTable(result: Tournament): Table {
  const { games, ratings, withheld } = result;
  const rows = [...ratings, ...withheld].map(({ label }) => {
    const own = games.flatMap(({ players }) => players.filter((player) => player.label === label));
    const sums = DEALS.map((deal) => own.reduce((sum, { deals }) => sum + deals[deal], 0));
    return [label, ...[own.length, ...sums].map(String)];
  });
  const caption = `${DEALS_CAPTION}. ${factsOf(result)}.`;
  return { headings: ['entrant', 'games', ...Object.values(DEAL_HEADINGS)], rows, caption };
}

/** Columns as wide as their longest cell; only the first one begins on the left. */
function textLines({ headings, rows, caption }: Table): string[] {
  const cells = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [...cells.map(line), caption];
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
const captionOf = (result: Tournament): string =>
  `${factsOf(result)}. Entrants who finished less than half of their games have no rating.`;

function factsOf({ galaxyd, settings, games }: Tournament): string {
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
  return facts.join('; ');
}

/** One column for each number. */
function csvLines({ ratings, withheld }: Tournament): string[] {
  const names = ['rating', 'low', 'high', 'meanRank', 'meanRankLow', 'meanRankHigh', 'firsts'] as const;
  return [
    csvLine(['label', ...names, 'games', 'faults']),
    ...ratings.map((row) => csvLine([row.label, ...names.map((name) => row[name]), row.games, row.faults])),
    ...withheld.map(({ label, games, faults }) => csvLine([label, ...names.map(() => ''), games, faults])),
  ];
}

function csvLine(values: readonly unknown[]): string {
  return values.map((value) => csvCell(String(value))).join(',');
}

/** As RFC 4180 has it. */
function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownLines({ headings, rows, caption }: Table): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(markdownCell).join(' | ')} |`;
  return [
    line(headings),
    `| --- |${' ---: |'.repeat(headings.length - 1)}`,
    ...rows.map(line),
    '',
    markdownCell(caption),
  ];
}

function markdownCell(text: string): string {
  return text.replace(/[\\`*_|<>[\]]/g, '\\$&');
}

/** Needs the package booktabs. */
function latexLines({ headings, rows, caption }: Table): string[] {
  const line = (cells: readonly string[]): string => `${cells.map(latexCell).join(' & ')} \\\\`;
  return [
    `% ${latexCell(caption)}`,
    `\\begin{tabular}{l${'r'.repeat(headings.length - 1)}}`,
    '\\toprule',
    line(headings),
    '\\midrule',
    ...rows.map(line),
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
