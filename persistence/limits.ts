// Every bound the persistence layer holds, by name. A bound on the world itself stands in engine/rules/limits.ts.

/** Entries in one log record; what comes on top opens the next record. */
export const MAX_BATCH_ENTRIES = 16_384;
/** Bytes of one record's body, by the upper bound of entry-size.ts. Small enough for a message of a remote log. */
export const MAX_BATCH_BYTES = 512 * 1024;

/** Entries of one unit (GroupCommit.together), which stays in one record; above it no further command joins the unit. */
export const TOGETHER_ENTRIES_MAX = MAX_BATCH_ENTRIES;
/** The same bound in bytes, above MAX_BATCH_BYTES: room for a thousand of the longest commands that one request can hold. */
export const TOGETHER_BYTES_MAX = 1024 * 1024;

/** Entries applied but not yet on disk; above it new commands are turned away as `overloaded`. */
export const MAX_PENDING_ENTRIES = 262_144;
/** The same bound in bytes. */
export const MAX_PENDING_BYTES = 64 * 1024 * 1024;
/**
 * Replies that wait for the disk, of commands and reads alike; above it new commands, and reads of what is not on disk yet,
 * are turned away as `overloaded`.
 */
export const MAX_HELD_REPLIES = 65_536;

/** An append that takes longer is a failed one: LMDB's flush never settles after a failed commit. */
export const FLUSH_STALL_MS = 5_000;
/** What it is given on top, by a second timer: the first may ring late, before news that has long been there. */
export const FLUSH_STALL_GRACE_MS = 1_000;

/** Attempts to find out what became of an append whose outcome is unknown; then the process ends itself. */
export const OUTCOME_ATTEMPTS_MAX = 10;
/** Pause between two of them. All pauses together are shorter than FLUSH_STALL_MS. */
export const OUTCOME_WAIT_MS = 250;

/** Tick entries applied before the event loop gets its turn; each fires at most TIMERS_PER_TICK timers. */
export const TICKS_PER_SLICE = 2;
/** Longest sleep of setTimeout; anything longer would fire at once. */
export const MAX_SLEEP_MS = 2 ** 31 - 1;

/** Records read from the log before the event loop gets its turn. */
export const RECORDS_PER_READ = 256;
/** Bytes of records after which a read ends earlier; the last one may go beyond. */
export const BYTES_PER_READ = 4 * 1024 * 1024;

/** Descriptors of an open LMDB environment: its lock file, its data file, and that once more for synchronous writes. */
export const LMDB_FILES = 3;
/** More than the files of a segment take while it holds nothing, with the largest pages there are. */
export const BLANK_BYTES_MAX = 256 * 1024;
/** Bytes of the file of a segment; a larger one is none that LMDB wrote. */
export const SEGMENT_BYTES_MAX = 16 * 1024 ** 4;
/** Bytes of LMDB's lock file, which takes eight thousand: LMDB maps as many into memory as there are. */
export const LMDB_LOCK_BYTES_MAX = 1024 * 1024;
/** Bytes of the note of where a world came from; more is none. */
export const ORIGIN_BYTES_MAX = 64 * 1024;
/** Rows in one chunk of a snapshot. */
export const SNAPSHOT_CHUNK_ROWS = 1_000;
/** Bytes after which a chunk ends earlier, by the upper bound of entry-size.ts; its last row may go beyond. */
export const SNAPSHOT_CHUNK_BYTES = 1024 * 1024;
/** Bytes that no chunk can have: a header that tells of more is damaged. */
export const SNAPSHOT_CHUNK_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of a manifest; more is none. */
export const SNAPSHOT_MANIFEST_BYTES_MAX = 64 * 1024;
/** Bytes read from the rows of a snapshot at a time. */
export const SNAPSHOT_READ_BYTES = 1024 * 1024;
/**
 * Bytes of a snapshot that are written before they are flushed. A flush of all at the end would make the log's flushes wait
 * behind it.
 */
export const SNAPSHOT_FLUSH_BYTES = 4 * 1024 * 1024;

/** Looks at an LMDB file that is being written until one finds it unchanged; one takes microseconds, a commit a millisecond. */
export const LOOKS_MAX = 10_000;

/** How often a reader lists the segments of a log anew, because the writer has cut or pruned between the list and the look. */
export const RELISTS_MAX = 100;

/** How often a follower of another process's log looks for new records. */
export const FOLLOW_POLL_MS = 50;

/** Bytes of what is said when the process ends itself: as much as a pipe takes whole or not at all (POSIX: PIPE_BUF). */
export const LAST_WORDS_BYTES_MAX = 4_096;

/** Free bytes under which writes are turned away as `storage_unavailable`: many seconds of writing at full speed. */
export const DISK_FLOOR_BYTES = 256 * 1024 * 1024;
/**
 * Free bytes without which no log is opened. LMDB writes its lock file through a memory map: where the disk has no room for
 * its pages, the process dies of SIGBUS without a word.
 */
export const OPENING_BYTES_MIN = 1024 * 1024;
/** How often free space is looked at. */
export const DISK_POLL_MS = 1_000;

/** Time after which a snapshot of a changing world is due by default. */
export const SNAPSHOT_EVERY_MS = 30 * 60_000;
/** Bytes of log after which one is due by default: some minutes of writing at full speed. */
export const SNAPSHOT_LOG_BYTES = 256 * 1024 * 1024;
/**
 * Entries of log between two snapshots that are kept as history: about a second of replay. The two newest snapshots are kept
 * however close they are.
 */
export const HISTORY_SNAPSHOT_ENTRIES = 1_000_000;
/** How often it is looked whether a snapshot is due. */
export const SNAPSHOT_POLL_MS = 1_000;
/** How long a failed snapshot is not tried again. */
export const SNAPSHOT_RETRY_MS = 60_000;
