// The row of a planet that has an owner, with what is being built on it, and the row of its plan. The rows of plans follow those of all
// planets of a player. Most planets have none.

import { addPlanetTo } from '../planets/points.js';
import {
  BUILDING_LEVEL_MAX,
  PLAN_STEPS_MAX,
  RESOURCE_UNITS_MAX,
  SHIP_ORDERS_PER_PLANET_MAX,
  STOCK_UNITS_MAX,
} from '../rules/limits.js';
import { type Amounts, CARGO_RESOURCE_COUNT, RESOURCES } from '../rules/resources.js';
import {
  LANES,
  PACKED_ORDERS_MAX,
  type PackedStep,
  packOrders,
  requireStep,
  unpackOrders,
} from '../terms/plan-step.js';
import { LONGER_THAN_MS_MAX, Plan, planLaneRow } from '../world/plan-table.js';
import type { Planet } from '../world/planet-table.js';
import type { Player } from '../world/player-table.js';
import type { World } from '../world/state.js';
import { NO_TIMER, TIMER_KINDS } from '../world/timer-queue.js';
import { ROW_KINDS, type Row, type RowReader } from './row.js';
import type { WorldDraft } from './world-draft.js';

export function writePlanet(world: World, planet: Planet): Row {
  const { upgrade, looting, delivered } = planet;
  return [
    ROW_KINDS.planet,
    planet.key,
    planet.ownerNumber,
    planet.changedSeq,
    planet.stock,
    planet.stocksSinceMs,
    planet.levels,
    upgrade === null
      ? null
      : [
          upgrade.queueNumber,
          upgrade.buildingType,
          upgrade.targetLevel,
          upgrade.startedAtMs,
          upgrade.finishAtMs,
          world.timers.idOf(upgrade.timer),
          planet.upgradePaid,
        ],
    planet.ships,
    planet.orders.map((order) => [order.shipType, order.count, order.finishAtMs]),
    planet.orderTimer === NO_TIMER ? null : world.timers.idOf(planet.orderTimer),
    looting === null ? null : [looting.untilMs, looting.taken],
    delivered === null ? null : [delivered.untilMs, delivered.units],
  ];
}

export function readPlanet(draft: WorldDraft, row: RowReader): void {
  row.requireLength(13);
  const { world, owner } = draft;
  const key = row.integer('key');
  if (!world.universe.holds(key)) throw new Error(`the universe has no planet ${key}`);
  if (world.planets.has(key)) throw new Error(`planet ${key} has two rows`);
  if (world.starters.freed.has(key)) throw new Error(`planet ${key} is listed as free`);
  row.integer('owner', owner.number, owner.number);
  const planet = world.planets.add(key, owner);
  planet.changedSeq = row.integer('changed seq', 1, world.seq);
  // Spending subtracts from the stored stock, which does not include what was produced since: it can be negative.
  const stock = row.integers('stock', RESOURCES.length, Number.MIN_SAFE_INTEGER);
  const stocksSinceMs = row.integers('stock times', RESOURCES.length, 0, world.nowMs);
  for (let resource = 0; resource < RESOURCES.length; resource += 1) {
    planet.setStockAt(resource, stock[resource] as number, stocksSinceMs[resource] as number);
  }
  readLevels(planet, row.integers('levels', world.rules.buildings.length, 0, BUILDING_LEVEL_MAX));
  const upgrade = row.groupOrNull('upgrade', 7);
  if (upgrade !== null) readUpgrade(draft, planet, upgrade);
  readShips(planet, row.integers('ships', world.rules.ships.length));
  addPlanetTo(draft.points, world.rules, planet);
  readOrders(draft, planet, row);
  const looting = row.groupOrNull('looting', 2);
  if (looting !== null) {
    const untilMs = looting.integer('end of the loot period', 1);
    planet.looting = { untilMs, taken: looting.integers('taken', CARGO_RESOURCE_COUNT) };
  }
  const delivered = row.groupOrNull('deliveries', 2);
  if (delivered === null) return;
  const untilMs = delivered.integer('end of the period of deliveries', 1);
  planet.delivered = { untilMs, units: delivered.integer('delivered units', 1) };
}

function readLevels(planet: Planet, levels: readonly number[]): void {
  for (let buildingType = 0; buildingType < levels.length; buildingType += 1) {
    planet.setLevel(buildingType, levels[buildingType] as number);
  }
}

function readUpgrade(draft: WorldDraft, planet: Planet, upgrade: RowReader): void {
  const { world } = draft;
  const queueNumber = upgrade.integer('queue number', 1, world.lastQueueNumber);
  const buildingType = upgrade.integer('building type', 0, world.rules.buildings.length - 1);
  const nextLevel = planet.levelOf(buildingType) + 1;
  upgrade.integer('target level', nextLevel, Math.min(nextLevel, BUILDING_LEVEL_MAX));
  const startedAtMs = upgrade.integer('upgrade start', 0, world.nowMs);
  const finishAtMs = upgrade.integer('upgrade end', startedAtMs);
  const timerId = upgrade.integer('upgrade timer', 1, world.lastTimerId);
  const timer = draft.schedule(timerId, finishAtMs, TIMER_KINDS.building_complete, planet.row);
  const paid = upgrade.integers('paid', RESOURCES.length, 0, STOCK_UNITS_MAX) as Amounts;
  planet.beginUpgrade({ queueNumber, buildingType, startedAtMs, finishAtMs, timer }, paid);
}

function readShips(planet: Planet, ships: readonly number[]): void {
  for (let shipType = 0; shipType < ships.length; shipType += 1) {
    planet.setShipCount(shipType, ships[shipType] as number);
  }
}

/** Reads the orders and the timer of the first. All are of one type, and none ends before the one ahead of it. */
function readOrders(draft: WorldDraft, planet: Planet, row: RowReader): void {
  let shipType: number | null = null;
  let finishAtMs = 0;
  for (const order of row.groups('orders', SHIP_ORDERS_PER_PLANET_MAX, 3)) {
    shipType = order.integer('ship type', shipType ?? 0, shipType ?? draft.world.rules.ships.length - 1);
    const count = order.integer('ship count', 1);
    finishAtMs = order.integer('order end', finishAtMs);
    planet.addOrder({ shipType, count, finishAtMs });
  }
  const timerId = row.integerOrNull('order timer', 1, draft.world.lastTimerId);
  const first = planet.firstOrder;
  if ((timerId === null) !== (first === null)) throw new Error('its orders have no timer, or its timer no orders');
  if (timerId === null || first === null) return;
  planet.orderTimer = draft.schedule(timerId, first.finishAtMs, TIMER_KINDS.ships_complete, planet.row);
}

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
  { isSkipping, longerThanMs, steps, launches, timers, deadlinesMs, isReportedBlocked }: Plan,
): Row {
  return [
    ROW_KINDS.plan,
    key,
    isSkipping,
    longerThanMs,
    steps,
    packOrders(world.rules.ships.length, launches),
    timers.map((timer, lane) => (timer === NO_TIMER ? null : [world.timers.idOf(timer), deadlinesMs[lane] as number])),
    isReportedBlocked,
  ];
}

export function readPlan(draft: WorldDraft, row: RowReader): void {
  row.requireLength(8);
  const { world, owner } = draft;
  if (world.rules.set.plans === undefined) throw new Error('the rules have no plans');
  const key = row.integer('planet');
  const planet = world.planets.get(key);
  if (planet?.ownerNumber !== owner.number) {
    throw new Error(`planet ${key} does not belong to player ${owner.number}`);
  }
  if (world.plans.get(planet.row) !== undefined) throw new Error(`planet ${key} has two plans`);
  const isSkipping = row.flag('skipping');
  const longerThanMs = row.integerOrNull('longer than', 0, LONGER_THAN_MS_MAX);
  const steps = readSteps(world, row);
  const orders = row.fewIntegers('launches', PACKED_ORDERS_MAX, RESOURCE_UNITS_MAX);
  const plan = new Plan(isSkipping, longerThanMs, steps, unpackOrders(world.rules, orders, steps));
  readTimers(draft, planet, plan, row.group('timers', LANES.length));
  const reported = row.group('flags', LANES.length);
  for (let lane = 0; lane < LANES.length; lane += 1) {
    const isReported = reported.flag('blocked flag');
    requireHead(plan, lane, isReported);
    plan.isReportedBlocked[lane] = isReported;
  }
  world.plans.set(planet.row, plan);
}

function readSteps(world: World, row: RowReader): PackedStep[] {
  const steps = row.fewIntegers('steps', PLAN_STEPS_MAX).slice();
  if (steps.length === 0) throw new Error('it has no steps');
  for (const step of steps) requireStep(world, step);
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
