// Schemas of pacts.
import type { Static } from 'typebox';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import { Type } from '../../persistence/typebox.js';
import { count, oneOf, orNull, shownId, timestamp } from './primitives.js';

export const pactKind = oneOf([...PACT_KINDS], 'What the pact is about.');

export const Pact = Type.Object(
  {
    id: shownId('Pact id.'),
    kind: pactKind,
    state: oneOf(['proposed', 'in_force', 'ended'], 'Whether the partner has accepted it, and it has not ended.'),
    proposerId: shownId('Player id of who proposed it.'),
    partnerId: shownId('Player id of who was asked.'),
    durationSeconds: count('World time for which it is in force, unless it is cancelled.'),
    since: timestamp('When it was proposed, or came into force.'),
    endsAt: timestamp('When the proposal expires, or the pact ends.'),
    cancelledBy: orNull(Type.String(), 'Player id of who has cancelled the pact in force; null if nobody has.'),
  },
  { description: 'A pact of two players, or a proposal for one.' },
);
export type PactBody = Static<typeof Pact>;

export const Pacts = Type.Array(Pact);
