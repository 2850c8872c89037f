// A league as a picture: the points of each bot over time, as an SVG for docs/. It does not depend on the machine, so the same league
// gives the same file.
import type { League, Standing } from './tables.js';

const WIDTH = 860;
const HEIGHT = 480;
const LEFT = 64;
const RIGHT = 130;
const TOP = 40;
const BOTTOM = 44;
/** Pixels between two names at the right edge. */
const NAME_HEIGHT = 15;
/** Colours of the sources in the order of their appearance. People who cannot tell red from green can read them on white. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#7a5195', '#a6761d', '#56b4e9', '#333333', '#888888'];

/** Mean points of all games at the end of each day, on a logarithmic scale. Lines of bots with few wake-ups are dashed. */
export function pointsChart({ standings, settings, games }: League): string {
  const days = Math.max(1, ...standings.map(({ pointsByDay }) => pointsByDay.length));
  const values = standings.flatMap(({ pointsByDay }) => pointsByDay).filter((points) => points > 0);
  const lowest = Math.floor(Math.log10(Math.min(1_000, ...values)));
  const highest = Math.ceil(Math.log10(Math.max(10, ...values)));
  const x = (day: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * (day - 1)) / Math.max(1, days - 1);
  const y = (points: number): number => {
    const height = (Math.log10(Math.max(1, points)) - lowest) / (highest - lowest);
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * height;
  };
  const awakeMax = Math.max(...standings.map(({ wakeupsPerDay }) => wakeupsPerDay));
  const sources = [...new Set(standings.map(({ source }) => source))];
  const names = spread(standings.map(({ pointsByDay }) => y(pointsByDay.at(-1) ?? 1)));
  const title = `${settings.rules.name}: points at the end of a day, mean of ${games} ${games === 1 ? 'game' : 'games'}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    `<text x="${LEFT}" y="22" font-size="15">${title}</text>`,
    ...axes(days, lowest, highest, x, y),
    ...standings.flatMap((standing, index) => {
      const colour = COLOURS[sources.indexOf(standing.source) % COLOURS.length] ?? '#333333';
      return line(standing, colour, standing.wakeupsPerDay < awakeMax, names[index] ?? 0, x, y);
    }),
    '</svg>',
    '',
  ].join('\n');
}

type Scale = (value: number) => number;

function axes(days: number, lowest: number, highest: number, x: Scale, y: Scale): string[] {
  const powers = Array.from({ length: highest - lowest + 1 }, (_, index) => 10 ** (lowest + index));
  const step = days <= 10 ? 1 : 5;
  const shown = Array.from({ length: days }, (_, index) => index + 1).filter((day) => day === 1 || day % step === 0);
  return [
    ...powers.map((points) => {
      const height = pixels(y(points));
      const rule = `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${height}" y2="${height}" stroke="#dddddd"/>`;
      return `${rule}<text x="${LEFT - 6}" y="${height}" dy="4" text-anchor="end">${shortNumber(points)}</text>`;
    }),
    ...shown.map((day) => `<text x="${pixels(x(day))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${day}</text>`),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">day</text>`,
  ];
}

function line(
  { label, pointsByDay }: Standing,
  colour: string,
  isDashed: boolean,
  nameAt: number,
  x: Scale,
  y: Scale,
): string[] {
  const points = pointsByDay.map((value, index) => `${pixels(x(index + 1))},${pixels(y(value))}`).join(' ');
  const dash = isDashed ? ' stroke-dasharray="5 4"' : '';
  return [
    `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`,
    `<text x="${WIDTH - RIGHT + 8}" y="${pixels(nameAt)}" dy="4" fill="${colour}">${escaped(label)}</text>`,
  ];
}

/** Moves heights apart, from the top downwards, so that names do not overlap. */
function spread(heights: readonly number[]): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((one, other) => one.height - other.height);
  const placed: number[] = [];
  let free = TOP;
  for (const { height, index } of order) {
    placed[index] = Math.max(height, free);
    free = (placed[index] ?? 0) + NAME_HEIGHT;
  }
  return placed;
}

const pixels = (value: number): string => value.toFixed(1);
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function shortNumber(value: number): string {
  if (value >= 1_000_000_000) return `${value / 1_000_000_000} G`;
  if (value >= 1_000_000) return `${value / 1_000_000} M`;
  return value >= 1_000 ? `${value / 1_000} k` : String(value);
}
