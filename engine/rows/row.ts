// A row is a list of primitives that begins with the number of its kind. The other files of this folder write and read each kind.

export type RowValue = string | number | boolean | null | readonly RowValue[];
export type Row = readonly RowValue[];

/**
 * The first value of each row; never reused. A new kind gets a higher number. world-loader.ts lists the kinds in the order of
 * their rows.
 */
export const ROW_KINDS = {
  world: 1,
  player: 2,
  planet: 3,
  fleet: 4,
  report: 5,
  kept_reply: 6,
  rules: 7,
  keys: 8,
  retired: 9,
  freed_starter: 10,
  activity: 11,
  event_log: 12,
  event_receivers: 13,
  events: 14,
  plan: 15,
  war: 16,
  lineage: 17,
} as const;
