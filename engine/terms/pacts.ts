// The kinds of pacts, and how proposals and pacts end. Positions are written to disk: a later version only appends to them.

/** `non_aggression`: attacks of either side on the other turn round. `shared_sight`: each side sees what planets of the other see. */
export const PACT_KINDS = ['non_aggression', 'shared_sight'] as const;
export type PactKindName = (typeof PACT_KINDS)[number];
export const NON_AGGRESSION = PACT_KINDS.indexOf('non_aggression');
export const SHARED_SIGHT = PACT_KINDS.indexOf('shared_sight');

/** What becomes of a pact, as everybody hears of it. */
export const PACT_CHANGES = ['began', 'cancelled', 'ended'] as const;
export type PactChange = (typeof PACT_CHANGES)[number];

/** Why there is no proposal or pact any more: for a proposal the first three, for a pact the next two, for both the last. */
export const PACT_ENDINGS = ['declined', 'withdrawn', 'expired', 'over', 'cancelled', 'player_retired'] as const;
export type PactEnding = (typeof PACT_ENDINGS)[number];
