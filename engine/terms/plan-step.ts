// The steps of plans, their lanes, and why a step is blocked. Commands, rows and events hold a step as one number.
import { SHIPS_PER_ORDER_MAX } from '../rules/limits.js';
import type { Rules } from '../rules/rules.js';
import type { RefusalCode } from './rejections.js';

/** One intended action. Types are positions in the rules. */
export type PlanStep =
  | { readonly action: 'upgrade' | 'construct'; readonly buildingType: number }
  | { readonly action: 'build_ships'; readonly shipType: number; readonly count: number }
  | { readonly action: 'research'; readonly researchType: number };

/** A step as one number; see packStep(). */
export type PackedStep = number;

/** The position of an action is on disk: a later version only appends. */
export const PLAN_ACTIONS = ['upgrade', 'construct', 'build_ships', 'research'] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** The lanes of a plan, in the order in which they are examined: an earlier lane takes from the stocks first. */
export const LANES = ['buildings', 'ships', 'research'] as const;
export type LaneName = (typeof LANES)[number];
/** A position in LANES. */
export type Lane = number;

export const BUILDINGS_LANE: Lane = LANES.indexOf('buildings');
export const SHIPS_LANE: Lane = LANES.indexOf('ships');
export const RESEARCH_LANE: Lane = LANES.indexOf('research');

const UPGRADE = PLAN_ACTIONS.indexOf('upgrade');
const CONSTRUCT = PLAN_ACTIONS.indexOf('construct');
const BUILD = PLAN_ACTIONS.indexOf('build_ships');

/** Actions and types (TYPES_PER_LIST_MAX) take two and six bits of a packed step; the number of ships takes the rest. */
const ACTION_BITS = 2;
const TYPE_BITS = 6;
const COUNT_SHIFT: number = ACTION_BITS + TYPE_BITS;
const ACTION_MASK: number = (1 << ACTION_BITS) - 1;
const TYPE_MASK: number = (1 << TYPE_BITS) - 1;
/** The highest packed step. */
export const PACKED_STEP_MAX: number = ((SHIPS_PER_ORDER_MAX + 1) << COUNT_SHIFT) - 1;

/** Returns a step as one number: count x 256 + type x 4 + action, each as its position. The count is 0 without ships. */
export function packStep(step: PlanStep): PackedStep {
  const action = PLAN_ACTIONS.indexOf(step.action);
  if (step.action === 'build_ships') return (step.count << COUNT_SHIFT) | (step.shipType << ACTION_BITS) | action;
  const type = step.action === 'research' ? step.researchType : step.buildingType;
  return (type << ACTION_BITS) | action;
}

export function unpackStep(packed: PackedStep): PlanStep {
  const action = actionOf(packed);
  const type = typeOf(packed);
  if (action === 'build_ships') return { action, shipType: type, count: countOf(packed) };
  return action === 'research' ? { action, researchType: type } : { action, buildingType: type };
}

export function actionOf(packed: PackedStep): PlanAction {
  return PLAN_ACTIONS[packed & ACTION_MASK] as PlanAction;
}

/** Position of the building, ship or research in the rules. */
export function typeOf(packed: PackedStep): number {
  return (packed >> ACTION_BITS) & TYPE_MASK;
}

/** Number of ships; 0 if the step builds none. */
export function countOf(packed: PackedStep): number {
  return packed >> COUNT_SHIFT;
}

export function laneOf(packed: PackedStep): Lane {
  const action = packed & ACTION_MASK;
  if (action === UPGRADE || action === CONSTRUCT) return BUILDINGS_LANE;
  return action === BUILD ? SHIPS_LANE : RESEARCH_LANE;
}

/** @throws Error if a number from disk is not a step that the rules know */
export function requireStep(rules: Rules, packed: number): void {
  if (!isStep(rules, packed)) throw new Error(`the rules have no step ${packed}`);
}

function isStep({ buildings, ships, research }: Rules, packed: number): boolean {
  // Packed steps are integers of 32 bits.
  if ((packed | 0) !== packed || packed < 0) return false;
  const lane = laneOf(packed);
  const types = lane === BUILDINGS_LANE ? buildings : lane === SHIPS_LANE ? ships : research;
  const count = countOf(packed);
  const isCount = lane === SHIPS_LANE ? count >= 1 && count <= SHIPS_PER_ORDER_MAX : count === 0;
  return isCount && typeOf(packed) < types.length;
}

/**
 * The refusals that block a step: it cannot start before something else happens. A step that only waits for stock or for the step before it
 * is not blocked. Their positions are in events on disk: a later version only appends.
 */
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
