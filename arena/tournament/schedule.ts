// The games of a tournament, the order in which entrants start, and the seeds and key secrets of each game. Everything is derived from
// the settings and the entrants, so anybody can derive it again.
import { createHash, createHmac } from 'node:crypto';
import { Random } from '../random.js';
import { balancedGroups, gamesPerRound } from './balanced-groups.js';
import type { Settings, ShownSettings, TournamentEntrant } from './result.js';

/** A game that is to be played. */
export interface ScheduledGame {
  readonly number: number;
  readonly seed: number;
  /** Seed of the instance of the rules; null if the rules are not varied. */
  readonly variation: number | null;
  /** Counts from 1. */
  readonly round: number;
  /** Seed of the order in which entrants act that are awake at the same instant. */
  readonly orderSeed: number;
  /** Labels in the order in which the players are created. */
  readonly starts: readonly string[];
  /** The API keys of the players are derived from it. Each game has its own. */
  readonly keySecret: string;
}

const ORDER_SEEDS = 2 ** 32;
const VARIATION_SEEDS = 2 ** 32;

/**
 * SHA-256 of settings and entrants. The seeds and keys of all games depend on it. It does not depend on digests of programs, so that two
 * versions of a program can be compared in the same games.
 */
export function tournamentDigest(settings: Settings, entrants: readonly TournamentEntrant[]): string {
  const drawnFor = entrants.map(({ programDigest: _, ...entrant }) => sorted(entrant));
  const text = JSON.stringify(['galaxyd tournament 1', sorted(settings), drawnFor]);
  return createHash('sha256').update(text).digest('hex');
}

/** Number of games of a tournament. */
export function gamesOf(settings: ShownSettings, entrants: number): number {
  return settings.seeds.length * settings.rounds * gamesInRound(settings, entrants);
}

/** Number of games in which a seed is played in one round. */
function gamesInRound({ playersPerGame }: ShownSettings, entrants: number): number {
  return playersPerGame === undefined ? 1 : gamesPerRound(entrants, playersPerGame);
}

/**
 * Plays each seed in each round, by the same rules with other starts. Over as many games as there are entrants, each entrant starts once in each place: a random order is
 * rotated by one from game to game, then the next one is drawn (a cyclic Latin square). With fewer players per game, a round has as many games
 * as are needed for all to play equally often, with players and starts from balancedGroups().
 */
export function scheduleOf(settings: Settings, entrants: readonly TournamentEntrant[]): ScheduledGame[] {
  const { seeds, rounds, variation, playersPerGame } = settings;
  const digest = tournamentDigest(settings, entrants);
  const labels = entrants.map(({ label }) => label);
  const variationOf = (instance: number): number | null =>
    variation === 'each' ? new Random(`${digest}/variation/${instance}`).below(VARIATION_SEEDS) : variation;
  const inRound = gamesInRound(settings, labels.length);
  const groups =
    playersPerGame === undefined
      ? null
      : balancedGroups(labels, playersPerGame, seeds.length * rounds, `${digest}/groups`);
  return Array.from({ length: gamesOf(settings, labels.length) }, (_, index) => {
    const number = index + 1;
    const roundsBefore = Math.floor(index / inRound);
    const instance = Math.floor(roundsBefore / rounds);
    return {
      number,
      seed: seeds[instance] as number,
      variation: variationOf(instance + 1),
      round: (roundsBefore % rounds) + 1,
      orderSeed: new Random(`${digest}/order/${number}`).below(ORDER_SEEDS),
      starts: groups?.[index] ?? startsOf(labels, index, digest),
      keySecret: createHmac('sha256', settings.keySecret).update(`${digest}/keys/${number}`).digest('hex'),
    };
  });
}

function startsOf(labels: readonly string[], index: number, digest: string): string[] {
  const shift = index % labels.length;
  const drawn = new Random(`${digest}/starts/${(index - shift) / labels.length}`).shuffled(labels);
  return [...drawn.slice(shift), ...drawn.slice(0, shift)];
}

/** Sorts the keys of objects at all depths, so that their order in a file does not matter. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
