// Who sends how much: the players or the addresses with the most requests, commands or bytes. Only the operator's key shows it.
import { signal } from '@preact/signals';
import { linkTo } from '../../address.js';
import { SLOW_PERIOD_MS, TRAFFIC_ROWS_SHOWN } from '../../limits.js';
import { Button } from '../../parts/button.js';
import { formatBytes, formatCount, formatRate } from '../../parts/format.js';
import { Panel } from '../../parts/page.js';
import { type Column, counts, Table } from '../../parts/table.js';
import { hasKey, type Shapes } from '../../world/api.js';
import { usePolled } from '../../world/poll.js';

type Report = Shapes['ClientTraffic'];
/** A client, with rates over what the report covers. */
type Row = Report['clients'][number] & { readonly seconds: number };

const KINDS = { player: 'Players', address: 'Addresses' } as const;
const WINDOWS = { minute: 'Last minute', hour: 'Last hour' } as const;
const SORTS = {
  requests: 'Requests',
  commands: 'Commands',
  bytesIn: 'Received',
  bytesOut: 'Sent',
  refusals: 'Refused',
  rateLimited: 'Too fast',
  connections: 'Open',
} as const;

const by = signal<keyof typeof KINDS>('player');
const span = signal<keyof typeof WINDOWS>('minute');
const sort = signal<keyof typeof SORTS>('requests');

/** A heading that orders the rows by its column. */
function SortHead({ name }: { readonly name: keyof typeof SORTS }) {
  return (
    <Button
      look={sort.value === name ? 'is-quiet is-on' : 'is-quiet'}
      aria-pressed={sort.value === name}
      onClick={() => {
        sort.value = name;
      }}
    >
      {SORTS[name]}
    </Button>
  );
}

const perSecond = (value: number, { seconds }: Row): string => `${formatRate(value / Math.max(1, seconds))}/s`;
const bytesPerSecond = (value: number, { seconds }: Row): string => `${formatBytes(value / Math.max(1, seconds))}/s`;

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Client',
    isHeading: true,
    cell: ({ playerId, name, address }) =>
      playerId === null ? address : <a href={linkTo({ view: 'player', playerId })}>{name ?? playerId}</a>,
  },
  {
    title: SORTS.requests,
    head: <SortHead name="requests" />,
    isNumber: true,
    cell: (row) => perSecond(row.requests, row),
  },
  {
    title: SORTS.commands,
    head: <SortHead name="commands" />,
    isNumber: true,
    cell: (row) => perSecond(row.commands, row),
  },
  {
    title: SORTS.bytesIn,
    head: <SortHead name="bytesIn" />,
    isNumber: true,
    isMinor: true,
    cell: (row) => bytesPerSecond(row.bytesIn, row),
  },
  {
    title: SORTS.bytesOut,
    head: <SortHead name="bytesOut" />,
    isNumber: true,
    cell: (row) => bytesPerSecond(row.bytesOut, row),
  },
  { ...counts<Row>(SORTS.refusals, ({ refusals }) => refusals, true), head: <SortHead name="refusals" /> },
  { ...counts<Row>(SORTS.rateLimited, ({ rateLimited }) => rateLimited, true), head: <SortHead name="rateLimited" /> },
  { ...counts<Row>(SORTS.connections, ({ connections }) => connections, true), head: <SortHead name="connections" /> },
];

export function Traffic() {
  // Without a key it would only be refused, again and again.
  return hasKey.value ? <TrafficPanel /> : null;
}

function TrafficPanel() {
  const query = { by: by.value, window: span.value, sort: sort.value, limit: TRAFFIC_ROWS_SHOWN };
  const name = `/api/admin/traffic ${Object.values(query).join(' ')}`;
  const report = usePolled(
    name,
    (client, signal) => client.get('/api/admin/traffic', { params: { query }, signal }),
    SLOW_PERIOD_MS,
  );
  const { body, state, failure } = report.value;
  if (state === 'error' && failure.kind !== 'offline' && failure.kind !== 'refused') return null;
  const rows = (body?.clients ?? []).map((client): Row => ({ ...client, seconds: body?.seconds ?? 1 }));
  return (
    <div class="operator-traffic">
      <Panel title="Who sends how much">
        <p class="operator-choices">
          <Choice signal={by} names={KINDS} />
          <Choice signal={span} names={WINDOWS} />
        </p>
        <Table
          caption="Clients by what they send"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ playerId, address }) => playerId ?? address ?? ''}
          empty={by.value === 'player' ? 'No player has sent a key lately.' : 'No requests.'}
        />
        {body !== null && <p class="operator-rest">{restText(body)}</p>}
      </Panel>
    </div>
  );
}

function restText({ others, total, seconds }: Report): string {
  const covered = `${formatCount(total.requests)} requests in ${formatCount(Math.round(seconds))} s`;
  return others.requests === 0 ? `${covered}.` : `${covered}, ${formatCount(others.requests)} of them from others.`;
}

interface ChoiceProps<Name extends string> {
  readonly signal: { value: Name };
  readonly names: Readonly<Record<Name, string>>;
}

/** Buttons of which one is pressed. */
function Choice<Name extends string>({ signal: chosen, names }: ChoiceProps<Name>) {
  const entries = Object.entries(names) as [Name, string][];
  return (
    <span class="operator-choice">
      {entries.map(([name, title]) => (
        <Button
          key={name}
          look={chosen.value === name ? 'is-on' : 'is-quiet'}
          aria-pressed={chosen.value === name}
          onClick={() => {
            chosen.value = name;
          }}
        >
          {title}
        </Button>
      ))}
    </span>
  );
}
