// The names of the lines with their last values: at the ends of the lines, or as a list below the plot. Each is a button that shows
// one line alone.
import { CHART_LABEL_PX } from '../../limits.js';
import type { CanvasModel } from './canvas.js';
import { type ChartSeries, lastValue } from './series.js';
import { spread } from './spread.js';

interface LabelsProps {
  readonly model: CanvasModel;
  /** Distance of a value from the top; null if the names are below the plot. */
  readonly ends: ((value: number) => number) | null;
  readonly onChoose: (id: string) => void;
  readonly onHover: (id: string | null) => void;
}

export function Labels({ model, ends, onChoose, onHover }: LabelsProps) {
  const button = (series: ChartSeries) => (
    <Label key={series.id} series={series} model={model} onChoose={onChoose} onHover={onHover} />
  );
  if (ends === null) return <div class="chart-labels">{model.series.map(button)}</div>;
  const wanted = model.series.map((series) => ends(lastValue(series) ?? model.valueAxis.min));
  const places = spread(wanted, CHART_LABEL_PX, CHART_LABEL_PX / 2, Number.POSITIVE_INFINITY);
  return (
    <div class="chart-labels">
      <svg class="chart-leaders" aria-hidden="true">
        {model.series.map(({ id, colour }, index) => (
          <path
            key={id}
            d={`M0 ${wanted[index]}L14 ${places[index]}`}
            stroke={colour}
            class={isFaint(model, id) ? 'is-faint' : ''}
          />
        ))}
      </svg>
      {model.series.map((series, index) => (
        <div
          class="chart-label-place"
          key={series.id}
          style={{ top: `${(places[index] ?? 0) - CHART_LABEL_PX / 2}px` }}
        >
          {button(series)}
        </div>
      ))}
    </div>
  );
}

interface LabelProps {
  readonly series: ChartSeries;
  readonly model: CanvasModel;
  readonly onChoose: (id: string) => void;
  readonly onHover: (id: string | null) => void;
}

function Label({ series, model, onChoose, onHover }: LabelProps) {
  const { id, label, colour } = series;
  const value = lastValue(series);
  const isChosen = model.chosenId === id;
  return (
    <button
      type="button"
      class={`chart-label${isChosen ? ' is-chosen' : ''}${isFaint(model, id) ? ' is-faint' : ''}`}
      aria-pressed={isChosen}
      title={isChosen ? 'Show all lines' : `Show only ${label}`}
      onClick={() => onChoose(id)}
      onMouseEnter={() => onHover(id)}
      onMouseLeave={() => onHover(null)}
    >
      <span class="chip" style={{ backgroundColor: colour }} />
      <bdi class="chart-label-name">{label}</bdi>
      <span class="chart-label-value">{value === null ? '–' : model.format(value)}</span>
    </button>
  );
}

/** Whether another line is shown alone. */
function isFaint({ chosenId }: CanvasModel, id: string): boolean {
  return chosenId !== null && chosenId !== id;
}
