// Who lives where, as far as players have seen each other: the neighbours that a fleet may fly to.

/** A planet that somebody owns. */
export interface Home {
  readonly planetId: string;
  readonly playerId: string;
  readonly galaxy: number;
  readonly system: number;
}

export interface SystemPlace {
  readonly galaxy: number;
  readonly system: number;
}

interface SeenPlayer {
  readonly id: string;
  readonly planets: readonly { readonly id: string }[];
}

export class Atlas {
  readonly #planetsOf = new Map<string, readonly string[]>();
  /** Homes of each galaxy, in the order of their systems; made anew when somebody needs them. */
  readonly #galaxies = new Map<number, readonly Home[]>();

  /** Remembers the planets of a player. */
  see({ id, planets }: SeenPlayer): void {
    const before = this.#planetsOf.get(id)?.length ?? 0;
    if (planets.length === before) return;
    this.#planetsOf.set(
      id,
      planets.map((planet) => planet.id),
    );
    for (const planet of planets) this.#galaxies.delete(placeOf(planet.id).galaxy);
  }

  planetsOf(playerId: string): readonly string[] {
    return this.#planetsOf.get(playerId) ?? [];
  }

  /**
   * Planets of others near a planet, in the order of their systems.
   *
   * @param reach planets on either side
   */
  neighbours(playerId: string, planetId: string, reach: number): readonly Home[] {
    const { galaxy, system } = placeOf(planetId);
    const homes = this.#homesIn(galaxy);
    const own = homes.findIndex((home) => home.system >= system);
    const near = homes.slice(Math.max(0, own - reach), own + reach + 1);
    return near.filter((home) => home.playerId !== playerId);
  }

  #homesIn(galaxy: number): readonly Home[] {
    const known = this.#galaxies.get(galaxy);
    if (known !== undefined) return known;
    const homes = Array.from(this.#planetsOf)
      .flatMap(([playerId, planets]) => planets.map((planetId) => ({ planetId, playerId, ...placeOf(planetId) })))
      .filter((home) => home.galaxy === galaxy)
      .sort((one, other) => one.system - other.system);
    this.#galaxies.set(galaxy, homes);
    return homes;
  }
}

/** Place of a planet id such as `planet-1-0-26`. */
export function placeOf(planetId: string): SystemPlace {
  const [, galaxy, system] = planetId.split('-');
  return { galaxy: Number(galaxy), system: Number(system) };
}

export function systemPathOf({ galaxy, system }: SystemPlace): string {
  return `/api/game/galaxy/${galaxy}/system/${system}`;
}
