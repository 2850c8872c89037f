// The reference for reads: it renders from the state each time, keeps nothing and writes no text by hand. It is slow
// and plain, so that the server's kept texts can be compared with it.

import { stockUnits } from '../../../engine/planets/stocks.js';
import { RESOURCES } from '../../../engine/rules/resources.js';
import { STANDARD_1 } from '../../../engine/rules/standard-1.js';
import * as ids from '../../../engine/terms/ids.js';
import { MISSIONS } from '../../../engine/terms/missions.js';
import type { ReadonlyFleet, ReadonlyPlanet, ReadonlyPlayer, ReadonlyWorld } from '../../../engine/world/state.js';

type Plain = Record<string, unknown>;

export function plainPlayer(world: ReadonlyWorld, player: ReadonlyPlayer, nowMs: number): Plain {
  const { name, isBot } = player;
  const ends = [
    ...player.planets.flatMap(endsOn),
    ...(player.research === null ? [] : [player.research.finishAtMs]),
    ...player.fleets.map(({ isReturning, arrivesAtMs, returnsAtMs }) => (isReturning ? returnsAtMs : arrivesAtMs)),
  ];
  return {
    id: ids.playerId(world, player.number),
    name,
    isBot,
    planets: player.planets.map((planet) => plainPlanet(world, planet, nowMs)),
    fleets: player.fleets.map((fleet) => plainFleet(world, fleet)),
    research: plainResearch(world, player),
    nextTimerAt: earliest(ends),
    lastEventSeq: world.eventLog.lastSeq(player.number),
  };
}

export function plainPlanet(world: ReadonlyWorld, planet: ReadonlyPlanet, nowMs: number): Plain {
  const { universe } = world;
  const { galaxy, system, slot } = universe.positionOf(planet.key);
  const { number, name, isBot } = planet.owner;
  return {
    id: ids.planetId(universe, planet.key),
    name: universe.planetName(planet.key),
    slot,
    ...Object.fromEntries(RESOURCES.map((resource, index) => [resource, stockUnits(world, planet, index, nowMs)])),
    system: { galaxyIndex: galaxy, index: system },
    production: Object.fromEntries(
      RESOURCES.map((resource, index) => [resource, producedHourly(world, planet, index)]),
    ),
    nextTimerAt: earliest(endsOn(planet)),
    visibility: 'full',
    buildings: plainBuildings(world, planet),
    planetShips: named(planet.ships).map(([shipType, count]) => ({ shipType, count })),
    shipyardQueue: planet.orders.map(({ shipType, count, finishAtMs }, index) => {
      return {
        shipType: STANDARD_1.ships[shipType]?.type,
        count,
        isBuilding: index === 0,
        buildFinishAt: iso(finishAtMs),
      };
    }),
    owner: { id: ids.playerId(world, number), name, isBot },
  };
}

function producedHourly(world: ReadonlyWorld, planet: ReadonlyPlanet, resource: number): number {
  const outputs = STANDARD_1.buildings.map(
    (_, type) => world.rules.buildingOutput(type, planet.levels[type] ?? 0)[resource] ?? 0,
  );
  return (outputs.reduce((total, output) => total + output, 0) * world.settings.speedThousandths) / 1000;
}

/** When something on the planet is complete; of the orders only the first is in progress. */
function endsOn({ upgrade, orders: [order] }: ReadonlyPlanet): number[] {
  return [upgrade, order].flatMap((entry) => (entry === null || entry === undefined ? [] : [entry.finishAtMs]));
}

function earliest(instants: readonly (number | null)[]): string | null {
  const [first] = instants.filter((atMs) => atMs !== null).sort((a, b) => a - b);
  return first === undefined ? null : iso(first);
}

export function plainBuildings(world: ReadonlyWorld, planet: ReadonlyPlanet): Plain[] {
  const id = ids.planetId(world.universe, planet.key);
  return STANDARD_1.buildings.flatMap(({ type }, index) => {
    const level = planet.levels[index] ?? 0;
    const queue = planet.upgrade?.buildingType === index ? [planet.upgrade] : [];
    if (level === 0 && queue.length === 0) return [];
    const constructionQueue = queue.map(({ queueNumber, targetLevel, startedAtMs, finishAtMs }) => ({
      queueId: `queue-${queueNumber}`,
      targetLevel,
      startedAt: iso(startedAtMs),
      upgradeFinishAt: iso(finishAtMs),
    }));
    return [{ id: `${id}.${type}`, type, level, constructionQueue }];
  });
}

function plainFleet(world: ReadonlyWorld, fleet: ReadonlyFleet): Plain {
  const { universe } = world;
  const [iron, silver, ember, h2] = fleet.cargo;
  return {
    id: `fleet-${fleet.number}`,
    mission: MISSIONS[fleet.mission],
    launchedAt: iso(fleet.launchedAtMs),
    arrivesAt: iso(fleet.arrivesAtMs),
    returnsAt: fleet.returnsAtMs === null ? null : iso(fleet.returnsAtMs),
    ships: named(fleet.ships).map(([type, count]) => ({ type, count })),
    playerId: ids.playerId(world, fleet.owner.number),
    originPlanetId: ids.planetId(universe, fleet.originKey),
    targetPlanetId: ids.planetId(universe, fleet.targetKey),
    state: fleet.isStationed ? 'stationed' : fleet.isReturning ? 'returning' : 'outbound',
    drive: STANDARD_1.drives[fleet.drive]?.type,
    distance: fleet.distance,
    flightSeconds: Math.ceil(fleet.flightMs / 1000),
    h2Cost: fleet.h2Cost,
    resources: { iron, silver, ember, h2 },
    recalledAt: fleet.recalledAtMs === null ? null : iso(fleet.recalledAtMs),
  };
}

function plainResearch(world: ReadonlyWorld, player: ReadonlyPlayer): Plain[] {
  return STANDARD_1.research.flatMap(({ type }, index) => {
    const level = player.researchLevel(index);
    const active = player.research?.researchType === index ? player.research : null;
    if (level === 0 && active === null) return [];
    return [
      {
        id: `${ids.playerId(world, player.number)}.${type}`,
        type,
        level,
        isResearching: active !== null,
        researchFinishAt: active === null ? null : iso(active.finishAtMs),
      },
    ];
  });
}

function named(ships: readonly number[]): [type: string, count: number][] {
  return STANDARD_1.ships.flatMap(({ type }, index): [string, number][] => {
    const count = ships[index] ?? 0;
    return count === 0 ? [] : [[type, count]];
  });
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
