// World time as replies show it (specification, section 2): ISO 8601, UTC, with milliseconds.
import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';

/** Characters of an instant: `2026-11-20T21:06:22.902Z`. */
export const ISO_TEXT_LENGTH = 24;

/** Milliseconds since 1970 as text; see writeIsoText. */
export function isoText(atMs: number): string {
  writeIsoText(scratch, 0, atMs);
  return scratch.toString('latin1');
}

export function isoTextOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoText(atMs);
}

/** The same for an instant that may be after the end of world time, which is shown as null: it is never reached. */
export function shownInstantOrNull(atMs: number | null): string | null {
  return atMs === null || atMs > WORLD_TIME_MS_MAX ? null : isoText(atMs);
}

/**
 * Writes milliseconds since 1970 as ISO_TEXT_LENGTH bytes. Date's own formatting takes a microsecond, and every planet
 * that builds shows two instants. Most are on the same day as the one before, so the text of that day is kept. An
 * instant after the end of world time is shown as the last one, since the year has four digits.
 */
export function writeIsoText(bytes: Uint8Array, start: number, atMs: number): void {
  let day = Math.floor(atMs / DAY_MS);
  let inDayMs = atMs - day * DAY_MS;
  if (day > LAST_DAY) {
    day = LAST_DAY;
    inDayMs = WORLD_TIME_MS_MAX - day * DAY_MS;
  }
  if (day !== knownDay) {
    knownDay = day;
    knownDayBytes.write(new Date(day * DAY_MS).toISOString(), 0, DAY_LENGTH, 'latin1');
  }
  for (let index = 0; index < DAY_LENGTH; index += 1) bytes[start + index] = knownDayBytes[index] as number;
  const seconds = Math.floor(inDayMs / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  writeTwoDigits(bytes, start + 11, hours);
  bytes[start + 13] = COLON;
  writeTwoDigits(bytes, start + 14, minutes - hours * 60);
  bytes[start + 16] = COLON;
  writeTwoDigits(bytes, start + 17, seconds - minutes * 60);
  bytes[start + 19] = POINT;
  const milliseconds = Math.floor(inDayMs) - seconds * 1000;
  const tenths = Math.floor(milliseconds / 10);
  writeTwoDigits(bytes, start + 20, tenths);
  bytes[start + 22] = ZERO + milliseconds - tenths * 10;
  bytes[start + 23] = ZULU;
}

const DAY_MS = 86_400_000;
const LAST_DAY = Math.floor(WORLD_TIME_MS_MAX / DAY_MS);
/** Characters of `2026-11-20T`. */
const DAY_LENGTH = 11;
const POINT = 46;
const ZERO = 48;
const COLON = 58;
const ZULU = 90;
const scratch = Buffer.alloc(ISO_TEXT_LENGTH);
const knownDayBytes = Buffer.alloc(DAY_LENGTH);
let knownDay = Number.NaN;

function writeTwoDigits(bytes: Uint8Array, position: number, value: number): void {
  const tens = Math.floor(value / 10);
  bytes[position] = ZERO + tens;
  bytes[position + 1] = ZERO + value - tens * 10;
}
