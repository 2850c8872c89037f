// What a brief says of pacts: those in force, proposals, and those that have just ended.
import type { EventOf } from '../../engine/events/kinds.js';
import { pactId, playerId } from '../../engine/terms/ids.js';
import { PACT_KINDS } from '../../engine/terms/pacts.js';
import { otherParty } from '../../engine/world/pact-table.js';
import type { ReadonlyPact, ReadonlyPlayer, ReadonlyWorld } from '../../engine/world/state.js';
import { isoText } from '../exchange/iso-time.js';
import { BRIEF_ENDED_PACTS_MAX, BRIEF_ENDED_PACTS_MS, BRIEF_EVENTS_READ_MAX } from '../limits.js';

/** The end of a pact or of a proposal. */
export type PactEnd = EventOf<'pact_ended'>;

/** What others cannot fill comes before what anybody can. */
export function pactsOf({ pacts }: ReadonlyWorld, { number }: ReadonlyPlayer): readonly ReadonlyPact[] {
  const rankOf = ({ isInForce, cancelledByNumber }: ReadonlyPact): number =>
    (isInForce ? 0 : 2) + (cancelledByNumber > 0 ? 0 : 1);
  return [...pacts.of(number)].sort((one, other) => rankOf(one) - rankOf(other));
}

/** Those that ended in the last day, as far as the newest events tell, the newest first. Nothing else says why a pact is gone. */
export function pactEndsOf({ eventLog, rules }: ReadonlyWorld, { number }: ReadonlyPlayer, nowMs: number): PactEnd[] {
  if (rules.pacts === null) return [];
  return eventLog.newestOf(number, 'pact_ended', {
    most: BRIEF_ENDED_PACTS_MAX,
    lookedAtMax: BRIEF_EVENTS_READ_MAX,
    afterMs: nowMs - BRIEF_ENDED_PACTS_MS,
  });
}

/** A pact as one of its two players sees it. */
export function pactLine(world: ReadonlyWorld, pact: ReadonlyPact, playerNumber: number): string {
  const { number, kind, proposerNumber, isInForce, cancelledByNumber, endsAtMs } = pact;
  const other = playerId(world, otherParty(pact, playerNumber));
  const end = isoText(endsAtMs);
  const by = cancelledByNumber === 0 ? '' : `, cancelled by ${playerId(world, cancelledByNumber)}`;
  const seconds = Math.floor(pact.durationMs / 1000);
  const state = isInForce
    ? `with ${other}, in force until ${end}${by}`
    : `${proposerNumber === playerNumber ? 'you proposed it to' : 'proposed to you by'} ${other}, for ${seconds} s, to be answered until ${end}`;
  return `- ${pactId(number)} ${PACT_KINDS[kind]}: ${state}`;
}

export function pactEndLine(world: ReadonlyWorld, end: PactEnd): string {
  const { atMs, playerNumber, pactNumber, pactKind, reason } = end;
  const other = playerId(world, otherParty(end, playerNumber));
  return `- ${pactId(pactNumber)} ${PACT_KINDS[pactKind]} with ${other}: ${reason} at ${isoText(atMs)}`;
}
