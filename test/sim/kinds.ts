// The kinds of runs: how many machines there are, what store they have, and how the rest of their world differs.
import type { Durability } from '../../persistence/writer/group-commit.js';
import { FolderStore } from './folder/folder-store.js';
import { SharedStore } from './shared/shared-store.js';
import type { SimulatedStore } from './store.js';
import type { SimulatedWorld } from './world.js';

/** `single`: one process and its disk. `shared`: several processes on a shared store. */
export const RUN_KINDS = ['single', 'shared'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export interface Kind {
  /** Drawn from these. */
  readonly machineCounts: readonly number[];
  readonly speeds: readonly number[];
  readonly durabilities: readonly Durability[];
  readonly makeStore: (world: SimulatedWorld) => SimulatedStore;
  /** One in this many reads of the clock takes a millisecond. */
  readonly looksPerMs: number;
  /** How much clocks differ from the true time, in thousandths: more than any crystal does, if it matters. */
  readonly driftThousandths: number;
  /** A request of a client takes less than this to a process. */
  readonly travelMs: number;
  /** Maximum time after which a supervisor starts a process again. */
  readonly restartMs: number;
}

export const KINDS: Readonly<Record<RunKind, Kind>> = {
  single: {
    machineCounts: [1],
    speeds: [1, 60, 5_000, 100_000],
    durabilities: ['durable', 'durable', 'durable', 'durable', 'durable', 'relaxed'],
    makeStore: (world) => new FolderStore(world),
    looksPerMs: 2,
    driftThousandths: 0,
    travelMs: 1,
    restartMs: 20,
  },
  shared: {
    machineCounts: [2, 2, 3, 3, 4],
    speeds: [60, 5_000, 100_000],
    durabilities: ['durable'],
    makeStore: (world) => new SharedStore(world),
    // The processes read their clocks often.
    looksPerMs: 32,
    driftThousandths: 20,
    travelMs: 3,
    restartMs: 2_000,
  },
};
