// What is under a pixel of the map: from afar a galaxy, nearer a system, a planet or a fleet.
import { type Camera, type Extent, targetOf, toMap } from './camera.js';
import type { Scene } from './drawing/scene.js';
import { galaxyAt, type Point, pointOf, spotOf } from './geometry.js';
import type { ShownSystem } from './overlay.js';
import type { Pointed } from './selection.js';

const FLEET_PIXELS = 9;
const SYSTEM_PIXELS = 22;
const PLANET_PIXELS = 13;

interface Near {
  /** The system whose planets are drawn. */
  readonly system: ShownSystem | null;
  readonly worldMs: number | null;
}

export function pick(scene: Scene, camera: Camera, extent: Extent, pixel: Point, near: Near): Pointed | null {
  const point = toMap(camera, extent, pixel);
  const { column, row, x, y } = spotOf(point);
  const galaxy = galaxyAt(column, row);
  const inView = targetOf(scene.geometry, camera, extent);
  if (inView.view === 'universe') return galaxy === 0 ? null : { kind: 'galaxy', galaxy };
  const planet = inView.view === 'system' ? planetAt(scene, camera, point, near.system) : null;
  if (planet !== null) return planet;
  const { system, distance } = galaxy === 0 ? NOTHING : scene.geometry.nearestSystem(galaxy, { x, y });
  const isOnStar = distance * camera.scale < FLEET_PIXELS;
  const fleet = isOnStar ? null : fleetAt(scene, camera, point, near.worldMs);
  if (fleet !== null) return fleet;
  if (distance * camera.scale >= SYSTEM_PIXELS) return null;
  // The system that is shown already is no place to go to.
  const isShown = near.system?.galaxy === galaxy && near.system.system === system && inView.view === 'system';
  return isShown ? null : { kind: 'system', galaxy, system };
}

const NOTHING = { system: 0, distance: Number.POSITIVE_INFINITY };

function planetAt({ geometry }: Scene, camera: Camera, point: Point, shown: ShownSystem | null): Pointed | null {
  if (shown === null) return null;
  const { galaxy, system } = shown;
  const reach = Math.max(PLANET_PIXELS / camera.scale, geometry.planetRadius * 1.3);
  for (const { slot } of shown.planets) {
    const place = pointOf(geometry.spot(galaxy, system, slot));
    if (Math.hypot(place.x - point.x, place.y - point.y) < reach) return { kind: 'planet', galaxy, system, slot };
  }
  return null;
}

function fleetAt({ fleets }: Scene, camera: Camera, point: Point, worldMs: number | null): Pointed | null {
  const found = worldMs === null ? null : fleets.nearest(point, FLEET_PIXELS / camera.scale, worldMs);
  return found === null ? null : { kind: 'fleet', fleet: found.fleet };
}
