// A dashboard for Grafana with a panel for each metric of the table, as its import takes it (schema version 39, Grafana 11).
import { COUNTERS, GAUGES, HISTOGRAMS, type MetricDescription } from '../../http/pages/metric-table.js';

/** The grid of Grafana has 24 columns. */
const COLUMNS = 24;
const PANEL_WIDTH = 8;
const PANEL_HEIGHT = 7;
/** Every series of the instances that are chosen above the panels. */
const CHOSEN = 'job="$job",instance=~"$instance"';

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
}

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly targets: readonly Target[];
}

export function grafanaDashboard(): string {
  const panels = [...GAUGES.map(gaugePanel), ...COUNTERS.map(counterPanel), ...HISTOGRAMS.map(histogramPanel)];
  const dashboard = {
    title: 'galaxyd',
    uid: 'galaxyd',
    schemaVersion: 39,
    refresh: '15s',
    time: { from: 'now-1h', to: 'now' },
    templating: {
      list: [
        { name: 'source', type: 'datasource', query: 'prometheus' },
        variable('job', 'label_values(galaxyd_seq, job)', false),
        variable('instance', 'label_values(galaxyd_seq{job="$job"}, instance)', true),
      ],
    },
    panels: panels.map(placed),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

const source = { type: 'prometheus', uid: '$source' };

function variable(name: string, query: string, isMulti: boolean): object {
  return { name, type: 'query', datasource: source, query, refresh: 2, multi: isMulti, includeAll: isMulti };
}

function gaugePanel(metric: MetricDescription): Panel {
  return panel(metric, [[`galaxyd_${metric.name}{${CHOSEN}}`, legend(metric)]]);
}

/** Per second, by every label. */
function counterPanel(metric: MetricDescription): Panel {
  const by = ['instance', ...(metric.labels ?? [])].join(', ');
  return panel(metric, [
    [`sum by (${by}) (rate(galaxyd_${metric.name}{${CHOSEN}}[$__rate_interval]))`, legend(metric)],
  ]);
}

function histogramPanel(metric: MetricDescription): Panel {
  const by = ['instance', 'le', ...(metric.labels ?? [])].join(', ');
  const buckets = `sum by (${by}) (rate(galaxyd_${metric.name}_bucket{${CHOSEN}}[$__rate_interval]))`;
  return panel(
    metric,
    ['0.5', '0.99'].map((quantile) => [`histogram_quantile(${quantile}, ${buckets})`, `${legend(metric)} ${quantile}`]),
  );
}

function legend({ labels = [] }: MetricDescription): string {
  return ['instance', ...labels].map((label) => `{{${label}}}`).join(' ');
}

function panel(
  { name, help }: MetricDescription,
  queries: readonly (readonly [expr: string, legend: string])[],
): Panel {
  const targets = queries.map(([expr, legendFormat], index) => ({
    refId: String.fromCharCode(65 + index),
    expr,
    legendFormat,
  }));
  return { title: name.replaceAll('_', ' '), description: help, unit: unitOf(name), targets };
}

/** The last word of a name is its unit. */
function unitOf(name: string): string {
  if (name.endsWith('_seconds')) return 's';
  if (name.endsWith('_bytes')) return 'bytes';
  return name.endsWith('_total') ? 'ops' : 'short';
}

function placed({ title, description, unit, targets }: Panel, index: number): object {
  const perRow = COLUMNS / PANEL_WIDTH;
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    description,
    datasource: source,
    gridPos: {
      x: (index % perRow) * PANEL_WIDTH,
      y: Math.trunc(index / perRow) * PANEL_HEIGHT,
      w: PANEL_WIDTH,
      h: PANEL_HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets,
  };
}
