// The canvas of a chart: uPlot draws lines, grid and cursor. Axes, texts and colours come from our own model, so that the exported
// picture shows the same.
import uPlot from 'uplot';
import { type TimeAxis, timeTickText, type ValueAxis, type Zone } from './axes.js';
import type { ChartSeries } from './series.js';

/** What is drawn now. A canvas reads it anew with each drawing. */
export interface CanvasModel {
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly timeAxis: TimeAxis;
  readonly valueAxis: ValueAxis;
  readonly zone: Zone;
  readonly format: (value: number) => string;
  /** The same for the ticks of the axis. */
  readonly formatTick: (value: number) => string;
  /** The series that stands out; null for none. */
  readonly chosenId: string | null;
}

/** Distances of the plot from the edges of the canvas. */
export const PLOT_FRAME = { left: 62, top: 10, right: 12, bottom: 30 } as const;

const LINE_WIDTH = 2;
/** Added to a colour such as `#e69f00`: the opacity of the lines that do not stand out. */
const FAINT = '30';

/**
 * Makes a canvas.
 *
 * @param model returns what to draw; the number of its series and its scale never change
 * @param onCursor is called with the position of the instant below the cursor; null if there is none
 */
export function createCanvas(
  host: HTMLElement,
  model: () => CanvasModel,
  size: { readonly width: number; readonly height: number },
  onCursor: (index: number | null) => void,
): uPlot {
  const { series, valueAxis } = model();
  const options: uPlot.Options = {
    ...size,
    pxAlign: false,
    legend: { show: false },
    padding: [PLOT_FRAME.top, PLOT_FRAME.right, 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { size: 7 },
      // The line stands at the instant whose values are read.
      move: (self, left, top) => (left < 0 ? [left, top] : [self.valToPos(atOf(self, left), 'x'), top]),
    },
    scales: {
      x: { time: false, range: () => [model().timeAxis.min, model().timeAxis.max] },
      y: {
        range: () => [model().valueAxis.min, model().valueAxis.max],
        ...(valueAxis.scale === 'log' ? { distr: 3 as const, log: 10 as const } : {}),
      },
    },
    axes: [
      axisOf(
        'x',
        PLOT_FRAME.bottom,
        () => model().timeAxis.ticks,
        (tick) => {
          const { timeAxis, zone } = model();
          return timeTickText(tick, timeAxis, zone);
        },
      ),
      axisOf(
        'y',
        PLOT_FRAME.left,
        () => model().valueAxis.ticks,
        (tick) => model().formatTick(tick),
      ),
    ],
    series: [{}, ...series.map((_, index) => ({ ...LINE, stroke: () => strokeOf(model(), index) }))],
    hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
  };
  return new uPlot(options, alignedOf(model()), host);
}

/** The values in uPlot's form. */
export function alignedOf({ times, series }: CanvasModel): uPlot.AlignedData {
  return [Array.from(times), ...series.map(({ values }) => Array.from(values))];
}

const LINE: uPlot.Series = { width: LINE_WIDTH, points: { show: false } };

function atOf(self: uPlot, left: number): number {
  return self.data[0][self.posToIdx(left)] ?? 0;
}

function strokeOf({ series, chosenId }: CanvasModel, index: number): string {
  const { id, colour } = series[index] ?? { id: '', colour: '#000000' };
  return chosenId === null || chosenId === id ? colour : `${colour}${FAINT}`;
}

function axisOf(
  scale: 'x' | 'y',
  size: number,
  ticks: () => readonly number[],
  textOf: (tick: number) => string,
): uPlot.Axis {
  return {
    scale,
    size,
    gap: 6,
    font: '12px system-ui, sans-serif',
    stroke: () => colourOf('--text-soft'),
    grid: { width: 1, stroke: () => colourOf('--line') },
    ticks: { show: false },
    splits: () => Array.from(ticks()),
    filter: (_, splits) => splits,
    values: (_, splits) => splits.map(textOf),
  };
}

/** The present value of a colour of the style sheet, as the canvas and a picture need it. */
export function colourOf(property: `--${string}`): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
