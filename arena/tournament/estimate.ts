// How long a tournament will take: before it starts, only what the servers and the shipped bots need is known.
import { GAME_START_SECONDS, PLAYER_DAY_SECONDS } from '../limits.js';

interface EstimateOptions {
  readonly games: number;
  readonly players: number;
  /** World days of each game. */
  readonly days: number;
  readonly jobs: number;
  /** Of this machine. */
  readonly processors: number;
}

/** @returns about how many seconds it takes if every entrant thinks as long as a shipped bot */
export function estimatedSeconds({ games, players, days, jobs, processors }: EstimateOptions): number {
  const secondsPerGame = GAME_START_SECONDS + players * days * PLAYER_DAY_SECONDS;
  return (games * secondsPerGame) / Math.min(jobs, processors, games);
}
