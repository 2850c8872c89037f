// The disk of a world that one process serves: it loses what is not flushed when the process ends, its content may be damaged,
// and another process may acquire the log. The process opens it as the program opens a folder.
import { Fenced, LogConflict, LogStalled, LogUnreadable, LogWriteFailed } from '../../../persistence/log/log.js';
import { openWorld } from '../../../persistence/open-world.js';
import type { WritableWorld } from '../../../persistence/recovery/recovery.js';
import { RecoveryRefused } from '../../../persistence/recovery/replay.js';
import type { HeldWorld, WorldStore } from '../../../persistence/stores/world-store.js';
import type { SnapshotEvent } from '../../../persistence/upkeep/snapshot-keeper.js';
import type { SnapshotRequest, TakenSnapshot } from '../../../persistence/upkeep/snapshot-taking.js';
import { altered } from '../../support/altered.js';
import type { Draws } from '../../support/process/draws.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import type { Device } from '../../support/virtual-scheduler.js';
import type { SimulatedProcess } from '../process.js';
import type { OpenedWorld, SimulatedStore, StoreAccess } from '../store.js';
import { SimulatedTaker } from '../taker.js';
import { require, Violation } from '../violation.js';
import type { SimulatedWorld } from '../world.js';
import { Disk, type SnapshotDamage } from './disk.js';
import { DiskLog, DiskLogReader } from './disk-log.js';
import { DiskSnapshots } from './disk-snapshots.js';

const AT_ONCE: Device = async () => {};

export class FolderStore implements SimulatedStore {
  readonly schedulers = [];
  readonly failover = null;
  readonly disk: Disk;
  readonly freeSpace = { isLow: false };
  readonly #world: SimulatedWorld;
  /** That of the process; undefined if there is none. */
  #access: FolderAccess | undefined;

  constructor(world: SimulatedWorld) {
    this.#world = world;
    this.disk = new Disk((append) => world.truth.stored(append));
  }

  connect(process: SimulatedProcess): FolderAccess {
    this.#access = new FolderAccess(process, this, this.#world, () => {
      this.#access = undefined;
    });
    return this.#access;
  }

  endFaults(): void {
    const { disk } = this;
    disk.armed.log = undefined;
    disk.armed.snapshots = undefined;
    disk.isReadFailing = false;
    disk.isCutRefused = false;
    disk.mend();
    this.freeSpace.isLow = false;
  }

  /** @returns whether that is news */
  changeSpace(isLow: boolean): boolean {
    const isNews = this.freeSpace.isLow !== isLow;
    this.freeSpace.isLow = isLow;
    if (isNews && isLow) this.#world.stage.count('fault: disk low');
    return isNews;
  }

  /** A bit of the log flips. @returns whether one could */
  flip(draws: Draws): boolean {
    const { stage } = this.#world;
    const record = this.#isRecovering ? undefined : this.disk.flip(draws);
    if (record === undefined) return false;
    stage.tell(`a bit of the record at seq ${record.firstSeq} flips`);
    stage.count('fault: bit flip');
    return true;
  }

  /** @returns whether there was a sound snapshot */
  damageSnapshot(damage: SnapshotDamage, draws: Draws): boolean {
    const { stage } = this.#world;
    const seq = this.#isRecovering ? undefined : this.disk.damageSnapshot(damage, draws);
    if (seq === undefined) return false;
    stage.tell(`the snapshot at seq ${seq} is damaged: ${damage}`);
    stage.count(`fault: snapshot damage: ${damage}`);
    return true;
  }

  /** Another process acquires the log, and does not write. The next start acquires it again. @returns whether there is a process */
  takeOver(): boolean {
    if (this.#access === undefined) return false;
    this.disk.epoch += 1;
    this.#world.stage.tell(`another process acquires the log, epoch ${this.disk.epoch}`);
    this.#world.stage.count('fault: taken over');
    return true;
  }

  /** @returns whether there is a process */
  killTaker(): boolean {
    if (this.#access === undefined) return false;
    this.#access.taker.stop();
    this.#world.stage.count('fault: taker killed');
    return true;
  }

  /** Recovery can no longer refuse what it has read already. */
  get #isRecovering(): boolean {
    return this.#access !== undefined && !this.#access.hasRecovered;
  }

  get manifests(): Iterable<readonly [seq: number, manifest: Uint8Array | undefined]> {
    return [...this.disk.snapshots].map(([seq, { written }]) => [seq, written.manifest] as const);
  }

  open(): ReturnType<SimulatedStore['open']> {
    const { stage, parts } = this.#world;
    const log = parts.log(new DiskLog(this.disk, AT_ONCE, stage, () => 0));
    return { log, snapshots: parts.snapshots(new DiskSnapshots(this.disk, AT_ONCE, stage)) };
  }
}

export class FolderAccess implements StoreAccess {
  readonly log: DiskLog;
  readonly taker: SimulatedTaker;
  readonly #process: SimulatedProcess;
  readonly #store: FolderStore;
  readonly #world: SimulatedWorld;
  readonly #onEnd: () => void;
  /** Those of the snapshot in progress. */
  #taken: DiskSnapshots | undefined;
  /** How often the disk had been damaged when the snapshot in progress was begun; -1 if it was damaged then. */
  #damageBefore = 0;
  #readErrorsBefore = 0;
  /** Whether its world is there. */
  hasRecovered = false;

  constructor(process: SimulatedProcess, store: FolderStore, world: SimulatedWorld, onEnd: () => void) {
    this.#process = process;
    this.#store = store;
    this.#world = world;
    this.#onEnd = onEnd;
    const { loop } = process;
    const runningMs = (): number => loop.elapsedNowMs() - loop.stoppedMs;
    this.log = new DiskLog(store.disk, loop.device, world.stage, runningMs);
    this.taker = new SimulatedTaker(loop.device, (request, device) => this.#take(request, device));
  }

  async open(): Promise<OpenedWorld> {
    const { parts, settings, clockKind, durability, stage, truth } = this.#world;
    const { loop, witness, die } = this.#process;
    const { disk, freeSpace } = this.#store;
    const snapshots = parts.snapshots(new DiskSnapshots(disk, loop.device, stage));
    const held: HeldWorld = {
      log: parts.log(this.log),
      freeSpace,
      warnings: [],
      requireRoom: async () => {},
      release: async () => {},
    };
    const open = async (): Promise<HeldWorld> => {
      await snapshots.sweep();
      return held;
    };
    const world = await openWorld({
      // No other process can open it: `taker` takes the snapshots.
      store: altered<WorldStore>(new MemoryStore(), { snapshots, open }),
      settings,
      clock: clockKind,
      durability,
      scheduler: loop,
      source: loop.source,
      witness,
      commit: parts.commit,
      taker: this.taker,
      onSnapshotEvent: (event) => this.#hearOfSnapshot(event),
      onFatal: die,
      recover: async (log, stored, options) => {
        const onEntries = truth.compare.bind(truth);
        const recovered = await parts.recover(log, stored, { ...options, onEntries });
        this.#checkRecovered(recovered);
        this.#process.term = { epoch: recovered.epoch, untilMs: Number.POSITIVE_INFINITY };
        return recovered;
      },
    });
    this.hasRecovered = true;
    return { ...world, replica: null, enter: async () => {} };
  }

  checkIdle(): void {
    require(!this.log.mustBeOver, () => 'the process still runs after a write that failed or hangs');
  }

  reasonFor(error: unknown): string | undefined {
    const { log } = this;
    const { disk } = this.#store;
    if ((error instanceof LogWriteFailed || error instanceof LogStalled) && log.isFaulty) {
      return 'ended itself after a failed write';
    }
    if (error instanceof Fenced && log.isFenced) return 'ended itself because it was fenced';
    // Its own record was damaged before it could read it.
    if (error instanceof LogConflict && disk.isDamaged) return 'ended itself because of damage';
    if (error instanceof LogUnreadable) return 'refused what could not be read';
    const { refusalSeq } = disk;
    if (!(error instanceof RecoveryRefused) || refusalSeq === undefined) return undefined;
    require(error.seq === refusalSeq, () => {
      return `recovery was refused at seq ${error.seq}, while the damage is at ${refusalSeq}`;
    });
    this.#world.stage.tell('the operator restores damaged data');
    disk.mend();
    return 'damage refused';
  }

  /** The machine ends with its process. */
  end(): void {
    const { stage } = this.#world;
    const { log } = this;
    if (log.isPruning) stage.count('crashes in a prune');
    if (log.isWriting) stage.count('crashes in a write');
    const fate = this.#store.disk.crash(stage.draws);
    stage.tell(`of the log: ${fate}`);
    stage.count(`at an end: ${fate}`);
    this.#onEnd();
  }

  /** Everything that was durable must be recovered, and from the newest sound snapshot. */
  #checkRecovered({ engine, recovery: { snapshot, damagedSnapshots } }: WritableWorld): void {
    const { stage, truth } = this.#world;
    const { seq } = engine;
    stage.count('recoveries');
    if (snapshot !== null) stage.count('recoveries from a snapshot');
    stage.count('damaged snapshots passed over', damagedSnapshots.length);
    stage.tell(`recovered up to seq ${seq}`);
    const { refusalSeq, soundSnapshotSeqs } = this.#store.disk;
    require(refusalSeq === undefined, () => `damage at seq ${refusalSeq} was served`);
    const [from, newest] = [snapshot?.seq ?? null, soundSnapshotSeqs.at(-1) ?? null];
    require(from === newest, () => `recovery began with the snapshot ${from}, and the newest sound one is ${newest}`);
    require(seq === truth.lastSeq, () => `recovery ends at seq ${seq}, and seq ${truth.lastSeq} was durable`);
    if (seq === 0) return;
    const [is, was] = [engine.stateHash(), truth.hashAt(seq)];
    require(is === was, () => `at seq ${seq} the recovered world is ${is}, and the log says ${was}`);
  }

  async #take(request: Required<SnapshotRequest>, device: Device): Promise<TakenSnapshot> {
    const { stage, parts } = this.#world;
    const { disk } = this.#store;
    this.#damageBefore = disk.isDamaged ? -1 : disk.damageCount;
    this.#readErrorsBefore = this.#readErrors;
    this.#taken = new DiskSnapshots(disk, device, stage);
    await this.#taken.sweep();
    const snapshots = parts.snapshots(this.#taken);
    return await parts.takeFrom(new DiskLogReader(disk, device, stage), snapshots, request);
  }

  #hearOfSnapshot(event: SnapshotEvent): void {
    const { stage } = this.#world;
    const { disk, freeSpace } = this.#store;
    stage.count(event.type);
    if (event.type === 'snapshot_taken') {
      stage.tell(`a snapshot of seq ${event.taken.manifest.seq}, from the one of ${event.taken.basisSeq}`);
    } else if (event.type === 'snapshot_failed') {
      stage.tell(`no snapshot: ${event.message}`);
      const { log, taker } = this;
      const isDamaged = this.#readErrors > this.#readErrorsBefore || this.#damageBefore !== disk.damageCount;
      const isHindered = freeSpace.isLow || log.isFaulty || log.hasRefused || log.isFenced;
      const hasReason = isDamaged || isHindered || taker.wasKilled || this.#taken?.hasFailed;
      if (!hasReason) this.#process.die(new Violation(`a snapshot failed without a reason: ${event.message}`));
    }
  }

  get #readErrors(): number {
    return this.#world.stage.counts['fault: read error'] ?? 0;
  }
}
