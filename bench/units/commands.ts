// Engine commands of each kind. Those that undo each other are measured as pairs; those that only time undoes, together
// with their timer and its firing. When nothing is left to do in a world, a fresh one is begun.
import { BUILDING_LEVEL_MAX, RESEARCH_LEVEL_MAX } from '../../engine/rules/limits.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import type { ReadonlyPlanet } from '../../engine/world/state.js';
import { IRON_MINE, PlanetRing, SCOUT, SHIPYARD } from './engine-world.js';
import { type OneShotCase, rulesOf, type SteadyCase, type UnitGroup } from './unit-case.js';

const GRANT = [10, 10, 10, 10, 10];

export const commandUnits: UnitGroup = function* ({ players, seed }) {
  const plain = () => new PlanetRing(players, seed);
  const withShips = () => PlanetRing.withShips(players, seed);
  yield* pairedCases(plain, withShips);
  yield* timedCases(plain, withShips);
  yield* lonelyCases(plain);
};

type MakeRing = () => PlanetRing;

/** Two commands of which the second undoes the first. */
function* pairedCases(plain: MakeRing, withShips: MakeRing): Iterable<SteadyCase> {
  for (const [type, buildingType] of [
    ['upgrade_building', IRON_MINE],
    ['construct_building', SHIPYARD],
  ] as const) {
    yield commandCase(`${type}, cancel_building`, 2, plain, (ring) => {
      const planetKey = ring.next().key;
      const { upgrade } = ring.bench.does({ type, planetKey, buildingType });
      return ring.bench.does({ type: 'cancel_building', planetKey, queueNumber: upgrade?.queueNumber ?? -1 });
    });
  }
  yield commandCase('build_ships, cancel_ships', 2, withShips, (ring) => {
    const planetKey = ring.next().key;
    ring.bench.does({ type: 'build_ships', planetKey, shipType: SCOUT, count: 2 });
    return ring.bench.does({ type: 'cancel_ships', planetKey, shipType: SCOUT });
  });
  yield commandCase('launch_fleet, recall_fleet and its return', 2, withShips, (ring) => {
    const origin = ring.next();
    const { number } = ring.bench.does(ring.launchFrom(origin));
    // A millisecond out, a millisecond back: the fleet before this one lands now.
    ring.bench.passTo(ring.bench.nowMs + 1);
    return ring.bench.does({ type: 'recall_fleet', playerNumber: origin.owner.number, fleetNumber: number });
  });
}

/** Commands whose timers fire when the round is over. */
function* timedCases(plain: MakeRing, withShips: MakeRing): Iterable<SteadyCase> {
  const isFullyBuilt = ({ turn }: PlanetRing) => turn === BUILDING_LEVEL_MAX - 2;
  const upgrade = (ring: PlanetRing) => {
    const planetKey = ring.nextAfterTime().key;
    return ring.bench.does({ type: 'upgrade_building', planetKey, buildingType: IRON_MINE });
  };
  yield commandCase('upgrade_building and its completion', 1, plain, upgrade, isFullyBuilt);
  yield commandCase('build_ships and their delivery', 1, withShips, (ring) => {
    const planetKey = ring.nextAfterTime().key;
    return ring.bench.does({ type: 'build_ships', planetKey, shipType: SCOUT, count: 1 });
  });
  const typeCount = STANDARD_1.research.length;
  const isFullyResearched = ({ turn }: PlanetRing) => turn === typeCount * RESEARCH_LEVEL_MAX - 1;
  const research = (ring: PlanetRing) => {
    const playerNumber = ring.nextAfterTime().owner.number;
    return ring.bench.does({ type: 'start_research', playerNumber, researchType: ring.turn % typeCount });
  };
  yield commandCase('start_research and its completion', 1, plain, research, isFullyResearched);
  yield commandCase('launch_fleet, its arrival and return', 1, withShips, (ring) =>
    ring.bench.does(ring.launchFrom(ring.nextAfterTime())),
  );
}

/** Commands that can be repeated as they are. */
function* lonelyCases(plain: MakeRing): Iterable<SteadyCase> {
  yield commandCase('grant_resources', 1, plain, (ring) =>
    ring.bench.does({ type: 'grant_resources', planetKey: ring.next().key, amounts: GRANT }),
  );
  yield commandCase('advance_time with nothing due', 1, plain, ({ bench }) => {
    bench.nowMs += 1;
    return bench.does({ type: 'advance_time' });
  });
  const upgrade = { type: 'upgrade_building', buildingType: IRON_MINE } as const;
  const busy = () => {
    const ring = plain();
    for (const { key } of ring.planets) ring.bench.does({ ...upgrade, planetKey: key });
    return ring;
  };
  yield commandCase('upgrade_building, refused as busy', 1, busy, (ring) =>
    ring.bench.attempt({ ...upgrade, planetKey: ring.next().key }),
  );
}

/** @param isSpent whether a fresh ring is needed; never by default */
function commandCase(
  name: string,
  countPerRun: number,
  make: MakeRing,
  run: (ring: PlanetRing) => unknown,
  isSpent?: (ring: PlanetRing) => boolean,
): SteadyCase {
  const prepare = () => {
    let ring = make();
    return () => {
      if (isSpent?.(ring)) ring = make();
      return run(ring);
    };
  };
  return { kind: 'steady', name, unit: 'command', countPerRun, prepare };
}

/** Longer than anything takes that is started here. */
const LONG_MS = 400 * 24 * 3_600_000;
/** Runs before the world is begun anew: levels have an end. */
const RUNS_PER_WORLD = 60;

/** Ticks with many timers due: every planet or player has one pending, and time jumps past all of them. */
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
      bench.grantAfterPirates();
      for (let started = 0; started < planets.length; started += 1) start(ring, ring.next());
      const atMs = bench.nowMs + LONG_MS;
      return { count: firings * planets.length, run: () => bench.passTo(atMs) };
    },
  };
}
