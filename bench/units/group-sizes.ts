// Which groups of units there are, and in worlds of how many players each is measured by default. The process
// that runs the bench reads this without loading what is measured.

interface GroupSizes {
  /** Players; a single 0 where the group is not about the size of a world. */
  readonly short: readonly number[];
  readonly full: readonly number[];
}

const ONCE: GroupSizes = { short: [0], full: [0] };

export const UNIT_GROUP_SIZES = {
  commands: { short: [10_000], full: [1_000, 100_000] },
  ticks: { short: [10_000], full: [1_000, 100_000] },
  heap: ONCE,
  codec: ONCE,
  validator: ONCE,
  views: ONCE,
  journal: ONCE,
  mix: { short: [1_000, 100_000], full: [1_000, 10_000, 100_000, 1_000_000] },
  replay: { short: [10_000], full: [10_000, 100_000] },
  memory: { short: [100_000], full: [1_000_000] },
} as const satisfies Record<string, GroupSizes>;

export type UnitGroupName = keyof typeof UNIT_GROUP_SIZES;
export const UNIT_GROUP_NAMES = Object.keys(UNIT_GROUP_SIZES) as UnitGroupName[];
