// What a row is: a list of primitives, the number of its kind first. What each kind holds stands in a file of its own
// beside this one, writing and reading side by side.

export type RowValue = string | number | boolean | null | readonly RowValue[];
export type Row = readonly RowValue[];

/**
 * First value of each row; never reused. The rows of a player follow it in the order of these numbers; kept replies follow all
 * players, and the rules stand behind the world. A new kind gets a higher number.
 */
export const ROW_KINDS = { world: 1, player: 2, planet: 3, fleet: 4, report: 5, kept_reply: 6, rules: 7 } as const;
