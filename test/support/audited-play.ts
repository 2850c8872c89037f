// Random play that is audited after every entry and every refusal.

import type { Ledger } from './ledger.js';
import fc from './properties.js';
import { type Choose, chooseCommand, chooseOperatorMove, chooseWaitMs, listedChoice } from './random-play.js';
import type { WorldStory } from './world-story.js';

/** A move is a list of choices; leaving one out does not change what the others mean. */
export const anyMoves = (lengths: { readonly minLength?: number; readonly maxLength: number }) =>
  fc.array(fc.array(fc.nat(1_000_000), { minLength: 12, maxLength: 12 }), { ...lengths, size: 'max' });

export interface Audit {
  /** Called after every entry and every refusal; it throws if something is wrong. Requires that the ledger has no faults by default. */
  readonly look?: (story: WorldStory, ledger: Ledger) => void;
  /** Some moves are the operator's: other rules, and more than a planet can hold. */
  readonly hasOperator?: boolean;
}

/** One move in this many is the operator's. */
const OPERATOR_MOVES = 20;

/** Plays moves in the world of a ledger. @throws Error if something is wrong, or a refused command changes the world */
export function playAudited(
  ledger: Ledger,
  moves: readonly (readonly number[])[],
  { look = requireNoFaults, hasOperator = false }: Audit = {},
): void {
  const { story } = ledger;
  for (const numbers of moves) {
    const choose = listedChoice(numbers);
    ledger.advanceTo(story.nowMs + chooseWaitMs(story, choose), () => look(story, ledger));
    const before = story.engine.stateHash();
    const command = chooseMove(story, choose, hasOperator);
    if (!ledger.attempt(command) && story.engine.stateHash() !== before)
      throw new Error(`a refused ${command.type} changed the world`);
    look(story, ledger);
  }
}

function chooseMove({ world }: WorldStory, choose: Choose, hasOperator: boolean) {
  return hasOperator && choose(OPERATOR_MOVES) === 0 ? chooseOperatorMove(world, choose) : chooseCommand(world, choose);
}

function requireNoFaults(_: WorldStory, ledger: Ledger): void {
  const faults = ledger.faults();
  if (faults.length > 0) throw new Error(faults.join(', '));
}
