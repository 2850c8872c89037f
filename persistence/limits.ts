// Every limit of the persistence layer, by name. Limits of the world itself are in engine/rules/limits.ts.

/** Maximum entries in one log record; further entries start the next record. */
export const MAX_BATCH_ENTRIES = 16_384;
/**
 * Maximum bytes of one record's body, by the upper bound of entryBytesBound(). Small enough for a message of a remote log.
 */
export const MAX_BATCH_BYTES = 512 * 1024;

/**
 * Entries of one unit (GroupCommit.together), which stays in one record; from there on no further command joins the
 * unit.
 */
export const TOGETHER_ENTRIES_MAX = MAX_BATCH_ENTRIES;
/** The same limit in bytes, above MAX_BATCH_BYTES: room for a thousand of the longest commands of one request. */
export const TOGETHER_BYTES_MAX = 1024 * 1024;

/**
 * Maximum bytes of a stored record: TOGETHER_BYTES_MAX and the longest kept reply, with room. A log with a longer one was not
 * written by this program.
 */
export const RECORD_BYTES_MAX = 32 * 1024 * 1024;
/** Entries applied but not yet durable; from there on new commands are refused as `overloaded`. */
export const MAX_PENDING_ENTRIES = 262_144;
/** The same limit in bytes. */
export const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/**
 * Replies of commands and reads that wait for the disk; from there on new commands, and reads of state that is not
 * durable yet, are refused as `overloaded`.
 */
export const MAX_HELD_REPLIES = 65_536;

/** An append that takes longer has failed: the disk may never answer. */
export const FLUSH_STALL_MS = 5_000;
/** Additional time for a process that was stopped meanwhile. */
export const FLUSH_STALL_GRACE_MS = 1_000;
/** Timers, one after the other, that measure both: each stop of the process, however long, uses up one of them at most. */
export const FLUSH_STALL_TIMERS = 12;

/** Attempts to resolve an append with an unknown outcome; then the process ends. */
export const OUTCOME_ATTEMPTS_MAX = 10;
/** Pause between two attempts. All pauses together are shorter than FLUSH_STALL_MS. */
export const OUTCOME_WAIT_MS = 250;

/** Tick entries applied before yielding to the event loop; each fires at most TIMERS_PER_TICK timers. */
export const TICKS_PER_SLICE = 2;
/**
 * Longest time by which a real clock may be after the last entry of the log at a start or a takeover, and after its last reading while
 * it runs. A world that nobody plays logs nothing, so this does not bound a number of days.
 */
export const CLOCK_JUMP_MS_MAX = 366 * 86_400_000;
/**
 * How often an instant is logged, if nothing else is, in a world that does not make up for the time in which it was not served: after a
 * kill it goes on from the last instant in its log.
 */
export const INSTANT_MARK_MS = 10_000;
/** How often a served world is verified in the background, by default. */
export const SCRUB_EVERY_MS = 24 * 3_600_000;
/** Time from the start of a server to its first such pass, if they are not more frequent: a start has enough to do. */
export const SCRUB_FIRST_MS = 10 * 60_000;
/** Time after which a pass is repeated that could not read the world, or that has found damage for the first time. */
export const SCRUB_RETRY_MS = 10 * 60_000;
/** What a pass takes of a core, at most. */
export const SCRUB_CORE_SHARE = 0.25;
/** How long it sleeps at a time to keep to that. */
export const SCRUB_NAP_MS_MIN = 5;
export const SCRUB_NAP_MS_MAX = 500;
/** Longest delay of setTimeout; anything longer would fire at once. */
export const MAX_SLEEP_MS = 2 ** 31 - 1;

/** Records read from the log before yielding to the event loop. */
export const RECORDS_PER_READ = 256;
/** How long a replay applies the entries of one record before yielding to the event loop, which handles signals. */
export const REPLAY_TURN_MS = 1_000;
/** Entries that it applies before it looks at the clock again. */
export const ENTRIES_PER_CLOCK_LOOK = 64;
/** Bytes of records after which a read yields earlier; the last record may exceed it. */
export const BYTES_PER_READ = 4 * 1024 * 1024;

/**
 * Descriptors of an open LMDB environment: its lock file, its data file, and the data file again for synchronous
 * writes.
 */
export const LMDB_FILES = 3;
/** More bytes than the files of an empty segment take, with the largest page size. */
export const BLANK_BYTES_MAX = 256 * 1024;
/** Maximum bytes of a segment's file: a thousand times those after which the log is cut. */
export const SEGMENT_BYTES_MAX = 256 * 1024 ** 3;
/** Bytes of LMDB's lock file. */
export const LMDB_LOCK_BYTES = 8_272;
/** Maximum bytes of that file: LMDB maps the whole file into memory. */
export const LMDB_LOCK_BYTES_MAX = 1024 * 1024;
/** Maximum bytes of the file that records a world's origin. */
export const ORIGIN_BYTES_MAX = 64 * 1024;
/** Bytes after which the file of a trail of the operator begins anew; the one before is kept, too. */
export const OPERATOR_TRAIL_BYTES_MAX = { actions: 4 * 1024 * 1024, refusals: 1024 * 1024 } as const;
/** Lines of such a trail in a database, or in memory. */
export const OPERATOR_LINES_MAX = { actions: 20_000, refusals: 5_000 } as const;
/** Bytes of the operator's document beside a world. */
export const OPERATOR_DOCUMENT_BYTES_MAX = 256 * 1024;
/** Maximum rows in one chunk of a snapshot. */
export const SNAPSHOT_CHUNK_ROWS = 1_000;
/** Bytes after which a chunk ends earlier, by the upper bound of entryBytesBound(); its last row may exceed it. */
export const SNAPSHOT_CHUNK_BYTES = 1024 * 1024;
/** Maximum chunk size: a header that says more is damaged. */
export const SNAPSHOT_CHUNK_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum bytes of a manifest. */
export const SNAPSHOT_MANIFEST_BYTES_MAX = 64 * 1024;
/** Bytes read from the rows of a snapshot at a time. */
export const SNAPSHOT_READ_BYTES = 1024 * 1024;
/** Bytes of a snapshot that are written between two flushes. One flush at the end would block the log's flushes. */
export const SNAPSHOT_FLUSH_BYTES = 4 * 1024 * 1024;

/**
 * Attempts to read a consistent state of an LMDB file that is being written. An attempt takes microseconds, a commit a
 * millisecond.
 */
export const LOOKS_MAX = 10_000;

/**
 * How often a reader lists a log's segments again because the writer cut or pruned between listing and opening them.
 */
export const RELISTS_MAX = 100;

/** Records of a log that are copied to another store in one write, at most. */
export const COPY_BATCH_RECORDS = 256;
/** Bytes after which such a write ends earlier; its last record may exceed it. */
export const COPY_BATCH_BYTES = 4 * 1024 * 1024;
/** How often a copy that follows a server looks for new records, and whether the server has stopped. */
export const COPY_FOLLOW_MS = 50;
/** How often a copy starts over because a running server has removed the snapshots that it had copied. */
export const COPY_ATTEMPTS_MAX = 10;

/** How often a follower of another process's log polls for new records. */
export const FOLLOW_POLL_MS = 50;

/** Maximum bytes of the last message of a fail-stop: a pipe takes that many atomically (POSIX: PIPE_BUF). */
export const LAST_WORDS_BYTES_MAX = 4_096;

/** Free bytes below which writes are refused as `storage_unavailable`: many seconds of writing at full speed. */
export const DISK_FLOOR_BYTES = 256 * 1024 * 1024;
/**
 * Free bytes that opening a log requires. LMDB writes its lock file through a memory map: if the disk has no room for
 * the pages, the process dies of SIGBUS without a message.
 */
export const OPENING_BYTES_MIN = 1024 * 1024;
/** How often free space is measured, and the files of the log are looked for. */
export const DISK_POLL_MS = 1_000;

/** Time after which a snapshot of a changing world is due by default. */
export const SNAPSHOT_EVERY_MS = 30 * 60_000;
/** Bytes of log after which a snapshot is due by default: some minutes of writing at full speed. */
export const SNAPSHOT_LOG_BYTES = 256 * 1024 * 1024;
/**
 * Log entries between two snapshots that are kept as history: about a second of replay. The two newest snapshots are
 * always kept.
 */
export const HISTORY_SNAPSHOT_ENTRIES = 1_000_000;
/** How often the keeper checks whether a snapshot is due. */
export const SNAPSHOT_POLL_MS = 1_000;
/** How long to wait before retrying a failed snapshot. */
export const SNAPSHOT_RETRY_MS = 60_000;

/** How long the two ends of a history are not looked up again. */
export const HISTORY_END_MAX_AGE_MS = 1_000;
/** How often a replay that plays applies what has fallen due. */
export const REPLAY_TICK_MS = 50;
/** Movements of a replay that have been asked for and have not ended: each waits until the newest has ended. */
export const REPLAY_MOVEMENTS_MAX = 64;
/** How long a replay applies entries before other work has its turn. */
export const REPLAY_SLICE_MS = 10;
/** Highest speed of a replay: a day of world time takes about a second. */
export const REPLAY_SPEED_MAX = 100_000;
/** Lowest speed of a replay. */
export const REPLAY_SPEED_MIN = 0.1;
/** Parts of equal duration in the timeline of a history, at most. If it grows, pairs of them become one. */
export const TIMELINE_BUCKETS_MAX = 400;
/** Battles that a timeline lists, at most: the largest. */
export const TIMELINE_BATTLES_MAX = 1_000;
/** Instants at which a timeline has the ranking, at most. If it grows, every second one is dropped. */
export const TIMELINE_SAMPLES_MAX = 512;
/** How often the process that makes a timeline reports it. */
export const TIMELINE_REPORT_MS = 1_000;
/** How often that process looks for new entries once it has replayed all. */
export const TIMELINE_POLL_MS = 5_000;
/** Snapshots that a replay makes for itself, at most. If it would need more, every second one is removed. */
export const REPLAY_SNAPSHOTS_MAX = 200;
/** Bytes of them, at most. */
export const REPLAY_SNAPSHOT_BYTES_MAX = 4 * 1024 ** 3;
/** Entries between two of them at first. */
export const REPLAY_SNAPSHOT_ENTRIES = 50_000;

/** How long a leader of a shared store leads without renewing its lease, unless it was started with another time. */
export const LEASE_MS = 2_000;
export const LEASE_MS_MIN = 500;
export const LEASE_MS_MAX = 60_000;
/** A leader renews its lease this often within the time of a lease. */
export const LEASE_RENEWALS = 5;
/** A leader renews its lease at least this often, so that it learns soon that a handover is wanted. */
export const LEASE_RENEW_MAX_MS = 1_000;
/** A process that opens a shared store alone reads a lease that may have expired this often within its time. */
export const EXCLUSIVE_LEASE_POLLS = 20;
/** Part of the time of a lease, since its last renewal began, for which a leader may answer. */
export const LEASE_SAFE_SHARE = 0.75;
/** A call of a shared store about its lease that takes longer has failed. */
export const LEASE_CALL_MAX_MS = 1_000;
/** A process of a shared store that has not reported for longer is forgotten. */
export const MEMBER_KEPT_MS = 60_000;
/** How often `galaxyd promote` looks whether the standby leads. */
export const PROMOTION_POLL_MS = 50;
/** How long it waits for that. */
export const PROMOTION_WAIT_MS = 30_000;
/** How often a process of a shared store reports itself. */
export const MEMBER_REPORT_MS = 1_000;
/** A standby whose last report is older is not ready to take over. */
export const MEMBER_READY_MS = 3_000;
/** A standby reads the lease this often within the time of a lease. */
export const LEASE_POLLS = 10;
/** A standby reads the lease at least this often. */
export const LEASE_POLL_MAX_MS = 200;
/** How often a process reads the lease while it hands over, or is to take over. */
export const HANDOVER_POLL_MS = 20;
/** Lease times after which a handover that nobody has completed is given up. */
export const HANDOVER_LEASES_MAX = 2;
/** A standby that is further behind is not ready for a handover: it would replay for too long. */
export const HANDOVER_LAG_MAX = 100_000;
/** How long a standby that cannot reach its store waits before it tries again. */
export const FOLLOW_RETRY_MS = 100;
/** Attempts to recover a standby while the leader removes what is being read. */
export const STANDBY_RECOVERIES_MAX = 5;

/** Creating and removing the tables of a world that takes longer has failed: each segment of its log is a file. */
export const POSTGRES_STAGE_MAX_MS = 10 * 60_000;
/** A call of PostgreSQL that takes longer has failed, with the time to connect. */
export const POSTGRES_CALL_MAX_MS = 30_000;
/** Hosts in the URL of a world in PostgreSQL, which are all asked at once. */
export const POSTGRES_HOSTS_MAX = 16;
/** Chunks of a snapshot in one read from PostgreSQL, which SNAPSHOT_READ_BYTES may end earlier. */
export const POSTGRES_CHUNKS_PER_READ = 256;
/** How long dropping the table of a pruned segment waits for its readers; the next prune tries again. */
export const POSTGRES_DROP_WAIT_MS = 1_000;
/** Connecting to PostgreSQL that takes longer has failed. */
export const POSTGRES_CONNECT_MAX_MS = 10_000;
/** A read of the log by a process that shares a world in PostgreSQL that takes longer has failed. */
export const POSTGRES_READ_MAX_MS = 2_000;
/** Attempts to read a part of a log in PostgreSQL. */
export const POSTGRES_READ_ATTEMPTS_MAX = 3;
/** An append to PostgreSQL that takes longer has an unknown outcome. */
export const POSTGRES_APPEND_MAX_MS = 2_000;
/** A connection to PostgreSQL that is unused for longer is closed. */
export const POSTGRES_IDLE_MS = 10_000;
/** Longest pause between the statements of a transaction before the server ends it, with its locks. */
export const POSTGRES_PAUSE_MAX_MS = 2_000;
/** The writer of a log in PostgreSQL wakes followers in other processes at most this often. */
export const POSTGRES_NOTIFY_EVERY_MS = 5;
/** How long a follower of a log in PostgreSQL polls after its notifications were lost, until it listens again. */
export const POSTGRES_LISTEN_RETRY_MS = 500;
/** The base of a lineage is drawn from one part in this many of the numbers that are left. */
export const LINEAGE_SHARE = 64;
