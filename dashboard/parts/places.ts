// Ids of planets as places. It knows no browser.

export interface PlanetPlace {
  readonly galaxy: number;
  readonly system: number;
  readonly slot: number;
}

/** Place of a planet id such as `planet-1-0-26`; null if it is none. */
export function placeOfPlanet(planetId: string): PlanetPlace | null {
  const found = /^planet-(\d+)-(\d+)-(\d+)$/.exec(planetId);
  return found === null ? null : { galaxy: Number(found[1]), system: Number(found[2]), slot: Number(found[3]) };
}
