// The processes that serve the world: which one leads, how old its lease is, how far the others are behind. Nothing if there is only one.
import { FactList } from '../../parts/fact-list.js';
import { formatCount, formatSeconds } from '../../parts/format.js';
import { Panel } from '../../parts/page.js';
import { type Column, Table } from '../../parts/table.js';
import type { Shapes } from '../../world/api.js';
import { status } from '../../world/status.js';
import type { Concern } from './concerns.js';

type Replica = Shapes['ReplicaState'];

interface MemberRow {
  readonly id: string;
  readonly url: string;
  readonly isThis: boolean;
  readonly role: string;
  readonly seq: number;
  /** Entries behind the one that has most. */
  readonly behind: number;
  readonly version: string;
  readonly reportedAgoMs: number;
}

const seconds = (milliseconds: number): string => formatSeconds(milliseconds / 1_000);

const COLUMNS: readonly Column<MemberRow>[] = [
  {
    title: 'Process',
    isHeading: true,
    cell: ({ url, isThis }) => (
      <>
        {url}
        {isThis && <span class="replica-this"> this one</span>}
      </>
    ),
  },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'Seq', isNumber: true, isMinor: true, cell: ({ seq }) => formatCount(seq) },
  { title: 'Behind', isNumber: true, cell: ({ behind }) => formatCount(behind) },
  { title: 'Version', isMinor: true, cell: ({ version }) => version },
  { title: 'Reported', isNumber: true, isMinor: true, cell: ({ reportedAgoMs }) => `${seconds(reportedAgoMs)} ago` },
];

export function Replicas() {
  const replica = status.value?.replica ?? null;
  if (replica === null) return null;
  const { role, epoch, leaderUrl, leaseAgeMs, lag, members } = replica;
  return (
    <div class="operator-replicas">
      <FactList
        title="Role of this process"
        facts={[
          ['Role', role],
          ['Leader', leaderUrl ?? 'none'],
          ['Epoch', formatCount(epoch)],
          ['Age of the lease', leaseAgeMs === null ? '–' : seconds(leaseAgeMs)],
          ['Behind the log', `${formatCount(lag.entries)} entries, ${seconds(lag.ms)}`],
        ]}
      />
      <Panel title="Processes of this world">
        <Table
          caption="Processes that serve this world"
          columns={COLUMNS}
          rows={rowsOf(replica)}
          keyOf={({ id }) => id}
          empty={members.length === 0 ? 'None has reported lately.' : ''}
        />
      </Panel>
    </div>
  );
}

/** The leader first. */
function rowsOf({ id, members }: Replica): MemberRow[] {
  const newest = Math.max(0, ...members.map(({ seq }) => seq));
  return members
    .map((member) => ({ ...member, isThis: member.id === id, behind: newest - member.seq }))
    .sort((one, other) => one.role.localeCompare(other.role) || one.url.localeCompare(other.url));
}

/** What is wrong with the roles. */
export function roleConcerns(replica: Replica | null): Concern[] {
  if (replica === null) return [];
  const { mayAnswer, role, leaderUrl, lag, members } = replica;
  const concerns: (Omit<Concern, 'figure'> | false)[] = [
    !mayAnswer && {
      severity: 'bad',
      text: 'This process is not sure whether it leads, so it answers nothing about the world.',
      advice: 'It cannot renew its lease: look at the store, and at the network to it.',
    },
    leaderUrl === null && {
      severity: 'bad',
      text: 'No process leads the world, as far as this one knows.',
      advice: 'A standby takes over as soon as the lease has expired.',
    },
    role === 'standby' &&
      lag.ms >= LAG_WATCH_MS && {
        severity: 'watch',
        text: `This standby is ${formatCount(lag.entries)} entries behind, for ${seconds(lag.ms)}.`,
        advice: 'It has more work than one core can do, or the store is slow.',
      },
    members.length === 1 && {
      severity: 'watch',
      text: 'No other process serves the world.',
      advice: 'If this one ends, the world stands still: start a standby.',
    },
  ];
  return concerns.filter((concern) => concern !== false).map((concern) => ({ ...concern, figure: null }));
}

const LAG_WATCH_MS = 2_000;
