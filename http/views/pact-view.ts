// Pacts as plain objects, as replies show them.
import { pactId, playerId } from '../../engine/terms/ids.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import type { ReadonlyPact, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import type { PactBody } from '../schemas/pacts.js';

/** @param pact that the world has, or that a command has just ended */
export function pactBody(world: ReadonlyWorld, pact: ReadonlyPact): PactBody {
  const { number, kind, proposerNumber, partnerNumber, durationMs, isInForce, cancelledByNumber } = pact;
  const isThere = world.pacts.get(number) !== undefined;
  return {
    id: pactId(number),
    kind: PACT_KINDS[kind] as PactBody['kind'],
    state: isThere ? (isInForce ? 'in_force' : 'proposed') : 'ended',
    proposerId: playerId(world, proposerNumber),
    partnerId: playerId(world, partnerNumber),
    durationSeconds: Math.floor(durationMs / 1000),
    since: isoText(pact.sinceMs),
    endsAt: isoText(pact.endsAtMs),
    cancelledBy: cancelledByNumber === 0 ? null : playerId(world, cancelledByNumber),
  };
}
