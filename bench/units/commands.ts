// Engine commands of each kind. Those that undo each other are measured as pairs; those that only time undoes, together
// with their timer and its firing; where nothing is left to do, a fresh world is begun.

import { BUILDING_LEVEL_MAX, GALAXY_COUNT, RESEARCH_LEVEL_MAX } from '../../engine/rules/limits.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import type { SteadyCase, UnitGroup, UnitSizes } from './unit-case.js';
import { EngineWorld, IRON_MINE, SCOUT, SHIPYARD } from './worlds/engine-world.js';
import { PlanetRing } from './worlds/planet-ring.js';

/** Players of a world before a fresh one is begun. */
const NEWCOMERS_MAX = 100_000;
const BULK_COUNT = 100;

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

/** Commands that take planets for ever: they go on in a growing world, and begin a fresh one when it is full enough. */
function* newcomerCases({ seed }: UnitSizes): Iterable<SteadyCase> {
  yield newcomerCase('create_player', 'command', 1, seed, (newcomers) => newcomers.create());
  yield newcomerCase(`create_players, ${BULK_COUNT} at once`, 'player', BULK_COUNT, seed, ({ bench }) => {
    const namePrefix = `newcomers-${bench.world.playerCount}`;
    return bench.does({ type: 'create_players', count: BULK_COUNT, namePrefix, keyHashes: [] });
  });
  yield newcomerCase('create_player, create_second_starter', 'command', 2, seed, (newcomers) =>
    newcomers.bench.does({ type: 'create_second_starter', playerNumber: newcomers.create() }),
  );
  yield newcomerCase('create_player, colonize_planet', 'command', 2, seed, (newcomers) => {
    const playerNumber = newcomers.create();
    return newcomers.bench.does({ type: 'colonize_planet', playerNumber, planetKey: newcomers.distantKey() });
  });
}

class Newcomers {
  readonly bench: EngineWorld;
  readonly #distantKeys: Iterator<number>;

  constructor(seed: number) {
    this.bench = new EngineWorld(seed);
    this.#distantKeys = keysFromTheEnd(this.bench);
  }

  get isFull(): boolean {
    return this.bench.world.playerCount >= NEWCOMERS_MAX;
  }

  /** @returns the player's number */
  create(): number {
    const name = `newcomer-${this.bench.world.playerCount}`;
    return this.bench.does({ type: 'create_player', name, isBot: true, keyHash: null }).number;
  }

  /** A planet of the last galaxies, where no newcomer lands. */
  distantKey(): number {
    return this.#distantKeys.next().value ?? -1;
  }
}

function newcomerCase(
  name: string,
  unit: string,
  countPerRun: number,
  seed: number,
  run: (newcomers: Newcomers) => unknown,
): SteadyCase {
  return {
    kind: 'steady',
    name,
    unit,
    countPerRun,
    prepare: () => {
      let newcomers = new Newcomers(seed);
      return () => {
        if (newcomers.isFull) newcomers = new Newcomers(seed);
        return run(newcomers);
      };
    },
  };
}

function* keysFromTheEnd({ world }: EngineWorld): Generator<number> {
  const { universe } = world;
  const last = GALAXY_COUNT * universe.systemsPerGalaxy - 1;
  for (let systemKey = last; systemKey >= 0; systemKey -= 1) yield* universe.planetKeys(systemKey);
}
