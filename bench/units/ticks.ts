// Ticks with many timers due: every planet or player has one pending, and time jumps past all of them.
import type { ReadonlyPlanet } from '../../engine/world/state.js';
import { type OneShotCase, rulesOf, type UnitGroup } from './unit-case.js';
import { IRON_MINE, SCOUT } from './worlds/engine-world.js';
import { PlanetRing } from './worlds/planet-ring.js';

/** Longer than anything takes that is started here. */
const LONG_MS = 400 * 24 * 3_600_000;
/** Runs before the world is begun anew: levels have an end. */
const RUNS_PER_WORLD = 60;

export const tickUnits: UnitGroup = function* (sizes) {
  const { players, seed } = sizes;
  const rules = rulesOf(sizes);
  const plain = () => new PlanetRing(players, seed, rules);
  const withShips = () => PlanetRing.withShips(players, seed, rules);
  yield tickCase('building_complete', plain, ({ bench }, { key }) => {
    bench.does({ type: 'upgrade_building', planetKey: key, buildingType: IRON_MINE });
  });
  yield tickCase('ships_complete', withShips, ({ bench }, { key }) => {
    bench.does({ type: 'build_ships', planetKey: key, shipType: SCOUT, count: 1 });
  });
  yield tickCase('research_complete', plain, ({ bench, turn }, { owner }) => {
    const researchType = turn % rules.research.length;
    bench.does({ type: 'start_research', playerNumber: owner.number, researchType });
  });
  yield tickCase(
    'fleet_arrive, fleet_return',
    withShips,
    (ring, planet) => void ring.bench.does(ring.launchFrom(planet)),
    2,
  );
};

/**
 * @param start starts one timer
 * @param firings that follow from it
 */
function tickCase(
  name: string,
  make: () => PlanetRing,
  start: (ring: PlanetRing, planet: ReadonlyPlanet) => void,
  firings = 1,
): OneShotCase {
  let ring: PlanetRing | undefined;
  return {
    kind: 'one-shot',
    name,
    unit: 'timer',
    prepare() {
      if (ring === undefined || ring.turn === RUNS_PER_WORLD) ring = make();
      const { bench, planets } = ring;
      for (let started = 0; started < planets.length; started += 1) start(ring, ring.next());
      const atMs = bench.nowMs + LONG_MS;
      return { count: firings * planets.length, run: () => bench.passTo(atMs) };
    },
  };
}
