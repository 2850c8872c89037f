// Parts of the routes that return pages of players: parameters, the ranks of the players of a page, and the answer.
import { LEADERBOARD_ENTRIES_MAX } from '../../engine/rules/limits.js';
import { NAME_UNITS_MAX } from '../../engine/rules/record-limits.js';
import type { ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { contentVersion } from '../exchange/entity-tags.js';
import type { Exchange } from '../exchange/exchange.js';
import { isoText } from '../exchange/iso-time.js';
import type { GamePorts } from '../game/game-ports.js';
import type { RankedPlayers, Ranking, Rankings } from '../game/ranking.js';
import { PLAYERS_PER_REPLY_MAX } from '../limits.js';
import type { ParameterRule } from '../pipeline/route.js';

export interface RankingPorts extends GamePorts {
  readonly rankings: Rankings;
}

export const LIMIT: ParameterRule = {
  name: 'limit',
  description: `How many players are returned at most; ${PLAYERS_PER_REPLY_MAX} by default.`,
  example: 10,
  minimum: 1,
  maximum: PLAYERS_PER_REPLY_MAX,
};

export const NAME: ParameterRule = {
  name: 'name',
  description:
    'Beginning of the name. It is compared as names are when a player is created: look-alikes are the same, upper and lower case are not.',
  example: 'ada',
  form: { pattern: new RegExp(`^[\\s\\S]{0,${NAME_UNITS_MAX}}$`), words: 'no longer than a name' },
};

export const IDS: ParameterRule = {
  name: 'ids',
  description: `Ids of players, separated by commas, at most ${PLAYERS_PER_REPLY_MAX}. The other parameters then do nothing.`,
  example: 'player-1,player-2',
  form: {
    pattern: new RegExp(`^player-\\d{1,15}(?:,player-\\d{1,15}){0,${PLAYERS_PER_REPLY_MAX - 1}}$`),
    words: `at most ${PLAYERS_PER_REPLY_MAX} ids of players, separated by commas, such as player-1,player-2`,
  },
};

/** The ranks of the players of a page. */
export interface Ranks {
  /** World time of those after the first LEADERBOARD_ENTRIES_MAX. */
  readonly asOfMs: number;
  /** Null if it is not known yet. */
  rankOf(playerNumber: number): number | null;
}

/** Finds ranks by the order of all players only if a player is not among the first. @returns null if that order is not made yet */
export function ranksOf(
  { rankings, time, world }: RankingPorts,
  exchange: Exchange,
  playerNumbers: readonly number[],
): Ranks | null {
  const leaders = world.leaderboard.first(LEADERBOARD_ENTRIES_MAX);
  const isLed = playerNumbers.every((number) => leaders.includes(number));
  const ranked = isLed ? null : rankedFor(rankings.points, exchange);
  if (!isLed && ranked === null && !exchange.isPart) return null;
  return {
    asOfMs: ranked?.asOfMs ?? time.nowMs,
    rankOf: (number) => leaders.indexOf(number) + 1 || (ranked?.rankOf(number) ?? null),
  };
}

/** Its tag is that of its content, since nothing counts the changes to these players. */
export function answerPage<Body extends { readonly asOf: string }>(
  { replies, time }: GamePorts,
  exchange: Exchange,
  asOfMs: number,
  content: Omit<Body, 'asOf'>,
): void {
  const tag = replies.tagOf(contentVersion(JSON.stringify(content)));
  if (replies.answersWithoutBody(exchange, time.lastSeq, tag)) return;
  replies.answerLatest(exchange, JSON.stringify({ asOf: isoText(asOfMs), ...content }));
}

/** Some may have been retired since they were found. */
export function playersOf(world: ReadonlyWorld, numbers: readonly number[]): ReadonlyPlayer[] {
  return numbers.flatMap((number) => world.players.get(number) ?? []);
}

/** A part of a batch cannot wait for an order that takes long. @returns null if there is none yet */
export function rankedFor(ranking: Ranking, exchange: Exchange): RankedPlayers | null {
  return exchange.isPart ? ranking.now() : ranking.step();
}

/** Does the first step at once: a small world needs no more. */
export function inSteps({ replies }: GamePorts, exchange: Exchange, step: () => boolean): void {
  if (!step()) replies.answerInTurns(exchange, step);
}
