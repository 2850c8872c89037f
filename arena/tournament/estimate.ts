// How long a tournament will take: before it starts, only what the servers and the shipped bots need is known.
import { GAME_START_SECONDS, PLAYER_DAY_SECONDS } from '../limits.js';

interface EstimateOptions {
  readonly games: number;
  readonly players: number;
  /** Share of the entrants that are bots of galaxyd, from 0 to 1. They all think in the process of the tournament. */
  readonly botShare: number;
  /** World days of each game. */
  readonly days: number;
  readonly jobs: number;
  /** Of this machine. */
  readonly processors: number;
}

/** @returns about how many seconds it takes if every entrant thinks as long as a shipped bot */
export function estimatedSeconds({ games, players, botShare, days, jobs, processors }: EstimateOptions): number {
  const gamesAtATime = Math.min(jobs, processors, games);
  const thinkingSeconds = games * players * days * PLAYER_DAY_SECONDS;
  const elsewhereSeconds = games * GAME_START_SECONDS + thinkingSeconds * (1 - botShare);
  return elsewhereSeconds / gamesAtATime + thinkingSeconds * botShare;
}
