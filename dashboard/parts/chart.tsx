// A chart of values over time, the same in every view: lines by uPlot with a readout, names at the lines, one line alone, a linear or
// logarithmic axis, a table of the same values, and export as SVG, PNG and CSV.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CHART_TABLE_ROWS_MAX, CHART_TICKS_MAX, COPIED_MS } from '../limits.js';
import { type Scale, type Steps, timeAxis, timeText, valueAxis, type Zone } from './chart/axes.js';
import { type CanvasModel, colourOf } from './chart/canvas.js';
import { pngOf, svgOf } from './chart/picture.js';
import { Plot } from './chart/plot.js';
import { type ChartSeries, csvOf } from './chart/series.js';
import { ExportButton } from './export-button.js';
import { Panel } from './page.js';
import { Table } from './table.js';

export type { Scale, Steps, Zone } from './chart/axes.js';
export type { ChartSeries } from './chart/series.js';

const COPY_LABEL = 'Copy CSV';

interface ChartProps {
  readonly title: string;
  /** Of exported files, without its extension. */
  readonly fileName: string;
  /** In ms since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly zone: Zone;
  /** Values as text. */
  readonly format: (value: number) => string;
  /** The same for the ticks of the axis, which have little room; by default as everywhere. */
  readonly formatTick?: (value: number) => string;
  /** Decimal by default. */
  readonly steps?: Steps;
  readonly heightPx: number;
  /** Whether a linear axis begins with 0; false by default. */
  readonly isFromZero?: boolean;
  /** Whether the viewer can choose a logarithmic axis; false by default. */
  readonly hasScales?: boolean;
  /** Shown below the plot. */
  readonly note?: ComponentChildren;
  /** Shown as long as there are fewer than two instants. */
  readonly empty: string;
}

export function Chart(props: ChartProps) {
  const { title, times, series, heightPx, note, empty } = props;
  const [isTable, setTable] = useState(false);
  const [scale, setScale] = useState<Scale>('linear');
  const [chosenId, setChosen] = useState<string | null>(null);
  const model = useModel(props, scale, chosenId);
  const isEmpty = times.length < 2;
  const choose = (id: string): void => setChosen(id === chosenId ? null : id);
  const hasChosen = series.some(({ id }) => id === chosenId);
  useEffect(() => {
    if (chosenId !== null && !hasChosen) setChosen(null);
  }, [chosenId, hasChosen]);
  const tools = { props, model, isTable, onTable: () => setTable(!isTable), scale, onScale: setScale };
  return (
    <Panel title={title} actions={!isEmpty && <Tools {...tools} />}>
      <div class="chart" style={{ minHeight: `${heightPx}px` }}>
        {isEmpty && <p class="chart-empty">{empty}</p>}
        {!isEmpty && isTable && <ValueTable props={props} />}
        {!isEmpty && !isTable && <Plot model={model} title={title} heightPx={heightPx} onChoose={choose} />}
      </div>
      {note !== undefined && <p class="chart-note">{note}</p>}
    </Panel>
  );
}

function useModel(props: ChartProps, scale: Scale, chosenId: string | null): CanvasModel {
  const { times, series, zone, format, formatTick = format, steps = 'decimal', isFromZero = false } = props;
  return useMemo(() => {
    // A line that is shown alone has the whole height.
    const measured = series.filter(({ id }) => chosenId === null || id === chosenId);
    const values = (measured.length === 0 ? series : measured).flatMap(({ values: of }) => of);
    return {
      ...{ times, series, zone, format, formatTick, chosenId },
      timeAxis: timeAxis(times[0] ?? 0, times.at(-1) ?? 1, zone, CHART_TICKS_MAX),
      valueAxis: valueAxis(values, { scale, steps, isFromZero, ticksMax: CHART_TICKS_MAX }),
    };
  }, [times, series, zone, format, formatTick, steps, isFromZero, scale, chosenId]);
}

interface ToolsProps {
  readonly props: ChartProps;
  readonly model: CanvasModel;
  readonly isTable: boolean;
  readonly onTable: () => void;
  readonly scale: Scale;
  readonly onScale: (scale: Scale) => void;
}

function Tools({ props, model, isTable, onTable, scale, onScale }: ToolsProps) {
  const { title, fileName, hasScales = false } = props;
  const svg = (): string => {
    const series = model.series.filter(({ id }) => model.chosenId === null || id === model.chosenId);
    const [ground, text, soft, line] = [
      colourOf('--surface'),
      colourOf('--text'),
      colourOf('--text-soft'),
      colourOf('--line'),
    ];
    return svgOf({ ...model, title, series, colours: { ground, text, soft, line } });
  };
  return (
    <div class="chart-tools">
      {hasScales && !isTable && (
        <button
          type="button"
          class="button"
          aria-pressed={scale === 'log'}
          title="A logarithmic axis shows growth by equal factors as equal distances"
          onClick={() => onScale(scale === 'log' ? 'linear' : 'log')}
        >
          Log
        </button>
      )}
      <button type="button" class="button" aria-pressed={isTable} onClick={onTable} title="Show the values as a table">
        Table
      </button>
      <CsvButton fileName={fileName} text={() => csvOf(props)} />
      <ExportButton
        label="SVG"
        fileName={`${fileName}.svg`}
        contents={() => new Blob([svg()], { type: 'image/svg+xml' })}
      />
      <ExportButton label="PNG" fileName={`${fileName}.png`} contents={() => pngOf(svg())} />
    </div>
  );
}

/** Copies the values; the button says whether it worked. A page without TLS may not copy, so it saves a file. */
function CsvButton({ fileName, text }: { readonly fileName: string; readonly text: () => string }) {
  const [label, setLabel] = useState(COPY_LABEL);
  useEffect(() => {
    if (label === COPY_LABEL) return;
    const timer = setTimeout(() => setLabel(COPY_LABEL), COPIED_MS);
    return () => clearTimeout(timer);
  }, [label]);
  if (!isSecureContext)
    return (
      <ExportButton
        label="CSV"
        fileName={`${fileName}.csv`}
        contents={() => new Blob([text()], { type: 'text/csv' })}
      />
    );
  const copy = (): void => {
    navigator.clipboard.writeText(text()).then(
      () => setLabel('Copied'),
      () => setLabel('Not allowed'),
    );
  };
  return (
    <button type="button" class="button is-copy" onClick={copy} title="Copy the values as comma-separated text">
      <span aria-live="polite">{label}</span>
    </button>
  );
}

/** The same values as text: the newest first. */
function ValueTable({ props: { title, times, series, zone, format } }: { readonly props: ChartProps }) {
  const rows = times
    .map((atMs, index) => ({ atMs, index }))
    .reverse()
    .slice(0, CHART_TABLE_ROWS_MAX);
  return (
    <div class="chart-table">
      <Table
        caption={title}
        rows={rows}
        keyOf={({ atMs }) => atMs}
        columns={[
          {
            title: zone === 'world' ? 'World time' : 'Time',
            isHeading: true,
            cell: ({ atMs }) => timeText(atMs, zone),
          },
          ...series.map(({ label, values }) => ({
            title: label,
            isNumber: true,
            cell: ({ index }: { readonly index: number }) => {
              const value = values[index] ?? null;
              return value === null ? '–' : format(value);
            },
          })),
        ]}
      />
    </div>
  );
}
