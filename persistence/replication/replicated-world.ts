// A world of a shared store, as one of its processes serves it: joins, follows, claims, leads, hands over, follows again, or ends.
// The same engine goes through all roles. A process whose memory may be ahead of the log never becomes a standby: it ends.
import type { Engine } from '../../engine/engine.js';
import { asError, type FatalHandler } from '../fatal.js';
import {
  CLOCK_JUMP_MS_MAX,
  HANDOVER_LEASES_MAX,
  HANDOVER_POLL_MS,
  LEASE_MS,
  LEASE_POLL_MAX_MS,
  LEASE_POLLS,
} from '../limits.js';
import type { LogTail } from '../log/log.js';
import { type ChosenSettings, checkSettings } from '../recovery/genesis.js';
import { type Recovery, type RecoveryProgress, recover } from '../recovery/recovery.js';
import type { ReplayableEngine } from '../recovery/replay.js';
import type { SnapshotManifest, SnapshotStore } from '../snapshots/snapshot-store.js';
import type { Origin } from '../stores/origin.js';
import type { HeldWorld, Leadership, Lease, Member, MemberReport } from '../stores/world-store.js';
import {
  type Clock,
  type ClockJump,
  type ClockState,
  clockJump,
  MACHINE,
  ManualClock,
  RealClock,
  type TimeSource,
} from '../time/clock.js';
import { NODE_SCHEDULER, pause, Repeated, type Scheduler } from '../time/scheduler.js';
import type { SnapshotTaker } from '../upkeep/snapshot-worker.js';
import { type ReplacedParts, type UpkeepOptions, upkeepOf } from '../world-writer.js';
import type { Durability } from '../writer/group-commit.js';
import { Following } from './following.js';
import { joinWorld } from './joining.js';
import { LeaderTerm, momentOf } from './leader-term.js';
import { Leading } from './leading.js';
import { LeaseWatch } from './lease-watch.js';
import { MemberReports, readyStandbys } from './member-reports.js';
import { ReplicaView, type RoleState } from './replica-view.js';
import { RoleAnnouncer, type RoleEvent } from './role-announcer.js';
import { type RoleRefusal, RoleSequencer, RoleSnapshots, StandbyTime } from './role-sequencer.js';

export interface ReplicatedWorldParts extends UpkeepOptions, ReplacedParts {
  readonly leadership: Leadership;
  readonly snapshots: SnapshotStore;
  /** Takes the snapshots of one term; null if none can be taken. */
  readonly taker: (() => SnapshotTaker) | null;
  readonly origin: Origin | null;
  readonly settings?: ChosenSettings;
  readonly clockKind?: Clock['kind'];
  /** See OpenWorldOptions. */
  readonly clockJumpMsMax?: number;
  readonly durability?: Durability;
  /** Id of this process: random, never used before. */
  readonly id: string;
  /** Version of the program. */
  readonly version: string;
  /** Where clients reach this process, if that is known before enter(). */
  readonly url?: string;
  /** LEASE_MS by default. */
  readonly leaseMs?: number;
  readonly onProgress?: RecoveryProgress;
  readonly onRoleEvent?: (event: RoleEvent) => void;
  /** How the process ends; it must not do anything afterwards. */
  readonly onFatal: FatalHandler;
  readonly source?: TimeSource;
  /** A simulation replaces it. */
  readonly recover?: typeof recover;
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

interface Joined {
  readonly held: HeldWorld;
  readonly engine: Engine;
  readonly recovery: Recovery;
  readonly isNew: boolean;
}

const DEFAULTS = {
  clockKind: 'real',
  clockJumpMsMax: CLOCK_JUMP_MS_MAX,
  durability: 'durable',
  url: '',
  leaseMs: LEASE_MS,
  scheduler: NODE_SCHEDULER,
  source: MACHINE,
  recover,
} as const satisfies Partial<ReplicatedWorldParts>;

type CompleteParts = ReplicatedWorldParts & Required<Pick<ReplicatedWorldParts, keyof typeof DEFAULTS>>;

export class ReplicatedWorld {
  readonly engine: Engine;
  readonly recovery: Recovery;
  /** Whether this process has created the world. */
  readonly isNew: boolean;
  readonly origin: Origin | null;
  readonly durability: Durability;
  readonly clockKind: Clock['kind'];
  /** See HeldWorld. */
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
  readonly #clockJumpMsMax: number;
  readonly #watch: LeaseWatch;
  readonly #watching: Repeated;
  readonly #reports: MemberReports;
  readonly #announcer: RoleAnnouncer;
  #url: string;
  #phase: Phase = 'standby';
  #following: Following;
  #time: StandbyTime;
  /** Null before the claim. */
  #term: LeaderTerm | null = null;
  #leading: Leading | null = null;
  #steppingDown: Promise<void> | null = null;
  /** It must not lead again: it is about to end. */
  #isLeaving = false;
  #closed: Promise<void> | undefined;
  #roleFound: (isFound: boolean) => void = () => {};
  /** Bytes of the records that were replayed or followed, and the seq after which they were counted. */
  #byteCount: number;
  readonly #countedFromSeq: number;
  #handoverSinceMs = 0;

  private constructor(parts: CompleteParts, { held, engine, recovery, isNew }: Joined) {
    const { leadership, id } = parts;
    this.#parts = parts;
    this.#held = held;
    this.engine = engine;
    this.recovery = recovery;
    this.isNew = isNew;
    this.origin = parts.origin;
    this.durability = parts.durability;
    this.clockKind = parts.clockKind;
    this.warnings = held.warnings;
    this.#scheduler = parts.scheduler;
    this.#source = parts.source;
    this.#leaseMs = parts.leaseMs;
    this.#clockJumpMsMax = parts.clockJumpMsMax;
    this.#url = parts.url;
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
    this.#announcer = new RoleAnnouncer(this.#source, (event) => parts.onRoleEvent?.(event));
    this.#time = this.#standbyTime(engine.nowMs);
    this.#following = this.#followFrom(recovery.tail);
    this.sequencer = new RoleSequencer(this.#time);
    this.snapshots = parts.taker === null ? null : new RoleSnapshots();
    this.replica = new ReplicaView(id, this.#source, () => this.#state());
  }

  /**
   * Joins the world as a standby, after creating it if the store is empty. It does not claim the lease before enter().
   *
   * @throws StoreUnreachable, RecoveryRefused, LogUnreadable, SettingsMismatch, ClockJump, RangeError if a new world cannot have the settings
   */
  static async open(given: ReplicatedWorldParts): Promise<ReplicatedWorld> {
    const parts: CompleteParts = { ...DEFAULTS, ...given };
    const { leadership, settings = {}, onProgress } = parts;
    const held = await leadership.openShared();
    try {
      const joined = await joinWorld({
        ...parts,
        log: held.log,
        settings,
        options: { onProgress },
      });
      checkSettings(joined.engine.world, settings);
      const jump = clockJump(parts.clockKind, joined.engine.world, parts.clockJumpMsMax, parts.source);
      if (jump !== null) throw jump;
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
      this.#beginStepDown(successor);
    }
    await this.#untilSteppedDown();
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
    await this.#untilSteppedDown();
    await this.#watching.stop();
    const leading = this.#leading;
    await leading?.stop();
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
      this.#announcer.noteReached();
      if (lease.epoch > 0 && lease.leaderId === null && !wasReleased) this.#awaitSuccessor();
      this.#noteLeader();
      const { claimInMs } = this.#watch;
      if (claimInMs > 0 || this.#isLeaving || this.#isOver)
        return Math.min(this.#pollMs(lease), Math.max(claimInMs, 1));
      const jump = this.#clockJump();
      if (jump !== null) {
        this.#announcer.noteRefused(lease.epoch, jump);
        return this.#pollMs(lease);
      }
      return (await this.#claim(lease)) ? null : HANDOVER_POLL_MS;
    } catch (error) {
      if (!this.#isOver) this.#announcer.noteUnreachable(asError(error));
      this.#noteLeader();
      return LEASE_POLL_MAX_MS;
    }
  };

  #pollMs({ leaseMs, epoch, wantedId }: Lease): number {
    if (this.sequencer.refusal === 'handing_over' || wantedId === this.#parts.id) return HANDOVER_POLL_MS;
    return Math.min((epoch === 0 ? this.#leaseMs : leaseMs) / LEASE_POLLS, LEASE_POLL_MAX_MS);
  }

  /** Not null if the clock of this machine has jumped since the start: another process is to lead. */
  #clockJump(): ClockJump | null {
    return clockJump(this.clockKind, this.engine.world, this.#clockJumpMsMax, this.#source);
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
    const isOver = (): boolean => term.isOver || this.#isOver || this.#isLeaving;
    const isCaughtUp = await this.#following.catchUp(isOver);
    const newest = await this.#newestSnapshot();
    if (this.#isOver) return true;
    if (!isCaughtUp || term.isOver || this.#clockJump() !== null) {
      await term.end();
      this.#followAgain('not_leader');
      await this.#release(term.epoch, null);
      return false;
    }
    const leading = this.#beginTerm(term, newest);
    await leading.start();
    if (this.#isOver) return true;
    this.#phase = 'leading';
    this.sequencer.refuse(null);
    this.#roleFound(true);
    const tookMs = this.#source.elapsedMs() - claimedAtMs;
    this.#announcer.tell({ type: 'role_leading', epoch: term.epoch, seq: this.engine.seq, tookMs });
    this.replica.changed();
    this.#reports.hurry();
    void leading.keepSnapshots();
    return true;
  }

  /** From here on the engine may be ahead of the log: whatever fails now ends the process. */
  #beginTerm(term: LeaderTerm, newest: SnapshotManifest | null): Leading {
    const { snapshots, taker, commit } = this.#parts;
    this.#byteCount += this.#following.byteCount;
    const leading = new Leading({
      term,
      held: this.#held,
      engine: this.engine,
      applied: this.#applied,
      tail: this.#following.tail,
      clock: this.#makeClock(this.#beginsAtMs),
      durability: this.durability,
      bytesSinceCut: this.#bytesSince(newest),
      newest,
      snapshots,
      taker,
      shown: this.snapshots,
      upkeep: upkeepOf(this.#parts),
      commit,
      scheduler: this.#scheduler,
      source: this.#source,
      onFatal: this.#die,
    });
    this.#leading = leading;
    this.#phase = 'starting';
    this.sequencer.lead(leading.sequencer, term);
    this.replica.changed();
    return leading;
  }

  /**
   * Where the clock of a term begins. The time of the world goes on, also if the clock of this machine is behind that of the leader before.
   * A paused clock stands where the leader has stopped it, even if reads of this process were ahead of that by then.
   */
  get #beginsAtMs(): number {
    const { nowMs, world } = this.engine;
    return world.pausedAtMs === null ? Math.max(nowMs, this.#time.lastMs, this.#time.leaderMs) : nowMs;
  }

  /** An estimate of the bytes of log after a snapshot. */
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
    return new Following({
      log: this.#held.log,
      engine: this.#applied,
      tail,
      scheduler: this.#scheduler,
      onApplied: (receivers, atMs) => this.#noteApplied(receivers, atMs),
      onFatal: this.#die,
    });
  }

  // The leader.

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
      const successor = this.#ready(members).find((member) => member.id === wantedId);
      if (successor !== undefined && this.#phase === 'leading' && !this.#isLeaving) this.#beginStepDown(successor);
    } catch {
      // The next renewal asks again.
    }
  }

  #ready(members: readonly Member[]): readonly Member[] {
    return readyStandbys(members, this.#parts.id, this.engine.seq);
  }

  async #readiest(): Promise<Member | null> {
    try {
      return this.#ready(await this.#parts.leadership.members())[0] ?? null;
    } catch {
      return null;
    }
  }

  #beginStepDown(successor: Member): void {
    const leading = this.#leading;
    if (leading === null || this.#steppingDown !== null) return;
    this.#steppingDown = this.#stepDown(leading, successor)
      .catch((error: unknown) => this.#die(asError(error)))
      .finally(() => {
        this.#steppingDown = null;
      });
  }

  /** Drains to the store, then gives the lease back. Before that, it must answer as a standby: another one may lead at once. */
  async #stepDown(leading: Leading, { id: successorId, url: successorUrl }: Member): Promise<void> {
    const { epoch } = leading.term;
    this.#phase = 'handing_over';
    this.#handoverSinceMs = this.#source.elapsedMs();
    this.sequencer.refuse('handing_over');
    this.#announcer.tell({ type: 'role_handing_over', epoch, successorId, successorUrl });
    this.replica.changed();
    const tail = await leading.drain();
    if (this.#isOver || tail === null) return;
    this.#leading = null;
    this.#time = this.#standbyTime(leading.sequencer.nowMs);
    this.#following = this.#followFrom(tail);
    this.sequencer.stand(this.#time);
    this.#followAgain('handing_over');
    this.#reports.hurry();
    this.#announcer.tell({ type: 'role_handed_over', epoch, seq: this.engine.seq });
    await this.#release(epoch, successorId);
    if (!this.#closed) this.#watching.start(0);
  }

  /** If the store cannot be reached, the lease expires. */
  async #release(epoch: number, successorId: string | null): Promise<void> {
    await this.#parts.leadership.release(epoch, successorId).catch(() => {});
  }

  /** Waits, but not for ever: without the store, the replies that wait cannot leave. */
  async #untilSteppedDown(): Promise<void> {
    await Promise.race([this.#steppingDown, pause(this.#scheduler, HANDOVER_LEASES_MAX * this.#leaseMs)]);
  }

  async #untilLed(): Promise<boolean> {
    const untilMs = this.#source.elapsedMs() + HANDOVER_LEASES_MAX * this.#leaseMs;
    while (this.#source.elapsedMs() < untilMs && !this.#isOver) {
      if (this.#watch.leader !== null) return true;
      await pause(this.#scheduler, HANDOVER_POLL_MS);
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
    const { role } = this.replica;
    const obstacle = role === 'standby' ? (this.#clockJump()?.message ?? null) : null;
    return { id, url: this.#url, role, seq: this.sequencer.durableSeq, version, obstacle };
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
    this.#announcer.noteLeader(this.#watch);
    this.replica.changed();
  }

  #notePause(term: LeaderTerm): void {
    if (this.#leading?.term === term && !this.#isOver) this.#announcer.notePause(term);
    this.replica.changed();
  }

  #state(): RoleState {
    const { engine, sequencer } = this;
    const { refusal } = sequencer;
    const { members } = this.#reports;
    const leading = this.#leading;
    if (leading !== null && this.#phase !== 'starting' && !this.#isOver) {
      const { epoch, isValid: mayAnswer, ageMs: leaseAgeMs } = leading.term;
      const leaderUrl = this.#url;
      const { seq } = engine;
      return { role: 'leader', epoch, leaderUrl, mayAnswer, leaseAgeMs, members, seq, cutOffMs: 0, refusal };
    }
    const { leader, seen, ageMs: leaseAgeMs, cutOffMs } = this.#watch;
    // A process that is about to lead has the lease, and takes no commands yet.
    const leaderUrl = leader?.leaderUrl || null;
    const mayAnswer = this.#phase === 'standby' || this.#phase === 'claiming';
    const epoch = this.#term?.epoch ?? seen?.epoch ?? 0;
    const { seq } = engine;
    return { role: 'standby', epoch, leaderUrl, mayAnswer, leaseAgeMs, members, seq, cutOffMs, refusal };
  }

  /** An error of the clock ends the process, also if it is a read that meets it. */
  #standbyTime(lastMs: number): StandbyTime {
    const { world } = this.engine;
    const clock = this.#makeClock(Math.max(lastMs, this.engine.nowMs), {
      pausedAtMs: null,
      clockLagMs: world.clockLagMs,
    });
    const nowMs = (): number => {
      try {
        return clock.nowMs();
      } catch (error) {
        this.#die(asError(error));
        throw error;
      }
    };
    return new StandbyTime(this.#applied, { kind: clock.kind, nowMs }, world, lastMs);
  }

  #makeClock(lastMs: number, state: ClockState = this.engine.world): Clock {
    return this.clockKind === 'manual' ? new ManualClock(lastMs) : new RealClock(lastMs, this.#source, state);
  }
}
