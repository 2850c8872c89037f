// For each alert of deploy/prometheus-rules.yml a failure that comes and goes, as what is scraped every 15 seconds: values of series in
// promtool's notation. `0x8 1x8` is 0 nine times, then 1 nine times; `0+5x8` is 0, 5, 10, up to 40.

export interface AlertCase {
  readonly series: Readonly<Record<string, string>>;
  /** When it fires, and when it does not any more. */
  readonly firesAt: string;
  readonly endsAt: string;
}

const ONE = 'instance="one",job="galaxyd"';
const TWO = 'instance="two",job="galaxyd"';
const gauge = (name: string): string => `${name}{${ONE}}`;

export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  GalaxydDown: { series: { [gauge('up')]: '1x4 0x8 1x8' }, firesAt: '3m', endsAt: '4m' },
  GalaxydRestarts: {
    series: { [gauge('process_start_time_seconds')]: '100x4 200x4 300x4 400x100' },
    firesAt: '5m',
    endsAt: '20m',
  },
  GalaxydRefusesCommands: {
    series: { [gauge('galaxyd_storage_is_unavailable')]: '0x4 1x4 0x8' },
    firesAt: '2m',
    endsAt: '3m',
  },
  GalaxydDiskFillsUp: {
    series: { [gauge('galaxyd_disk_free_bytes')]: '100000000x80 100000000000x80' },
    firesAt: '16m',
    // The prediction has forgotten the rise.
    endsAt: '35m',
  },
  GalaxydSnapshotsLate: { series: { [gauge('galaxyd_snapshot_is_late')]: '0x4 1x4 0x8' }, firesAt: '2m', endsAt: '3m' },
  GalaxydSnapshotsFail: {
    series: { [gauge('galaxyd_snapshots_failed_total')]: '0x8 1x200' },
    firesAt: '5m',
    endsAt: '40m',
  },
  GalaxydSnapshotOld: {
    series: { [gauge('galaxyd_snapshot_age_seconds')]: '3500+15x100 0x20', [gauge('galaxyd_seq')]: '1+1x200' },
    firesAt: '20m',
    endsAt: '28m',
  },
  GalaxydDamaged: { series: { [gauge('galaxyd_verify_is_damaged')]: '0x4 1x4 0x8' }, firesAt: '2m', endsAt: '3m' },
  GalaxydVerifyLate: { series: { [gauge('galaxyd_verify_is_late')]: '0x4 1x4 0x8' }, firesAt: '2m', endsAt: '3m' },
  GalaxydDiskSlow: {
    series: {
      [`galaxyd_log_flush_duration_seconds_bucket{${ONE},le="0.1"}`]: '0+1x80 80+100x80',
      [`galaxyd_log_flush_duration_seconds_bucket{${ONE},le="1"}`]: '0+2x80 160+100x80',
      [`galaxyd_log_flush_duration_seconds_bucket{${ONE},le="+Inf"}`]: '0+2x80 160+100x80',
    },
    firesAt: '16m',
    endsAt: '30m',
  },
  GalaxydTimersLate: { series: { [gauge('galaxyd_timer_lag_seconds')]: '0x4 3x12 0x8' }, firesAt: '4m', endsAt: '5m' },
  GalaxydRepliesStuck: {
    series: { [gauge('galaxyd_replies_held')]: '0x4 40x20 0x8', [gauge('galaxyd_durable_seq')]: '1+1x4 5x20 6x8' },
    firesAt: '5m',
    endsAt: '7m',
  },
  GalaxydReadersStall: {
    series: { [`galaxyd_event_readers_cut_off_total{${ONE},reason="stalled"}`]: '0+3x120 360x80' },
    firesAt: '25m',
    endsAt: '45m',
  },
  GalaxydRequestsFail: {
    series: { [`galaxyd_http_requests_total{${ONE},code="500",method="GET",route="/api/status"}`]: '0x8 2x200' },
    firesAt: '5m',
    endsAt: '15m',
  },
  GalaxydLogLinesDropped: {
    series: { [gauge('galaxyd_log_lines_dropped_total')]: '0x8 3x200' },
    firesAt: '5m',
    endsAt: '15m',
  },
  GalaxydNoLeader: {
    series: {
      [`galaxyd_replica_is_leader{${ONE}}`]: '1x4 0x4 0x8',
      [`galaxyd_replica_is_leader{${TWO}}`]: '0x4 0x4 1x8',
    },
    firesAt: '2m',
    endsAt: '3m',
  },
  GalaxydLeaderLost: { series: { [gauge('galaxyd_replica_epoch')]: '1x4 2x100' }, firesAt: '2m', endsAt: '20m' },
  GalaxydStandbyBehind: {
    series: { [gauge('galaxyd_replica_lag_seconds')]: '0x4 9x8 0x8' },
    firesAt: '3m',
    endsAt: '4m',
  },
  GalaxydNoStandby: { series: { [gauge('galaxyd_replica_members')]: '2x4 1x30 2x8' }, firesAt: '8m', endsAt: '9m' },
};
