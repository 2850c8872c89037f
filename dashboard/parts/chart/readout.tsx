// The values of all lines at one instant, beside the cursor.

import { timeText } from './axes.js';
import { type CanvasModel, PLOT_FRAME } from './canvas.js';

interface ReadoutProps {
  readonly model: CanvasModel;
  /** Position of the instant. */
  readonly index: number;
  /** Width of the canvas. */
  readonly widthPx: number;
}

const DISTANCE_PX = 14;

/** It is decoration for screen readers, which read the value of the slider. */
export function Readout({ model, index, widthPx }: ReadoutProps) {
  const { times, series, timeAxis, zone, format, chosenId } = model;
  const atMs = times[index];
  if (atMs === undefined) return null;
  const plotPx = widthPx - PLOT_FRAME.left - PLOT_FRAME.right;
  const share = timeAxis.max === timeAxis.min ? 0 : (atMs - timeAxis.min) / (timeAxis.max - timeAxis.min);
  const leftPx = PLOT_FRAME.left + share * plotPx;
  const side =
    leftPx < widthPx / 2 ? { left: `${leftPx + DISTANCE_PX}px` } : { right: `calc(100% - ${leftPx - DISTANCE_PX}px)` };
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
          <span class="chip" style={{ backgroundColor: colour }} />
          <bdi class="chart-readout-name">{label}</bdi>
          <span class="chart-label-value">{format(value)}</span>
        </p>
      ))}
      {rows.length === 0 && <p class="chart-readout-row">No values</p>}
    </div>
  );
}
