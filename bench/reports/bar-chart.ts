// Bars as an SVG picture. Written by hand: a bar is a rectangle and two words, and the libraries that draw SVG without a
// browser are each larger than this whole repository.

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** Bars of the same series have the same colour. */
  readonly series: string;
}

export interface BarGroup {
  readonly title: string;
  readonly unit: string;
  /** Compared with each other: the longest one fills the width. */
  readonly bars: readonly Bar[];
}

const WIDTH = 860;
const LABEL_WIDTH = 230;
const VALUE_WIDTH = 150;
const BAR_HEIGHT = 18;
const BAR_PITCH = 24;
const TITLE_HEIGHT = 30;
const MARGIN = 16;
/** Colours that colour-blind people can distinguish (Okabe and Ito). */
const COLOURS = ['#0072b2', '#999999', '#e69f00', '#009e73', '#cc79a7', '#56b4e9'];

/** The groups below each other. Readable on a light and on a dark page. */
export function barChart(groups: readonly BarGroup[]): string {
  const series = [...new Set(groups.flatMap(({ bars }) => bars.map((bar) => bar.series)))];
  const colours = new Map(series.map((name, index) => [name, COLOURS[index % COLOURS.length] ?? '#000000']));
  const pieces: string[] = [];
  let y = MARGIN;
  for (const group of groups) {
    pieces.push(groupPicture(group, y, colours));
    y += TITLE_HEIGHT + group.bars.length * BAR_PITCH + MARGIN;
  }
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-labelledby="title">`;
  const title = `<title id="title">${escaped(groups.map((group) => group.title).join('; '))}</title>`;
  const style = '<style>text{font:13px sans-serif;fill:#777}.title{font-weight:bold}.value{fill:#888}</style>';
  return `${[head, title, style, ...pieces, '</svg>'].join('\n')}\n`;
}

function groupPicture({ title, unit, bars }: BarGroup, top: number, colours: ReadonlyMap<string, string>): string {
  const longest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const room = WIDTH - LABEL_WIDTH - VALUE_WIDTH - 2 * MARGIN;
  const rows = bars.map(({ label, value, series }, index) => {
    const y = top + TITLE_HEIGHT + index * BAR_PITCH;
    const width = Math.max(1, Math.round((room * value) / longest));
    const text = y + BAR_HEIGHT - 5;
    return [
      `<text x="${MARGIN}" y="${text}">${escaped(label)}</text>`,
      `<rect x="${MARGIN + LABEL_WIDTH}" y="${y}" width="${width}" height="${BAR_HEIGHT}" fill="${colours.get(series)}"/>`,
      `<text class="value" x="${MARGIN + LABEL_WIDTH + width + 8}" y="${text}">${value.toLocaleString('en')} ${escaped(unit)}</text>`,
    ].join('');
  });
  return [`<text class="title" x="${MARGIN}" y="${top + 16}">${escaped(title)}</text>`, ...rows].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
