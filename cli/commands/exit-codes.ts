// How a subcommand ends: the table of exit codes, and the exit code of each failure. A failure in the tables is reported in one
// sentence. Anything else is a bug and keeps its stack trace.
import { ChildServerFailed } from '../../arena/child-server.js';
import { BadKeyFile, CannotPlay } from '../../arena/swarm/players.js';
import { NoTournament, ServerFailed, UnfitTournament } from '../../arena/tournament/result.js';
import type { RuleSetFault } from '../../engine/rules/soundness.js';
import { NoDiskSpace } from '../../persistence/files/disk-space.js';
import { CutRefused, LogConflict, LogWriteFailed, StoreUnreachable } from '../../persistence/log/log.js';
import { SettingsMismatch } from '../../persistence/recovery/genesis.js';
import { PromotionRefused, StandbyClockJumped } from '../../persistence/replication/promotion.js';
import { SnapshotWriteFailed } from '../../persistence/snapshots/snapshot-store.js';
import { UnknownStore } from '../../persistence/store-url.js';
import {
  CannotCreate,
  NotOwner,
  NoWorld,
  SnapshotInProgress,
  StoreRefused,
  WorldLocked,
} from '../../persistence/stores/world-store.js';
import { ClockJump } from '../../persistence/time/clock.js';
import { CopyDiffers, CopyRefused } from '../../persistence/upkeep/copy.js';
import { RestoreRefused } from '../../persistence/upkeep/restore.js';
import { SnapshotRefused } from '../../persistence/upkeep/snapshot-taking.js';
import { DAMAGE } from '../../persistence/upkeep/verify.js';
import { OperatorFileUnsound, UnfitOperatorFile } from './operator-file.js';

export const EXIT_CODES = {
  done: { code: 0, meaning: 'done' },
  failed: {
    code: 1,
    meaning:
      'it cannot be done, for the reason printed; for verify: something is wrong; for tournament --strict and bot try: an entrant has faults',
  },
  usage: { code: 2, meaning: 'the command line is wrong' },
  damaged: { code: 3, meaning: 'data on disk is damaged, or a part of it is missing' },
  inUse: { code: 4, meaning: 'another process holds the world or writes a snapshot' },
  clockJumped: { code: 5, meaning: "the machine's clock is too far after the last entry of the world's log" },
  tryAgain: { code: 75, meaning: 'the disk is full or failed, or the database does not answer; it may work later' },
  unfit: { code: 78, meaning: 'a setting, a file or a right is wrong; trying again does not help' },
} as const;

export type Ending = keyof typeof EXIT_CODES;
export type ErrorKind = new (...args: never[]) => Error;

/** The command line is well-formed, but its options contradict each other or name nothing. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The requested thing does not exist. */
export class NotThere extends Error {
  override readonly name = 'NotThere';
}

/** The request was carried out, but damage was found on the way. */
export class DamageFound extends Error {
  override readonly name = 'DamageFound';
}

/** A key for an operator is not made: there is one of that name, or there are too many. */
export class KeyNotMade extends Error {
  override readonly name = 'KeyNotMade';
}

/** A shell command that the operator passed to a subcommand failed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** A file does not hold a sound rule set. */
export class RuleSetUnsound extends Error {
  override readonly name = 'RuleSetUnsound';

  constructor(
    readonly source: string,
    readonly faults: readonly RuleSetFault[],
  ) {
    super(`${source} is not a rule set`);
  }

  /** One line for each fault. */
  get lines(): readonly string[] {
    return [`${this.message}:`, ...this.faults.map(({ path, message }) => `  ${path || '/'}: ${message}`)];
  }
}

const ENDINGS: readonly (readonly [ErrorKind, Ending])[] = [
  [WrongUsage, 'usage'],
  [UnfitTournament, 'usage'],
  [UnknownStore, 'usage'],
  [ServerFailed, 'failed'],
  [NoTournament, 'failed'],
  [DamageFound, 'damaged'],
  [NotThere, 'failed'],
  [KeyNotMade, 'failed'],
  [CommandFailed, 'failed'],
  [CopyRefused, 'failed'],
  [StandbyClockJumped, 'clockJumped'],
  [PromotionRefused, 'failed'],
  [CopyDiffers, 'damaged'],
  [CannotPlay, 'failed'],
  [BadKeyFile, 'failed'],
  [ChildServerFailed, 'failed'],
  [NoWorld, 'failed'],
  [CannotCreate, 'failed'],
  [NotOwner, 'unfit'],
  [StoreRefused, 'unfit'],
  [SettingsMismatch, 'unfit'],
  [RestoreRefused, 'failed'],
  [SnapshotRefused, 'failed'],
  [RuleSetUnsound, 'unfit'],
  [OperatorFileUnsound, 'unfit'],
  [UnfitOperatorFile, 'unfit'],
  ...DAMAGE.map((kind) => [kind, 'damaged'] as const),
  [ClockJump, 'clockJumped'],
  [WorldLocked, 'inUse'],
  [LogConflict, 'inUse'],
  [SnapshotInProgress, 'inUse'],
  [NoDiskSpace, 'tryAgain'],
  [StoreUnreachable, 'tryAgain'],
  [LogWriteFailed, 'tryAgain'],
  [CutRefused, 'tryAgain'],
  [SnapshotWriteFailed, 'tryAgain'],
];

type Refusals = Readonly<Record<string, readonly [Ending, string]>>;

/** Errors of the operating system, wherever they occur: how each ends the subcommand, and its message. */
const SYSTEM_REFUSALS: Refusals = {
  EACCES: ['unfit', 'permission is denied'],
  EPERM: ['unfit', 'permission is denied'],
  EROFS: ['unfit', 'the file system is read-only'],
  ENOTDIR: ['unfit', 'a part of the path is not a folder'],
  ELOOP: ['unfit', 'too many symbolic links'],
  ENAMETOOLONG: ['unfit', 'the name is too long'],
  EMFILE: ['failed', 'too many files are open (ulimit -n)'],
  EXDEV: ['unfit', 'it is on another disk'],
  ENOSPC: ['tryAgain', 'the disk is full'],
  EDQUOT: ['tryAgain', 'the quota is used up'],
  EIO: ['tryAgain', 'the disk has failed'],
};

/** The same, only where no error of a kind above has them as its cause: in a world they mean damage. */
const NAME_REFUSALS: Refusals = {
  ENOENT: ['unfit', 'there is no such file or folder'],
  EEXIST: ['unfit', 'something else has this name; choose another one'],
};

/** A failure as it is reported to the operator. */
export interface Failure {
  readonly code: number;
  /** The sentence, and its details. */
  readonly lines: readonly string[];
}

/** Puts a label before the first line. */
export function labelled(label: string, [first = '', ...rest]: readonly string[]): string[] {
  return [`${label}: ${first}`, ...rest];
}

/**
 * @param refusals expected failures that only the caller has
 * @returns the message and exit code of a failure; null for a bug
 */
export function failureOf(error: unknown, refusals: readonly (readonly [ErrorKind, Ending])[] = []): Failure | null {
  if (!(error instanceof Error)) return null;
  const kind = [...refusals, ...ENDINGS].find(([kind]) => error instanceof kind)?.[1];
  const table = kind === undefined ? { ...SYSTEM_REFUSALS, ...NAME_REFUSALS } : SYSTEM_REFUSALS;
  const system = systemRefusalOf(error, table);
  const hasLines = error instanceof RuleSetUnsound || error instanceof OperatorFileUnsound;
  const lines = hasLines ? error.lines : [error.message];
  if (kind !== undefined) return { code: EXIT_CODES[system?.ending ?? kind].code, lines };
  if (system !== null) return { code: EXIT_CODES[system.ending].code, lines: [system.sentence] };
  // The message of any other system error names its cause and its path.
  return 'syscall' in error ? { code: EXIT_CODES.failed.code, lines } : null;
}

/** The system error at the bottom of a chain of causes. */
function systemRefusalOf(
  error: unknown,
  table: Refusals,
): { readonly ending: Ending; readonly sentence: string } | null {
  if (!(error instanceof Error)) return null;
  const refusal = 'code' in error && 'syscall' in error ? table[String(error.code)] : undefined;
  if (refusal === undefined) return systemRefusalOf(error.cause, table);
  const [ending, words] = refusal;
  const place = 'dest' in error ? error.dest : 'path' in error ? error.path : undefined;
  return { ending, sentence: place === undefined ? words : `${String(place)}: ${words}` };
}
