// The steps of plans, their lanes, and why a step is blocked. Commands, rows and events hold a step as one number.
import type { PlanetKey, Universe } from '../map/universe.js';
import { sum } from '../numbers/arithmetic.js';
import {
  GALAXY_COUNT,
  PLAN_STEPS_MAX,
  SHIP_ENTRIES_MAX,
  SHIPS_PER_ENTRY_MAX,
  SHIPS_PER_ORDER_MAX,
  SLOTS_PER_SYSTEM,
  SYSTEMS_PER_GALAXY_MAX,
  TYPES_PER_LIST_MAX,
} from '../rules/limits.js';
import { CARGO_RESOURCE_COUNT } from '../rules/resources.js';
import type { Rules } from '../rules/rules.js';
import { MISSIONS } from './missions.js';
import type { RefusalCode } from './rejections.js';

/** One intended action. Types are positions in the rules. */
export type PlanStep =
  | { readonly action: 'upgrade' | 'construct'; readonly buildingType: number }
  | { readonly action: 'build_ships'; readonly shipType: number; readonly count: number }
  | { readonly action: 'research'; readonly researchType: number }
  | { readonly action: 'launch'; readonly targetKey: PlanetKey; readonly mission: number };

/** What the step `launch` sends, beside its target and mission: a plan keeps one for each such step, in their order. */
export interface LaunchOrder {
  /** Counts by ship type, at least one ship in all. */
  readonly ships: readonly number[];
  /** Whole units of iron, silver, ember and h2. */
  readonly cargo: readonly number[];
  /** Position in the drives of the rules; null: the launch chooses. */
  readonly drive: number | null;
}

type LaunchStep = Extract<PlanStep, { readonly action: 'launch' }>;
/** A step with all that it does. */
export type WholeStep = Exclude<PlanStep, LaunchStep> | (LaunchStep & LaunchOrder);

/** A step as one number; see packStep(). */
export type PackedStep = number;

/** The position of an action is on disk: a later version only appends. */
export const PLAN_ACTIONS = ['upgrade', 'construct', 'build_ships', 'research', 'launch'] as const;
export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** The lanes of a plan, in the order in which they are examined: an earlier lane takes from the stocks first. */
export const LANES = ['buildings', 'ships', 'research', 'fleets'] as const;
export type LaneName = (typeof LANES)[number];
/** A position in LANES. */
export type Lane = number;

export const BUILDINGS_LANE: Lane = LANES.indexOf('buildings');
export const SHIPS_LANE: Lane = LANES.indexOf('ships');
export const RESEARCH_LANE: Lane = LANES.indexOf('research');
export const FLEETS_LANE: Lane = LANES.indexOf('fleets');

const UPGRADE = PLAN_ACTIONS.indexOf('upgrade');
const CONSTRUCT = PLAN_ACTIONS.indexOf('construct');
const BUILD = PLAN_ACTIONS.indexOf('build_ships');
const LAUNCH = PLAN_ACTIONS.indexOf('launch');

/**
 * Actions and types (TYPES_PER_LIST_MAX) take three and six bits of a packed step; the number of ships takes the rest. In a launch the mission
 * takes three, and the key of the target the rest, so that every step has at most 31 bits.
 */
const ACTION_BITS = 3;
const TYPE_BITS = 6;
const MISSION_BITS = 3;
const COUNT_SHIFT: number = ACTION_BITS + TYPE_BITS;
const ACTION_MASK: number = (1 << ACTION_BITS) - 1;
const TYPE_MASK: number = (1 << TYPE_BITS) - 1;
const TARGET_SHIFT: number = ACTION_BITS + MISSION_BITS;
const MISSION_MASK: number = (1 << MISSION_BITS) - 1;
/** The highest packed step: a launch to the last planet of the largest universe. */
export const PACKED_STEP_MAX: number = ((GALAXY_COUNT * SYSTEMS_PER_GALAXY_MAX * SLOTS_PER_SYSTEM) << TARGET_SHIFT) - 1;

/**
 * Returns a step as one number: count x 512 + type x 8 + action, each as its position. The count is 0 without ships. A launch is the key of
 * its target x 64 + mission x 8 + action.
 */
export function packStep(step: PlanStep): PackedStep {
  const action = PLAN_ACTIONS.indexOf(step.action);
  if (step.action === 'launch') return (step.targetKey << TARGET_SHIFT) | (step.mission << ACTION_BITS) | action;
  if (step.action === 'build_ships') return (step.count << COUNT_SHIFT) | (step.shipType << ACTION_BITS) | action;
  const type = step.action === 'research' ? step.researchType : step.buildingType;
  return (type << ACTION_BITS) | action;
}

export function unpackStep(packed: PackedStep): PlanStep {
  const action = actionOf(packed);
  if (action === 'launch') return { action, targetKey: targetOf(packed), mission: missionOf(packed) };
  const type = typeOf(packed);
  if (action === 'build_ships') return { action, shipType: type, count: countOf(packed) };
  return action === 'research' ? { action, researchType: type } : { action, buildingType: type };
}

/** Returns steps with the orders of the launches among them. @throws Error if there are too few orders */
export function wholeSteps(steps: readonly PackedStep[], launches: readonly LaunchOrder[]): WholeStep[] {
  let next = 0;
  return steps.map((packed) => {
    const step = unpackStep(packed);
    if (step.action !== 'launch') return step;
    const order = launches[next];
    if (order === undefined) throw new Error(`launch ${next} of a plan has no order`);
    next += 1;
    return { ...step, ...order };
  });
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

/** Key of the planet that a launch flies to. */
export function targetOf(packed: PackedStep): PlanetKey {
  return packed >> TARGET_SHIFT;
}

/** Index into MISSIONS. */
export function missionOf(packed: PackedStep): number {
  return (packed >> ACTION_BITS) & MISSION_MASK;
}

export function laneOf(packed: PackedStep): Lane {
  const action = packed & ACTION_MASK;
  if (action === UPGRADE || action === CONSTRUCT) return BUILDINGS_LANE;
  if (action === LAUNCH) return FLEETS_LANE;
  return action === BUILD ? SHIPS_LANE : RESEARCH_LANE;
}

/** What a step refers to. */
interface StepWorld {
  readonly rules: Rules;
  readonly universe: Pick<Universe, 'holds'>;
}

/** @throws Error if a number from disk is not a step that the world knows */
export function requireStep(world: StepWorld, packed: number): void {
  if (!isStep(world, packed)) throw new Error(`the rules have no step ${packed}`);
}

function isStep({ rules, universe }: StepWorld, packed: number): boolean {
  // Packed steps are integers of 32 bits.
  if ((packed | 0) !== packed || packed < 0 || (packed & ACTION_MASK) >= PLAN_ACTIONS.length) return false;
  const lane = laneOf(packed);
  if (lane === FLEETS_LANE) return missionOf(packed) < MISSIONS.length && universe.holds(targetOf(packed));
  const { buildings, ships, research } = rules;
  const types = lane === BUILDINGS_LANE ? buildings : lane === SHIPS_LANE ? ships : research;
  const count = countOf(packed);
  const isCount = lane === SHIPS_LANE ? count >= 1 && count <= SHIPS_PER_ORDER_MAX : count === 0;
  return isCount && typeOf(packed) < types.length;
}

/** Values of an order before its ships: the drive or -1 as one more than its position, and the cargo. */
const ORDER_HEAD = 1 + CARGO_RESOURCE_COUNT;
/** The longest list of packed orders. */
export const PACKED_ORDERS_MAX: number = PLAN_STEPS_MAX * (ORDER_HEAD + TYPES_PER_LIST_MAX);

/**
 * Returns orders as one list, as commands and rows hold them: of each the position of its drive + 1, or 0, its cargo and its ships.
 *
 * @param shipTypes that the rules have, which may have got more since the order
 */
export function packOrders(shipTypes: number, orders: readonly LaunchOrder[]): number[] {
  return orders.flatMap(({ ships, cargo, drive }) => {
    return [
      drive === null ? 0 : drive + 1,
      ...cargo,
      ...Array.from({ length: shipTypes }, (_, type) => ships[type] ?? 0),
    ];
  });
}

/** @param steps those of the plan @throws Error if a list from disk has no order for each launch, or one that the rules do not know */
export function unpackOrders(
  { ships, drives }: Rules,
  packed: readonly number[],
  steps: readonly PackedStep[],
): LaunchOrder[] {
  const length = ORDER_HEAD + ships.length;
  const count = steps.filter((step) => laneOf(step) === FLEETS_LANE).length;
  if (packed.length !== count * length)
    throw new Error(`it has ${count} launches, and ${packed.length} values for them`);
  return Array.from({ length: count }, (_, index) => {
    const [drive = 0, ...values] = packed.slice(index * length, (index + 1) * length);
    const order = { ships: values.slice(CARGO_RESOURCE_COUNT), cargo: values.slice(0, CARGO_RESOURCE_COUNT) };
    const sent = sum(order.ships);
    if (sent < 1 || sent > SHIP_ENTRIES_MAX * SHIPS_PER_ENTRY_MAX) throw new Error(`a launch sends ${sent} ships`);
    if (drive > drives.length) throw new Error(`the rules have no drive ${drive - 1}`);
    return { ...order, drive: drive === 0 ? null : drive - 1 };
  });
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
  'no_drive_available',
  'hangar_capacity_exceeded',
  'insufficient_h2',
  'cargo_capacity_exceeded',
  'mission_not_possible',
] as const satisfies readonly RefusalCode[];
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** @throws Error if no step is blocked by such a refusal */
export function blockReason(code: RefusalCode): BlockReason {
  const reason = BLOCK_REASONS.find((known) => known === code);
  if (reason === undefined) throw new Error(`a step of a plan cannot be blocked by ${code}`);
  return reason;
}
