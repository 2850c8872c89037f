// Steps of a planet: as its plan or, if the rules have no plans, one after the other by hand.
import { type Planet, type PlanStep, planOperation } from '../../bot.js';
import { operation } from '../../galaxyd-client.js';
import { spend, type Units } from './amounts.js';
import { costOfShip, isBuilding, orderShips } from './building.js';
import { unitsOf } from './growth.js';
import type { Plan } from './plan.js';

/** Hands a planet its next steps. Without plans, it starts the first building, the first research and the ships, or notes when it can. */
export async function handOver(plan: Plan, planet: Planet, steps: readonly PlanStep[]): Promise<void> {
  if (plan.port.catalog.plans !== undefined) return plan.command(planet, planOperation(planet.id, steps));
  for (const step of steps) if (step.action === 'build_ships') order(plan, planet, step);
  const research = steps.find((step) => 'researchType' in step);
  if (research !== undefined && !plan.state.research.some(({ isResearching }) => isResearching)) {
    const body = { playerId: plan.port.playerId, researchType: research.researchType };
    plan.command(planet, operation.post('/api/research/start', { body }));
  }
  const building = steps.find((step) => 'buildingType' in step);
  if (building !== undefined) await start(plan, planet, building);
}

function order(plan: Plan, planet: Planet, { shipType, count }: Extract<PlanStep, { action: 'build_ships' }>): void {
  if (orderShips(plan, planet, shipType, count) > 0) return;
  plan.wakeAt(plan.payableAt(planet, costOfShip(plan, shipType)));
}

async function start(
  plan: Plan,
  planet: Planet,
  { buildingType }: Extract<PlanStep, { buildingType: string }>,
): Promise<void> {
  const [upgrade] = planet.buildings.flatMap(({ constructionQueue }) => constructionQueue);
  if (upgrade !== undefined) return plan.wakeAt(upgrade.upgradeFinishAt);
  const { options } = await plan.port.options(planet.id);
  const option = options.filter(isBuilding).find((each) => each.buildingType === buildingType);
  if (option === undefined || option.reason !== undefined) return;
  if (!plan.canPay(planet, option.cost)) return plan.wakeAt(plan.payableAt(planet, option.cost));
  plan.command(planet, option.request, option.cost);
  plan.wakeIn(option.seconds);
}

/** What the ships of some steps cost. */
export function shipBill(plan: Plan, steps: readonly PlanStep[]): Units {
  const { catalog } = plan.port;
  const bill = catalog.resources.map(() => 0);
  for (const step of steps) {
    if (step.action === 'build_ships') spend(bill, unitsOf(catalog, costOfShip(plan, step.shipType)), -step.count);
  }
  return bill;
}
