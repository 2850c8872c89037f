// The camera: which part of the map is shown, how it changes, and flights from one view to another. Pure; what moves it is in
// gestures.ts.
import { cellOf, clamp, type Geometry, GRID_SIZE, galaxyAt, type Point, spotOf, type Target } from './geometry.js';

export interface Camera {
  /** Point of the map in the middle of the window. */
  readonly x: number;
  readonly y: number;
  /** CSS pixels of a cell. */
  readonly scale: number;
}

/** The window in CSS pixels. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** How fast a flight is: a higher value zooms out more and travels faster. As in the paper. */
const CURVATURE = 1.3;
const FLIGHT_MS_PER_LENGTH = 330;
const FLIGHT_MS_MIN = 250;
const FLIGHT_MS_MAX = 1_400;

/** Height of the bar above the map, in CSS pixels. */
const BAR_HEIGHT = 52;

/** Shows a target whole, below the bar. */
export function cameraOf(geometry: Geometry, target: Target, { width, height }: Extent): Camera {
  const { centre, radius } = geometry.frameOf(target);
  const scale = Math.max(1, Math.min(width, height - BAR_HEIGHT)) / (2 * radius);
  return { x: centre.x, y: centre.y - BAR_HEIGHT / 2 / scale, scale };
}

/** Shows some galaxies, and no more of the others than the window needs. */
export function cameraOfGalaxies(galaxies: readonly number[], { width, height }: Extent): Camera {
  const cells = galaxies.map(cellOf);
  const columns = cells.map(({ column }) => column);
  const rows = cells.map(({ row }) => row);
  const [left, right] = [Math.min(...columns), Math.max(...columns) + 1];
  const [top, bottom] = [Math.min(...rows), Math.max(...rows) + 1];
  const scale = Math.max(1, Math.min(width / (right - left + 0.2), (height - BAR_HEIGHT) / (bottom - top + 0.2)));
  return { x: (left + right) / 2, y: (top + bottom) / 2 - BAR_HEIGHT / 2 / scale, scale };
}

export function toScreen({ x, y, scale }: Camera, { width, height }: Extent, point: Point): Point {
  return { x: (point.x - x) * scale + width / 2, y: (point.y - y) * scale + height / 2 };
}

export function toMap({ x, y, scale }: Camera, { width, height }: Extent, pixel: Point): Point {
  return { x: (pixel.x - width / 2) / scale + x, y: (pixel.y - height / 2) / scale + y };
}

/** Moves the map along with a pointer. */
export function pan(geometry: Geometry, camera: Camera, extent: Extent, dx: number, dy: number): Camera {
  return bounded(geometry, { ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }, extent);
}

/** Zooms so that what is at a pixel stays there. */
export function zoomAt(geometry: Geometry, camera: Camera, extent: Extent, pixel: Point, factor: number): Camera {
  const { scale } = bounded(geometry, { ...camera, scale: camera.scale * factor }, extent);
  const fixed = toMap(camera, extent, pixel);
  const x = fixed.x - (pixel.x - extent.width / 2) / scale;
  const y = fixed.y - (pixel.y - extent.height / 2) / scale;
  return bounded(geometry, { x, y, scale }, extent);
}

/** Neither beyond the grid nor nearer than a planet that fills the window. */
function bounded(geometry: Geometry, { x, y, scale }: Camera, extent: Extent): Camera {
  const whole = cameraOf(geometry, { view: 'universe' }, extent).scale;
  const nearest = Math.min(extent.width, extent.height) / (geometry.planetRadius * 4);
  return { x: clamp(x, 0, GRID_SIZE), y: clamp(y, 0, GRID_SIZE), scale: clamp(scale, whole * 0.9, nearest) };
}

/** What a camera shows: the view whose scale is next below that of the camera, of what is in the middle. */
export function targetOf(geometry: Geometry, camera: Camera, extent: Extent): Target {
  const { column, row, x, y } = spotOf(camera);
  const galaxy = galaxyAt(column, row);
  const scaleOf = (target: Target): number => cameraOf(geometry, target, extent).scale;
  if (galaxy === 0 || camera.scale < scaleOf({ view: 'galaxy', galaxy }) * 0.45) return { view: 'universe' };
  if (geometry.systemsPerGalaxy === 0 || camera.scale < scaleOf({ view: 'system', galaxy, system: 0 }) * 0.35)
    return { view: 'galaxy', galaxy };
  return { view: 'system', galaxy, system: geometry.nearestSystem(galaxy, { x, y }).system };
}

export interface Flight {
  readonly lengthMs: number;
  /** @param share of the way, 0 to 1 */
  readonly at: (share: number) => Camera;
}

/**
 * The smoothest way from one camera to another: out, across and in.
 *
 * Source: J. J. van Wijk and W. A. A. Nuij, "Smooth and efficient zooming and panning", IEEE InfoVis 2003.
 */
export function flightBetween(from: Camera, to: Camera, { width }: Extent): Flight {
  const [w0, w1] = [width / from.scale, width / to.scale];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const u1 = Math.hypot(dx, dy);
  const { length, wayAt } = u1 < w0 * 1e-6 ? zoomOnly(w0, w1) : zoomAndPan(w0, w1, u1);
  const at = (share: number): Camera => {
    if (share >= 1) return to;
    const { u, w } = wayAt(share * length);
    const travelled = u1 === 0 ? 0 : u / u1;
    return { x: from.x + dx * travelled, y: from.y + dy * travelled, scale: width / w };
  };
  return { at, lengthMs: clamp(length * FLIGHT_MS_PER_LENGTH, FLIGHT_MS_MIN, FLIGHT_MS_MAX) };
}

function zoomOnly(w0: number, w1: number) {
  const direction = w1 < w0 ? -1 : 1;
  return {
    length: Math.abs(Math.log(w1 / w0)) / CURVATURE,
    wayAt: (s: number) => ({ u: 0, w: w0 * Math.exp(direction * CURVATURE * s) }),
  };
}

/** The names are those of the paper. */
function zoomAndPan(w0: number, w1: number, u1: number) {
  const rho2 = CURVATURE ** 2;
  const b = (w: number, sign: number): number => (w1 ** 2 - w0 ** 2 + sign * rho2 ** 2 * u1 ** 2) / (2 * w * rho2 * u1);
  const r = (value: number): number => Math.log(Math.sqrt(value ** 2 + 1) - value);
  const r0 = r(b(w0, 1));
  const r1 = r(b(w1, -1));
  return {
    length: (r1 - r0) / CURVATURE,
    wayAt: (s: number) => ({
      u: (w0 / rho2) * (Math.cosh(r0) * Math.tanh(CURVATURE * s + r0) - Math.sinh(r0)),
      w: (w0 * Math.cosh(r0)) / Math.cosh(CURVATURE * s + r0),
    }),
  };
}
