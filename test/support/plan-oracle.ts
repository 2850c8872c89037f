// What is wrong with the plans of a world. It asks the commands themselves: the command of a step that waits must be refused, for the
// reason and until the instant that its lane states. So no lane waits although its first step could start.
import type { WorldCommand } from '../../engine/commands/table.js';
import type { Engine } from '../../engine/engine.js';
import { type PlannedLane, planOf } from '../../engine/queries/plan.js';
import { FLEETS_LANE, LANES, SHIPS_LANE, type WholeStep, wholeSteps } from '../../engine/terms/plan-step.js';
import { isRefusal, type RefusalCode } from '../../engine/terms/rejections.js';
import type { ReadonlyPlanet } from '../../engine/world/state.js';

/**
 * Returns the faults; none while timers are due. If a command is accepted, the world is no longer what it was: the caller must give
 * up.
 */
export function planFaults(engine: Engine): string[] {
  const { world } = engine;
  if (world.plans.size === 0 || engine.nextDeadlineMs() <= engine.nowMs) return [];
  const planets = [...world.planets.values()].filter(({ row }) => world.plans.get(row) !== undefined);
  if (planets.length !== world.plans.size) return [`${world.plans.size} plans of ${planets.length} planets`];
  return planets.flatMap((planet) => {
    const plan = planOf(world, planet, engine.nowMs);
    if (plan.steps.length === 0) return [`the plan of planet ${planet.key} has no steps`];
    return plan.lanes.flatMap((lane) => {
      const fault = laneFault(engine, planet, lane);
      return fault === null ? [] : [`planet ${planet.key}, ${lane.lane}, ${lane.state}: ${fault}`];
    });
  });
}

function laneFault(engine: Engine, planet: ReadonlyPlanet, standing: PlannedLane): string | null {
  const lane = LANES.indexOf(standing.lane);
  const plan = engine.world.plans.get(planet.row);
  const head = plan?.headOf(lane);
  const deadlineMs = plan?.deadlinesMs[lane];
  if (standing.state === 'ready') return 'its first step can start';
  if (deadlineMs !== standing.deadlineMs) return `its timer is at ${deadlineMs} instead of ${standing.deadlineMs}`;
  if (head === undefined) return standing.state === 'empty' ? null : 'it has no step';
  const isSuspended = standing.refusal?.code === 'player_suspended';
  if (isSuspended !== (planet.owner.suspendedAtMs !== null)) return 'it does not know whether its player is suspended';
  if (plan?.isSkipping && standing.state === 'blocked' && !isSuspended) return 'its first step is not skipped';
  // A command would queue ships of the type that is in production.
  if (lane === SHIPS_LANE && planet.orders.length > 0 && !isSuspended)
    return standing.state === 'busy' ? null : 'it is busy';
  const [step] = wholeSteps([head], plan?.launches ?? []);
  if (step === undefined) return 'it has no step';
  const outcome = engine.apply(engine.nowMs, commandOf(planet, step));
  if (!isRefusal(outcome)) return 'the command of its first step is accepted';
  if (standing.state === 'busy') return null;
  // A building that is not there is refused before a suspension.
  if (isSuspended && outcome.code === 'building_not_found') return null;
  if (lane === FLEETS_LANE) return launchFault(engine, standing, outcome.code, plan?.longerThanMs ?? null);
  if (outcome.code !== standing.refusal?.code) return `the command is refused: ${outcome.code}`;
  const longerThanMs = plan?.longerThanMs ?? Number.POSITIVE_INFINITY;
  const waitMs = (outcome.facts.affordableAtMs ?? Number.POSITIVE_INFINITY) - engine.nowMs;
  if (plan?.longerThanMs !== null && outcome.code === 'insufficient_resources' && waitMs > longerThanMs)
    return `it waits for ${waitMs} ms instead of at most ${longerThanMs}`;
  const affordableAtMs = outcome.facts.affordableAtMs ?? 0;
  if (deadlineMs === 0) return affordableAtMs > engine.nowMs ? `it can pay at ${affordableAtMs}` : null;
  return affordableAtMs === deadlineMs ? null : `it can pay at ${affordableAtMs} instead of ${deadlineMs}`;
}

/** A launch with any drive may be possible before its fastest one is, so the command does not say when. */
function launchFault(
  { nowMs }: Engine,
  { state, deadlineMs, refusal }: PlannedLane,
  code: RefusalCode,
  longerThanMs: number | null,
): string | null {
  if (longerThanMs !== null && deadlineMs - nowMs > longerThanMs)
    return `it waits for ${deadlineMs - nowMs} ms instead of at most ${longerThanMs}`;
  // What no stock helps against is stated before missing stocks.
  const isHidden = state === 'blocked' && (code === 'insufficient_h2' || code === 'insufficient_resources');
  return code === refusal?.code || isHidden ? null : `the command is refused: ${code}`;
}

/** The command that does the same as a step. */
function commandOf({ key: planetKey, owner, ships: types }: ReadonlyPlanet, step: WholeStep): WorldCommand {
  switch (step.action) {
    case 'upgrade':
      return { type: 'upgrade_building', planetKey, buildingType: step.buildingType };
    case 'construct':
      return { type: 'construct_building', planetKey, buildingType: step.buildingType };
    case 'build_ships':
      return { type: 'build_ships', planetKey, shipType: step.shipType, count: step.count };
    case 'research':
      return { type: 'start_research', playerNumber: owner.number, researchType: step.researchType };
    case 'launch': {
      const { targetKey, mission, cargo, drive } = step;
      // Rules may have got more types since.
      const ships = types.map((_, type) => step.ships[type] ?? 0);
      const flight = { targetKey, ships, mission, cargo, drive };
      return { type: 'launch_fleet', playerNumber: owner.number, originKey: planetKey, ...flight };
    }
  }
}
