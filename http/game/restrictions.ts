// What this server does not allow at present, as it was started. A game of turns forbids more (turns/in-turn.ts).

/** Each is looked at when somebody asks for what it forbids. */
export interface Restrictions {
  /** True if only the operator creates players. */
  readonly isRegistrationClosed: boolean;
  /** Why players cannot change their keys, in a sentence; null if they can. */
  readonly keyFault: string | null;
  /** Why nobody can advance the clock, in a sentence; null if the operator can. */
  readonly clockFault: string | null;
}

export function restrictionsOf(clock: 'real' | 'manual' | 'turns', registration: 'open' | 'closed'): Restrictions {
  return {
    isRegistrationClosed: registration === 'closed',
    keyFault: null,
    clockFault: clock === 'real' ? 'The clock of this world is real and cannot be advanced.' : null,
  };
}
