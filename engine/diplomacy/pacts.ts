// Pacts of two players, under rules with `pacts`: one proposes, the other accepts or declines. A pact is in force for the time that was
// proposed. Either side may cancel it; then it ends after a notice that both see. What it forbids, the engine prevents.

import { refuseSuspended } from '../planets/planets.js';
import { NON_AGGRESSION, type PactChange, type PactEnding, SHARED_SIGHT } from '../terms/pacts.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import { otherParty, type Pact, partiesOf } from '../world/pact-table.js';
import {
  type ReadonlyPact,
  type ReadonlyPlayer,
  type ReadonlyWorld,
  scheduleTimer,
  type World,
} from '../world/state.js';
import { durationMs, TIMER_KINDS } from '../world/timer-queue.js';

/** Proposes a pact. */
export function proposePact(
  world: World,
  terms: Pick<Pact, 'kind' | 'proposerNumber' | 'partnerNumber' | 'durationMs'>,
  proposalMs: number,
): Pact {
  const number = world.lastTimerId + 1;
  const endsAtMs = world.nowMs + durationMs(world, proposalMs);
  const timer = scheduleTimer(world, endsAtMs, TIMER_KINDS.pact_end, number);
  const pact: Pact = {
    ...terms,
    number,
    isInForce: false,
    sinceMs: world.nowMs,
    endsAtMs,
    cancelledByNumber: 0,
    timer,
  };
  world.pacts.add(pact);
  const durationSeconds = Math.floor(terms.durationMs / 1000);
  for (const playerNumber of partiesOf(pact)) {
    const common = head(world, pact, playerNumber);
    world.events.push({ kind: 'pact_proposed', ...common, durationSeconds, expiresAtMs: endsAtMs });
  }
  return pact;
}

/** Brings a proposal into force. @param longestMs at speed 1: the speed may have changed since the proposal */
export function beginPact(world: World, pact: Pact, longestMs: number): void {
  pact.isInForce = true;
  pact.sinceMs = world.nowMs;
  endAt(world, pact, world.nowMs + Math.min(pact.durationMs, durationMs(world, longestMs)));
  for (const playerNumber of partiesOf(pact)) {
    world.events.push({ kind: 'pact_began', ...head(world, pact, playerNumber), endsAtMs: pact.endsAtMs });
  }
  tellEverybody(world, pact, pact.partnerNumber, 'began');
}

/** Ends a pact in force after a notice, unless it ends before. */
export function cancelPact(world: World, pact: Pact, playerNumber: number, noticeMs: number): void {
  pact.cancelledByNumber = playerNumber;
  endAt(world, pact, Math.min(pact.endsAtMs, world.nowMs + durationMs(world, noticeMs)));
  for (const receiver of partiesOf(pact)) {
    const { endsAtMs } = pact;
    world.events.push({ kind: 'pact_cancelled', ...head(world, pact, receiver), byNumber: playerNumber, endsAtMs });
  }
  tellEverybody(world, pact, playerNumber, 'cancelled');
}

/** Removes a proposal or a pact. */
export function endPact(world: World, pact: Pact, reason: PactEnding): void {
  world.timers.cancel(pact.timer);
  remove(world, pact, reason);
}

/** The timer of a pact fires: the proposal expires, or the pact is over. */
export function expirePact(world: World, number: number): void {
  const pact = world.pacts.get(number);
  if (pact === undefined) throw new Error(`there is no pact ${number}`);
  const ending = pact.cancelledByNumber === 0 ? 'over' : 'cancelled';
  remove(world, pact, pact.isInForce ? ending : 'expired');
}

/** Ends all pacts and proposals of a player who is retired. */
export function endPactsOf(world: World, { number }: ReadonlyPlayer): void {
  for (const pact of world.pacts.of(number)) endPact(world, pact, 'player_retired');
}

/** World time until which attacks of two players on each other turn round, by a pact in force at an instant; 0 if there is none. */
export function truceUntilMs({ pacts }: ReadonlyWorld, one: number, other: number, atMs: number): number {
  if (pacts.size === 0) return 0;
  const pact = pacts
    .of(one)
    .find((pact) => pact.kind === NON_AGGRESSION && pact.isInForce && otherParty(pact, one) === other);
  return pact !== undefined && atMs < pact.endsAtMs ? pact.endsAtMs : 0;
}

/** Numbers of the players whose sight a player shares, by number. */
export function sightPartners({ pacts }: ReadonlyWorld, playerNumber: number): number[] {
  if (pacts.size === 0) return [];
  return pacts
    .of(playerNumber)
    .filter(({ kind, isInForce }) => kind === SHARED_SIGHT && isInForce)
    .map((pact) => otherParty(pact, playerNumber))
    .sort((one, other) => one - other);
}

/** Whether two players have a proposal or a pact of a kind, whoever proposed it. */
export function hasPact({ pacts }: ReadonlyWorld, kind: number, one: number, other: number): boolean {
  return pacts.of(one).some((pact) => pact.kind === kind && otherParty(pact, one) === other);
}

/** What counts for the limit of a player: its pacts in force, and the proposals that it has made. Those of others cannot use it up. */
export function openPactCount({ pacts }: ReadonlyWorld, playerNumber: number): number {
  return pacts.of(playerNumber).filter((pact) => pact.isInForce || pact.proposerNumber === playerNumber).length;
}

/** Proposals that a player has received and not answered. */
export function receivedProposalCount({ pacts }: ReadonlyWorld, playerNumber: number): number {
  return pacts.of(playerNumber).filter((pact) => !pact.isInForce && pact.partnerNumber === playerNumber).length;
}

/** Returns the refusal of a command on a pact or proposal by a player; else null. */
export function refuseForeignPact(world: ReadonlyWorld, playerNumber: number, pactNumber: number): Refusal | null {
  if (!world.players.has(playerNumber)) return refuse('player_not_found');
  const pact = world.pacts.get(pactNumber);
  // Those of others are no different from those that do not exist: who makes a proposal to whom is secret.
  if (pact === undefined || !partiesOf(pact).includes(playerNumber)) return refuse('pact_not_found');
  return refuseSuspended(world, playerNumber);
}

/** Returns the refusal of an answer to a proposal; null if the player has received it and not answered it. */
export function refuseAnswer(world: ReadonlyWorld, playerNumber: number, pactNumber: number): Refusal | null {
  const foreign = refuseForeignPact(world, playerNumber, pactNumber);
  if (foreign !== null) return foreign;
  const pact = world.pacts.get(pactNumber);
  if (pact?.partnerNumber !== playerNumber)
    return refuse('not_owner', { reason: 'Only the player to whom a pact was proposed answers the proposal.' });
  return pact.isInForce ? refuse('pact_in_force') : null;
}

/** The same, if the answer is to accept it. */
export function refuseAcceptance(world: ReadonlyWorld, playerNumber: number, pactNumber: number): Refusal | null {
  return refuseAnswer(world, playerNumber, pactNumber) ?? refuseAnotherPact(world, playerNumber);
}

export function refuseAnotherPact(world: ReadonlyWorld, playerNumber: number): Refusal | null {
  const openMax = world.rules.pacts?.openMax ?? 0;
  return openPactCount(world, playerNumber) < openMax ? null : refuseAtLimit('pacts.openMax', openMax);
}

function endAt(world: World, pact: Pact, endsAtMs: number): void {
  world.timers.cancel(pact.timer);
  pact.endsAtMs = endsAtMs;
  pact.timer = scheduleTimer(world, endsAtMs, TIMER_KINDS.pact_end, pact.number);
}

/** @param pact whose timer is no longer pending */
function remove(world: World, pact: Pact, reason: PactEnding): void {
  world.pacts.remove(pact);
  for (const playerNumber of partiesOf(pact)) {
    world.events.push({ kind: 'pact_ended', ...head(world, pact, playerNumber), reason });
  }
  if (pact.isInForce) tellEverybody(world, pact, pact.cancelledByNumber || pact.proposerNumber, 'ended');
}

/** @param receiver a party, who gets the event */
function head({ nowMs }: World, { number, kind, proposerNumber, partnerNumber }: Pact, receiver: number) {
  return { atMs: nowMs, playerNumber: receiver, pactNumber: number, pactKind: kind, proposerNumber, partnerNumber };
}

/** @param playerNumber the party by whom it changes */
function tellEverybody(world: World, pact: ReadonlyPact, playerNumber: number, change: PactChange): void {
  world.events.push({
    kind: 'pact',
    atMs: world.nowMs,
    playerNumber,
    pactNumber: pact.number,
    pactKind: pact.kind,
    otherNumber: otherParty(pact, playerNumber),
    change,
    endsAtMs: pact.endsAtMs,
  });
}
