// Where the load comes from: the routes, and why commands are refused.
import { ROUTES_SHOWN } from '../../limits.js';
import { formatKnown, formatRate, formatSeconds, formatType } from '../../parts/format.js';
import { Panel } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import { figures, intervalOf, type RouteLoad, routeLoads, scrapes } from './figures.js';

const ROUTE_COLUMNS: readonly Column<RouteLoad>[] = [
  { title: 'Route', isHeading: true, cell: ({ route }) => <code>{route}</code> },
  { title: 'Over', isMinor: true, cell: ({ transport }) => transport },
  { title: 'Per second', isNumber: true, cell: ({ perSecond }) => formatRate(perSecond) },
  { title: 'Refused', isNumber: true, cell: ({ refusedPerSecond }) => formatRate(refusedPerSecond) },
  { title: 'p50', isNumber: true, isMinor: true, cell: ({ p50Seconds }) => formatKnown(p50Seconds, formatSeconds) },
  { title: 'p99', isNumber: true, cell: ({ p99Seconds }) => formatKnown(p99Seconds, formatSeconds) },
];

type Refusal = readonly [code: string, perSecond: number];

const REFUSAL_COLUMNS: readonly Column<Refusal>[] = [
  { title: 'Refusal', isHeading: true, cell: ([code]) => formatType(code) },
  { title: 'Per second', isNumber: true, cell: ([, perSecond]) => formatRate(perSecond) },
];

export function Loads() {
  const interval = intervalOf(scrapes.value);
  const routes = interval === null ? [] : routeLoads(interval).slice(0, ROUTES_SHOWN);
  const refusals = Array.from(figures.value.at(-1)?.refusals ?? []);
  return (
    <div class="operator-loads">
      <Panel title="Routes">
        <Table
          caption="Requests and calls by route"
          columns={ROUTE_COLUMNS}
          rows={routes}
          keyOf={({ transport, route }) => `${transport} ${route}`}
          empty="No requests in the last 15 s."
        />
      </Panel>
      <Panel title="Refused commands">
        <Table
          caption="Refused commands by code"
          columns={REFUSAL_COLUMNS}
          rows={refusals}
          keyOf={([code]) => code}
          empty="None in the last 15 s."
        />
      </Panel>
    </div>
  );
}
