// The plot of a chart: the canvas, the readout below the cursor or at the position of the keyboard, and the names at the ends of the
// lines. On a narrow screen the names are below the plot.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { theme } from '../../colours.js';
import { CHART_LABELS_BESIDE_PX, CHART_LABELS_PX, CHART_LABELS_WIDE_PX, CHART_TICK_PX } from '../../limits.js';
import { shareOf, timeAxis, timeText } from './axes.js';
import { alignedOf, type CanvasModel, createCanvas, PLOT_FRAME } from './canvas.js';
import { Labels } from './labels.js';
import { Readout } from './readout.js';

interface PlotProps {
  readonly model: CanvasModel;
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
function endsOf({ valueAxis }: CanvasModel, heightPx: number): (value: number) => number {
  const plotPx = heightPx - PLOT_FRAME.top - PLOT_FRAME.bottom;
  return (value) => PLOT_FRAME.top + (1 - Math.min(1, Math.max(0, shareOf(valueAxis, value)))) * plotPx;
}

interface CanvasProps {
  readonly model: CanvasModel;
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
  const kind = `${model.valueAxis.scale} ${model.series.length}`;
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

function nextIndex(key: string, index: number, last: number): number | null {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return index - 1;
  if (key === 'ArrowRight' || key === 'ArrowUp') return index + 1;
  if (key === 'PageDown') return index - Math.ceil(last / 10);
  if (key === 'PageUp') return index + Math.ceil(last / 10);
  if (key === 'Home') return 0;
  return key === 'End' ? last : null;
}

function valuesText({ times, series, zone, format }: CanvasModel, index: number): string {
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
