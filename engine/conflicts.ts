// Refusals because of something that is in the way, with what it is and until when. It changes nothing.
import { planetId, playerId, queueId } from './ids.js';
import { type Refusal, refuse } from './rejections.js';
import type { ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from './state.js';

/** @returns the refusal if a building of the planet is being upgraded; else null */
export function refuseDuringUpgrade({ rules, universe }: ReadonlyWorld, planet: ReadonlyPlanet): Refusal | null {
  const { upgrade } = planet;
  if (upgrade === null) return null;
  return refuse('upgrade_in_progress', {
    inProgress: {
      planetId: planetId(universe, planet.key),
      buildingType: rules.buildings[upgrade.buildingType]?.type,
      queueId: queueId(upgrade.queueNumber),
      targetLevel: upgrade.targetLevel,
      startedAtMs: upgrade.startedAtMs,
      finishAtMs: upgrade.finishAtMs,
    },
  });
}

/** @returns the refusal if the player has a research in progress; else null */
export function refuseDuringResearch({ rules }: ReadonlyWorld, player: ReadonlyPlayer): Refusal | null {
  const { research } = player;
  if (research === null) return null;
  return refuse('research_in_progress', {
    inProgress: {
      researchType: rules.research[research.researchType]?.type,
      targetLevel: (player.researchLevels[research.researchType] ?? 0) + 1,
      startedAtMs: research.startedAtMs,
      finishAtMs: research.finishAtMs,
    },
  });
}

/** @returns the refusal if ships of another type are in production on the planet; else null */
export function refuseDuringProduction(
  { rules, universe }: ReadonlyWorld,
  planet: ReadonlyPlanet,
  shipType: number,
): Refusal | null {
  const { orders } = planet;
  const [first] = orders;
  const last = orders.at(-1);
  if (first === undefined || last === undefined || first.shipType === shipType) return null;
  return refuse('other_ship_in_production', {
    inProgress: {
      planetId: planetId(universe, planet.key),
      shipType: rules.ships[first.shipType]?.type,
      count: orders.reduce((total, { count }) => total + count, 0),
      finishAtMs: last.finishAtMs,
    },
  });
}

export function refuseOccupied(world: ReadonlyWorld, { owner: { number, name, isBot } }: ReadonlyPlanet): Refusal {
  return refuse('planet_occupied', { owner: { id: playerId(world, number), name, isBot } });
}
