// The standings of a tournament as text, with what a reader must know about them.
import { join } from 'node:path';
import { repeatingGames } from '../../arena/tournament/course.js';
import { faultyEntrants } from '../../arena/tournament/faults.js';
import type { Timings } from '../../arena/tournament/folder.js';
import { entrantLog } from '../../arena/tournament/game.js';
import type { Rating, Tournament, Withheld } from '../../arena/tournament/result.js';
import { gamesOf } from '../../arena/tournament/schedule.js';

/** Games and pairs that a line names. */
const NAMED_MAX = 8;

/**
 * What is printed at the end of a tournament.
 *
 * @param out its folder
 * @param timings what was measured; null if that is not known
 */
export function resultLines(result: Tournament, out: string, timings: Timings | null): string[] {
  const { games, isFinished } = result;
  if (!isFinished) {
    return [
      ...standingsLines(result),
      `${games.length} of ${gamesOf(result.settings, result.entrants.length)} games are over.`,
      ...remarksOf(result, out, timings),
    ];
  }
  const counted = games.length === 1 ? '1 game is' : `${games.length} games are`;
  const advice = `galaxyd tournament verify ${out} replays ${games.length === 1 ? 'it' : 'them'}.`;
  return [...standingsLines(result), `${counted} in ${out}; ${advice}`, ...remarksOf(result, out, timings)];
}

function remarksOf(result: Tournament, out: string, timings: Timings | null): string[] {
  return [...repeatLines(result), ...pairLines(result), ...faultLines(result, out, timings), ...lateLines(result)];
}

/** A line for each entrant, below a heading. */
function standingsLines({ ratings, withheld }: Tournament): string[] {
  const width = Math.max('entrant'.length, ...[...ratings, ...withheld].map(({ label }) => label.length));
  return [
    `${'entrant'.padEnd(width)} rating  95 % interval  mean rank   95 % interval  firsts  faults`,
    ...ratings.map((rating) => ratingLine(rating, width)),
    ...withheld.map((row) => withheldLine(row, width)),
  ];
}

function ratingLine(row: Rating, width: number): string {
  const { label, rating, low, high, meanRank, meanRankLow, meanRankHigh, firsts, faults } = row;
  return [
    label.padEnd(width),
    String(rating).padStart(6),
    `${low} to ${high}`.padStart(14),
    meanRank.toFixed(2).padStart(10),
    `${meanRankLow.toFixed(2)} to ${meanRankHigh.toFixed(2)}`.padStart(15),
    String(firsts).padStart(7),
    String(faults).padStart(7),
  ].join(' ');
}

/** Takes as much space as the figures of a rating. */
function withheldLine({ label, games, finished, faults }: Withheld, width: number): string {
  const reason = `withheld: finished ${finished} of ${games} games`;
  return `${label.padEnd(width)}   ${reason.padEnd(54)} ${String(faults).padStart(7)}`;
}

/** A line for each entrant with faults. */
function faultLines(result: Tournament, out: string, timings: Timings | null): string[] {
  return faultyEntrants(result, timings?.games ?? []).map(({ label, words, game, hasLog }) => {
    const log = hasLog ? `; see ${join(out, entrantLog(game, label))}` : '';
    return `${label} ${words}, first in game ${game}${log}`;
  });
}

/** Warns of games that say nothing new. */
function repeatLines({ games }: Tournament): string[] {
  const repeating = repeatingGames(games).map(({ number }) => number);
  if (repeating.length === 0) return [];
  const [named, more] = begun(repeating.map(String));
  return [
    `Of ${games.length} games, ${repeating.length} took the same course as an earlier one and did not count: ${named}${more}.`,
  ];
}

/** Names the pairs that are not separated. */
function pairLines({ unseparated }: Tournament): string[] {
  if (unseparated.length === 0) return [];
  const [named, more] = begun(
    unseparated.map(({ one, other, gamesNeeded }) =>
      gamesNeeded === null
        ? `${one} and ${other}`
        : `${one} and ${other} (about ${gamesNeeded.toLocaleString('en')} games would)`,
    ),
  );
  return [`The games do not separate ${named}${more}.`];
}

/** The first of some words, and how many more there are. */
function begun(words: readonly string[]): readonly [named: string, more: string] {
  const more = words.length - NAMED_MAX;
  return [words.slice(0, NAMED_MAX).join(', '), more > 0 ? `, and ${more} more` : ''];
}

function lateLines({ games }: Tournament): string[] {
  const late = games.filter(({ isRepeatable }) => !isRepeatable);
  if (late.length === 0) return [];
  return [
    `An entrant ran out of time by the clock in ${late.length} of the games; another run may play these differently.`,
  ];
}
