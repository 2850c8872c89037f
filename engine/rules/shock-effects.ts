// What shocks do. Positions are written to disk: a later version only appends to them.

/**
 * `output`: planets produce another share of a resource. `pirates`: they take from stocks that lie idle. `bounty`: attackers take more from
 * the player who has raided most.
 */
export const SHOCK_EFFECTS = ['output', 'pirates', 'bounty'] as const;
export type ShockEffectName = (typeof SHOCK_EFFECTS)[number];
export const OUTPUT_SHOCK = SHOCK_EFFECTS.indexOf('output');
export const PIRATES = SHOCK_EFFECTS.indexOf('pirates');
export const BOUNTY = SHOCK_EFFECTS.indexOf('bounty');
