// A chart of values over time, the same in every view: lines with a readout, names at the lines, one line alone, a linear or
// logarithmic axis, a table of the same values, and export as SVG, PNG and CSV.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { CHART_TABLE_ROWS_MAX, CHART_TICKS_MAX, COPIED_MS } from '../limits.js';
import { Button, ExportButton } from '../parts/button.js';
import { Panel } from '../parts/page.js';
import { Table } from '../parts/table.js';
import { type Scale, type Steps, timeAxis, timeText, valueAxis } from './axes.js';
import { pngOf, svgOf } from './picture.js';
import { colourOf, Plot } from './plot.js';
import { type ChartModel, csvOf } from './series.js';

const COPY_LABEL = 'Copy CSV';

interface ChartProps extends Pick<ChartModel, 'times' | 'series' | 'zone' | 'format'> {
  readonly title: string;
  /** Name of exported files, without its extension. */
  readonly fileName: string;
  /** Values as text for the ticks of the axis, which have little room; by default as everywhere. */
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
  /** Shown while there are fewer than two instants. */
  readonly empty: ComponentChildren;
}

export function Chart(props: ChartProps) {
  const { title, fileName, times, series, heightPx, hasScales = false, note, empty } = props;
  const [isTable, setTable] = useState(false);
  const [scale, setScale] = useState<Scale>('linear');
  const [chosenId, setChosen] = useState<string | null>(null);
  const model = useModel(props, scale, chosenId);
  const isEmpty = times.length < 2;
  const hasChosen = series.some(({ id }) => id === chosenId);
  useEffect(() => {
    if (chosenId !== null && !hasChosen) setChosen(null);
  }, [chosenId, hasChosen]);
  const scaleButton = hasScales && !isTable && (
    <Button
      aria-pressed={scale === 'log'}
      title="A logarithmic axis shows growth by equal factors as equal distances"
      onClick={() => setScale(scale === 'log' ? 'linear' : 'log')}
    >
      Log
    </Button>
  );
  const tools = (
    <div class="chart-tools">
      {scaleButton}
      <Button aria-pressed={isTable} onClick={() => setTable(!isTable)} title="Show the values as a table">
        Table
      </Button>
      <Exports title={title} fileName={fileName} model={model} />
    </div>
  );
  return (
    <Panel title={title} actions={!isEmpty && tools}>
      <div class="chart" style={{ minHeight: `${heightPx}px` }}>
        {isEmpty && <div class="chart-empty">{empty}</div>}
        {!isEmpty && isTable && <ValueTable title={title} model={model} />}
        {!isEmpty && !isTable && (
          <Plot
            model={model}
            title={title}
            heightPx={heightPx}
            onChoose={(id) => setChosen(id === chosenId ? null : id)}
          />
        )}
      </div>
      {note !== undefined && <p class="chart-note">{note}</p>}
    </Panel>
  );
}

function useModel(props: ChartProps, scale: Scale, chosenId: string | null): ChartModel {
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

interface ExportsProps {
  readonly title: string;
  readonly fileName: string;
  readonly model: ChartModel;
}

function Exports({ title, fileName, model }: ExportsProps) {
  const svg = (): string => {
    const series = model.series.filter(({ id }) => model.chosenId === null || id === model.chosenId);
    const [ground, text] = [colourOf('--surface'), colourOf('--text')];
    const [soft, line] = [colourOf('--text-soft'), colourOf('--line')];
    return svgOf({ ...model, title, series, colours: { ground, text, soft, line } });
  };
  return (
    <>
      <CsvButton fileName={fileName} text={() => csvOf(model)} />
      <ExportButton
        label="SVG"
        fileName={`${fileName}.svg`}
        contents={() => new Blob([svg()], { type: 'image/svg+xml' })}
      />
      <ExportButton label="PNG" fileName={`${fileName}.png`} contents={() => pngOf(svg())} />
    </>
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
    <Button look="is-copy" onClick={copy} title="Copy the values as comma-separated text">
      <span aria-live="polite">{label}</span>
    </Button>
  );
}

/** The same values as text: the newest first. */
function ValueTable({ title, model: { times, series, zone, format } }: Omit<ExportsProps, 'fileName'>) {
  const rows = times.map((atMs, index) => ({ atMs, index }));
  const textOf = (value: number | null | undefined): string =>
    value === null || value === undefined ? '–' : format(value);
  return (
    <div class="chart-table">
      <Table
        caption={title}
        rows={rows.reverse().slice(0, CHART_TABLE_ROWS_MAX)}
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
            cell: ({ index }: { readonly index: number }) => textOf(values[index]),
          })),
        ]}
      />
    </div>
  );
}
