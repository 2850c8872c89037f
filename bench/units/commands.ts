// Engine commands of each kind. Those that undo each other are measured as pairs; those that only time undoes, together
// with their timer and its firing; where nothing is left to do, a fresh world is begun.

import { BUILDING_LEVEL_MAX, RESEARCH_LEVEL_MAX } from '../../engine/rules/limits.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { IRON_MINE, SCOUT, SHIPYARD } from '../worlds/engine-world.js';
import { PlanetRing } from '../worlds/planet-ring.js';
import { newcomerCases } from './newcomers.js';
import type { SteadyCase, UnitGroup, UnitSizes } from './unit-case.js';

export const commandUnits: UnitGroup = function* (sizes) {
  yield* pairedCases(sizes);
  yield* timedCases(sizes);
  yield* lonelyCases(sizes);
  yield* newcomerCases(sizes);
};

/** Two commands of which the second undoes the first. */
function* pairedCases({ players, seed }: UnitSizes): Iterable<SteadyCase> {
  for (const [type, buildingType] of [
    ['upgrade_building', IRON_MINE],
    ['construct_building', SHIPYARD],
  ] as const) {
    yield commandCase(`${type}, cancel_building`, 2, () => {
      const ring = new PlanetRing(players, seed);
      return () => {
        const planetKey = ring.next().key;
        const { upgrade } = ring.bench.does({ type, planetKey, buildingType });
        return ring.bench.does({ type: 'cancel_building', planetKey, queueNumber: upgrade?.queueNumber ?? -1 });
      };
    });
  }
  yield commandCase('build_ships, cancel_ships', 2, () => {
    const ring = PlanetRing.withShips(players, seed);
    return () => {
      const planetKey = ring.next().key;
      ring.bench.does({ type: 'build_ships', planetKey, shipType: SCOUT, count: 2 });
      return ring.bench.does({ type: 'cancel_ships', planetKey, shipType: SCOUT });
    };
  });
  yield commandCase('launch_fleet, recall_fleet and its return', 2, () => {
    const ring = PlanetRing.withShips(players, seed);
    return () => {
      const origin = ring.next();
      const { number } = ring.bench.does(ring.launchFrom(origin));
      // A millisecond out, a millisecond back: the fleet before this one lands now.
      ring.bench.passTo(ring.bench.nowMs + 1);
      return ring.bench.does({ type: 'recall_fleet', playerNumber: origin.owner.number, fleetNumber: number });
    };
  });
}

/** Commands whose timers fire when the round is over. */
function* timedCases({ players, seed }: UnitSizes): Iterable<SteadyCase> {
  yield commandCase('upgrade_building and its completion', 1, () => {
    let ring = new PlanetRing(players, seed);
    return () => {
      if (ring.turn === BUILDING_LEVEL_MAX - 2) ring = new PlanetRing(players, seed);
      const planetKey = ring.nextAfterTime().key;
      return ring.bench.does({ type: 'upgrade_building', planetKey, buildingType: IRON_MINE });
    };
  });
  yield commandCase('build_ships and their delivery', 1, () => {
    const ring = PlanetRing.withShips(players, seed);
    return () => {
      const planetKey = ring.nextAfterTime().key;
      return ring.bench.does({ type: 'build_ships', planetKey, shipType: SCOUT, count: 1 });
    };
  });
  yield commandCase('start_research and its completion', 1, () => {
    let ring = new PlanetRing(players, seed);
    return () => {
      if (ring.turn === STANDARD_1.research.length * RESEARCH_LEVEL_MAX - 1) ring = new PlanetRing(players, seed);
      const playerNumber = ring.nextAfterTime().owner.number;
      return ring.bench.does({
        type: 'start_research',
        playerNumber,
        researchType: ring.turn % STANDARD_1.research.length,
      });
    };
  });
  yield commandCase('launch_fleet, its arrival and return', 1, () => {
    const ring = PlanetRing.withShips(players, seed);
    return () => ring.bench.does(ring.launchFrom(ring.nextAfterTime()));
  });
}

/** Commands that can be repeated as they are. */
function* lonelyCases({ players, seed }: UnitSizes): Iterable<SteadyCase> {
  yield commandCase('grant_resources', 1, () => {
    const ring = new PlanetRing(players, seed);
    const amounts = [10, 10, 10, 10, 10];
    return () => ring.bench.does({ type: 'grant_resources', planetKey: ring.next().key, amounts });
  });
  yield commandCase('advance_time with nothing due', 1, () => {
    const { bench } = new PlanetRing(players, seed);
    return () => {
      bench.nowMs += 1;
      return bench.does({ type: 'advance_time' });
    };
  });
  yield commandCase('upgrade_building, refused as busy', 1, () => {
    const ring = new PlanetRing(players, seed);
    const upgrade = { type: 'upgrade_building', buildingType: IRON_MINE } as const;
    for (const { key } of ring.planets) ring.bench.does({ ...upgrade, planetKey: key });
    return () => ring.bench.attempt({ ...upgrade, planetKey: ring.next().key });
  });
}

function commandCase(name: string, countPerRun: number, prepare: () => () => unknown): SteadyCase {
  return { kind: 'steady', name, unit: 'command', countPerRun, prepare };
}
