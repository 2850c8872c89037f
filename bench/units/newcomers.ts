// Engine commands that take planets for ever: they go on in a growing world, and begin a fresh one when it is full enough.
import { GALAXY_COUNT } from '../../engine/rules/limits.js';
import { EngineWorld } from '../worlds/engine-world.js';
import type { SteadyCase, UnitSizes } from './unit-case.js';

/** Players of a world before a fresh one is begun. */
const NEWCOMERS_MAX = 100_000;
const BULK_COUNT = 100;

export function* newcomerCases({ seed }: UnitSizes): Iterable<SteadyCase> {
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
