// The one table of what /metrics tells of a world: names, meanings, and where each number is kept. Names and labels are
// stable. Nothing here runs before somebody asks, and nothing looks at more than counters.
import type { ReadonlyWorld } from '../../engine/state.js';
import type { SnapshotReport } from '../../persistence/upkeep/snapshot-report.js';
import type { BucketCounts } from '../../persistence/writer/bucket-counts.js';
import type { Sequencer } from '../../persistence/writer/sequencer.js';
import type { WorkQueue } from '../admission/work-queue.js';
import type { RouteCounts } from '../pipeline/request-counts.js';
import type { HttpServer } from '../server.js';
import type { Traffic } from '../transport/traffic.js';

/** Where the numbers are. */
export interface MetricSources {
  readonly routes: readonly RouteCounts[];
  readonly traffic: Pick<Traffic, 'inFlight'>;
  readonly sequencer: Pick<
    Sequencer,
    'lastSeq' | 'durableSeq' | 'heldReplies' | 'commandCounts' | 'commitFigures' | 'freeDiskBytes' | 'takeTimerLagMs'
  >;
  readonly timers: Pick<ReadonlyWorld['timers'], 'size'>;
  readonly snapshots: { readonly report: SnapshotReport };
  readonly log: { readonly droppedLines: number };
  /** The machine's clock, milliseconds since 1970. */
  readonly wallMs: () => number;
  readonly work: Pick<WorkQueue, 'size'>;
  readonly server: Pick<HttpServer, 'connectionCount'>;
}

interface MetricRow<V> {
  /** After `galaxyd_`; its last word is the unit. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Tells every value there is, with those of its labels in their order. */
  read(sources: MetricSources, tell: (value: V, ...labels: string[]) => void): void;
}

export const COUNTERS: readonly MetricRow<number>[] = [
  {
    name: 'http_requests_total',
    help: 'Requests by route, method and status; code aborted: the client left first, dropped: closed without a reply. Operations of a batch count as commands alone.',
    labels: ['route', 'method', 'code'],
    read({ routes }, tell) {
      for (const { route, methods } of routes) {
        for (const counts of methods) counts.visit((code, count) => tell(count, route, counts.method, code));
      }
    },
  },
  {
    name: 'engine_commands_total',
    help: 'Commands by type; result accepted, or the code of the refusal. Type advance_time: ticks that fired timers.',
    labels: ['type', 'result'],
    read({ sequencer }, tell) {
      sequencer.commandCounts.visit((type, outcome, count) => tell(count, type, outcome));
    },
  },
  {
    name: 'snapshots_taken_total',
    help: 'Snapshots that this process had taken and verified.',
    read: ({ snapshots }, tell) => tell(snapshots.report.takenCount),
  },
  {
    name: 'snapshots_failed_total',
    help: 'Snapshots that came to nothing.',
    read: ({ snapshots }, tell) => tell(snapshots.report.failedCount),
  },
  {
    name: 'log_lines_dropped_total',
    help: 'Lines of the server log that could not be written to standard output or standard error.',
    read: ({ log }, tell) => tell(log.droppedLines),
  },
];

/** A gauge without a value is one that cannot be told now. */
export const GAUGES: readonly Omit<MetricRow<number>, 'labels'>[] = [
  {
    name: 'http_requests_in_flight',
    help: 'Requests that are not answered yet.',
    read: ({ traffic }, tell) => tell(traffic.inFlight),
  },
  {
    name: 'http_requests_queued',
    help: 'Requests that wait for a turn, or are partly done, because they cost more than a moment.',
    read: ({ work }, tell) => tell(work.size),
  },
  {
    name: 'http_connections',
    help: 'Open connections; of the native server about as many, and only on Linux.',
    read: ({ server }, tell) => tell(server.connectionCount),
  },
  {
    name: 'replies_held',
    help: 'Replies that wait for the disk.',
    read: ({ sequencer }, tell) => tell(sequencer.heldReplies),
  },
  {
    name: 'seq',
    help: 'Seq of the last accepted entry.',
    read: ({ sequencer }, tell) => tell(sequencer.lastSeq),
  },
  {
    name: 'durable_seq',
    help: 'Seq up to which everything is on disk.',
    read: ({ sequencer }, tell) => tell(sequencer.durableSeq),
  },
  {
    name: 'timers_pending',
    help: 'Timers of the world that are yet to fire.',
    read: ({ timers }, tell) => tell(timers.size),
  },
  {
    name: 'timer_lag_seconds',
    help: 'By how much the latest timer was late that fired since the last scrape; 0: none fired late.',
    read: ({ sequencer }, tell) => tell(sequencer.takeTimerLagMs() / 1_000),
  },
  {
    name: 'snapshot_seq',
    help: 'Seq of the newest verified snapshot.',
    read: ({ snapshots }, tell) => tellKnown(tell, snapshots.report.newest?.seq),
  },
  {
    name: 'snapshot_age_seconds',
    help: 'Time since the newest verified snapshot was taken.',
    read({ snapshots, wallMs }, tell) {
      const { newest } = snapshots.report;
      if (newest !== null) tell(Math.max(0, wallMs() - newest.createdAtMs) / 1_000);
    },
  },
  {
    name: 'snapshot_duration_seconds',
    help: 'How long the newest verified snapshot took, if this process made it.',
    read({ snapshots }, tell) {
      const { durationMs } = snapshots.report;
      if (durationMs !== null) tell(durationMs / 1_000);
    },
  },
  {
    name: 'snapshot_is_late',
    help: '1 while snapshots cannot keep up with the world, else 0.',
    read: ({ snapshots }, tell) => tell(snapshots.report.isLate ? 1 : 0),
  },
  {
    name: 'disk_free_bytes',
    help: 'Bytes free on the disk of the data folder, at the last look.',
    read: ({ sequencer }, tell) => tellKnown(tell, sequencer.freeDiskBytes),
  },
];

export const HISTOGRAMS: readonly MetricRow<BucketCounts>[] = [
  {
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of the head of a request until its reply was written, by route; routes that were asked for.',
    labels: ['route'],
    read({ routes }, tell) {
      for (const { route, durations } of routes) if (durations.count > 0) tell(durations, route);
    },
  },
  {
    name: 'log_batch_entries',
    help: 'Entries of each record of the log, which is written and flushed at once.',
    read: ({ sequencer }, tell) => tell(sequencer.commitFigures.batchEntries),
  },
  {
    name: 'log_flush_duration_seconds',
    help: 'Time from the beginning of the write of a record until it was on disk.',
    read: ({ sequencer }, tell) => tell(sequencer.commitFigures.flushSeconds),
  },
];

function tellKnown(tell: (value: number) => void, value: number | undefined): void {
  if (value !== undefined) tell(value);
}
