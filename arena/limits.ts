// Every limit of the arena, by name.

/** Operations that a hand sends together; more are sent one part after the other. */
export const OPERATIONS_TOGETHER_MAX = 250;
