// A planet: its coordinates, with a link to it on the map.
import { linkTo } from '../address.js';
import { placeOfPlanet } from './places.js';

export function PlanetLink({ planetId }: { readonly planetId: string }) {
  const place = placeOfPlanet(planetId);
  if (place === null) return <span>{planetId}</span>;
  return (
    <a class="planet" href={linkTo({ view: 'planet', ...place })} title={planetId}>
      {place.galaxy}:{place.system}:{place.slot}
    </a>
  );
}
