// A chart as a picture: SVG written from the same series and axes as the chart on the page, and a PNG of that SVG. Nothing is sent
// anywhere: the browser draws the PNG from a data URL.
import { pngOfCanvas } from '../parts/button.js';
import { shareOf, type TimeAxis, timeText, timeTickText, type ValueAxis } from './axes.js';
import { type ChartModel, type ChartSeries, dashesOf, lastValue, pathThrough, short, spread } from './series.js';

export interface Drawing extends Omit<ChartModel, 'chosenId'> {
  readonly title: string;
  readonly colours: Readonly<Record<'ground' | 'text' | 'soft' | 'line', string>>;
}

const WIDTH = 1_200;
const HEIGHT = 560;
const FRAME = { left: 90, top: 64, right: 240, bottom: 44 } as const;
const PLOT_WIDTH = WIDTH - FRAME.left - FRAME.right;
const PLOT_HEIGHT = HEIGHT - FRAME.top - FRAME.bottom;
const LABEL_HEIGHT = 20;
const LABEL_CHARACTERS_MAX = 20;
/** Pixels of a PNG for each unit of the SVG, sharp enough for print. */
const PNG_SCALE = 2;
const FONT = 'system-ui, &quot;Segoe UI&quot;, Roboto, &quot;Helvetica Neue&quot;, Arial, sans-serif';

/** Characters that XML 1.0 has no way to write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it finds
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Writes the chart as SVG. */
export function svgOf(drawing: Drawing): string {
  const { title, colours, timeAxis: time, zone } = drawing;
  const range = `${timeText(time.min, zone)} to ${timeText(time.max, zone)}${zone === 'world' ? ' world time' : ''}`;
  const dashes = dashesOf(drawing.series);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}"`,
    ` font-family="${FONT}" font-size="13" role="img"><title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colours.ground}"/>`,
    `<text x="24" y="30" font-size="18" font-weight="600" fill="${colours.text}">${escaped(title)}</text>`,
    `<text x="24" y="50" fill="${colours.soft}">${escaped(range)}</text>`,
    ...gridOf(drawing),
    `<svg x="${FRAME.left}" y="${FRAME.top}" width="${PLOT_WIDTH}" height="${PLOT_HEIGHT}">`,
    ...drawing.series.map((series, index) => lineOf(drawing, series, dashes[index] ?? null)),
    '</svg>',
    ...labelsOf(drawing),
    '</svg>',
  ].join('');
}

/** Draws an SVG of svgOf() as PNG. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH * PNG_SCALE;
  canvas.height = HEIGHT * PNG_SCALE;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOfCanvas(canvas);
}

function gridOf({ timeAxis: time, valueAxis: value, zone, formatTick, colours }: Drawing): string[] {
  const right = FRAME.left + PLOT_WIDTH;
  const bottom = FRAME.top + PLOT_HEIGHT;
  const rows = value.ticks.map((tick) => {
    const y = short(topOf(value, tick));
    return (
      `<path d="M${FRAME.left} ${y}H${right}" stroke="${colours.line}"/>` +
      `<text x="${FRAME.left - 10}" y="${y}" dy="0.35em" text-anchor="end" fill="${colours.soft}">` +
      `${escaped(formatTick(tick))}</text>`
    );
  });
  const columns = time.ticks.map((tick) => {
    const x = short(FRAME.left + leftOf(time, tick));
    return (
      `<path d="M${x} ${FRAME.top}V${bottom}" stroke="${colours.line}"/>` +
      `<text x="${x}" y="${bottom + 22}" text-anchor="middle" fill="${colours.soft}">` +
      `${escaped(timeTickText(tick, time, zone))}</text>`
    );
  });
  return [...rows, ...columns];
}

/** A line with a gap where a value is missing, or has no place on the axis. */
function lineOf(
  { times, timeAxis: time, valueAxis: axis }: Drawing,
  { values, colour }: ChartSeries,
  dashes: readonly number[] | null,
): string {
  const points = times.map((atMs, index) => {
    const value = values[index] ?? null;
    if (value === null || (axis.scale === 'log' && value <= 0)) return null;
    return [leftOf(time, atMs), topOf(axis, value) - FRAME.top] as const;
  });
  const look = dashes === null ? 'stroke-linecap="round"' : `stroke-dasharray="${dashes.join(' ')}"`;
  return `<path d="${pathThrough(points)}" fill="none" stroke="${colour}" stroke-width="2" stroke-linejoin="round" ${look}/>`;
}

/** The names at the ends of their lines, with the last value. */
function labelsOf({ series, valueAxis: axis, format, colours }: Drawing): string[] {
  const shown = series.flatMap((one) => {
    const value = lastValue(one.values);
    return value === null || (axis.scale === 'log' && value <= 0) ? [] : [{ ...one, value }];
  });
  const ends = shown.map(({ value }) => topOf(axis, value));
  const places = spread(ends, LABEL_HEIGHT, FRAME.top, FRAME.top + PLOT_HEIGHT);
  const right = FRAME.left + PLOT_WIDTH;
  return shown.map(({ label, value, colour }, index) => {
    const y = short(places[index] ?? 0);
    const name = Array.from(label);
    const text = name.length > LABEL_CHARACTERS_MAX ? `${name.slice(0, LABEL_CHARACTERS_MAX - 1).join('')}…` : label;
    return (
      `<path d="M${right} ${short(ends[index] ?? 0)}L${right + 14} ${y}" stroke="${colour}" fill="none"/>` +
      `<rect x="${right + 18}" y="${short((places[index] ?? 0) - 5)}" width="10" height="10" rx="2" fill="${colour}"/>` +
      `<text x="${right + 34}" y="${y}" dy="0.35em" fill="${colours.text}">${escaped(text)}` +
      `<tspan dx="8" fill="${colours.soft}">${escaped(format(value))}</tspan></text>`
    );
  });
}

const leftOf = ({ min, max }: TimeAxis, atMs: number): number =>
  max === min ? 0 : ((atMs - min) / (max - min)) * PLOT_WIDTH;

const topOf = (axis: ValueAxis, value: number): number => FRAME.top + (1 - shareOf(axis, value)) * PLOT_HEIGHT;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replace(NOT_IN_XML, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
