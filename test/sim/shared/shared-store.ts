// A store that several processes share: what calls do at its machine, each at one instant, and how a process reaches it. What
// a call has done is durable. It is the store in memory, with a witness.
import { AMPLE_SPACE } from '../../../persistence/files/disk-space.js';
import { LEASE_SAFE_SHARE } from '../../../persistence/limits.js';
import {
  type Append,
  Fenced,
  LogPruned,
  LogStalled,
  LogWriteFailed,
  type StoredRecord,
  StoreUnreachable,
  UnknownOutcome,
} from '../../../persistence/log/log.js';
import { MemoryLog } from '../../../persistence/log/memory-log.js';
import { recover } from '../../../persistence/recovery/recovery.js';
import { CannotFollow } from '../../../persistence/replication/following.js';
import { ReplicatedWorld } from '../../../persistence/replication/replicated-world.js';
import type { Claim, Leadership, Lease } from '../../../persistence/stores/world-store.js';
import type { SnapshotRequest, TakenSnapshot } from '../../../persistence/upkeep/snapshot-taking.js';
import { altered } from '../../support/altered.js';
import { MemoryLeadership, noLease } from '../../support/stores/memory-leadership.js';
import { noContent } from '../../support/stores/memory-store.js';
import type { VirtualScheduler } from '../../support/virtual-scheduler.js';
import type { SimulatedProcess } from '../process.js';
import type { Stage } from '../stage.js';
import type { Failover, OpenedWorld, SimulatedStore, StoreAccess } from '../store.js';
import { SimulatedTaker } from '../taker.js';
import { require } from '../violation.js';
import type { SimulatedWorld } from '../world.js';
import { type LinkState, StoreLink, StoreServer } from './link.js';
import { linkedLeadership, linkedSnapshots } from './linked-leadership.js';
import { LinkedLog } from './linked-log.js';

const LEASES_MS = [500, 2_000, 2_000, 5_000];

/** No clock of a process is that much faster than the true time. */
const FASTEST_CLOCK = 1.05;

/** What a process may end itself for after calls without an answer. */
const TROUBLES = [LogStalled, LogWriteFailed, UnknownOutcome, StoreUnreachable];

export class SharedStore implements SimulatedStore {
  readonly server: StoreServer;
  readonly failover: Failover;
  readonly #world: SimulatedWorld;
  readonly #stage: Stage;
  readonly #links = new Map<number, { state: LinkState; link?: StoreLink }>();
  readonly #lease = noLease(() => this.#stage.time.elapsedMs());
  readonly content = noContent(this.#lease);
  readonly log = new MemoryLog(this.content.records);
  readonly #held = new MemoryLeadership(this.content.records, this.#lease, () => {
    throw new Error('the store does not open itself');
  });
  readonly leadership = altered<Leadership>(this.#held, {
    claim: (claim, seen) => this.#claim(claim, seen),
    renew: (epoch) => this.#renew(epoch),
    release: (epoch, successorId) => this.#release(epoch, successorId),
  });
  /** Called after each stored record. */
  readonly #listeners = new Set<() => void>();
  /** When the lease was last claimed or renewed. */
  #renewedAtMs = 0;

  constructor(world: SimulatedWorld) {
    this.#world = world;
    this.#stage = world.stage;
    this.server = new StoreServer(world.stage);
    this.failover = {
      leaseMs: world.stage.draws.pick(LEASES_MS),
      want: (id) => void this.leadership.want(id),
    };
  }

  get schedulers(): readonly VirtualScheduler[] {
    return [this.server.scheduler];
  }

  connect(process: SimulatedProcess): SharedAccess {
    const access = new SharedAccess(process, this, this.#world);
    const { number } = process.machine;
    this.#links.set(number, { state: 'up', ...this.#links.get(number), link: access.link });
    access.link.change(this.#links.get(number)?.state ?? 'up');
    return access;
  }

  /** The link of the process on a machine; undefined if there was none yet. */
  linkOf(machine: number): StoreLink | undefined {
    return this.#links.get(machine)?.link;
  }

  /** Cuts the link of a machine, or ends the cut. */
  setLink(machine: number, state: LinkState): void {
    const { link } = this.#links.get(machine) ?? {};
    this.#links.set(machine, link === undefined ? { state } : { state, link });
    link?.change(state);
  }

  endFaults(): void {
    this.server.mend();
    for (const [machine, { link }] of this.#links) {
      this.setLink(machine, 'up');
      link?.disarm();
    }
  }

  get manifests(): Iterable<readonly [seq: number, manifest: Uint8Array]> {
    return [...this.content.snapshots.stored].map(([seq, { manifest }]) => [seq, manifest] as const);
  }

  open(): ReturnType<SimulatedStore['open']> {
    return { log: this.log, snapshots: this.content.snapshots };
  }

  get lease(): Lease {
    return this.#lease.lease;
  }

  get lastSeq(): number {
    return this.content.records.lastSeq;
  }

  /** @returns a function that ends it */
  onStored(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Only a claim may raise the epoch. */
  acquire(): Promise<number> {
    require(false, () => `the log is acquired without the lease, which ${this.lease.leaderId} has`);
  }

  append(append: Append): Promise<void> {
    const { epoch, expectedSeq, lastSeq } = append;
    const before = this.lastSeq;
    const stored = this.log.append(append);
    const what = `the append of ${expectedSeq + 1}..${lastSeq} under epoch ${epoch}`;
    if (this.lastSeq > before) {
      this.#stage.tell(`${what} is stored`);
      this.#stage.count('appends: stored');
      this.#world.truth.stored(append);
      for (const listener of this.#listeners) listener();
    } else {
      const why = epoch === this.content.records.epoch ? 'conflict' : 'fenced';
      this.#stage.tell(`${what}: ${why}`);
      this.#stage.count(`appends: ${why}`);
    }
    return stored;
  }

  /** Returns at most `limit` records, from the one that holds `fromSeq` on, and where the log begins. */
  page(fromSeq: number, limit: number): { firstSeq: number; records: readonly StoredRecord[] } {
    const { records } = this.content.records;
    const next = records.findIndex(({ firstSeq }) => firstSeq > fromSeq);
    const from = Math.max((next === -1 ? records.length : next) - 1, 0);
    return { firstSeq: this.log.firstSeq ?? 1, records: records.slice(from, from + limit) };
  }

  prune(epoch: number, keepFromSeq: number): Promise<void> {
    const standing = [...this.content.snapshots.stored.keys()].filter((seq) => seq + 1 >= keepFromSeq).length;
    const isFenced = epoch !== this.content.records.epoch;
    require(isFenced || standing >= 2, () => {
      return `the log is pruned up to seq ${keepFromSeq}, with ${standing} snapshots behind that`;
    });
    const { firstSeq } = this.log;
    const pruned = this.log.prune(epoch, keepFromSeq);
    if (this.log.firstSeq !== firstSeq) {
      this.#stage.tell(`the log is pruned before seq ${this.log.firstSeq}`);
      this.#stage.count('prunes');
    }
    return pruned;
  }

  #claim(claim: Claim, seen: Lease): Promise<Lease | null> {
    const { epoch, beat, leaderId, leaseMs } = this.lease;
    const { id } = claim;
    const isLost = epoch !== seen.epoch || beat !== seen.beat;
    const ageMs = this.#stage.time.elapsedMs() - this.#renewedAtMs;
    const isFree = leaderId === null || leaderId === id || ageMs >= leaseMs / FASTEST_CLOCK;
    require(isLost || isFree, () => {
      return `${id} claims the lease of ${leaderId} ${ageMs} ms after it was renewed, and it holds for ${leaseMs} ms`;
    });
    const claimed = this.#held.claim(claim, seen);
    this.#stage.count(isLost ? 'claims: lost' : leaderId === null ? 'claims: released' : 'claims: expired');
    if (isLost) return claimed;
    this.#renewedAtMs = this.#stage.time.elapsedMs();
    this.#stage.tell(`${id} claims the lease, epoch ${this.lease.epoch}; the log ends at ${this.lastSeq}`);
    return claimed;
  }

  #renew(epoch: number): Promise<Lease> {
    if (epoch === this.content.records.epoch) this.#renewedAtMs = this.#stage.time.elapsedMs();
    else this.#stage.count('renewals: fenced');
    return this.#held.renew(epoch);
  }

  #release(epoch: number, successorId: string | null): Promise<void> {
    const isFenced = epoch !== this.content.records.epoch;
    this.#stage.tell(
      `the lease of epoch ${epoch} is released for ${successorId ?? 'anybody'}${isFenced ? ': fenced' : ''}`,
    );
    this.#stage.count(isFenced ? 'releases: fenced' : 'releases');
    return this.#held.release(epoch, successorId);
  }
}

export class SharedAccess implements StoreAccess {
  readonly link: StoreLink;
  readonly #takerLink: StoreLink;
  readonly #process: SimulatedProcess;
  readonly #store: SharedStore;
  readonly #world: SimulatedWorld;

  constructor(process: SimulatedProcess, store: SharedStore, world: SimulatedWorld) {
    const { id, loop } = process;
    const { stage } = world;
    this.#process = process;
    this.#store = store;
    this.#world = world;
    this.link = new StoreLink(id, store.server, loop, stage);
    this.#takerLink = new StoreLink(`the taker of ${id}`, store.server, loop, stage);
  }

  async open(): Promise<OpenedWorld> {
    const { parts, settings, clockKind, stage, truth } = this.#world;
    const { id, url, loop, witness, die } = this.#process;
    const { link } = this;
    const store = this.#store;
    const { leaseMs } = store.failover;
    const linked = linkedLeadership(store, link, loop, {
      open: () => ({
        log: parts.log(new LinkedLog(store, link, loop)),
        freeSpace: AMPLE_SPACE,
        warnings: [],
        requireRoom: async () => {},
        release: async () => {},
      }),
      onTerm: (sentAtMs, lease) => {
        this.#process.term = { epoch: lease.epoch, untilMs: sentAtMs + lease.leaseMs * LEASE_SAFE_SHARE };
      },
    });
    const world = await ReplicatedWorld.open({
      id,
      leaseMs,
      leadership: parts.leadership(linked, loop),
      snapshots: linkedSnapshots(store, link),
      taker: () => new SimulatedTaker(loop.device, (request) => this.#take(request)),
      origin: null,
      version: 'simulated',
      scheduler: loop,
      source: parts.source(loop),
      settings,
      clockKind,
      onFatal: die,
      onRoleEvent: (event) => stage.tell(`${id}: ${JSON.stringify(event)}`),
      onSnapshotEvent: ({ type }) => stage.count(type),
      commit: parts.commit,
      witness,
      recover: (log, snapshots, options) =>
        recover(log, snapshots, { ...options, onEntries: truth.compare.bind(truth) }),
    });
    const { engine, sequencer, replica, snapshots } = world;
    return {
      engine,
      sequencer,
      replica,
      snapshots,
      enter: () => world.enter(url),
      // It hands over first, if there is somebody to hand over to.
      close: () => world.handOver().then(() => world.close()),
    };
  }

  checkIdle(): void {}

  reasonFor(error: unknown): string | undefined {
    const isFenced = error instanceof Fenced && this.#process.term.epoch < this.#store.content.records.epoch;
    const isTroubled = TROUBLES.some((kind) => error instanceof kind) && this.link.troubleCount > 0;
    const isBehind = error instanceof CannotFollow && error.cause instanceof LogPruned;
    return isFenced || isTroubled || isBehind ? `ended itself: ${(error as Error).name}` : undefined;
  }

  end(): void {}

  async #take(request: SnapshotRequest): Promise<TakenSnapshot> {
    const log = new LinkedLog(this.#store, this.#takerLink, this.#process.loop);
    try {
      return await this.#world.parts.takeFrom(log, linkedSnapshots(this.#store, this.#takerLink), request);
    } finally {
      await log.close();
    }
  }
}
