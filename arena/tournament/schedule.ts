// The games of a tournament, the order in which entrants start, and the seeds and key secrets of each game. Everything is derived from
// the settings and the entrants, so anybody can derive it again.
import { createHash, createHmac } from 'node:crypto';
import { Random } from '../random.js';
import type { Settings, TournamentEntrant } from './result.js';

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

/**
 * Plays each seed in each round, by the same rules with other starts. Over as many games as there are entrants, each entrant starts once in each place: a random order is
 * rotated by one from game to game, then the next one is drawn (a cyclic Latin square).
 */
export function scheduleOf(settings: Settings, entrants: readonly TournamentEntrant[]): ScheduledGame[] {
  const { seeds, rounds, variation } = settings;
  const digest = tournamentDigest(settings, entrants);
  const labels = entrants.map(({ label }) => label);
  const variationOf = (instance: number): number | null =>
    variation === 'each' ? new Random(`${digest}/variation/${instance}`).below(VARIATION_SEEDS) : variation;
  return Array.from({ length: seeds.length * rounds }, (_, index) => ({
    number: index + 1,
    seed: seeds[Math.floor(index / rounds)] as number,
    variation: variationOf(Math.floor(index / rounds) + 1),
    round: (index % rounds) + 1,
    orderSeed: new Random(`${digest}/order/${index + 1}`).below(ORDER_SEEDS),
    starts: startsOf(labels, index, digest),
    keySecret: createHmac('sha256', settings.keySecret)
      .update(`${digest}/keys/${index + 1}`)
      .digest('hex'),
  }));
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
