// Why one player of a game had more points than another, in sentences, from their facts. The largest difference comes first.
import { sum } from '../../engine/numbers/arithmetic.js';
import { counted, grouped } from '../output/summaries.js';
import type { ByType, PlayerFacts } from './game-facts.js';

/** Sentences about one game. */
export const REASONS_MAX = 8;
/** Differences that are smaller, as a share of the larger number, are no reasons. */
const DIFFERENCE_MIN = 0.05;
const HOUR_MS = 3_600_000;

/** What the player who was behind, or ahead, is called. */
interface Names {
  readonly ahead: string;
  readonly behind: string;
}

/** A sentence, and how large the difference is: from 0 for none to 1 for all or nothing. */
interface Reason {
  readonly size: number;
  readonly text: string;
}

/**
 * @param ahead facts of the player with more points
 * @param durationMs world time of the game
 * @returns at most REASONS_MAX sentences; empty if both played alike
 */
export function reasonsFor(ahead: PlayerFacts, behind: PlayerFacts, durationMs: number): string[] {
  const names = { ahead: ahead.name, behind: behind.name };
  const more = (own: number, other: number, text: () => string): Reason => ({
    size: difference(own, other),
    text: text(),
  });
  const reasons: readonly Reason[] = [
    secondPlanet(ahead, behind, durationMs),
    more(
      ahead.planets,
      behind.planets,
      () => `${names.ahead} had ${planets(ahead)}, ${names.behind} ${planets(behind)}.`,
    ),
    byTypes(
      'produced',
      ['unit an hour at the end', 'units an hour at the end'],
      names,
      ahead.production,
      behind.production,
    ),
    byTypes('had', ['level of buildings', 'levels of buildings'], names, ahead.buildings, behind.buildings),
    byTypes('had', ['level of research', 'levels of research'], names, ahead.research, behind.research),
    byTypes('ordered', ['ship', 'ships'], names, ahead.ships, behind.ships),
    byTypes('launched', ['fleet', 'fleets'], names, ahead.launches, behind.launches),
    more(ahead.pointsFor.ships, behind.pointsFor.ships, () => pointsFor('ships', names, ahead, behind)),
    more(ahead.pointsFor.battles, behind.pointsFor.battles, () => pointsFor('battles', names, ahead, behind)),
    // Less is better of what follows.
    idle('', names, behind.idleShare, ahead.idleShare),
    idle(' although they could pay for a building', names, behind.unusedShare, ahead.unusedShare),
    more(sum(Object.values(behind.stocks)), sum(Object.values(ahead.stocks)), () => unspent(names, ahead, behind)),
  ];
  return reasons
    .filter(({ size }) => size >= DIFFERENCE_MIN)
    .toSorted((one, other) => other.size - one.size)
    .slice(0, REASONS_MAX)
    .map(({ text }) => text);
}

/** By how much the first number is larger, as a share of it. */
function difference(larger: number, smaller: number): number {
  return larger <= smaller ? 0 : (larger - smaller) / larger;
}

function secondPlanet(ahead: PlayerFacts, behind: PlayerFacts, durationMs: number): Reason {
  const { secondPlanetMs, isSecondPlanetFree } = ahead;
  if (secondPlanetMs === null) return { size: 0, text: '' };
  const size = ((behind.secondPlanetMs ?? durationMs) - secondPlanetMs) / durationMs;
  const other = behind.secondPlanetMs === null ? 'never had one' : `at ${gameTime(behind.secondPlanetMs)}`;
  const kind = isSecondPlanetFree ? 'free second planet' : 'second planet';
  return { size, text: `${ahead.name} took its ${kind} at ${gameTime(secondPlanetMs)}, ${behind.name} ${other}.` };
}

/** Compares sums, and names the type that differs most. */
function byTypes(
  verb: string,
  [one, many]: readonly [string, string],
  names: Names,
  ahead: ByType,
  behind: ByType,
): Reason {
  const sums = [sum(Object.values(ahead)), sum(Object.values(behind))] as const;
  const [most = '', gap = 0] = Object.entries(ahead)
    .map(([type, number]) => [type, number - (behind[type] ?? 0)] as const)
    .reduce<readonly [string, number]>((best, each) => (each[1] > best[1] ? each : best), ['', 0]);
  const detail =
    gap === 0 ? '' : `; most of all ${most}: ${grouped(ahead[most] ?? 0)} and ${grouped(behind[most] ?? 0)}`;
  return {
    size: difference(...sums),
    text: `${names.ahead} ${verb} ${grouped(sums[0])} ${sums[0] === 1 ? one : many}, ${names.behind} ${grouped(sums[1])}${detail}.`,
  };
}

function pointsFor(what: 'ships' | 'battles', names: Names, ahead: PlayerFacts, behind: PlayerFacts): string {
  const words = what === 'ships' ? 'in ships' : 'for what it destroyed';
  return `${names.ahead} had ${grouped(ahead.pointsFor[what])} points ${words}, ${names.behind} ${grouped(behind.pointsFor[what])}.`;
}

/** Compares shares of the time. @param when words after the time of the player behind */
function idle(when: string, { ahead, behind }: Names, share: number, shareAhead: number): Reason {
  return {
    size: share - shareAhead,
    text: `The planets of ${behind} stood idle for ${percent(share)} of the time${when}, those of ${ahead} for ${percent(shareAhead)}.`,
  };
}

function unspent(names: Names, ahead: PlayerFacts, behind: PlayerFacts): string {
  const units = ({ stocks }: PlayerFacts): string => grouped(sum(Object.values(stocks)));
  return `${names.behind} left ${units(behind)} units unspent, ${names.ahead} ${units(ahead)}.`;
}

function planets({ planets: count }: PlayerFacts): string {
  return counted(count, 'planet', 'planets');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Time since the game began: `03:20:00`, and more than 24 hours if it took longer. */
export function gameTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(ms / HOUR_MS), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
