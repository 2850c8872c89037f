// The five resources. They are the same under all rules, and their order is written to disk.

export const RESOURCES = ['iron', 'silver', 'ember', 'h2', 'energy'] as const;
export type ResourceName = (typeof RESOURCES)[number];
export const H2 = 3;
export const ENERGY = 4;
/** Resources 0 to 3 can be shipped and looted; energy cannot. */
export const CARGO_RESOURCE_COUNT = 4;

/** Amounts in whole units, in the order of RESOURCES. */
export type Amounts = readonly [iron: number, silver: number, ember: number, h2: number, energy: number];

export const FREE: Amounts = [0, 0, 0, 0, 0];
