// What the operator does from the page: the clock, players, addresses, announcements, and the trail of all of it. It is closed at first, since
// only the operator's key opens it, and a request with another one would be in the trail.
import { useState } from 'preact/hooks';
import { SLOW_PERIOD_MS } from '../../limits.js';
import { Button } from '../../parts/button.js';
import { askForOperator, FailureNotice, Loaded } from '../../parts/notice.js';
import { Panel } from '../../parts/page.js';
import { Table } from '../../parts/table.js';
import { api, type Failure, failureOf, hasKey, type Shapes } from '../../world/api.js';
import { readNow, usePolled } from '../../world/poll.js';
import { isReplay, readAgain, status } from '../../world/status.js';

type Client = ReturnType<typeof api.peek>;
type Values = Readonly<Record<string, string>>;

/** A button of a form. */
interface Act {
  readonly label: string;
  readonly look?: string;
  /** Fields that must not be empty for it. */
  readonly needs: readonly string[];
  /** @returns what was done, as a sentence */
  readonly run: (client: Client, values: Values) => Promise<string>;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly inputMode?: 'decimal' | 'numeric';
}

interface ActionForm {
  readonly title: string;
  readonly fields: readonly Field[];
  readonly acts: readonly Act[];
}

const ADDRESSES = '/api/admin/addresses';
const AUDIT = '/api/admin/audit';
const AUDIT_SHOWN = 20;
const SECONDS_PER_HOUR = 3_600;

const FORMS: readonly ActionForm[] = [
  {
    title: 'Clock',
    fields: [{ name: 'speed', label: 'Speed', placeholder: '1', inputMode: 'decimal' }],
    acts: [
      {
        label: 'Pause',
        needs: [],
        run: async (client) => {
          await client.post('/api/admin/clock/pause', { body: {} });
          return 'The clock stands.';
        },
      },
      {
        label: 'Resume',
        needs: [],
        run: async (client) => {
          await client.post('/api/admin/clock/resume', { body: {} });
          return 'The clock goes on.';
        },
      },
      {
        label: 'Set speed',
        needs: ['speed'],
        run: async (client, { speed }) => {
          const { body } = await client.post('/api/admin/clock/speed', { body: { speed: Number(speed) } });
          return `The speed is ${body.speed}.`;
        },
      },
    ],
  },
  {
    title: 'Player',
    fields: [
      { name: 'playerId', label: 'Player id', placeholder: 'player-7' },
      { name: 'name', label: 'New name' },
    ],
    acts: [
      {
        label: 'Suspend',
        needs: ['playerId'],
        run: async (client, values) => {
          const { body } = await client.post('/api/admin/player/{playerId}/suspend', {
            params: pathOf(values),
            body: {},
          });
          return `${body.name} is suspended.`;
        },
      },
      {
        label: 'Resume',
        needs: ['playerId'],
        run: async (client, values) => {
          const { body } = await client.post('/api/admin/player/{playerId}/resume', {
            params: pathOf(values),
            body: {},
          });
          return `${body.name} goes on.`;
        },
      },
      {
        label: 'Rename',
        needs: ['playerId', 'name'],
        run: async (client, values) => {
          const name = values['name'] ?? '';
          await client.post('/api/admin/player/{playerId}/rename', { params: pathOf(values), body: { name } });
          return `${values['playerId']} is called ${name}.`;
        },
      },
    ],
  },
  {
    title: 'Address',
    fields: [
      { name: 'address', label: 'Address', placeholder: '203.0.113.7' },
      { name: 'hours', label: 'Hours', placeholder: '24', inputMode: 'decimal' },
    ],
    acts: [
      {
        label: 'Block',
        needs: ['address', 'hours'],
        run: async (client, { address = '', hours }) => {
          const seconds = Math.round(Number(hours) * SECONDS_PER_HOUR);
          const { body } = await client.post('/api/admin/address/block', { body: { address, seconds } });
          return `${body.network} is blocked.`;
        },
      },
      {
        label: 'Unblock',
        needs: ['address'],
        run: async (client, { address = '' }) => {
          const { body } = await client.post('/api/admin/address/unblock', { body: { address } });
          return body.wasBlocked ? `${body.network} is free again.` : `${body.network} was not blocked.`;
        },
      },
    ],
  },
  {
    title: 'Announcement',
    fields: [
      { name: 'text', label: 'Text' },
      { name: 'hours', label: 'Hours, or until the next one', inputMode: 'decimal' },
    ],
    acts: [
      {
        label: 'Announce',
        look: 'is-primary',
        needs: ['text'],
        run: async (client, { text = '', hours = '' }) => {
          const lasts = hours === '' ? {} : { untilSeconds: Math.round(Number(hours) * SECONDS_PER_HOUR) };
          await client.post('/api/admin/announce', { body: { text, ...lasts } });
          return 'It is announced.';
        },
      },
      {
        label: 'Withdraw',
        needs: [],
        run: async (client) => {
          await client.post('/api/admin/announce', { body: { text: null } });
          return 'Nothing is announced any more.';
        },
      },
    ],
  },
];

function pathOf({ playerId = '' }: Values) {
  return { path: { playerId } };
}

export function Actions() {
  const [isOpen, setOpen] = useState(false);
  if (isReplay.value) return null;
  const open = (): void => {
    setOpen(true);
    if (!hasKey.peek()) askForOperator();
  };
  return (
    <Panel
      title="Operator"
      actions={
        <Button aria-expanded={isOpen} onClick={isOpen ? () => setOpen(false) : open}>
          {isOpen ? 'Close' : 'Act as the operator'}
        </Button>
      }
    >
      {isOpen &&
        (hasKey.value ? (
          <Desk />
        ) : (
          <p class="panel-empty">
            This needs the operator’s key. <Button onClick={askForOperator}>Enter a key</Button>
          </p>
        ))}
    </Panel>
  );
}

function Desk() {
  const addresses = usePolled(ADDRESSES, (client, signal) => client.get(ADDRESSES, { signal }), SLOW_PERIOD_MS).value;
  const [said, setSaid] = useState<{ readonly text: string; readonly isBad: boolean } | null>(null);
  if (addresses.state === 'error') return <FailureNotice failure={withoutOperator(addresses.failure)} />;
  const act = async ({ run }: Act, values: Values): Promise<void> => {
    try {
      setSaid({ text: await run(api.peek(), values), isBad: false });
      readAgain();
    } catch (error) {
      setSaid({ text: failureOf(error).message, isBad: true });
    }
    readNow(ADDRESSES);
    readNow(AUDIT);
  };
  return (
    <>
      <div class="actions">
        {FORMS.map((form) => (
          <FormOf key={form.title} form={form} act={act} />
        ))}
      </div>
      <p class={`actions-said${said?.isBad === true ? ' form-problem' : ''}`} role="status">
        {said?.text ?? (status.value?.pausedAt ? 'The clock stands.' : ' ')}
      </p>
      <Blocks blocks={addresses.body?.blocks ?? []} />
      <Trail />
    </>
  );
}

interface FormProps {
  readonly form: ActionForm;
  readonly act: (act: Act, values: Values) => Promise<void>;
}

function FormOf({ form: { title, fields, acts }, act }: FormProps) {
  const [values, setValues] = useState<Values>({});
  const [isBusy, setBusy] = useState(false);
  const press = async (pressed: Act): Promise<void> => {
    setBusy(true);
    await act(pressed, trimmed(values));
    setBusy(false);
  };
  return (
    <form class="form action" autoComplete="off" aria-label={title} onSubmit={(event) => event.preventDefault()}>
      <h3 class="action-title">{title}</h3>
      {fields.map(({ name, label, ...rest }) => (
        <label class="field" key={name}>
          <span>{label}</span>
          <input
            name={name}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
            {...rest}
          />
        </label>
      ))}
      <div class="form-actions">
        {acts.map((one) => (
          <Button
            key={one.label}
            {...(one.look === undefined ? {} : { look: one.look })}
            disabled={isBusy || one.needs.some((name) => (values[name] ?? '').trim() === '')}
            onClick={() => void press(one)}
          >
            {one.label}
          </Button>
        ))}
      </div>
    </form>
  );
}

function trimmed(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}

function Blocks({ blocks }: { readonly blocks: Shapes['BlockedAddresses']['blocks'] }) {
  if (blocks.length === 0) return null;
  const columns = [
    { title: 'Blocked', cell: ({ network }: (typeof blocks)[number]) => network },
    { title: 'Until (UTC)', cell: ({ until }: (typeof blocks)[number]) => minuteOf(until) },
  ];
  return <Table caption="Blocked addresses" rows={blocks} keyOf={({ network }) => network} columns={columns} />;
}

function Trail() {
  const query = { limit: AUDIT_SHOWN };
  const trail = usePolled(
    AUDIT,
    (client, signal) => client.get(AUDIT, { params: { query }, signal }),
    SLOW_PERIOD_MS,
  ).value;
  return (
    <Loaded document={trail}>
      {({ records }) => (
        <Table
          caption={`The last ${AUDIT_SHOWN} actions`}
          rows={records}
          keyOf={({ requestId }) => requestId}
          columns={[
            { title: 'At (UTC)', cell: ({ at }) => minuteOf(at) },
            { title: 'Key', cell: ({ key }) => key ?? 'none' },
            { title: 'From', cell: ({ address }) => address },
            { title: 'Action', cell: ({ operation, path }) => <span title={path}>{operation}</span> },
            { title: 'Result', cell: ({ status: replied, code }) => `${replied ?? 'no reply'} ${code ?? ''}` },
          ]}
        />
      )}
    </Loaded>
  );
}

function minuteOf(instant: string): string {
  return instant.slice(0, 16).replace('T', ' ');
}

/** A key that may not do this is not the operator's; without any, the server has no such paths. */
function withoutOperator(failure: Failure): Failure {
  if (failure.kind === 'missing') return { kind: 'refused', message: 'This server was started without an admin key.' };
  return failure.kind === 'key' ? { kind: 'key', message: 'This is not the operator’s key.' } : failure;
}
