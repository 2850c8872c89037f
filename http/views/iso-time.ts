// World time as the contract shows it: ISO 8601, UTC, with milliseconds.
import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';

/**
 * Milliseconds since 1970 as text. Date's own formatting takes a microsecond, and every planet that builds shows two
 * instants; most of them are of the day that was asked for last. What would end later than world time itself is shown at
 * its last instant: the year has four digits.
 */
export function isoText(atMs: number): string {
  const day = Math.floor(atMs / DAY_MS);
  if (day !== knownDay) {
    if (day > LAST_DAY) return isoText(WORLD_TIME_MS_MAX);
    knownDay = day;
    knownDayText = new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-mm-ddT'.length);
  }
  const sinceMidnightMs = atMs - day * DAY_MS;
  const minute = Math.floor(sinceMidnightMs / MINUTE_MS);
  const inMinuteMs = sinceMidnightMs - minute * MINUTE_MS;
  const second = Math.floor(inMinuteMs / 1000);
  return `${knownDayText}${MINUTE_TEXTS[minute]}:${SECOND_TEXTS[second]}.${MILLISECOND_TEXTS[inMinuteMs - second * 1000]}Z`;
}

export function isoTextOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoText(atMs);
}

const DAY_MS = 86_400_000;
const LAST_DAY = Math.floor(WORLD_TIME_MS_MAX / DAY_MS);
const MINUTE_MS = 60_000;
const MINUTE_TEXTS = Array.from(
  { length: 1440 },
  (_, minute) => `${padded(Math.floor(minute / 60), 2)}:${padded(minute % 60, 2)}`,
);
const SECOND_TEXTS = Array.from({ length: 60 }, (_, second) => padded(second, 2));
const MILLISECOND_TEXTS = Array.from({ length: 1000 }, (_, millisecond) => padded(millisecond, 3));
let knownDay = Number.NaN;
let knownDayText = '';

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
