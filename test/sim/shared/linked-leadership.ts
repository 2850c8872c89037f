// The lease and the snapshots of a shared store as one simulated process reaches them: over its link, on which every call
// may fail.

import { LEASE_CALL_MAX_MS } from '../../../persistence/limits.js';
import { StoreUnreachable } from '../../../persistence/log/log.js';
import type { SnapshotManifest, SnapshotSink, SnapshotStore } from '../../../persistence/snapshots/snapshot-store.js';
import type { Claim, Leadership, Lease, Member, MemberReport } from '../../../persistence/stores/leadership.js';
import type { HeldWorld } from '../../../persistence/stores/world-store.js';
import { failAs } from './linked-log.js';
import type { ProcessLoop } from './process-loop.js';
import type { SharedStore } from './shared-store.js';
import type { CallKind, StoreLink } from './store-link.js';

export interface LinkedLeadershipParts {
  readonly open: () => HeldWorld;
  /** The process has claimed or renewed the lease. @param sentAtMs when it asked for that, by its own clock */
  readonly onTerm: (sentAtMs: number, lease: Lease) => void;
}

export class LinkedLeadership implements Leadership {
  readonly #store: SharedStore;
  readonly #link: StoreLink;
  readonly #loop: ProcessLoop;
  readonly #parts: LinkedLeadershipParts;

  constructor(store: SharedStore, link: StoreLink, loop: ProcessLoop, parts: LinkedLeadershipParts) {
    this.#store = store;
    this.#link = link;
    this.#loop = loop;
    this.#parts = parts;
  }

  async openShared(): Promise<HeldWorld> {
    const held = this.#parts.open();
    await held.log.refresh();
    return held;
  }

  read(): Promise<Lease> {
    return this.#call('lease', () => this.#store.leadership.read());
  }

  async claim(claim: Claim, seen: Lease): Promise<Lease | null> {
    const sentAtMs = this.#loop.elapsedNowMs();
    const lease = await this.#call('claim', () => this.#store.claim(claim, seen));
    if (lease !== null) this.#parts.onTerm(sentAtMs, lease);
    return lease;
  }

  async renew(epoch: number): Promise<Lease> {
    const sentAtMs = this.#loop.elapsedNowMs();
    const lease = await this.#call('renew', () => this.#store.renew(epoch));
    this.#parts.onTerm(sentAtMs, lease);
    return lease;
  }

  release(epoch: number, successorId: string | null): Promise<void> {
    return this.#call('release', () => this.#store.release(epoch, successorId));
  }

  want(memberId: string | null): Promise<void> {
    return this.#call('want', () => this.#store.leadership.want(memberId));
  }

  report(report: MemberReport): Promise<void> {
    return this.#call('member', () => this.#store.leadership.report(report));
  }

  members(): Promise<readonly Member[]> {
    return this.#call('member', () => this.#store.leadership.members());
  }

  leave(memberId: string): Promise<void> {
    return this.#call('member', () => this.#store.leadership.leave(memberId));
  }

  async close(): Promise<void> {}

  #call<T>(kind: CallKind, execute: () => Promise<T>): Promise<T> {
    return failAs(this.#link.call(kind, LEASE_CALL_MAX_MS, execute), ({ message }) => new StoreUnreachable(message));
  }
}

/** How long a call about snapshots may take. */
const SNAPSHOT_CALL_MS = 2_000;

export class LinkedSnapshots implements SnapshotStore {
  readonly #snapshots: SnapshotStore;
  readonly #link: StoreLink;

  constructor({ content }: SharedStore, link: StoreLink) {
    this.#snapshots = content.snapshots;
    this.#link = link;
  }

  list(): Promise<number[]> {
    return this.#call(() => this.#snapshots.list());
  }

  manifest(seq: number): Promise<SnapshotManifest> {
    return this.#call(() => this.#snapshots.manifest(seq));
  }

  async *chunks(seq: number): AsyncGenerator<Uint8Array> {
    const chunks: Uint8Array[] = [];
    await this.#call(async () => {
      for await (const chunk of this.#snapshots.chunks(seq)) chunks.push(chunk);
    });
    yield* chunks;
  }

  async begin(seq: number): Promise<SnapshotSink> {
    const sink = await this.#call(() => this.#snapshots.begin(seq));
    return {
      append: (bytes) => this.#call(() => sink.append(Uint8Array.from(bytes))),
      finish: (manifest) => this.#call(() => sink.finish(manifest)),
      abandon: () => this.#call(() => sink.abandon()),
    };
  }

  remove(seq: number): Promise<void> {
    return this.#call(() => this.#snapshots.remove(seq));
  }

  sweep(): Promise<void> {
    return this.#call(() => this.#snapshots.sweep());
  }

  #call<T>(execute: () => Promise<T>): Promise<T> {
    const called = this.#link.call('snapshot', SNAPSHOT_CALL_MS, execute);
    return failAs(called, ({ message }) => new StoreUnreachable(message));
  }
}
