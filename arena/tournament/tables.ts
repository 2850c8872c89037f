// The tables in the folder of a tournament, as CSV (RFC 4180) with a heading; a label needs no quotation marks. And the transcript of a game, a
// line of JSON for each message.
import { dailyPoints } from './course.js';
import { type Deals, type FinishedWorld, ranksOf, type TournamentGame } from './result.js';

export const POINTS_FILE = 'points.csv';
export const RESULTS_FILE = 'results.csv';
/** In the folder of a game in which somebody said something. */
export const TRANSCRIPT_FILE = 'transcript.jsonl';

export const POINTS_HEADING = 'game,instance,entrant,day,points,rank\n';
/** The columns about what was said and kept. */
export const DEAL_COLUMNS: Readonly<Record<keyof Deals, string>> = {
  pactsProposed: 'pacts_proposed',
  pactsAccepted: 'pacts_accepted',
  pactsHonoured: 'pacts_honoured',
  pactsBroken: 'pacts_broken',
  attacksAfterBreaking: 'attacks_after_breaking',
  offersMade: 'offers_made',
  offersSold: 'offers_sold',
  offersExpired: 'offers_expired',
  offersTaken: 'offers_taken',
  messagesSent: 'messages_sent',
};
const DEALS = Object.keys(DEAL_COLUMNS) as (keyof Deals)[];
const RESULTS_HEADING =
  'game,instance,round,start,entrant,points,rank,commands,refusals,wakeups,wakeups_by_others,overruns,finished,repeatable,' +
  `delivered_units,loot_units,harvested_units,${Object.values(DEAL_COLUMNS)}\n`;

/** Rows of `points.csv`: the points of each entrant at the end of each world day of a game, in the order of their starts. */
export function pointsRows(
  { number, seed }: Pick<TournamentGame, 'number' | 'seed'>,
  { players }: Pick<FinishedWorld, 'players'>,
  days: number,
): string {
  const courses = players.map((player) => dailyPoints(player, days));
  const rows = Array.from({ length: Math.ceil(days) }, (_, day) => {
    const points = courses.map((course) => course[day] ?? 0);
    const ranks = ranksOf(points);
    return players.map(({ name }, place) =>
      csvRow([number, seed, name, Math.min(day + 1, days), points[place], ranks[place]]),
    );
  });
  return rows.flat().join('');
}

/** `results.csv`: a row for each entrant in each game. */
export function resultsText(games: readonly TournamentGame[]): string {
  const rows = games.flatMap(({ number, seed, round, isRepeatable, players }) =>
    players.map((player, place) => {
      const { label, points, rank, commands, refusals, wakeups, wakeupsByOthers, overruns, isWithdrawn } = player;
      const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0);
      const counts = [points, rank, commands, refused, wakeups, wakeupsByOthers, overruns];
      const { deliveredUnits, lootUnits, harvestedUnits } = player.income;
      const units = [deliveredUnits, lootUnits, harvestedUnits];
      const deals = DEALS.map((deal) => player.deals[deal]);
      return csvRow([number, seed, round, place + 1, label, ...counts, !isWithdrawn, isRepeatable, ...units, ...deals]);
    }),
  );
  return RESULTS_HEADING + rows.join('');
}

/** All messages of a game, in their order; '' if nobody said anything. */
export function transcriptText({ messages }: Pick<FinishedWorld, 'messages'>): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}

function csvRow(values: readonly unknown[]): string {
  return `${values.join(',')}\n`;
}
