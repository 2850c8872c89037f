// The figures that are looked up rather than watched: log and snapshots, readers of events, the process, the settings of the world.
import { type Fact, FactList } from '../../parts/fact-list.js';
import { formatBytes, formatCount, formatDuration, formatRate, formatSeconds } from '../../parts/format.js';
import type { Shapes } from '../../world/api.js';
import { status } from '../../world/status.js';
import type { Figures } from './figures.js';

type Values = Figures['values'];

const known = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value);
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const age = (seconds: number): string => formatDuration(seconds * 1_000);

export function Facts({ newest: { values } }: { readonly newest: Figures }) {
  const body = status.value;
  return (
    <div class="facts-groups">
      <FactList title="Log and snapshots" facts={logFacts(values, body)} />
      <FactList title="Readers and connections" facts={readerFacts(values)} />
      <FactList title="Process" facts={processFacts(values)} />
      {body !== null && <FactList title="World" facts={worldFacts(body)} />}
    </div>
  );
}

function logFacts(values: Values, body: Shapes['Status'] | null): Fact[] {
  const { snapshotSeq, seq } = values;
  const behind = seq === null || snapshotSeq === null ? null : seq - snapshotSeq;
  return [
    ['Seq', known(values.seq, formatCount)],
    ['Durable seq', known(values.durableSeq, formatCount)],
    ['Written', `${known(values.entriesPerSecond, formatRate)} entries/s`],
    ['Snapshot taken', snapshotSeq === null ? 'none yet' : `${known(values.snapshotAgeSeconds, age)} ago`],
    ['Entries since then', known(behind, formatCount)],
    ['Log since then', known(values.logSinceSnapshotBytes, formatBytes)],
    ['Snapshot size', known(body?.snapshot?.byteCount ?? null, formatBytes)],
    ['Snapshot took', known(values.snapshotDurationSeconds, formatSeconds)],
    [
      'Snapshots taken, failed',
      `${known(values.snapshotsTaken, formatCount)}, ${known(values.snapshotsFailed, formatCount)}`,
    ],
    ['Disk free', known(values.diskFreeBytes, formatBytes)],
    ['History from seq', known(body?.history?.coveredFromSeq ?? null, formatCount)],
    ['History', body?.history?.isKept === true ? 'all is kept' : 'snapshots may delete it'],
  ];
}

function readerFacts(values: Values): Fact[] {
  return [
    ['Connections', known(values.connections, formatCount)],
    ['Requests in flight', known(values.requestsInFlight, formatCount)],
    ['Requests queued', known(values.requestsQueued, formatCount)],
    ['WebSockets', known(values.sockets, formatCount)],
    ['Subscriptions', known(values.subscriptions, formatCount)],
    ['of them viewers of the map', known(values.mapViewers, formatCount)],
    ['Streams', known(values.streams, formatCount)],
    ['Long polls', known(values.longPolls, formatCount)],
    ['Events delivered', `${known(values.eventsPerSecond, formatRate)}/s`],
    ['Map frames delivered', `${known(values.mapFramesPerSecond, formatRate)}/s`],
    ['Map characters delivered', `${known(values.mapCharactersPerSecond, formatRate)}/s`],
    ['Readers cut off', known(values.cutOff, formatCount)],
  ];
}

function processFacts(values: Values): Fact[] {
  return [
    ['CPU', `${known(values.cpuShare, percent)} of a core`],
    ['Resident memory', known(values.residentBytes, formatBytes)],
    ['Heap used', known(values.heapUsedBytes, formatBytes)],
    ['Heap', known(values.heapTotalBytes, formatBytes)],
    ['External', known(values.externalBytes, formatBytes)],
    ['Garbage collection', known(values.collectionShare, percent)],
    ['Collections', `${known(values.collectionsPerSecond, formatRate)}/s`],
    ['Event loop delay, median', known(values.loopDelayP50Seconds, formatSeconds)],
    ['Event loop delay, largest', known(values.loopDelayMaxSeconds, formatSeconds)],
    ['Files open', `${known(values.filesOpen, formatCount)} of ${known(values.filesMax, formatCount)}`],
    ['Lines of the log lost', known(values.linesDropped, formatCount)],
  ];
}

function worldFacts(body: Shapes['Status']): Fact[] {
  const { rateLimits, origin } = body;
  return [
    ['Rules', `${body.rules.name} (${body.rules.digest})`],
    ['Seed', String(body.seed)],
    ['Speed', formatRate(body.speed)],
    ['Clock', body.clock],
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
