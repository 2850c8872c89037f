// A world of a shared store, as one of its processes serves it: joins, follows, claims, leads, hands over, follows again, or ends.
// The same engine goes through all roles. A process whose memory may be ahead of the log never becomes a standby: it ends.
import type { Engine } from '../../engine/engine.js';
import { asError, type FatalHandler } from '../fatal.js';
import {
  HANDOVER_LAG_MAX,
  HANDOVER_LEASES_MAX,
  HANDOVER_POLL_MS,
  LEASE_MS,
  LEASE_POLL_MAX_MS,
  LEASE_POLLS,
  MEMBER_READY_MS,
  SNAPSHOT_POLL_MS,
} from '../limits.js';
import type { LogTail } from '../log/log.js';
import { type ChosenSettings, checkSettings } from '../recovery/genesis.js';
import { type Recovery, type RecoveryProgress, recover } from '../recovery/recovery.js';
import type { ReplayableEngine } from '../recovery/replayable-engine.js';
import type { SnapshotManifest, SnapshotStore } from '../snapshots/snapshot-store.js';
import type { Origin } from '../stores/origin.js';
import type { HeldWorld } from '../stores/world-store.js';
import type { SnapshotKeeper } from '../upkeep/snapshot-keeper.js';
import type { SnapshotTaker } from '../upkeep/snapshot-worker.js';
import { coveredFromSeq, keepSnapshots, makeWriter, startWriter, type UpkeepOptions } from '../world-writer.js';
import { type Clock, MACHINE, ManualClock, RealClock, type TimeSource } from '../writer/clock.js';
import type { Follower } from '../writer/feed.js';
import type { Durability, GroupCommit, GroupCommitOptions } from '../writer/group-commit.js';
import { NODE_SCHEDULER, type Scheduler } from '../writer/scheduler.js';
import type { Sequencer } from '../writer/sequencer.js';
import { Following } from './following.js';
import { joinWorld } from './joining.js';
import { LeaderTerm, momentOf } from './leader-term.js';
import type { Leadership, Lease, Member, MemberReport } from './leadership.js';
import { LeaseWatch } from './lease-watch.js';
import { MemberReports } from './member-reports.js';
import { Repeated } from './repeated.js';
import { ReplicaView, type RoleState } from './replica-view.js';
import type { RoleEvent } from './role-event.js';
import { type RoleRefusal, RoleSequencer } from './role-sequencer.js';
import { RoleSnapshots } from './role-snapshots.js';
import { StandbyTime } from './standby-time.js';
import { TermLog } from './term-log.js';

export interface ReplicatedWorldParts extends UpkeepOptions {
  readonly leadership: Leadership;
  readonly snapshots: SnapshotStore;
  /** Takes the snapshots of one term; null if none can be taken. */
  readonly taker: (() => SnapshotTaker) | null;
  readonly origin: Origin | null;
  readonly settings?: ChosenSettings;
  readonly clockKind?: Clock['kind'];
  readonly durability?: Durability;
  /** Of this process: random, never used before. */
  readonly id: string;
  /** Of the program. */
  readonly version: string;
  /** Where clients reach this process, if that is known before enter(). */
  readonly url?: string;
  /** LEASE_MS by default. */
  readonly leaseMs?: number;
  /** Receives the entries that are recovered after the snapshot, those that are followed, and those of its own terms. */
  readonly follower?: Follower;
  readonly onProgress?: RecoveryProgress;
  readonly onRoleEvent?: (event: RoleEvent) => void;
  /** How the process ends; it must not do anything afterwards. */
  readonly onFatal: FatalHandler;
  readonly scheduler?: Scheduler;
  readonly source?: TimeSource;
  /** What a simulation replaces. */
  readonly recover?: typeof recover;
  readonly commit?: (options: GroupCommitOptions) => GroupCommit;
  readonly makeClock?: (kind: Clock['kind'], lastMs: number, source: TimeSource) => Clock;
  /** Wraps the engine, for everything that applies entries after the recovery. */
  readonly witness?: (engine: Engine) => ReplayableEngine;
}

type Phase =
  /** It follows. */
  | 'standby'
  /** It has the lease, and applies the rest of the log. */
  | 'claiming'
  /** It fires what fell due while nobody led. */
  | 'starting'
  | 'leading'
  /** It still leads, and takes no commands. */
  | 'handing_over'
  /** It was closed, or has ended by an error. */
  | 'over';

/** What a process has while it leads. */
interface Leading {
  readonly term: LeaderTerm;
  readonly log: TermLog;
  readonly sequencer: Sequencer;
}

interface Joined {
  readonly held: HeldWorld;
  readonly engine: Engine;
  readonly recovery: Recovery;
  readonly isNew: boolean;
}

export class ReplicatedWorld {
  readonly engine: Engine;
  readonly recovery: Recovery;
  /** Whether this process has founded the world. */
  readonly isNew: boolean;
  readonly origin: Origin | null;
  readonly durability: Durability;
  readonly clockKind: Clock['kind'];
  /** As in HeldWorld. */
  readonly warnings: readonly string[];
  readonly sequencer: RoleSequencer;
  /** Null if no snapshots can be taken. */
  readonly snapshots: RoleSnapshots | null;
  readonly replica: ReplicaView;
  readonly #parts: ReplicatedWorldParts;
  readonly #held: HeldWorld;
  readonly #applied: ReplayableEngine;
  readonly #scheduler: Scheduler;
  readonly #source: TimeSource;
  readonly #leaseMs: number;
  readonly #watch: LeaseWatch;
  readonly #watching: Repeated;
  readonly #reports: MemberReports;
  #url: string;
  #phase: Phase = 'standby';
  #following: Following;
  #time: StandbyTime;
  /** From the claim on. */
  #term: LeaderTerm | null = null;
  #leading: Leading | null = null;
  #keeper: SnapshotKeeper | null = null;
  #steppingDown: Promise<void> | null = null;
  /** It shall not lead again: it is about to end. */
  #isLeaving = false;
  #closed: Promise<void> | undefined;
  #shownLeaderId: string | null = null;
  #roleFound: (isFound: boolean) => void = () => {};
  /** Bytes of the records that were replayed or followed, and the seq after which they were counted. */
  #byteCount: number;
  readonly #countedFromSeq: number;
  #unreachableSinceMs: number | null = null;
  #pausedAtMs: number | null = null;
  #handoverSinceMs = 0;

  private constructor(parts: ReplicatedWorldParts, { held, engine, recovery, isNew }: Joined) {
    const { leadership, id } = parts;
    this.#parts = parts;
    this.#held = held;
    this.engine = engine;
    this.recovery = recovery;
    this.isNew = isNew;
    this.origin = parts.origin;
    this.durability = parts.durability ?? 'durable';
    this.clockKind = parts.clockKind ?? 'real';
    this.warnings = held.warnings;
    this.#scheduler = parts.scheduler ?? NODE_SCHEDULER;
    this.#source = parts.source ?? MACHINE;
    this.#leaseMs = parts.leaseMs ?? LEASE_MS;
    this.#url = parts.url ?? '';
    this.#applied = parts.witness?.(engine) ?? engine;
    this.#byteCount = recovery.byteCount;
    this.#countedFromSeq = recovery.snapshot?.seq ?? 0;
    this.#watch = new LeaseWatch({ leadership, source: this.#source, id });
    this.#watching = new Repeated(this.#scheduler, this.#watchLease);
    this.#reports = new MemberReports({
      leadership,
      scheduler: this.#scheduler,
      report: () => this.#report(),
      onMembers: (members) => this.replica.reported(members),
    });
    this.#time = this.#standbyTime(engine.nowMs);
    this.#following = this.#followFrom(recovery.tail);
    this.sequencer = new RoleSequencer(engine, this.#time);
    this.snapshots = parts.taker === null ? null : new RoleSnapshots();
    this.replica = new ReplicaView(id, this.#source, () => this.#state());
  }

  /**
   * Joins the world as a standby, after founding it if the store is empty. It does not claim the lease before enter().
   *
   * @throws StoreUnreachable, RecoveryRefused, LogUnreadable, SettingsMismatch, RangeError if a new world cannot have the settings
   */
  static async open(parts: ReplicatedWorldParts): Promise<ReplicatedWorld> {
    const { leadership, settings = {}, follower, onProgress } = parts;
    const held = await leadership.openShared();
    try {
      const joined = await joinWorld({
        id: parts.id,
        url: parts.url ?? '',
        leaseMs: parts.leaseMs ?? LEASE_MS,
        leadership,
        log: held.log,
        snapshots: parts.snapshots,
        settings,
        clockKind: parts.clockKind ?? 'real',
        scheduler: parts.scheduler ?? NODE_SCHEDULER,
        source: parts.source ?? MACHINE,
        recover: parts.recover ?? recover,
        options: {
          ...(follower === undefined ? {} : { follower }),
          ...(onProgress === undefined ? {} : { onProgress }),
        },
      });
      checkSettings(joined.engine.world, settings);
      const world = new ReplicatedWorld(parts, { held, ...joined });
      world.#following.start();
      return world;
    } catch (error) {
      await held.log.close();
      await held.release();
      await leadership.close();
      throw error;
    }
  }

  /**
   * Reports this process under its URL, and leads if nobody else does. Call it once clients can reach it. Settles once its role is
   * found: it leads, or it has seen that another process does.
   *
   * @returns false if it was closed before
   */
  async enter(url: string): Promise<boolean> {
    this.#url = url;
    const found = new Promise<boolean>((resolve) => {
      this.#roleFound = resolve;
    });
    this.#watching.start(0);
    this.#reports.start();
    return await found;
  }

  /**
   * Gives the lead to a standby that is ready, if this process leads. It does not lead again afterwards. Commands that arrive
   * meanwhile are `handing_over`, until the new leader is known.
   *
   * @returns whether another process leads now
   */
  async handOver(): Promise<boolean> {
    this.#isLeaving = true;
    // A claim under way is completed first.
    await this.#watching.stop();
    if (this.#steppingDown === null && this.#leading !== null) {
      const successor = await this.#readiest();
      if (successor === null) return false;
      this.#beginStepDown(successor.id);
    }
    await this.#steppingDown;
    if (this.#phase !== 'standby') return false;
    this.#watching.start(0);
    return await this.#untilLed();
  }

  /**
   * Stops the present role: a leader accepts no further command, drains to the store, and gives the lease back. After a fatal error
   * it leaves the store alone.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { leadership, id } = this.#parts;
    this.#isLeaving = true;
    await this.#watching.stop();
    await this.#steppingDown;
    await this.#watching.stop();
    const leading = this.#leading;
    if (leading !== null) {
      await this.#stopKeeper();
      await leading.sequencer.stop();
    }
    if (this.#isOver) return;
    this.#phase = 'over';
    this.sequencer.refuse('not_leader');
    await leading?.term.end();
    this.#roleFound(false);
    await this.#following.stop();
    await this.#reports.stop();
    if (leading !== null) await this.#release(leading.term.epoch, null);
    await leadership.leave(id).catch(() => {});
    await this.#held.log.close();
    await this.#held.release();
    await leadership.close();
  }

  get #isOver(): boolean {
    return this.#phase === 'over';
  }

  // The standby.

  readonly #watchLease = async (): Promise<number | null> => {
    try {
      const wasReleased = this.#watch.seen?.leaderId === null;
      const lease = await this.#watch.look();
      this.#noteReached();
      if (lease.epoch > 0 && lease.leaderId === null && !wasReleased) this.#awaitSuccessor();
      this.#noteLeader();
      const { claimInMs } = this.#watch;
      if (claimInMs > 0 || this.#isLeaving || this.#isOver)
        return Math.min(this.#pollMs(lease), Math.max(claimInMs, 1));
      return (await this.#claim(lease)) ? null : HANDOVER_POLL_MS;
    } catch (error) {
      this.#noteUnreachable(asError(error));
      this.#noteLeader();
      return LEASE_POLL_MAX_MS;
    }
  };

  #pollMs({ leaseMs, epoch, wantedId }: Lease): number {
    if (this.sequencer.refusal === 'handing_over' || wantedId === this.#parts.id) return HANDOVER_POLL_MS;
    return Math.min((epoch === 0 ? this.#leaseMs : leaseMs) / LEASE_POLLS, LEASE_POLL_MAX_MS);
  }

  /** @returns whether the watch of the lease is over: it leads, or has ended. @throws StoreUnreachable if the outcome is unknown */
  async #claim(seen: Lease): Promise<boolean> {
    const { leadership, id } = this.#parts;
    const claimedAt = momentOf(this.#source);
    const lease = await leadership.claim({ id, url: this.#url, leaseMs: this.#leaseMs }, seen);
    if (lease === null || this.#isOver) return false;
    const term: LeaderTerm = new LeaderTerm({
      leadership,
      scheduler: this.#scheduler,
      source: this.#source,
      epoch: lease.epoch,
      leaseMs: this.#leaseMs,
      claimedAt,
      onRenewed: (renewed) => this.#considerHandover(term, renewed),
      onChange: () => this.#notePause(term),
      // Before it leads, nothing was applied that the log does not hold: it remains a standby.
      onLost: (error) => {
        if (this.#leading?.term === term) this.#die(error);
      },
    });
    this.#term = term;
    term.start();
    try {
      return await this.#lead(term, claimedAt.elapsedMs);
    } catch (error) {
      this.#die(asError(error));
      return true;
    }
  }

  async #lead(term: LeaderTerm, claimedAtMs: number): Promise<boolean> {
    this.#phase = 'claiming';
    this.sequencer.refuse('handing_over');
    this.replica.changed();
    await this.#following.stop();
    const isOver = (): boolean => term.isOver || this.#isOver;
    const isCaughtUp = await this.#following.catchUp(isOver);
    const newest = await this.#newestSnapshot();
    if (this.#isOver) return true;
    if (!isCaughtUp || term.isOver) {
      this.#followAgain('not_leader');
      return false;
    }
    const sequencer = this.#beginTerm(term, newest);
    await startWriter(sequencer, this.engine);
    if (this.#isOver) return true;
    this.#phase = 'leading';
    this.sequencer.refuse(null);
    this.#roleFound(true);
    const tookMs = this.#source.elapsedMs() - claimedAtMs;
    this.#tell({ type: 'role_leading', epoch: term.epoch, seq: this.engine.seq, tookMs });
    this.replica.changed();
    void this.#startKeeper(sequencer, term.epoch, newest);
    return true;
  }

  /** From here on the engine may be ahead of the log: whatever fails now ends the process. */
  #beginTerm(term: LeaderTerm, newest: SnapshotManifest | null): Sequencer {
    const { tail } = this.#following;
    const log = new TermLog(this.#held.log, term, tail);
    this.#byteCount += this.#following.byteCount;
    const { commit, follower } = this.#parts;
    const sequencer = makeWriter({
      engine: this.engine,
      applied: this.#applied,
      log,
      epoch: term.epoch,
      tail,
      durability: this.durability,
      // World time never runs backwards, also if the clock of this machine is behind that of the leader before.
      clock: this.#makeClock(Math.max(this.engine.nowMs, this.#time.lastMs)),
      freeSpace: this.#held.freeSpace,
      bytesSinceCut: this.#bytesSince(newest),
      follower,
      onFatal: this.#die,
      scheduler: this.#scheduler,
      ...(commit === undefined ? {} : { commit }),
    });
    this.#leading = { term, log, sequencer };
    this.#phase = 'starting';
    this.sequencer.lead(sequencer, term);
    this.replica.changed();
    return sequencer;
  }

  /** About how many bytes of log there are after a snapshot. */
  #bytesSince(newest: SnapshotManifest | null): number {
    const seq = Math.max(newest?.seq ?? 0, this.#countedFromSeq);
    const counted = this.engine.seq - this.#countedFromSeq;
    return counted === 0 ? 0 : Math.round((this.#byteCount * (this.engine.seq - seq)) / counted);
  }

  #followAgain(refusal: RoleRefusal): void {
    this.#term = null;
    this.#phase = 'standby';
    this.sequencer.refuse(refusal);
    this.#watch.forget();
    this.#following.start();
    this.replica.changed();
  }

  #followFrom(tail: LogTail): Following {
    const { follower } = this.#parts;
    return new Following({
      log: this.#held.log,
      engine: this.#applied,
      tail,
      scheduler: this.#scheduler,
      ...(follower === undefined ? {} : { follower }),
      onApplied: (receivers, atMs) => this.#noteApplied(receivers, atMs),
      onFatal: this.#die,
    });
  }

  // The leader.

  /** The snapshots are no part of the takeover: if the store fails here, it tries again. */
  async #startKeeper(sequencer: Sequencer, epoch: number, newest: SnapshotManifest | null): Promise<void> {
    const { taker, snapshots, snapshotSchedule, keepHistory, onSnapshotEvent } = this.#parts;
    if (taker === null) return;
    const { log } = this.#held;
    const isLeading = (): boolean => this.#phase === 'leading' && this.#leading?.sequencer === sequencer;
    while (isLeading()) {
      const covered = await coveredFromSeq(log, snapshots, newest).catch(() => null);
      if (!isLeading()) return;
      if (covered !== null) {
        this.#keeper = keepSnapshots({
          ...(snapshotSchedule === undefined ? {} : { snapshotSchedule }),
          ...(keepHistory === undefined ? {} : { keepHistory }),
          ...(onSnapshotEvent === undefined ? {} : { onSnapshotEvent }),
          held: this.#held,
          engine: this.engine,
          sequencer,
          epoch,
          snapshots,
          taker: taker(),
          newest,
          coveredFromSeq: covered,
          onFatal: this.#die,
          scheduler: this.#scheduler,
          elapsedMs: () => this.#source.elapsedMs(),
        });
        this.snapshots?.keepBy(this.#keeper);
        return;
      }
      await this.#pause(SNAPSHOT_POLL_MS);
    }
  }

  async #stopKeeper(): Promise<void> {
    const keeper = this.#keeper;
    this.#keeper = null;
    await keeper?.stop();
    this.snapshots?.keepBy(null);
  }

  /** Null if there is none that can be read. */
  async #newestSnapshot(): Promise<SnapshotManifest | null> {
    const { snapshots } = this.#parts;
    try {
      const seq = (await snapshots.list()).at(-1);
      return seq === undefined ? null : await snapshots.manifest(seq);
    } catch {
      return this.recovery.snapshot;
    }
  }

  /** A renewal has shown whether a handover is wanted. */
  #considerHandover(term: LeaderTerm, { wantedId }: Lease): void {
    if (wantedId === null || this.#leading?.term !== term || this.#phase !== 'leading') return;
    if (this.#steppingDown !== null || this.#isLeaving) return;
    void this.#handOverTo(wantedId);
  }

  async #handOverTo(wantedId: string): Promise<void> {
    const { leadership, id } = this.#parts;
    try {
      const members = await leadership.members();
      const isKnown = wantedId !== id && members.some((member) => member.id === wantedId);
      if (!isKnown) await leadership.want(null);
      const isReady = this.#ready(members).some((member) => member.id === wantedId);
      if (isReady && this.#phase === 'leading' && !this.#isLeaving) this.#beginStepDown(wantedId);
    } catch {
      // The next renewal asks again.
    }
  }

  /** The standbys that could lead at once, the one that has applied most first. */
  #ready(members: readonly Member[]): Member[] {
    return members
      .filter(({ id, role, reportedAgoMs }) => {
        return id !== this.#parts.id && role === 'standby' && reportedAgoMs <= MEMBER_READY_MS;
      })
      .filter(({ seq }) => this.engine.seq - seq <= HANDOVER_LAG_MAX)
      .sort((a, b) => b.seq - a.seq);
  }

  async #readiest(): Promise<Member | null> {
    try {
      return this.#ready(await this.#parts.leadership.members())[0] ?? null;
    } catch {
      return null;
    }
  }

  #beginStepDown(successorId: string): void {
    const leading = this.#leading;
    if (leading === null || this.#steppingDown !== null) return;
    this.#steppingDown = this.#stepDown(leading, successorId)
      .catch((error: unknown) => this.#die(asError(error)))
      .finally(() => {
        this.#steppingDown = null;
      });
  }

  /** Drains to the store, then gives the lease back. Before that, it must answer as a standby: another one may lead at once. */
  async #stepDown({ term, log, sequencer }: Leading, successorId: string): Promise<void> {
    this.#phase = 'handing_over';
    this.#handoverSinceMs = this.#source.elapsedMs();
    this.sequencer.refuse('handing_over');
    this.#tell({ type: 'role_handing_over', epoch: term.epoch, successorId });
    this.replica.changed();
    await this.#stopKeeper();
    await sequencer.stop();
    if (this.#isOver) return;
    // The replies that waited have left by then.
    await term.untilValid();
    await term.end();
    if (this.#isOver) return;
    if (log.tail.lastSeq !== this.engine.seq) throw new Error('the world was drained, and is ahead of its log');
    this.#leading = null;
    this.#time = this.#standbyTime(sequencer.nowMs);
    this.#following = this.#followFrom(log.tail);
    this.sequencer.stand(this.engine, this.#time);
    this.#followAgain('handing_over');
    this.#tell({ type: 'role_handed_over', epoch: term.epoch, seq: this.engine.seq });
    await this.#release(term.epoch, successorId);
    if (!this.#closed) this.#watching.start(0);
  }

  /** If the store cannot be reached, the lease expires. */
  async #release(epoch: number, successorId: string | null): Promise<void> {
    await this.#parts.leadership.release(epoch, successorId).catch(() => {});
  }

  async #untilLed(): Promise<boolean> {
    const untilMs = this.#source.elapsedMs() + HANDOVER_LEASES_MAX * this.#leaseMs;
    while (this.#source.elapsedMs() < untilMs && !this.#isOver) {
      if (this.#watch.leader !== null) return true;
      await this.#pause(HANDOVER_POLL_MS);
    }
    return this.#watch.leader !== null;
  }

  /** Fail-stop: no reply leaves from here on. */
  readonly #die = (error: Error): void => {
    if (this.#isOver) return;
    this.#phase = 'over';
    this.sequencer.refuse('not_leader');
    void this.#term?.end();
    this.#parts.onFatal(error);
    this.replica.changed();
  };

  // What others see.

  #report(): MemberReport {
    const { id, version } = this.#parts;
    return { id, url: this.#url, role: this.replica.role, seq: this.sequencer.durableSeq, version };
  }

  #noteApplied(receivers: readonly number[], atMs: number): void {
    this.#time.applied(atMs);
    if (receivers.length > 0) this.sequencer.released(receivers);
    this.replica.applied();
  }

  /** The leader has given the lease back: another process leads in a moment, and commands wait for it. */
  #awaitSuccessor(): void {
    if (this.#phase !== 'standby') return;
    this.#handoverSinceMs = this.#source.elapsedMs();
    this.sequencer.refuse('handing_over');
  }

  /** The lease was looked at as a standby. */
  #noteLeader(): void {
    if (this.#phase !== 'standby') return;
    const { leader } = this.#watch;
    const isLate = this.#source.elapsedMs() - this.#handoverSinceMs > HANDOVER_LEASES_MAX * this.#leaseMs;
    if (leader !== null || isLate) this.sequencer.refuse('not_leader');
    if (this.#watch.isRenewed) this.#roleFound(true);
    // A lease that was given back is claimed at once, or after the head start of its successor.
    const isGivenBack = leader === null && this.#watch.seen?.leaderId === null && this.#watch.claimInMs > 0;
    if ((leader?.leaderId ?? null) !== this.#shownLeaderId && !isGivenBack) {
      const epoch = this.#watch.seen?.epoch ?? 0;
      this.#shownLeaderId = leader?.leaderId ?? null;
      this.#tell(
        leader === null
          ? { type: 'role_leaderless', epoch }
          : { type: 'role_following', epoch, leaderUrl: leader.leaderUrl ?? '' },
      );
    }
    this.replica.changed();
  }

  #notePause(term: LeaderTerm): void {
    if (this.#leading?.term === term && !this.#isOver) {
      const nowMs = this.#source.elapsedMs();
      const { epoch, isValid } = term;
      if (isValid && this.#pausedAtMs !== null) {
        this.#tell({ type: 'role_resumed', epoch, pausedMs: nowMs - this.#pausedAtMs });
      } else if (!isValid) {
        this.#tell({ type: 'role_paused', epoch, leaseAgeMs: term.ageMs });
      }
      this.#pausedAtMs = isValid ? null : nowMs;
    }
    this.replica.changed();
  }

  #noteUnreachable(error: Error): void {
    if (this.#unreachableSinceMs !== null || this.#isOver) return;
    this.#unreachableSinceMs = this.#source.elapsedMs();
    this.#tell({ type: 'store_unreachable', message: error.message });
  }

  #noteReached(): void {
    if (this.#unreachableSinceMs === null) return;
    this.#tell({ type: 'store_reached', afterMs: this.#source.elapsedMs() - this.#unreachableSinceMs });
    this.#unreachableSinceMs = null;
  }

  #tell(event: RoleEvent): void {
    this.#parts.onRoleEvent?.(event);
  }

  #state(): RoleState {
    const { engine, sequencer } = this;
    const { refusal } = sequencer;
    const { members } = this.#reports;
    const leading = this.#leading;
    if (leading !== null && this.#phase !== 'starting' && !this.#isOver) {
      const { epoch, isValid: mayAnswer, ageMs: leaseAgeMs } = leading.term;
      return { role: 'leader', epoch, leaderUrl: this.#url, mayAnswer, leaseAgeMs, members, seq: engine.seq, refusal };
    }
    const { leader, seen, ageMs: leaseAgeMs } = this.#watch;
    // A process that is about to lead has the lease, and takes no commands yet.
    const leaderUrl = leader?.leaderUrl || null;
    const mayAnswer = this.#phase === 'standby' || this.#phase === 'claiming';
    const epoch = this.#term?.epoch ?? seen?.epoch ?? 0;
    return { role: 'standby', epoch, leaderUrl, mayAnswer, leaseAgeMs, members, seq: engine.seq, refusal };
  }

  // Small things.

  #standbyTime(lastMs: number): StandbyTime {
    return new StandbyTime(this.#applied, this.#makeClock(Math.max(lastMs, this.engine.nowMs)), lastMs);
  }

  #makeClock(lastMs: number): Clock {
    const { makeClock } = this.#parts;
    if (makeClock !== undefined) return makeClock(this.clockKind, lastMs, this.#source);
    return this.clockKind === 'manual' ? new ManualClock(lastMs) : new RealClock(lastMs, this.#source);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.#scheduler.after(delayMs, resolve));
  }
}
