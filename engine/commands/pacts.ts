// The commands that propose pacts, answer proposals and cancel pacts.

import { countContact, refuseContact } from '../diplomacy/messages.js';
import {
  beginPact,
  cancelPact,
  endPact,
  hasPact,
  proposePact,
  receivedProposalCount,
  refuseAcceptance,
  refuseAnotherPact,
  refuseAnswer,
  refuseForeignPact,
} from '../diplomacy/pacts.js';
import { refuseSuspended } from '../planets/planets.js';
import { PACT_PROPOSALS_RECEIVED_MAX, WORLD_TIME_MS_MAX } from '../rules/limits.js';
import type { CompiledPacts } from '../rules/parts.js';
import { PACT_KINDS } from '../terms/pacts.js';
import { type Refusal, refuse, refuseAtLimit } from '../terms/rejections.js';
import type { Pact } from '../world/pact-table.js';
import { recordActivity, type World } from '../world/state.js';
import { durationMs as atSpeed } from '../world/timer-queue.js';
import { defineCommand } from './command.js';

/** Proposes a pact to another player. */
export const propose = defineCommand({
  type: 'propose_pact',
  code: 37,
  decode: (row) => ({
    type: 'propose_pact',
    playerNumber: row.integer('player'),
    partnerNumber: row.integer('partner'),
    kind: row.integer('kind', 0, PACT_KINDS.length - 1),
    // World time for which the pact is in force.
    durationMs: row.integer('duration', 1, WORLD_TIME_MS_MAX),
  }),

  execute(world, { playerNumber, partnerNumber, kind, durationMs }): Pact | Refusal {
    if (!world.players.has(playerNumber) || !world.players.has(partnerNumber)) return refuse('player_not_found');
    const suspended = refuseSuspended(world, playerNumber);
    if (suspended !== null) return suspended;
    const { pacts } = world.rules;
    if (pacts === null) return refuse('pacts_not_in_rules');
    if (hasPact(world, kind, playerNumber, partnerNumber)) return refuse('pact_exists');
    const refusal =
      refuseAnotherPact(world, playerNumber) ??
      refuseAnotherProposal(world, partnerNumber) ??
      refuseLength(world, pacts, durationMs);
    if (refusal !== null) return refusal;
    if (partnerNumber === playerNumber) return refuse('pact_with_oneself');
    const contact = refuseContact(world, playerNumber, partnerNumber);
    if (contact !== null) return contact;
    // commit
    recordActivity(world, playerNumber);
    countContact(world, playerNumber, partnerNumber);
    return proposePact(world, { kind, proposerNumber: playerNumber, partnerNumber, durationMs }, pacts.proposalMs);
  },
});

/** Accepts a proposal: the pact is in force at once. */
export const accept = defineCommand({
  type: 'accept_pact',
  code: 38,
  decode: (row) => ({ type: 'accept_pact', playerNumber: row.integer('player'), pactNumber: row.integer('pact') }),

  execute(world, { playerNumber, pactNumber }): Pact | Refusal {
    const refusal = refuseAcceptance(world, playerNumber, pactNumber);
    if (refusal !== null) return refusal;
    const pact = pactOf(world, pactNumber);
    // commit
    recordActivity(world, playerNumber);
    beginPact(world, pact, partOf(world).durationMsMax);
    return pact;
  },
});

/** Declines a proposal. */
export const decline = defineCommand({
  type: 'decline_pact',
  code: 39,
  decode: (row) => ({ type: 'decline_pact', playerNumber: row.integer('player'), pactNumber: row.integer('pact') }),

  execute(world, { playerNumber, pactNumber }): Pact | Refusal {
    const refusal = refuseAnswer(world, playerNumber, pactNumber);
    if (refusal !== null) return refusal;
    const pact = pactOf(world, pactNumber);
    // commit
    recordActivity(world, playerNumber);
    endPact(world, pact, 'declined');
    return pact;
  },
});

/** Withdraws an own proposal, or gives notice of a pact. */
export const cancel = defineCommand({
  type: 'cancel_pact',
  code: 40,
  decode: (row) => ({ type: 'cancel_pact', playerNumber: row.integer('player'), pactNumber: row.integer('pact') }),

  execute(world, { playerNumber, pactNumber }): Pact | Refusal {
    const foreign = refuseForeignPact(world, playerNumber, pactNumber);
    if (foreign !== null) return foreign;
    const pact = pactOf(world, pactNumber);
    if (pact.cancelledByNumber !== 0) return refuse('pact_ending');
    if (!pact.isInForce && pact.proposerNumber !== playerNumber)
      return refuse('not_owner', {
        reason: 'Only who proposed a pact withdraws the proposal; the other one declines it.',
      });
    // commit
    recordActivity(world, playerNumber);
    if (pact.isInForce) cancelPact(world, pact, playerNumber, partOf(world).noticeMs);
    else endPact(world, pact, 'withdrawn');
    return pact;
  },
});

/** @throws Error if there is none */
function pactOf({ pacts }: World, pactNumber: number): Pact {
  const pact = pacts.get(pactNumber);
  if (pact === undefined) throw new Error(`there is no pact ${pactNumber}`);
  return pact;
}

/** @throws Error if a world has a pact under rules without */
function partOf({ rules: { pacts } }: World): CompiledPacts {
  if (pacts === null) throw new Error('the rules have no pacts');
  return pacts;
}

function refuseAnotherProposal(world: World, partnerNumber: number): Refusal | null {
  if (receivedProposalCount(world, partnerNumber) < PACT_PROPOSALS_RECEIVED_MAX) return null;
  return refuseAtLimit('PACT_PROPOSALS_RECEIVED_MAX', PACT_PROPOSALS_RECEIVED_MAX);
}

/** Limits are told in seconds of world time. Everybody hears of each pact, so none is shorter than its notice. */
function refuseLength(world: World, { durationMsMax, noticeMs }: CompiledPacts, durationMs: number): Refusal | null {
  const [shortestMs, longestMs] = [atSpeed(world, noticeMs), atSpeed(world, durationMsMax)];
  if (durationMs < shortestMs) return refuseAtLimit('pacts.noticeSeconds', Math.ceil(shortestMs / 1000));
  return durationMs <= longestMs ? null : refuseAtLimit('pacts.durationSecondsMax', Math.floor(longestMs / 1000));
}
