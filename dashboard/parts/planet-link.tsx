// A planet: its coordinates, with a link to it on the map.
import { linkTo } from '../address.js';

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

export function PlanetLink({ planetId }: { readonly planetId: string }) {
  const place = placeOfPlanet(planetId);
  if (place === null) return <span>{planetId}</span>;
  return (
    <a class="planet" href={linkTo({ view: 'planet', ...place })} title={planetId}>
      {place.galaxy}:{place.system}:{place.slot}
    </a>
  );
}
