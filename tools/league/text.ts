// A league as Markdown: for people at a terminal, and for docs/balance.md.
import type { Bar, Verdict } from './bars.js';
import type { League, Standing, Use } from './tables.js';

/** Days that the table of points shows. */
const DAYS_SHOWN = [1, 2, 3, 5, 7, 10, 15, 20, 25, 30];

type Row = readonly string[];

export function leagueText(league: League, bars: readonly Bar[] = []): string {
  const { settings, games, rankCorrelation } = league;
  const correlation = rankCorrelation === null ? 'unknown: there is only one game' : rankCorrelation.toFixed(2);
  return [
    `Rules ${settings.rules.name}, ${games} ${games === 1 ? 'game' : 'games'} of ${settings.days} days, ${settings.systemsPerGalaxy} systems a galaxy.`,
    bars.length === 0 ? '' : section('Bars', barsTable(bars)),
    section('Standings', standingsTable(league.standings)),
    `Rank correlation between games: ${correlation}.`,
    section('Points at the end of a day, mean of all games', pointsTable(league)),
    section('What planets wait for, shares of their time', looksTable(league.standings)),
    league.attendance.length === 0 ? '' : section('Fewer wake-ups', attendanceTable(league)),
    section('Buildings of the better half, by resources in them', useTable(league.use.buildings)),
    section('Ships of the better half, by resources in those ordered', useTable(league.use.ships)),
    section('Drives of the better half, by launches', useTable(league.use.drives)),
    section('Missions of the better half, by launches', useTable(league.use.missions)),
    section('Research of the better half, by levels at the end', useTable(league.use.research)),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const section = (title: string, table: string): string => `### ${title}\n\n${table}`;

/** Pads columns to their widest cell, so that the text is readable without rendering. */
export function table(heading: Row, rows: readonly Row[]): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: Row): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export const units = (value: number): string => Math.round(value).toLocaleString('en');
export const percent = (share: number): string => `${(100 * share).toFixed(Math.abs(share) < 0.0995 ? 1 : 0)} %`;
const interval = ([low, high]: readonly [number, number], digits: number): string =>
  `${low.toFixed(digits)} to ${high.toFixed(digits)}`;

function standingsTable(standings: readonly Standing[]): string {
  const heading = [
    'entrant',
    'mean rank',
    '95 %',
    'firsts',
    'rating',
    '95 %',
    'points',
    'planets',
    'commands a day',
    'wakes a day',
    'refused',
    'traded',
  ];
  const rows = standings.map((standing) => [
    standing.label,
    standing.meanRank.toFixed(2),
    interval(standing.meanRankInterval, 2),
    String(standing.firsts),
    String(standing.rating),
    interval(standing.ratingInterval, 0),
    units(standing.points),
    standing.planets.toFixed(1),
    units(standing.commandsPerDay),
    units(standing.wakesPerDay),
    String(standing.refusedCommands),
    percent(standing.tradedShare),
  ]);
  return table(heading, rows);
}

const VERDICTS: Readonly<Record<Verdict, string>> = {
  reached: 'reached',
  on_average: 'on average only',
  missed: 'not reached',
  unknown: 'unknown',
};

function barsTable(bars: readonly Bar[]): string {
  const show = (value: number, unit: Bar['unit']): string => {
    if (unit === 'share') return percent(value);
    return Number.isInteger(value) && unit === 'number' ? String(value) : value.toFixed(2);
  };
  return table(
    ['bar', 'demand', 'about', 'figure', '95 %', ''],
    bars.map(({ name, demand, about, figure, interval: range, unit, verdict }) => [
      name,
      demand,
      about,
      figure === null ? 'unknown' : show(figure, unit),
      range === null ? '' : range.map((end) => show(end, unit)).join(' to '),
      VERDICTS[verdict],
    ]),
  );
}

function pointsTable({ standings, settings }: League): string {
  const days = DAYS_SHOWN.filter((day) => day <= settings.days);
  return table(
    ['entrant', ...days.map((day) => `day ${day}`)],
    standings.map(({ label, pointsByDay }) => [label, ...days.map((day) => units(pointsByDay[day - 1] ?? 0))]),
  );
}

function looksTable(standings: readonly Standing[]): string {
  return table(
    ['entrant', 'timers', 'balanced', 'resources', 'unused'],
    standings.map(({ label, looks: { timers, balanced, resources, unused } }) => [
      label,
      ...[timers, balanced, resources, unused].map(percent),
    ]),
  );
}

function attendanceTable({ attendance }: League): string {
  return table(
    ['bot', 'wake-ups a day', 'points, as a share of those of the same bot always awake'],
    attendance.map(({ source, wakeupsPerDay, share }) => [
      source,
      String(wakeupsPerDay),
      `${(100 * share).toPrecision(2)} %`,
    ]),
  );
}

function useTable(use: readonly Use[]): string {
  return table(
    ['type', 'share', 'used by', 'in games'],
    use.map(({ type, share, players, games }) => [type, percent(share), percent(players), percent(games)]),
  );
}
