// Why a step of a plan is blocked: it cannot start before something else happens. A step that only waits for stock or for
// the step before it is not blocked.
import type { RefusalCode } from '../rejections.js';

/** The refusals that block a step. Their positions are in events on disk: a later version only appends. */
export const BLOCK_REASONS = [
  'building_not_found',
  'building_exists',
  'limit_reached',
  'shipyard_required',
  'insufficient_resources',
] as const satisfies readonly RefusalCode[];
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** @throws Error if no step is blocked by such a refusal */
export function blockReason(code: RefusalCode): BlockReason {
  const reason = BLOCK_REASONS.find((known) => known === code);
  if (reason === undefined) throw new Error(`a step of a plan cannot be blocked by ${code}`);
  return reason;
}
