// The row of the plan of a planet. These rows follow those of the planets of a player. Most planets have none.
import type { Planet } from '../planet-table.js';
import { isStep, LANES, type PackedStep } from '../plans/plan-step.js';
import { Plan, planLaneRow } from '../plans/plan-table.js';
import { PLAN_STEPS_MAX } from '../rules/limits.js';
import type { Player, World } from '../state.js';
import { NO_TIMER, TIMER_KINDS } from '../timer-queue.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

export function* writePlans(world: World, { planets }: Player): Generator<Row> {
  if (world.plans.size === 0) return;
  for (const planet of planets) {
    const plan = world.plans.get(planet.row);
    if (plan !== undefined) yield writePlan(world, planet, plan);
  }
}

function writePlan(
  world: World,
  { key }: Planet,
  { isSkipping, steps, timers, deadlinesMs, isToldBlocked }: Plan,
): Row {
  return [
    ROW_KINDS.plan,
    key,
    isSkipping,
    steps,
    timers.map((timer, lane) => (timer === NO_TIMER ? null : [world.timers.idOf(timer), deadlinesMs[lane] as number])),
    isToldBlocked,
  ];
}

export function readPlan(draft: WorldDraft, row: RowReader): void {
  row.requireLength(6);
  const { world, owner } = draft;
  if (world.rules.set.plans === undefined) throw new Error('the rules have no plans');
  const key = row.integer('planet');
  const planet = world.planets.get(key);
  if (planet?.ownerNumber !== owner.number) {
    throw new Error(`planet ${key} does not belong to player ${owner.number}`);
  }
  if (world.plans.get(planet.row) !== undefined) throw new Error(`planet ${key} has two plans`);
  const plan = new Plan(row.flag('skipping'), readSteps(world, row));
  readTimers(draft, planet, plan, row.group('timers', LANES.length));
  const told = row.group('flags', LANES.length);
  for (let lane = 0; lane < LANES.length; lane += 1) {
    const isTold = told.flag('blocked flag');
    requireHead(plan, lane, isTold);
    plan.isToldBlocked[lane] = isTold;
  }
  world.plans.set(planet.row, plan);
}

function readSteps({ rules }: World, row: RowReader): PackedStep[] {
  const steps = row.fewIntegers('steps', PLAN_STEPS_MAX).slice();
  if (steps.length === 0) throw new Error('it has no steps');
  for (const step of steps) if (!isStep(rules, step)) throw new Error(`the rules have no step ${step}`);
  return steps;
}

function readTimers(draft: WorldDraft, { row: planetRow }: Planet, plan: Plan, timers: RowReader): void {
  for (let lane = 0; lane < LANES.length; lane += 1) {
    const timer = timers.groupOrNull('timer', 2);
    if (timer === null) continue;
    requireHead(plan, lane, true);
    const id = timer.integer('timer id', 1, draft.world.lastTimerId);
    const deadlineMs = timer.integer('timer deadline', 1);
    plan.timers[lane] = draft.schedule(id, deadlineMs, TIMER_KINDS.plan_lane, planLaneRow(planetRow, lane));
    plan.deadlinesMs[lane] = deadlineMs;
  }
}

function requireHead(plan: Plan, lane: number, isNeeded: boolean): void {
  if (isNeeded && plan.headOf(lane) === undefined) throw new Error(`lane ${lane} has no step`);
}
