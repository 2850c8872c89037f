// Engine commands of each kind. Those that undo each other are measured as pairs; those that only time undoes, together
// with their timer and its firing. When nothing is left to do in a world, a fresh one is begun.
import { BUILDING_LEVEL_MAX, GALAXY_COUNT, RESEARCH_LEVEL_MAX } from '../../engine/rules/limits.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import type { SteadyCase, UnitGroup } from './unit-case.js';
import { EngineWorld, IRON_MINE, SCOUT, SHIPYARD } from './worlds/engine-world.js';
import { PlanetRing } from './worlds/planet-ring.js';

/** Players of a world of newcomers before a fresh one is begun. */
const NEWCOMERS_MAX = 100_000;
const BULK_COUNT = 100;
const GRANT = [10, 10, 10, 10, 10];

export const commandUnits: UnitGroup = function* ({ players, seed }) {
  const plain = () => new PlanetRing(players, seed);
  const withShips = () => PlanetRing.withShips(players, seed);
  yield* pairedCases(plain, withShips);
  yield* timedCases(plain, withShips);
  yield* lonelyCases(plain);
  yield* newcomerCases(() => new Newcomers(seed));
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

/** Commands that take planets for ever, in a growing world. */
function* newcomerCases(make: () => Newcomers): Iterable<SteadyCase> {
  const isFull = ({ bench }: Newcomers) => bench.world.playerCount >= NEWCOMERS_MAX;
  yield commandCase('create_player', 1, make, (newcomers) => newcomers.create(), isFull);
  const createMany = ({ bench }: Newcomers) => {
    const namePrefix = `newcomers-${bench.world.playerCount}`;
    return bench.does({
      type: 'create_players',
      count: BULK_COUNT,
      namePrefix,
      keyHashes: [],
      namePrefixKey: namePrefix,
    });
  };
  const bulk = commandCase(`create_players, ${BULK_COUNT} at once`, BULK_COUNT, make, createMany, isFull);
  yield { ...bulk, unit: 'player' };
  const createWithSecondStarter = (newcomers: Newcomers) =>
    newcomers.bench.does({ type: 'create_second_starter', playerNumber: newcomers.create() });
  yield commandCase('create_player, create_second_starter', 2, make, createWithSecondStarter, isFull);
  const createAndColonize = (newcomers: Newcomers) => {
    const playerNumber = newcomers.create();
    return newcomers.bench.does({ type: 'colonize_planet', playerNumber, planetKey: newcomers.distantKey() });
  };
  yield commandCase('create_player, colonize_planet', 2, make, createAndColonize, isFull);
}

class Newcomers {
  readonly bench: EngineWorld;
  readonly #distantKeys: Iterator<number>;

  constructor(seed: number) {
    this.bench = new EngineWorld(seed);
    this.#distantKeys = keysFromTheEnd(this.bench);
  }

  /** @returns the player's number */
  create(): number {
    const name = `newcomer-${this.bench.world.playerCount}`;
    return this.bench.does({ type: 'create_player', name, isBot: true, keyHash: null, nameKey: name }).number;
  }

  /** A planet of the last galaxies, in which no newcomer lands. */
  distantKey(): number {
    return this.#distantKeys.next().value ?? -1;
  }
}

function* keysFromTheEnd({ world }: EngineWorld): Generator<number> {
  const { universe } = world;
  const last = GALAXY_COUNT * universe.systemsPerGalaxy - 1;
  for (let systemKey = last; systemKey >= 0; systemKey -= 1) yield* universe.planetKeys(systemKey);
}

/** @param isSpent whether a fresh world is needed; never by default */
function commandCase<World>(
  name: string,
  countPerRun: number,
  make: () => World,
  run: (world: World) => unknown,
  isSpent?: (world: World) => boolean,
): SteadyCase {
  const prepare = () => {
    let world = make();
    if (isSpent === undefined) return () => run(world);
    return () => {
      if (isSpent(world)) world = make();
      return run(world);
    };
  };
  return { kind: 'steady', name, unit: 'command', countPerRun, prepare };
}
