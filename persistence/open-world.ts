// Opens a world end to end: store, log, replay or genesis, clock, sequencer; alone, or beside other processes of a shared store. The
// command line and tests call it.

import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine/engine.js';
import { type FatalHandler, killProcess } from './fatal.js';
import { CLOCK_JUMP_MS_MAX } from './limits.js';
import { LogStalled } from './log/log.js';
import { beginWorld, type ChosenSettings, checkSettings } from './recovery/genesis.js';
import { type Recovery, type RecoveryProgress, recoverToWrite } from './recovery/recovery.js';
import { ReplicatedWorld } from './replication/replicated-world.js';
import type { RoleEvent } from './replication/role-announcer.js';
import type { Origin } from './stores/origin.js';
import type { HeldWorld, WorldStore } from './stores/world-store.js';
import { beginningMs, clockJump, MACHINE, ManualClock, RealClock, type TimeSource } from './time/clock.js';
import { NODE_SCHEDULER } from './time/scheduler.js';
import type { SnapshotKeeper } from './upkeep/snapshot-keeper.js';
import { type SnapshotTaker, SnapshotWorker } from './upkeep/snapshot-worker.js';
import {
  coveredFromSeq,
  keepSnapshots,
  makeWriter,
  type ReplacedParts,
  type UpkeepOptions,
  upkeepOf,
} from './world-writer.js';
import type { Durability } from './writer/group-commit.js';
import type { Sequencer } from './writer/sequencer.js';

export interface OpenWorldOptions extends UpkeepOptions {
  /** Where the world is kept. Snapshots are taken only if another process can open the store. */
  readonly store: WorldStore;
  readonly settings?: ChosenSettings;
  readonly clock?: 'real' | 'manual';
  /** Largest jump of a real clock, in milliseconds; CLOCK_JUMP_MS_MAX by default. */
  readonly clockJumpMsMax?: number;
  /**
   * Whether a real clock makes up for the time in which the world was not served, as it does by default, or goes on from the last instant
   * of the log.
   */
  readonly onDowntime?: 'advance' | 'pause';
  /** MACHINE by default. */
  readonly source?: TimeSource;
  readonly durability?: Durability;
  /** Receives the progress of the recovery. */
  readonly onProgress?: RecoveryProgress;
  /** How to end if it cannot continue; killProcess by default. */
  readonly onFatal?: FatalHandler;
}

/** What a simulation replaces. */
export interface ReplacedWorldParts extends ReplacedParts {
  readonly recover?: typeof recoverToWrite;
  readonly taker?: SnapshotTaker;
}

export interface OpenWorld {
  readonly engine: Engine;
  readonly sequencer: Sequencer;
  /** What recovery found; see isNew. */
  readonly recovery: Recovery;
  /** True if the world was created now. */
  readonly isNew: boolean;
  /** How long world time stood because the world was not served; null if it did not stand. */
  readonly skippedMs: number | null;
  /** Where the world came from; null for one that began with its genesis. */
  readonly origin: Origin | null;
  /** Null if no snapshots are taken of the world. */
  readonly snapshots: SnapshotKeeper | null;
  readonly durability: Durability;
  readonly clockKind: 'real' | 'manual';
  /** See HeldWorld. */
  readonly warnings: readonly string[];
  /** Stops the sequencer, closes the log and releases the world; after a fatal error it leaves log and lock alone. */
  close(): Promise<void>;
}

/**
 * Opens the world in a store, or creates a new one there. When it settles, everything that fell due in the meantime has
 * fired and commands can be submitted.
 *
 * @throws WorldLocked, NoDiskSpace, RecoveryRefused, LogUnreadable, LogWriteFailed, SettingsMismatch, OriginUnreadable,
 *   ClockJump
 */
export async function openWorld(options: OpenWorldOptions & ReplacedWorldParts): Promise<OpenWorld> {
  const held = await options.store.open();
  const { onFatal = killProcess } = options;
  let isBroken = false;
  const failStop: FatalHandler = (error) => {
    isBroken = true;
    onFatal(error);
  };
  try {
    const world = await openWorldIn(held, options, failStop);
    const close = async (): Promise<void> => {
      await world.snapshots?.stop();
      await world.sequencer.stop();
      // After a fatal error the sequencer has left the log open: the log and the lock are freed when the process ends.
      if (!isBroken) await held.release();
    };
    return { ...world, close };
  } catch (error) {
    if (error instanceof LogStalled) failStop(error);
    if (isBroken) throw error;
    await held.log.close();
    await held.release();
    throw error;
  }
}

async function openWorldIn(
  held: HeldWorld,
  options: OpenWorldOptions & ReplacedWorldParts,
  onFatal: FatalHandler,
): Promise<Omit<OpenWorld, 'close'>> {
  const { store, settings = {}, durability = 'durable', clock: clockKind = 'real', onProgress } = options;
  const { clockJumpMsMax = CLOCK_JUMP_MS_MAX, source = MACHINE, scheduler = NODE_SCHEDULER } = options;
  const { recover = recoverToWrite, witness = (recovered) => recovered, commit } = options;
  const { log, freeSpace, warnings } = held;
  const origin = await store.origin();
  const { engine, recovery, epoch } = await recover(log, store.snapshots, { onProgress });
  const isNew = engine.seq === 0;
  const startMs = beginningMs(clockKind, source);
  const tail = isNew ? await beginWorld(engine, log, epoch, settings, startMs, undefined, scheduler) : recovery.tail;
  checkSettings(engine.world, settings);
  const { onDowntime = 'advance' } = options;
  const stood = onDowntime === 'pause' && clockKind === 'real' && !isNew && engine.world.pausedAtMs === null;
  const jump = stood ? null : clockJump(clockKind, engine.world, clockJumpMsMax, source);
  if (jump !== null) throw jump;
  const { snapshot: newest, byteCount: bytesSinceCut } = recovery;
  const covered = await coveredFromSeq(log, store.snapshots, newest);
  const { clockLagMs } = engine.world;
  const clockState = stood ? { pausedAtMs: engine.nowMs, clockLagMs } : engine.world;
  const clock =
    clockKind === 'manual' ? new ManualClock(engine.nowMs) : new RealClock(engine.nowMs, source, clockState);
  const sequencer = makeWriter({
    engine,
    applied: witness(engine),
    log,
    epoch,
    tail,
    durability,
    clock,
    freeSpace,
    bytesSinceCut,
    onFatal,
    scheduler,
    commit,
    marksInstants: onDowntime === 'pause',
  });
  await sequencer.start();
  if (stood) sequencer.resumeClock();
  const { url, snapshots: stored } = store;
  const upkeep = { ...upkeepOf(options), held, engine, sequencer, epoch, newest, coveredFromSeq: covered, onFatal };
  const { taker = url === null ? null : new SnapshotWorker(url) } = options;
  const elapsedMs = (): number => source.elapsedMs();
  const snapshots =
    taker === null ? null : keepSnapshots({ ...upkeep, snapshots: stored, taker, scheduler, elapsedMs });
  return {
    engine,
    sequencer,
    recovery,
    isNew,
    skippedMs: stood ? engine.world.clockLagMs - clockLagMs : null,
    origin,
    snapshots,
    durability,
    clockKind,
    warnings,
  };
}

export interface OpenReplicatedWorldOptions extends OpenWorldOptions {
  /** Version of the program, for the other processes. */
  readonly version: string;
  /** Where clients reach this process, if that is known already. */
  readonly url?: string;
  /** How long its lease holds without a renewal; LEASE_MS by default. */
  readonly leaseMs?: number;
  /** Called for each change of the role. */
  readonly onRoleEvent?: (event: RoleEvent) => void;
}

/**
 * Joins the world in a shared store as a standby, or creates it there. Call enter() of the world once clients can reach it: then the
 * process leads if nobody else does.
 *
 * @throws StoreUnreachable, RecoveryRefused, LogUnreadable, SettingsMismatch, OriginUnreadable, ClockJump
 * @throws TypeError if the store is not shared
 */
export async function openReplicatedWorld(options: OpenReplicatedWorldOptions): Promise<ReplicatedWorld> {
  const { store, clock, onFatal = killProcess, ...others } = options;
  const { leadership, url, snapshots } = store;
  if (leadership === null) throw new TypeError(`${store.label} can be opened by one process only`);
  return await ReplicatedWorld.open({
    ...others,
    ...(clock === undefined ? {} : { clockKind: clock }),
    leadership,
    snapshots,
    taker: url === null ? null : () => new SnapshotWorker(url),
    origin: await store.origin(),
    id: randomUUID(),
    onFatal,
  });
}
