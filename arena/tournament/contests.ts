// What is rated together. Entrants that play alone, each in a world of its own, are compared with the others of the same instance and
// round; otherwise each game is a contest of its own.
import { createHash } from 'node:crypto';
import type { RatedGame } from './ratings.js';
import { ranksOf, type TournamentGame } from './result.js';

export function contestsOf(games: readonly TournamentGame[]): readonly RatedGame[] {
  if (games.some(({ players }) => players.length > 1)) return games;
  const contests = new Map<string, TournamentGame[]>();
  for (const game of games) {
    const key = `${game.seed}/${game.round}`;
    contests.set(key, [...(contests.get(key) ?? []), game]);
  }
  return [...contests.values()].map(contestOf);
}

function contestOf(games: readonly TournamentGame[]): RatedGame {
  const players = games.flatMap((game) => game.players);
  const ranks = ranksOf(players.map(({ points }) => points));
  // The courses of a contest are in the order of the schedule, which differs from round to round.
  const courses = games.map(({ courseDigest }) => courseDigest).sort();
  return {
    seed: (games[0] as TournamentGame).seed,
    gameCount: games.length,
    courseDigest: createHash('sha256').update(JSON.stringify(courses)).digest('hex'),
    players: players.map((player, index) => ({ ...player, rank: ranks[index] as number })),
  };
}
