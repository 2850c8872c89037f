// The table of all metrics of a world: names, help texts, and where each value is kept. Names and labels are stable.
// Values are read only on a scrape, and reading them looks only at counters.
import type { IntervalHistogram } from 'node:perf_hooks';
import type { ReadonlyWorld } from '../../engine/world/state.js';
import type { ScrubReport } from '../../persistence/upkeep/scrubber.js';
import type { SnapshotReport } from '../../persistence/upkeep/snapshot-keeper.js';
import type { BucketCounts } from '../../persistence/writer/figures.js';
import type { ServedSequencer } from '../../persistence/writer/sequencer.js';
import type { WorkQueue } from '../admission/work-queue.js';
import type { ReaderCounts } from '../events/reader-counts.js';
import type { ReplicaGate } from '../replica/replica-gate.js';
import type { ServerCounts } from '../server/request-counts.js';
import type { Traffic } from '../server/traffic.js';
import { BUILD } from '../version.js';

/** What the names of our own metrics begin with. */
export const METRIC_PREFIX = 'galaxyd_';

/** The delay of the event loop, which each reader observes by itself: what is read is forgotten. */
export const LOOP_DELAY = 'event_loop_delay_seconds';
export const LOOP_DELAY_PERCENTILES = [50, 99, 100] as const;
/** Sampling interval of the event loop delay. */
export const LOOP_DELAY_RESOLUTION_MS = 20;

/** Node reports the length of a sampling period, of which the resolution is expected; and 0 before the first period. */
export function delaySeconds(delays: IntervalHistogram, percentile: number): number {
  return Math.max(0, delays.percentile(percentile) / 1e9 - LOOP_DELAY_RESOLUTION_MS / 1_000);
}

/** Where the values are kept. */
export interface MetricSources {
  readonly counts: Pick<ServerCounts, 'routes' | 'calls' | 'connections'>;
  readonly traffic: Pick<Traffic, 'inFlight'>;
  readonly sequencer: Pick<
    ServedSequencer,
    | 'lastSeq'
    | 'durableSeq'
    | 'heldReplies'
    | 'commandCounts'
    | 'commitFigures'
    | 'freeDiskBytes'
    | 'bytesSinceCut'
    | 'availability'
  >;
  /** Largest lag of a timer since this reader last asked. */
  readonly takeTimerLagMs: () => number;
  readonly world: Pick<ReadonlyWorld, 'playerCount'> & { readonly timers: Pick<ReadonlyWorld['timers'], 'size'> };
  readonly snapshots: { readonly report: SnapshotReport };
  readonly scrubs: { readonly report: ScrubReport };
  readonly log: { readonly droppedLines: number };
  /** The machine's clock, milliseconds since 1970. */
  readonly wallMs: () => number;
  readonly work: Pick<WorkQueue, 'size'>;
  readonly readers: Readonly<ReaderCounts>;
  /** Null if only this process serves the world. */
  readonly gate: Pick<ReplicaGate, 'replica' | 'refusals' | 'waitingCount'> | null;
}

/** What a scrape says of a metric, besides its values. */
export interface MetricDescription {
  /** The name without its prefix `galaxyd_`; its last word is the unit. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

interface MetricRow<V> extends MetricDescription {
  /** Emits every value, with its label values in the order of `labels`. */
  read(sources: MetricSources, emit: (value: V, ...labels: string[]) => void): void;
}

export const COUNTERS: readonly MetricRow<number>[] = [
  {
    name: 'http_requests_total',
    help:
      'Requests by route, method and status. Code aborted: the client disconnected first; dropped: closed without a ' +
      'reply. Operations of a batch are counted only as commands.',
    labels: ['route', 'method', 'code'],
    read({ counts: { routes } }, emit) {
      for (const { route, methods } of routes) {
        for (const counts of methods) counts.visit((code, count) => emit(count, route, counts.method, code));
      }
    },
  },
  {
    name: 'websocket_calls_total',
    help: 'Calls over WebSockets by route, method and status. Code aborted: the client disconnected first.',
    labels: ['route', 'method', 'code'],
    read({ counts: { calls } }, emit) {
      for (const { route, methods } of calls) {
        for (const counts of methods) counts.visit((code, count) => emit(count, route, counts.method, code));
      }
    },
  },
  {
    name: 'engine_commands_total',
    help:
      'Commands by type and result: accepted, or the code of the refusal. ' +
      'Type advance_time counts ticks that fired timers.',
    labels: ['type', 'result'],
    read({ sequencer }, emit) {
      sequencer.commandCounts.visit((type, outcome, count) => emit(count, type, outcome));
    },
  },
  {
    name: 'snapshots_taken_total',
    help: 'Snapshots taken and verified on behalf of this process.',
    read: ({ snapshots }, emit) => emit(snapshots.report.takenCount),
  },
  {
    name: 'snapshots_failed_total',
    help: 'Snapshots that failed.',
    read: ({ snapshots }, emit) => emit(snapshots.report.failedCount),
  },
  {
    name: 'verify_bytes_total',
    help: 'Bytes of log and snapshots that the verification in the background has found sound.',
    read: ({ scrubs }, emit) => emit(scrubs.report.byteCount),
  },
  {
    name: 'verify_faults_total',
    help: 'Passes of the verification in the background that found damage; the log of the server says which.',
    read: ({ scrubs }, emit) => emit(scrubs.report.faultCount),
  },
  {
    name: 'log_lines_dropped_total',
    help: 'Lines of the server log that could not be written to standard output or standard error.',
    read: ({ log }, emit) => emit(log.droppedLines),
  },
  {
    name: 'events_delivered_total',
    help: 'Events handed to the transport, by reader: long_poll, stream or socket.',
    labels: ['reader'],
    read({ readers }, emit) {
      for (const [reader, count] of Object.entries(readers.delivered)) emit(count, reader);
    },
  },
  {
    name: 'event_readers_cut_off_total',
    help:
      'Streams and WebSocket connections that the server ended, by reason: expired (the next event was no longer kept), ' +
      'stalled (the client did not read), unauthenticated, misbehaved (against the protocol or its limits), ' +
      'retired (the player), or no_leader (WebSockets of a process that is not sure that it leads).',
    labels: ['reason'],
    read({ readers }, emit) {
      for (const [reason, count] of Object.entries(readers.cutOff)) emit(count, reason);
    },
  },
  {
    name: 'map_frames_made_total',
    help: 'Frames of the map that were rendered: shared by all viewers, or own, for viewers that have missed some.',
    labels: ['kind'],
    read({ readers }, emit) {
      for (const [kind, count] of Object.entries(readers.mapFramesMade)) emit(count, kind);
    },
  },
  {
    name: 'map_frames_delivered_total',
    help: 'Frames of the map handed to the transport.',
    read: ({ readers }, emit) => emit(readers.mapFramesDelivered),
  },
  {
    name: 'map_frame_characters_total',
    help: 'Characters of these frames.',
    read: ({ readers }, emit) => emit(readers.mapCharactersDelivered),
  },
  {
    name: 'replica_refusals_total',
    help:
      'Requests and calls that this process did not take because of its role, by code: not_leader (421), no_leader or ' +
      'replica_behind (503).',
    labels: ['code'],
    read({ gate }, emit) {
      for (const [code, count] of Object.entries(gate?.refusals ?? {})) emit(count, code);
    },
  },
];

/** A gauge that emits nothing has no known value at present. */
export const GAUGES: readonly MetricRow<number>[] = [
  {
    name: 'build_info',
    help: 'Always 1. Its labels are the version, with the commit, and the release of Node.',
    labels: ['version', 'node'],
    read: (_sources, emit) => emit(1, BUILD, process.version),
  },
  {
    name: 'players',
    help: 'Players of the world.',
    read: ({ world }, emit) => emit(world.playerCount),
  },
  {
    name: 'http_requests_in_flight',
    help: 'Requests that have not been answered yet.',
    read: ({ traffic }, emit) => emit(traffic.inFlight),
  },
  {
    name: 'http_requests_queued',
    help: 'Requests in the work queue: waiting, or partly done.',
    read: ({ work }, emit) => emit(work.size),
  },
  {
    name: 'http_connections',
    help: 'Open connections; with the native server approximate, and only on Linux.',
    read: ({ counts }, emit) => emit(counts.connections),
  },
  {
    name: 'event_long_polls_held',
    help: 'Long polls that wait for an event.',
    read: ({ readers }, emit) => emit(readers.longPollsHeld),
  },
  {
    name: 'event_streams',
    help: 'Open streams of server-sent events.',
    read: ({ readers }, emit) => emit(readers.streamsOpen),
  },
  {
    name: 'websocket_connections',
    help: 'Open WebSocket connections.',
    read: ({ readers }, emit) => emit(readers.socketsOpen),
  },
  {
    name: 'event_subscriptions',
    help: 'Subscriptions of all WebSocket connections.',
    read: ({ readers }, emit) => emit(readers.subscriptions),
  },
  {
    name: 'map_viewers',
    help: 'Subscriptions to the map.',
    read: ({ readers }, emit) => emit(readers.mapViewers),
  },
  {
    name: 'replies_held',
    help: 'Replies waiting for the disk.',
    read: ({ sequencer }, emit) => emit(sequencer.heldReplies),
  },
  {
    name: 'seq',
    help: 'Seq of the last accepted entry.',
    read: ({ sequencer }, emit) => emit(sequencer.lastSeq),
  },
  {
    name: 'durable_seq',
    help: 'Seq of the last durable entry.',
    read: ({ sequencer }, emit) => emit(sequencer.durableSeq),
  },
  {
    name: 'timers_pending',
    help: 'Pending timers of the world.',
    read: ({ world: { timers } }, emit) => emit(timers.size),
  },
  {
    name: 'timer_lag_seconds',
    help: 'Largest delay of a timer that fired since the last scrape; 0 if none was late.',
    read: ({ takeTimerLagMs }, emit) => emit(takeTimerLagMs() / 1_000),
  },
  {
    name: 'snapshot_seq',
    help: 'Seq of the newest verified snapshot.',
    read: ({ snapshots }, emit) => emitKnown(emit, snapshots.report.newest?.seq),
  },
  {
    name: 'snapshot_age_seconds',
    help: 'Time since the newest verified snapshot was taken.',
    read({ snapshots, wallMs }, emit) {
      const { newest } = snapshots.report;
      if (newest !== null) emit(Math.max(0, wallMs() - newest.createdAtMs) / 1_000);
    },
  },
  {
    name: 'snapshot_duration_seconds',
    help: 'Duration of the newest verified snapshot, if it was taken on behalf of this process.',
    read({ snapshots }, emit) {
      const { durationMs } = snapshots.report;
      if (durationMs !== null) emit(durationMs / 1_000);
    },
  },
  {
    name: 'snapshot_is_late',
    help: '1 while snapshots cannot keep up with the world, else 0.',
    read: ({ snapshots }, emit) => emit(snapshots.report.isLate ? 1 : 0),
  },
  {
    name: 'verify_age_seconds',
    help: 'Time since the world was last found sound in the background; absent before the first time.',
    read({ scrubs }, emit) {
      const { ageMs } = scrubs.report;
      if (ageMs !== null) emit(ageMs / 1_000);
    },
  },
  {
    name: 'verify_is_damaged',
    help: '1 if the last pass of the verification in the background found damage, else 0.',
    read: ({ scrubs }, emit) => emit(scrubs.report.isDamaged ? 1 : 0),
  },
  {
    name: 'verify_is_late',
    help: '1 if no pass has ended within twice the time of --verify-hours, else 0.',
    read: ({ scrubs }, emit) => emit(scrubs.report.isLate ? 1 : 0),
  },
  {
    name: 'log_since_snapshot_bytes',
    help: 'Bytes of the log since it was cut for the newest snapshot; --snapshot-log-mib says when the next is due.',
    read: ({ sequencer }, emit) => emit(sequencer.bytesSinceCut),
  },
  {
    name: 'storage_is_unavailable',
    help: '1 while commands are refused because the disk is nearly full or a file of the log is gone, else 0.',
    read: ({ sequencer }, emit) => emit(sequencer.availability() === 'storage_unavailable' ? 1 : 0),
  },
  {
    name: 'disk_free_bytes',
    help: 'Free bytes on the disk of the data folder, at the last check.',
    read: ({ sequencer }, emit) => emitKnown(emit, sequencer.freeDiskBytes),
  },
  {
    name: 'replica_is_leader',
    help: '1 if this process leads the world and is sure of it, else 0. Unknown if it alone serves the world, like the next ones.',
    read({ gate }, emit) {
      if (gate !== null) emit(gate.replica.role === 'leader' && gate.replica.mayAnswer ? 1 : 0);
    },
  },
  {
    name: 'replica_epoch',
    help: 'Epoch of the present leader, as far as this process knows; it grows each time that a process begins to lead.',
    read: ({ gate }, emit) => emitKnown(emit, gate?.replica.epoch),
  },
  {
    name: 'replica_lag_entries',
    help: 'Entries of the log that this standby has not applied yet; 0 on the leader.',
    read: ({ gate }, emit) => emitKnown(emit, gate?.replica.lag.entries),
  },
  {
    name: 'replica_lag_seconds',
    help: 'How long this standby has been behind the log, or has not reached it; 0 on the leader.',
    read({ gate }, emit) {
      if (gate !== null) emit(gate.replica.lag.ms / 1_000);
    },
  },
  {
    name: 'replica_lease_age_seconds',
    help: 'Time since the leader renewed its lease; on a standby, since it saw that.',
    read({ gate }, emit) {
      const ageMs = gate?.replica.leaseAgeMs ?? null;
      if (ageMs !== null) emit(ageMs / 1_000);
    },
  },
  {
    name: 'replica_members',
    help: 'Processes that serve the world and reported lately.',
    read: ({ gate }, emit) => emitKnown(emit, gate?.replica.members.length),
  },
  {
    name: 'replica_requests_waiting',
    help: 'Requests that wait for an entry, an event or the end of a handover.',
    read: ({ gate }, emit) => emitKnown(emit, gate?.waitingCount),
  },
];

export const HISTOGRAMS: readonly MetricRow<BucketCounts>[] = [
  {
    name: 'http_request_duration_seconds',
    help:
      'Time from the arrival of the head of a request until its reply was written, by route; ' +
      'routes without requests are omitted.',
    labels: ['route'],
    read({ counts: { routes } }, emit) {
      for (const { route, durations } of routes) if (durations.count > 0) emit(durations, route);
    },
  },
  {
    name: 'websocket_call_duration_seconds',
    help: 'Time from the arrival of a call until its reply was written, by route; routes without calls are omitted.',
    labels: ['route'],
    read({ counts: { calls } }, emit) {
      for (const { route, durations } of calls) if (durations.count > 0) emit(durations, route);
    },
  },
  {
    name: 'log_batch_entries',
    help: 'Entries per record of the log; a record is written and flushed as one.',
    read: ({ sequencer }, emit) => emit(sequencer.commitFigures.batchEntries),
  },
  {
    name: 'log_flush_duration_seconds',
    help: 'Time from the start of the write of a record until it was durable.',
    read: ({ sequencer }, emit) => emit(sequencer.commitFigures.flushSeconds),
  },
];

function emitKnown(emit: (value: number) => void, value: number | undefined): void {
  if (value !== undefined) emit(value);
}
