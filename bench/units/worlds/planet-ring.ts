// The planets of many bots, visited again and again in a drawn order. Benches of single commands work on them.
import type { WorldCommand } from '../../../engine/commands/table.js';
import type { Rules } from '../../../engine/rules/rules.js';
import { TRANSPORT as TRANSPORT_MISSION } from '../../../engine/terms/missions.js';
import type { ReadonlyPlanet } from '../../../engine/world/state.js';
import { SeededDraws, shuffledIndexes } from '../../seeded-draws.js';
import { EngineWorld, SCOUT, TRANSPORT } from './engine-world.js';

const SHIPS_AT_FIRST = 4;

export class PlanetRing {
  readonly bench: EngineWorld;
  /** One of each bot. */
  readonly planets: readonly ReadonlyPlanet[];
  /** Completed rounds. */
  turn = 0;
  readonly #order: Int32Array;
  #position = 0;

  /** Bots with plenty of everything. */
  constructor(playerCount: number, seed: number, rules?: Rules) {
    this.bench = new EngineWorld(seed, rules);
    const players = this.bench.addBots(playerCount);
    this.bench.grantPlenty(players);
    this.planets = players.flatMap((player) => player.planets);
    this.#order = shuffledIndexes(this.planets.length, new SeededDraws(seed));
  }

  /** The same with a shipyard and a few ships on each planet. */
  static withShips(playerCount: number, seed: number, rules?: Rules): PlanetRing {
    const ring = new PlanetRing(playerCount, seed, rules);
    const players = ring.planets.map(({ owner }) => owner);
    for (const shipType of [SCOUT, TRANSPORT]) ring.bench.buildFleets(players, shipType, SHIPS_AT_FIRST);
    return ring;
  }

  next(): ReadonlyPlanet {
    if (this.#position === this.#order.length) {
      this.#position = 0;
      this.turn += 1;
    }
    const planet = this.planets[this.#order[this.#position] as number] as ReadonlyPlanet;
    this.#position += 1;
    return planet;
  }

  /** The same; when the round is over, time passes until nothing is pending. */
  nextAfterTime(): ReadonlyPlanet {
    if (this.#position === this.#order.length) this.bench.passUntilIdle();
    return this.next();
  }

  /** A transport from a planet to one of another player in the same galaxy, with nothing on board. */
  launchFrom({ key, owner }: ReadonlyPlanet): Extract<WorldCommand, { type: 'launch_fleet' }> {
    const neighbour = this.#neighbourOf(owner.number - 1);
    return {
      type: 'launch_fleet',
      playerNumber: owner.number,
      originKey: key,
      targetKey: neighbour.key,
      ships: this.bench.world.rules.ships.map((_, type) => (type === TRANSPORT ? 1 : 0)),
      mission: TRANSPORT_MISSION,
      cargo: [0, 0, 0, 0],
      drive: null,
    };
  }

  /** Newcomers that follow each other land in the same galaxy, until it is full. */
  #neighbourOf(index: number): ReadonlyPlanet {
    const { universe } = this.bench.world;
    const galaxyOf = (planet: ReadonlyPlanet | undefined) => planet && universe.positionOf(planet.key).galaxy;
    const next = this.planets[index + 1];
    const neighbour = galaxyOf(next) === galaxyOf(this.planets[index]) ? next : this.planets[index - 1];
    if (neighbour === undefined) throw new Error('a ring needs at least two planets');
    return neighbour;
  }
}
