// Numbers, times, durations and places as text, the same everywhere. World time is written in UTC; the viewer's time in its own zone.
import type { Place } from '../world/map-state.js';
import { displayNameOf } from '../world/names.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS: readonly (readonly [lengthMs: number, unit: string])[] = [
  [DAY_MS, 'd'],
  [HOUR_MS, 'h'],
  [MINUTE_MS, 'min'],
  [SECOND_MS, 's'],
];

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
/** Four digits tell the ticks of any axis apart. */
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 4 });
const zoned = new Intl.DateTimeFormat('sv-SE', {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** `1,234,567`. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** A value as text; a dash if it is not known. */
export function formatKnown(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

/** `1.2M`, if there is little room. */
export function formatShort(value: number): string {
  return short.format(value);
}

/**
 * `2026-11-23 04:05:06` in UTC.
 *
 * @param worldMs in ms since 1970
 */
export function formatWorldTime(worldMs: number): string {
  return new Date(worldMs).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * `2026-11-23 05:05:06` in the viewer's zone.
 *
 * @param atMs in ms since 1970
 */
export function formatViewerTime(atMs: number): string {
  return zoned.format(atMs);
}

/** `2 d 03:04:05`, or `03:04:05`; never negative. */
export function formatDuration(lengthMs: number): string {
  const positiveMs = Math.max(0, lengthMs);
  const days = Math.floor(positiveMs / DAY_MS);
  const clock = new Date(positiveMs % DAY_MS).toISOString().slice(11, 19);
  return days === 0 ? clock : `${days} d ${clock}`;
}

/** `4 min ago`, `in 2 h`: for texts that are read, not compared. */
export function formatDistance(fromMs: number, toMs: number): string {
  const distanceMs = toMs - fromMs;
  const lengthMs = Math.abs(distanceMs);
  if (lengthMs < SECOND_MS) return 'now';
  const [unitMs, unit] = UNITS.find(([least]) => lengthMs >= least) ?? [SECOND_MS, 's'];
  const text = `${Math.floor(lengthMs / unitMs)} ${unit}`;
  return distanceMs < 0 ? `${text} ago` : `in ${text}`;
}

/** `iron mine` of `iron_mine`: the name of a type as words, or the one that the rules of the world give it. */
export function formatType(type: string): string {
  return displayNameOf(type) ?? type.replaceAll('_', ' ');
}

/** `1 colony ship`, `12 colony ships`. */
export function formatShipsOf(type: string, ships: number): string {
  const name = formatType(type);
  return `${formatCount(ships)} ${ships === 1 || name.endsWith('s') ? name : `${name}s`}`;
}

/** `1 ship`, `12 ships`. */
export function formatPlural(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `1.2 GiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.max(0, Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  return `${threeDigits(bytes / 1024 ** power)} ${BYTE_UNITS[power]}`;
}

/** `350 µs`, `1.25 ms`, `12.5 s`, `3 min`: a length that is measured. */
export function formatSeconds(seconds: number): string {
  if (seconds >= 120) return formatDistance(0, seconds * SECOND_MS).slice('in '.length);
  if (seconds >= 1 || seconds === 0) return `${threeDigits(seconds)} s`;
  return seconds >= 0.001 ? `${threeDigits(seconds * 1_000)} ms` : `${threeDigits(seconds * 1_000_000)} µs`;
}

/** `0.25`, `12.5`, `1,234`: a number of something per second. */
export function formatRate(perSecond: number): string {
  return perSecond >= 100 ? formatCount(perSecond) : threeDigits(perSecond);
}

function threeDigits(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** The planet id of a place, such as `planet-1-0-26`. */
export function planetIdOf({ galaxy, system, slot }: Place): string {
  return `planet-${galaxy}-${system}-${slot}`;
}

/** Place of a planet id; null if the text is not a planet id. */
export function placeOfPlanet(planetId: string): Place | null {
  const found = /^planet-(\d+)-(\d+)-(\d+)$/.exec(planetId);
  return found === null ? null : { galaxy: Number(found[1]), system: Number(found[2]), slot: Number(found[3]) };
}

/** `1:0:26`. */
export function formatPlace({ galaxy, system, slot }: Place): string {
  return `${galaxy}:${system}:${slot}`;
}

/** The player id that a text stands for, `player-12` or `12`; null if it is neither. */
export function playerIdOf(text: string): string | null {
  const found = /^(?:player-)?(\d{1,15})$/.exec(text.trim());
  return found === null ? null : `player-${found[1]}`;
}
