// The figures that are looked up rather than watched: log and snapshots, readers of events, the process, the settings of the world.
import { formatBytes, formatCount, formatDuration, formatKnown, formatRate } from '../../parts/format.js';
import { type Fact, FactPanel } from '../../parts/page.js';
import type { Shapes } from '../../world/api.js';
import { status } from '../../world/status.js';
import { type FigureName, type Figures, textOf } from './figures.js';

type Values = Figures['values'];
type Status = Shapes['Status'];

/** A term, and the figure or the text that it stands for. */
type Row = readonly [term: string, value: FigureName | ((values: Values, body: Status | null) => string)];

const GROUPS: Readonly<Record<string, readonly Row[]>> = {
  'Log and snapshots': [
    ['Seq', 'seq'],
    ['Durable seq', 'durableSeq'],
    ['Written', ({ entriesPerSecond }) => `${formatKnown(entriesPerSecond, formatRate)} entries/s`],
    ['Snapshot taken', ageOfSnapshot],
    [
      'Entries since then',
      ({ seq, snapshotSeq }) => (seq === null || snapshotSeq === null ? '–' : formatCount(seq - snapshotSeq)),
    ],
    ['Log since then', 'logSinceSnapshotBytes'],
    ['Snapshot size', (_, body) => formatKnown(body?.snapshot?.byteCount ?? null, formatBytes)],
    ['Snapshot took', 'snapshotDurationSeconds'],
    [
      'Snapshots taken, failed',
      (values) => `${textOf(values, 'snapshotsTaken')}, ${textOf(values, 'snapshotsFailed')}`,
    ],
    ['Disk free', 'diskFreeBytes'],
    ['History from seq', (_, body) => formatKnown(body?.history?.coveredFromSeq ?? null, formatCount)],
    ['History', (_, body) => (body?.history?.isKept === true ? 'all is kept' : 'snapshots may delete it')],
  ],
  'Readers and connections': [
    ['Connections', 'connections'],
    ['Requests in flight', 'requestsInFlight'],
    ['Requests queued', 'requestsQueued'],
    ['WebSockets', 'sockets'],
    ['Subscriptions', 'subscriptions'],
    ['of them viewers of the map', 'mapViewers'],
    ['Streams', 'streams'],
    ['Long polls', 'longPolls'],
    ['Events delivered', 'eventsPerSecond'],
    ['Map frames delivered', 'mapFramesPerSecond'],
    ['Map characters delivered', 'mapCharactersPerSecond'],
    ['Readers cut off', 'cutOff'],
  ],
  Process: [
    ['CPU', (values) => `${textOf(values, 'cpuShare')} of a core`],
    ['Resident memory', 'residentBytes'],
    ['Heap used', 'heapUsedBytes'],
    ['Heap', 'heapTotalBytes'],
    ['External', 'externalBytes'],
    ['Garbage collection', 'collectionShare'],
    ['Collections', 'collectionsPerSecond'],
    ['Event loop delay, median', 'loopDelayP50Seconds'],
    ['Event loop delay, largest', 'loopDelayMaxSeconds'],
    ['Files open', (values) => `${textOf(values, 'filesOpen')} of ${textOf(values, 'filesMax')}`],
    ['Lines of the log lost', 'linesDropped'],
  ],
};

export function Facts({ newest: { values } }: { readonly newest: Figures }) {
  const body = status.value;
  const factOf = ([term, value]: Row): Fact => [
    term,
    typeof value === 'string' ? textOf(values, value) : value(values, body),
  ];
  return (
    <div class="facts-groups">
      {Object.entries(GROUPS).map(([title, rows]) => (
        <FactPanel key={title} title={title} facts={rows.map(factOf)} />
      ))}
      {body !== null && <FactPanel title="World" facts={worldFacts(body)} />}
    </div>
  );
}

function ageOfSnapshot({ snapshotSeq, snapshotAgeSeconds }: Values): string {
  if (snapshotSeq === null) return 'none yet';
  return `${formatKnown(snapshotAgeSeconds, (seconds) => formatDuration(seconds * 1_000))} ago`;
}

function worldFacts(body: Status): Fact[] {
  const { rateLimits, origin } = body;
  return [
    ['Rules', `${body.rules.name} (${body.rules.digest})`],
    ['Speed', formatRate(body.speed)],
    ['Clock', body.pausedAt === null ? body.clock : `${body.clock}, paused`],
    ['Systems in a galaxy', formatCount(body.systemsPerGalaxy)],
    ['Players', formatCount(body.players)],
    ['Planets owned', formatCount(body.planets)],
    ['Fleets in flight', formatCount(body.fleets)],
    ['Began', body.startedAt.slice(0, 19).replace('T', ' ')],
    ['Replies', body.durability === 'durable' ? 'once durable' : 'once applied (relaxed)'],
    ['Keys', body.auth === 'key' ? 'needed' : 'none'],
    ['Registration', body.registration],
    ['Development paths', body.development],
    ['Rate limit', rateLimits === null ? 'none' : `${rateLimits.perSecond}/s`],
    ...(origin === null
      ? []
      : [['Made from', `${origin.kind} of ${origin.from} at ${formatCount(origin.seq)}`] as const]),
  ];
}
