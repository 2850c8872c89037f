// How a subcommand ends: one table of exit codes, and which failure leads to which. A failure in the table is told in one
// sentence; anything else is a bug and keeps its stack.
import { CannotListen } from '../http/game-server.js';
import { NoDiskSpace } from '../persistence/disk-space.js';
import { DataFolderLocked } from '../persistence/folder-lock.js';
import { SettingsMismatch } from '../persistence/genesis.js';
import { LogConflict, LogUnreadable, LogWriteFailed } from '../persistence/log.js';
import { OriginUnreadable } from '../persistence/origin.js';
import { RecoveryRefused } from '../persistence/replay.js';
import { RestoreRefused } from '../persistence/restore.js';
import { SnapshotDamaged, SnapshotWriteFailed } from '../persistence/snapshot-store.js';
import { SnapshotInProgress, SnapshotRefused } from '../persistence/snapshot-taking.js';

export const EXIT_CODES = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'it cannot be done, and the sentence says why; for verify: something is wrong' },
  usage: { code: 2, meaning: 'the command line is wrong' },
  damaged: { code: 3, meaning: 'data on disk are damaged or missing' },
  inUse: { code: 4, meaning: 'another process holds the folder or writes a snapshot' },
  tryAgain: { code: 75, meaning: 'the disk is full or failed; it may work later' },
} as const;

type Ending = keyof typeof EXIT_CODES;

const ENDINGS: readonly (readonly [new (...args: never[]) => Error, Ending])[] = [
  [CannotListen, 'failed'],
  [SettingsMismatch, 'failed'],
  [RestoreRefused, 'failed'],
  [SnapshotRefused, 'failed'],
  [RecoveryRefused, 'damaged'],
  [SnapshotDamaged, 'damaged'],
  [LogUnreadable, 'damaged'],
  [OriginUnreadable, 'damaged'],
  [DataFolderLocked, 'inUse'],
  [LogConflict, 'inUse'],
  [SnapshotInProgress, 'inUse'],
  [NoDiskSpace, 'tryAgain'],
  [LogWriteFailed, 'tryAgain'],
  [SnapshotWriteFailed, 'tryAgain'],
];

/** The exit code for a failure; null for a bug. */
export function exitCodeOf(error: unknown): number | null {
  const row = ENDINGS.find(([kind]) => error instanceof kind);
  if (row !== undefined) return EXIT_CODES[row[1]].code;
  // Errors of the operating system, such as a folder that may not be read, name their cause and place themselves.
  if (!(error instanceof Error && 'syscall' in error)) return null;
  return 'code' in error && error.code === 'ENOSPC' ? EXIT_CODES.tryAgain.code : EXIT_CODES.failed.code;
}
