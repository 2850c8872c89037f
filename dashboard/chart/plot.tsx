// The plot of a chart: the canvas, the readout at the cursor, and the names at the ends of the lines; on a narrow screen the names are
// below the plot. uPlot draws lines, grid and cursor. Axes, texts and colours come from our own model, so that the exported picture
// shows the same.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { theme } from '../colours.js';
import {
  CHART_LABEL_PX,
  CHART_LABELS_BESIDE_PX,
  CHART_LABELS_PX,
  CHART_LABELS_WIDE_PX,
  CHART_TICK_PX,
} from '../limits.js';
import { shareOf, timeAxis, timeText, timeTickText } from './axes.js';
import { type ChartModel, type ChartSeries, dashesOf, lastValue, spread } from './series.js';

interface PlotProps {
  readonly model: ChartModel;
  readonly title: string;
  readonly heightPx: number;
  readonly onChoose: (id: string) => void;
}

export function Plot({ model, title, heightPx, onChoose }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(place);
  const [hoveredId, setHovered] = useState<string | null>(null);
  const [index, setIndex] = useState<number | null>(null);
  const isBeside = widthPx >= CHART_LABELS_BESIDE_PX;
  const labelsPx = widthPx >= CHART_LABELS_WIDE_PX ? CHART_LABELS_PX.wide : CHART_LABELS_PX.narrow;
  const canvasPx = isBeside ? widthPx - labelsPx : widthPx;
  const { min, max } = model.timeAxis;
  const ticksMax = Math.max(2, Math.floor(canvasPx / CHART_TICK_PX));
  const time = useMemo(() => timeAxis(min, max, model.zone, ticksMax), [min, max, model.zone, ticksMax]);
  const shown = { ...model, timeAxis: time, chosenId: hoveredId ?? model.chosenId };
  const labels = (
    <Labels model={model} ends={isBeside ? endsOf(model, heightPx) : null} onChoose={onChoose} onHover={setHovered} />
  );
  return (
    <div class={`chart-body${isBeside ? ' is-beside' : ''}`} ref={place}>
      <div class="chart-plot" style={{ width: `${canvasPx}px`, height: `${heightPx}px` }}>
        {widthPx > 0 && (
          <Canvas model={shown} title={title} widthPx={canvasPx} heightPx={heightPx} index={index} onIndex={setIndex} />
        )}
        {index !== null && <Readout model={model} index={index} widthPx={canvasPx} />}
      </div>
      {labels}
    </div>
  );
}

/** Where the lines end, if they have a last value: distances from the top of the plot. */
function endsOf({ valueAxis }: ChartModel, heightPx: number): (value: number) => number {
  const plotPx = heightPx - PLOT_FRAME.top - PLOT_FRAME.bottom;
  return (value) => PLOT_FRAME.top + (1 - Math.min(1, Math.max(0, shareOf(valueAxis, value)))) * plotPx;
}

interface CanvasProps {
  readonly model: ChartModel;
  readonly title: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly index: number | null;
  readonly onIndex: (index: number | null) => void;
}

/** The canvas, and a slider over it: the arrow keys move along the instants, and a screen reader reads the values. */
function Canvas({ model, title, widthPx, heightPx, index, onIndex }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<uPlot | null>(null);
  const latest = useRef(model);
  latest.current = model;
  const dashes = JSON.stringify(dashesOf(model.series));
  const kind = `${model.valueAxis.scale} ${dashes}`;
  useLayoutEffect(() => {
    if (host.current === null) return;
    const made = createCanvas(host.current, () => latest.current, { width: widthPx, height: heightPx }, onIndex);
    canvas.current = made;
    return () => {
      canvas.current = null;
      made.destroy();
    };
  }, [kind]);
  useEffect(() => canvas.current?.setSize({ width: widthPx, height: heightPx }), [widthPx, heightPx]);
  useEffect(() => canvas.current?.setData(alignedOf(model)), [model.times, model.series, model.valueAxis]);
  useEffect(() => canvas.current?.redraw(false), [model.chosenId]);
  useSignalEffect(() => {
    theme.value;
    // The style sheet has the new colours once the attribute of the page has changed.
    queueMicrotask(() => canvas.current?.redraw(false, true));
  });
  const last = model.times.length - 1;
  const moveTo = (next: number): void => {
    const made = canvas.current;
    const atMs = model.times[Math.min(last, Math.max(0, next))];
    if (made !== null && atMs !== undefined) made.setCursor({ left: made.valToPos(atMs, 'x'), top: 0 });
  };
  return (
    <div
      class="chart-canvas"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label={`${title}: values over time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={index ?? last}
      aria-valuetext={valuesText(model, index ?? last)}
      onKeyDown={(event) => {
        const next = nextIndex(event.key, index ?? last, last);
        if (next === null) return;
        event.preventDefault();
        moveTo(next);
      }}
      onBlur={() => canvas.current?.setCursor({ left: -10, top: -10 })}
    />
  );
}

/** Where a key leads from an instant; null if it leads nowhere. */
function nextIndex(key: string, index: number, last: number): number | null {
  const page = Math.ceil(last / 10);
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
    ...{ PageDown: -page, PageUp: page, Home: -index, End: last - index },
  };
  const step = steps[key];
  return step === undefined ? null : index + step;
}

function valuesText({ times, series, zone, format }: ChartModel, index: number): string {
  const values = series.flatMap(({ label, values: of }) => {
    const value = of[index] ?? null;
    return value === null ? [] : [`${label} ${format(value)}`];
  });
  return [timeText(times[index] ?? 0, zone), ...values].join(', ');
}

/** Width of an element, as it changes; 0 before it is known. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [widthPx, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    setWidth(current.clientWidth);
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}

/** Distances of the plot from the edges of the canvas. On the right there is room for half of the last label of the time axis. */
const PLOT_FRAME = { left: 62, top: 10, right: 26, bottom: 30 } as const;

/** Added to a colour such as `#e69f00`: the opacity of the lines that do not stand out. */
const FAINT = '30';

/**
 * Makes a canvas.
 *
 * @param model returns what to draw; its scale, the number of its series and which of them are equal never change
 * @param onCursor is called with the position of the instant below the cursor; null if there is none
 */
function createCanvas(
  host: HTMLElement,
  model: () => ChartModel,
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
      // The line is at the instant whose values are shown.
      move: (self, left, top) => (left < 0 ? [left, top] : [self.valToPos(atOf(self, left), 'x'), top]),
    },
    scales: {
      x: { time: false, range: () => [model().timeAxis.min, model().timeAxis.max] },
      y: {
        range: () => [model().valueAxis.min, model().valueAxis.max],
        ...(valueAxis.scale === 'log' ? { distr: 3 as const, log: 10 as const } : {}),
      },
    },
    axes: [axisOf('x', model), axisOf('y', model)],
    series: [
      {},
      ...dashesOf(series).map((dashes, index) => ({
        ...LINE,
        ...(dashes === null ? {} : { dash: [...dashes], cap: 'butt' as const }),
        stroke: () => strokeOf(model(), index),
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)] },
  };
  return new uPlot(options, alignedOf(model()), host);
}

/** The values in uPlot's form. */
function alignedOf({ times, series }: ChartModel): uPlot.AlignedData {
  return [Array.from(times), ...series.map(({ values }) => Array.from(values))];
}

const LINE: uPlot.Series = { width: 2, points: { show: false } };

function atOf(self: uPlot, left: number): number {
  return self.data[0][self.posToIdx(left)] ?? 0;
}

function strokeOf({ series, chosenId }: ChartModel, index: number): string {
  const { id, colour } = series[index] ?? { id: '', colour: '#000000' };
  return chosenId === null || chosenId === id ? colour : `${colour}${FAINT}`;
}

function axisOf(scale: 'x' | 'y', model: () => ChartModel): uPlot.Axis {
  const textOf = (tick: number): string => {
    const { timeAxis, zone, formatTick } = model();
    return scale === 'x' ? timeTickText(tick, timeAxis, zone) : formatTick(tick);
  };
  return {
    scale,
    size: scale === 'x' ? PLOT_FRAME.bottom : PLOT_FRAME.left,
    gap: 6,
    font: '12px system-ui, sans-serif',
    stroke: () => colourOf('--text-soft'),
    grid: { width: 1, stroke: () => colourOf('--line') },
    ticks: { show: false },
    splits: () => Array.from(model()[scale === 'x' ? 'timeAxis' : 'valueAxis'].ticks),
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

interface LabelsProps {
  readonly model: ChartModel;
  /** Distance of a value from the top; null if the names are below the plot. */
  readonly ends: ((value: number) => number) | null;
  readonly onChoose: (id: string) => void;
  readonly onHover: (id: string | null) => void;
}

/**
 * The names of the lines with their last values: at the ends of the lines, or as a list below the plot. Each is a button that shows one
 * line alone.
 */
function Labels({ model, ends, onChoose, onHover }: LabelsProps) {
  const { series, valueAxis } = model;
  const button = ({ id, label, colour, values }: ChartSeries) => {
    const value = lastValue(values);
    const isChosen = model.chosenId === id;
    return (
      <button
        key={id}
        type="button"
        class={`chart-label${isChosen ? ' is-chosen' : ''}${isFaint(model, id) ? ' is-faint' : ''}`}
        aria-pressed={isChosen}
        title={isChosen ? 'Show all lines' : `Show only ${label}`}
        onClick={() => onChoose(id)}
        onMouseEnter={() => onHover(id)}
        onMouseLeave={() => onHover(null)}
      >
        <Value label={label} colour={colour} text={value === null ? '–' : model.format(value)} />
      </button>
    );
  };
  if (ends === null) return <div class="chart-labels">{series.map(button)}</div>;
  const wanted = series.map((one) => ends(lastValue(one.values) ?? valueAxis.min));
  const places = spread(wanted, CHART_LABEL_PX, CHART_LABEL_PX / 2, Number.POSITIVE_INFINITY);
  return (
    <div class="chart-labels">
      <svg class="chart-leaders" aria-hidden="true">
        {series.map(({ id, colour }, index) => (
          <path
            key={id}
            d={`M0 ${wanted[index]}L14 ${places[index]}`}
            stroke={colour}
            class={isFaint(model, id) ? 'is-faint' : ''}
          />
        ))}
      </svg>
      {series.map((one, index) => (
        <div class="chart-label-place" key={one.id} style={{ top: `${(places[index] ?? 0) - CHART_LABEL_PX / 2}px` }}>
          {button(one)}
        </div>
      ))}
    </div>
  );
}

function Value({ label, colour, text }: Pick<ChartSeries, 'label' | 'colour'> & { readonly text: string }) {
  return (
    <>
      <span class="chip" style={{ backgroundColor: colour }} />
      <bdi class="chart-label-name">{label}</bdi>
      <span class="chart-label-value">{text}</span>
    </>
  );
}

/** Whether another line is shown alone. */
function isFaint({ chosenId }: ChartModel, id: string): boolean {
  return chosenId !== null && chosenId !== id;
}

const DISTANCE_PX = 14;

/** The values of all lines at one instant, beside the cursor. It is hidden from screen readers, which read the value of the slider. */
function Readout({ model, index, widthPx }: Pick<CanvasProps, 'model' | 'widthPx'> & { readonly index: number }) {
  const { times, series, timeAxis, zone, format, chosenId } = model;
  const atMs = times[index];
  if (atMs === undefined) return null;
  const plotPx = widthPx - PLOT_FRAME.left - PLOT_FRAME.right;
  const share = timeAxis.max === timeAxis.min ? 0 : (atMs - timeAxis.min) / (timeAxis.max - timeAxis.min);
  const leftPx = PLOT_FRAME.left + share * plotPx;
  const [near, far] = [`${leftPx + DISTANCE_PX}px`, `calc(100% - ${leftPx - DISTANCE_PX}px)`];
  const side = leftPx < widthPx / 2 ? { left: near } : { right: far };
  const rows = series
    .flatMap(({ id, label, colour, values }) => {
      const value = values[index] ?? null;
      return value === null ? [] : [{ id, label, colour, value }];
    })
    .sort((one, other) => other.value - one.value);
  return (
    <div class="chart-readout" style={{ ...side, top: `${PLOT_FRAME.top}px` }} aria-hidden="true">
      <p class="chart-readout-time">{timeText(atMs, zone)}</p>
      {rows.map(({ id, label, colour, value }) => (
        <p key={id} class={`chart-readout-row${chosenId === id ? ' is-chosen' : ''}`}>
          <Value label={label} colour={colour} text={format(value)} />
        </p>
      ))}
      {rows.length === 0 && <p class="chart-readout-row">No values</p>}
    </div>
  );
}
