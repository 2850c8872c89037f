// Copies a world from one store to another, byte for byte, and proves it by a replay. It can follow a running server and
// take over from it: then nothing that the server has acknowledged is missing. It knows no kind of store, and changes
// nothing in the source.
import { setTimeout as delay } from 'node:timers/promises';
import { COPY_FOLLOW_MS } from '../limits.js';
import { type LogTail, type ReadableLog, StoreUnreachable } from '../log/log.js';
import { recover } from '../recovery/recovery.js';
import { replay } from '../recovery/replay.js';
import { type HeldWorld, WorldLocked, type WorldParts, type WorldStore } from '../stores/world-store.js';
import { CopiedParts, type Copying, type CopyProgress } from './copied-parts.js';
import { type VerifiedParts, verifyParts } from './verify.js';

/** The copy is not the world that was copied. Nothing is left of it. */
export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers';
}

/**
 * `stopping`: the server was asked to stop. `in_use`: that is done, and yet a process has the source open.
 * `unreachable`: the source does not answer now; it is asked again.
 */
export type FollowState = 'following' | 'stopping' | 'in_use' | 'unreachable';

/** Where a copy is that follows a server. */
export interface FollowReport {
  /** Last seq that is copied and replayed. */
  readonly seq: number;
  /** Entries that the source has and the copy does not. */
  readonly behindEntries: number;
  readonly state: FollowState;
}

export interface Following {
  /**
   * Stops the server once the copy is verified and has caught up. By default the copy follows until the server is
   * stopped by others.
   */
  readonly stopServer?: () => Promise<void>;
  readonly onReport: (report: FollowReport) => void;
}

export interface CopyOptions {
  readonly from: WorldStore;
  /** Holds nothing yet. */
  readonly to: WorldStore;
  /** If given, the copy ends when nobody serves the source any more. By default it ends with what is durable now. */
  readonly follow?: Following;
  /** Ends the copy, which then leaves nothing behind. */
  readonly signal: AbortSignal;
  readonly onProgress?: CopyProgress;
}

export interface CopiedWorld {
  readonly lastSeq: number;
  readonly lastMs: number;
  readonly stateHash: string;
  /** recordHash() of the last record, 32 hexadecimal digits. */
  readonly recordHash: string;
  readonly snapshotSeqs: readonly number[];
  readonly recordCount: number;
  readonly byteCount: number;
  /** Whether a process had the source open when the copy ended: what it writes after lastSeq is not in the copy. */
  readonly isSourceInUse: boolean;
  /** From the request to stop, or from when nobody held the source, until the copy was complete; null without `follow`. */
  readonly switchMs: number | null;
}

/**
 * Copies a world. The copy appears at once, complete and verified.
 *
 * @throws NoWorld, CannotCreate, CopyRefused, CopyDiffers, SnapshotDamaged, RecoveryRefused, LogUnreadable, LogWriteFailed,
 *   NoDiskSpace, WorldLocked
 */
export async function copyWorld(options: CopyOptions): Promise<CopiedWorld> {
  const { from, to } = options;
  await from.requireWorld();
  await to.requireFree();
  const copy = new WorldCopy(options);
  try {
    await to.create({ origin: await from.origin(), write: (parts) => copy.write(parts) });
    return await copy.outcome();
  } finally {
    // Only now: nobody may open the source before the copy is there.
    await copy.release();
  }
}

class WorldCopy {
  readonly #options: CopyOptions;
  readonly #copying: Copying;
  #copied: CopiedParts | undefined;
  /** The copy, as its replay has found it. */
  #verified: VerifiedParts | undefined;
  #held: HeldWorld | undefined;
  #switchBeganAtMs: number | undefined;

  constructor(options: CopyOptions) {
    this.#options = options;
    const { signal, onProgress = () => {} } = options;
    this.#copying = {
      signal,
      onProgress: (...progress) => {
        signal.throwIfAborted();
        onProgress(...progress);
      },
    };
  }

  async write(parts: WorldParts): Promise<void> {
    const { from, follow } = this.#options;
    const copied = new CopiedParts(parts, from.label, this.#copying);
    this.#copied = copied;
    const log = await copied.begin(from);
    try {
      await copied.copyLog(log);
      const source = await this.#stateOf(log, (await copied.tail()).lastSeq);
      const verified = await verifyParts(parts.log, parts.snapshots, this.#copying.onProgress);
      requireSame(source, { ...verified.tail, stateHash: verified.stateHash });
      this.#verified = verified;
      if (follow !== undefined) await this.#follow(parts, log, follow);
    } finally {
      await log.close();
    }
  }

  async outcome(): Promise<CopiedWorld> {
    const { from, follow } = this.#options;
    if (this.#copied === undefined || this.#verified === undefined) throw new Error('the store has written no copy');
    const { engine, tail } = this.#verified;
    const { snapshotSeqs, recordCount, byteCount } = this.#copied;
    return {
      lastSeq: engine.seq,
      lastMs: engine.nowMs,
      stateHash: engine.stateHash(),
      recordHash: Buffer.from(tail.hash).toString('hex'),
      ...{ snapshotSeqs, recordCount, byteCount },
      isSourceInUse: follow === undefined && (await from.isInUse()),
      switchMs: this.#switchBeganAtMs === undefined ? null : performance.now() - this.#switchBeganAtMs,
    };
  }

  async release(): Promise<void> {
    await this.#held?.log.close();
    await this.#held?.release();
  }

  /** The source as it was at a seq, recovered in the way of a start: from its newest snapshot. */
  async #stateOf(log: ReadableLog, seq: number): Promise<State> {
    const { onProgress } = this.#copying;
    const { engine, recovery } = await recover(log, this.#options.from.snapshots, { until: { seq }, onProgress });
    return { lastSeq: engine.seq, hash: recovery.tail.hash, stateHash: engine.stateHash() };
  }

  /** Copies and replays what the server writes, until this process holds the source and has copied all of it. */
  async #follow(parts: WorldParts, log: ReadableLog, follow: Following): Promise<void> {
    const { signal } = this.#options;
    const { copied } = this.#parts();
    let stop: ServerStop | undefined;
    while (this.#held === undefined) {
      const isAnswered = await answers(() => copied.copyLog(log));
      await this.#replayRest(parts, follow, isAnswered ? (stop?.state ?? 'following') : 'unreachable');
      if (isAnswered && stop === undefined && follow.stopServer !== undefined) {
        this.#switchBeganAtMs = performance.now();
        stop = new ServerStop(follow.stopServer);
      }
      stop?.requireNoFailure();
      await answers(() => this.#holdIfFree(stop !== undefined));
      if (this.#held === undefined) await delay(COPY_FOLLOW_MS, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    }
    // No other process can write to the source now, so this is its end.
    await copied.copyLog(this.#held.log);
    await this.#replayRest(parts, follow, 'stopping');
  }

  /** @param isAsked whether the switch has begun already, with the request to stop */
  async #holdIfFree(isAsked: boolean): Promise<void> {
    const { from } = this.#options;
    if (await from.isInUse()) return;
    const freeAtMs = performance.now();
    this.#held = await openIfFree(from);
    if (!isAsked && this.#held !== undefined) this.#switchBeganAtMs = freeAtMs;
  }

  /** Replays what was copied since the last time, as it is read from the copy. */
  async #replayRest(parts: WorldParts, { onReport }: Following, state: FollowState): Promise<void> {
    const { copied, verified } = this.#parts();
    const source = await copied.tail();
    const { engine, tail } = verified;
    onReport({ seq: engine.seq, behindEntries: source.lastSeq - engine.seq, state });
    if (source.lastSeq > engine.seq) {
      const replayed = await replay(parts.log, engine, { startHash: tail.hash });
      this.#verified = { ...verified, tail: replayed.tail };
    }
    requireSame(source, this.#parts().verified.tail);
  }

  #parts(): { copied: CopiedParts; verified: VerifiedParts } {
    if (this.#copied === undefined || this.#verified === undefined) throw new Error('nothing is copied yet');
    return { copied: this.#copied, verified: this.#verified };
  }
}

/** The request to stop the server, while the copy goes on following. */
class ServerStop {
  #isDone = false;
  #failure: unknown;

  constructor(stopServer: () => Promise<void>) {
    stopServer().then(
      () => {
        this.#isDone = true;
      },
      (error: unknown) => {
        this.#failure = error;
      },
    );
  }

  get state(): 'stopping' | 'in_use' {
    return this.#isDone ? 'in_use' : 'stopping';
  }

  requireNoFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** @returns false if the store did not answer */
async function answers(ask: () => Promise<void>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof StoreUnreachable) return false;
    throw error;
  }
}

/** @returns undefined if another process was faster */
async function openIfFree(store: WorldStore): Promise<HeldWorld | undefined> {
  try {
    return await store.open();
  } catch (error) {
    if (error instanceof WorldLocked) return undefined;
    throw error;
  }
}

interface State extends LogTail {
  readonly stateHash?: string;
}

/** @throws CopyDiffers */
function requireSame(source: State, copy: State): void {
  const facts = ({ lastSeq, hash, stateHash = '' }: State): string =>
    `seq ${lastSeq}, record hash ${Buffer.from(hash).toString('hex')}${stateHash && `, state hash ${stateHash}`}`;
  if (facts(source) === facts(copy)) return;
  throw new CopyDiffers(
    `the copy is not the world that was copied: it has ${facts(copy)}, its source ${facts(source)}`,
  );
}
