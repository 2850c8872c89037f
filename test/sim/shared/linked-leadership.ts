// The lease and the snapshots of a shared store as one simulated process reaches them: over its link, on which every call
// may fail.

import { LEASE_CALL_MAX_MS } from '../../../persistence/limits.js';
import { StoreUnreachable } from '../../../persistence/log/log.js';
import type { SnapshotStore } from '../../../persistence/snapshots/snapshot-store.js';
import type { HeldWorld, Leadership, Lease } from '../../../persistence/stores/world-store.js';
import { altered, around } from '../../support/altered.js';
import type { ProcessLoop } from '../process-loop.js';
import type { CallKind, StoreLink } from './link.js';
import { failAs } from './linked-log.js';
import type { SharedStore } from './shared-store.js';

/** How long a call about snapshots may take. */
const SNAPSHOT_CALL_MS = 2_000;

const CALLS: Readonly<Record<Exclude<keyof Leadership, 'openShared' | 'close'>, CallKind>> = {
  read: 'lease',
  claim: 'claim',
  renew: 'renew',
  release: 'release',
  want: 'want',
  report: 'member',
  members: 'member',
  leave: 'member',
};

export interface LinkedLeadershipParts {
  readonly open: () => HeldWorld;
  /** The process has claimed or renewed the lease. @param sentAtMs when it asked for that, by its own clock */
  readonly onTerm: (sentAtMs: number, lease: Lease) => void;
}

export function linkedLeadership(
  { leadership }: SharedStore,
  link: StoreLink,
  loop: ProcessLoop,
  { open, onTerm }: LinkedLeadershipParts,
): Leadership {
  const carried = around(leadership, (name, call) => {
    if (name === 'openShared' || name === 'close') throw new Error(`${name} needs no call`);
    return reached(link.call(CALLS[name], LEASE_CALL_MAX_MS, call));
  });
  return altered(carried, {
    async openShared() {
      const held = open();
      await held.log.refresh();
      return held;
    },
    async claim(claim, seen) {
      const sentAtMs = loop.elapsedNowMs();
      const lease = await carried.claim(claim, seen);
      if (lease !== null) onTerm(sentAtMs, lease);
      return lease;
    },
    async renew(epoch) {
      const sentAtMs = loop.elapsedNowMs();
      const lease = await carried.renew(epoch);
      onTerm(sentAtMs, lease);
      return lease;
    },
    close: async () => {},
  });
}

export function linkedSnapshots({ content: { snapshots } }: SharedStore, link: StoreLink): SnapshotStore {
  const carry = <T>(call: () => Promise<T>): Promise<T> => reached(link.call('snapshot', SNAPSHOT_CALL_MS, call));
  return altered<SnapshotStore>(
    around(snapshots, (_, call) => carry(call)),
    {
      async *chunks(seq) {
        const chunks: Uint8Array[] = [];
        await carry(async () => {
          for await (const chunk of snapshots.chunks(seq)) chunks.push(chunk);
        });
        yield* chunks;
      },
      async begin(seq) {
        const sink = await carry(() => snapshots.begin(seq));
        return altered(
          around(sink, (_, call) => carry(call)),
          // The process may use the bytes again.
          { append: (bytes) => carry(() => sink.append(Uint8Array.from(bytes))) },
        );
      },
    },
  );
}

function reached<T>(called: Promise<T>): Promise<T> {
  return failAs(called, ({ message }) => new StoreUnreachable(message));
}
