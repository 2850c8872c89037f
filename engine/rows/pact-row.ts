// The row of a pact, or of a proposal for one. It follows the rows of all players.

import { hasPact } from '../diplomacy/pacts.js';
import { WORLD_TIME_MS_MAX } from '../rules/limits.js';
import { PACT_KINDS } from '../terms/pacts.js';
import type { Pact } from '../world/pact-table.js';
import type { World } from '../world/state.js';
import { TIMER_KINDS } from '../world/timer-queue.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function writePact(world: World, pact: Pact): Row {
  return [
    ROW_KINDS.pact,
    pact.number,
    pact.kind,
    pact.proposerNumber,
    pact.partnerNumber,
    pact.durationMs,
    pact.isInForce,
    pact.sinceMs,
    pact.endsAtMs,
    pact.cancelledByNumber,
    world.timers.idOf(pact.timer),
  ];
}

export function readPact(draft: WorldDraft, row: RowReader): void {
  row.requireLength(11);
  const { world } = draft;
  if (world.rules.pacts === null) throw new Error('the rules have no pacts');
  const number = row.integer('number', 1, world.lastTimerId);
  const kind = row.integer('kind', 0, PACT_KINDS.length - 1);
  const proposerNumber = draft.presentPlayer(row.integer('proposer'));
  const partnerNumber = draft.presentPlayer(row.integer('partner'));
  if (proposerNumber === partnerNumber) throw new Error('both players are the same');
  if (hasPact(world, kind, proposerNumber, partnerNumber)) throw new Error('the players have two of this kind');
  const durationMs = row.integer('duration', 1, WORLD_TIME_MS_MAX);
  const isInForce = row.flag('in force');
  const sinceMs = row.integer('time', world.settings.startMs, world.nowMs);
  const endsAtMs = row.integer('end', sinceMs, 2 * WORLD_TIME_MS_MAX);
  const cancelledByNumber = row.integer('cancelled by');
  if (cancelledByNumber !== 0 && !(isInForce && [proposerNumber, partnerNumber].includes(cancelledByNumber)))
    throw new Error(`player ${cancelledByNumber} cannot have cancelled it`);
  if (number <= draft.lastPactNumber) throw new Error(`pact ${number} must come before the preceding one`);
  draft.lastPactNumber = number;
  const timer = draft.schedule(row.integer('timer', 1, world.lastTimerId), endsAtMs, TIMER_KINDS.pact_end, number);
  world.pacts.add({
    number,
    kind,
    proposerNumber,
    partnerNumber,
    durationMs,
    isInForce,
    sinceMs,
    endsAtMs,
    cancelledByNumber,
    timer,
  });
}
