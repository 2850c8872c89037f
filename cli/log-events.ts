// The one table of what a running server logs: each event by a name that programs may rely on, with its level.

export const LOG_EVENTS = {
  starting: 'info',
  record_dropped: 'warn',
  world_made: 'info',
  world_recovered: 'info',
  snapshot_damaged: 'warn',
  snapshot_taken: 'info',
  snapshot_failed: 'error',
  snapshots_late: 'error',
  durability_doubtful: 'warn',
  log_file_lost: 'error',
  log_files_found: 'info',
  native_server_missing: 'warn',
  registration_unattended: 'warn',
  serving: 'info',
  role_leading: 'info',
  role_following: 'info',
  role_leaderless: 'warn',
  role_refused: 'error',
  role_paused: 'warn',
  role_resumed: 'info',
  role_handing_over: 'info',
  role_handed_over: 'info',
  store_unreachable: 'warn',
  store_reached: 'info',
  request_failed: 'error',
  timeline_failed: 'error',
  replay_failed: 'error',
  tournament_failed: 'error',
  log_lines_dropped: 'warn',
  stopping: 'info',
  stopped: 'info',
} as const satisfies Record<string, LogLevel>;

export type LogLevel = 'info' | 'warn' | 'error';
export type LogEvent = keyof typeof LOG_EVENTS;
