// The processes that serve the world: which one leads, how old its lease is, how far the others are behind. Nothing if there is only one.
import { LAG_WATCH_MS } from '../../limits.js';
import { formatCount, formatSeconds } from '../../parts/format.js';
import { FactPanel, Panel } from '../../parts/page.js';
import { type Column, counts, Table } from '../../parts/table.js';
import { say } from '../../parts/values.js';
import type { Shapes } from '../../world/api.js';
import { status } from '../../world/status.js';
import type { Concern } from './concerns.js';

type Replica = Shapes['ReplicaState'];

type MemberRow = Replica['members'][number] & {
  readonly isThis: boolean;
  /** Entries behind the one that has most. */
  readonly behind: number;
};

const seconds = (milliseconds: number): string => formatSeconds(milliseconds / 1_000);

const THIS_ONE = <span class="replica-this"> this one</span>;

const COLUMNS: readonly Column<MemberRow>[] = [
  { title: 'Process', isHeading: true, cell: ({ url, isThis }) => say`${url}${isThis && THIS_ONE}` },
  { title: 'Role', cell: ({ role }) => role },
  counts('Seq', ({ seq }) => seq, true),
  counts('Behind', ({ behind }) => behind),
  { title: 'Version', isMinor: true, cell: ({ version }) => version },
  { title: 'Reported', isNumber: true, isMinor: true, cell: ({ reportedAgoMs }) => `${seconds(reportedAgoMs)} ago` },
];

export function Replicas() {
  const replica = status.value?.replica ?? null;
  if (replica === null) return null;
  const { role, epoch, leaderUrl, leaseAgeMs, lag, members } = replica;
  return (
    <div class="operator-replicas">
      <FactPanel
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
  const concerns: (Concern | false)[] = [
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
  return concerns.filter((concern) => concern !== false);
}
