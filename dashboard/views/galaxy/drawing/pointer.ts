// What a pointer does on the map: drag, wheel, pinch, hover and click, as movements of the camera; and what is under it.
import { type Camera, type Extent, targetOf, toMap } from '../map/camera.js';
import { galaxyAt, type Point, pointOf, spotOf } from '../map/geometry.js';
import type { DrawnSystem, Pointed } from '../map/shown.js';
import type { Scene } from './scene.js';

interface Gestures {
  readonly pan: (dx: number, dy: number) => void;
  /** What is at the pixel stays there. */
  readonly zoom: (pixel: Point, factor: number, isSmooth: boolean) => void;
  /** Null: the pointer has left the map. */
  readonly hover: (pixel: Point | null) => void;
  readonly click: (pixel: Point) => void;
  readonly done: () => void;
}

/** Pixels that a pointer may move while it is down and still click. */
const CLICK_DISTANCE = 5;
const ZOOM_PER_WHEEL_PIXEL = 0.0022;
/** A pinch on a touchpad arrives as a wheel with Ctrl, in smaller steps. */
const ZOOM_PER_PINCH_PIXEL = 0.012;
const WHEEL_LINE_PIXELS = 18;
const DOUBLE_CLICK_FACTOR = 2.5;

/** Follows the pointers over an element. @returns what ends it */
export function followGestures(element: HTMLElement, gestures: Gestures): () => void {
  const pixelOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = element.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const pointers = new Pointers(gestures);
  const ended = new AbortController();
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void => element.addEventListener(name, listener, { signal: ended.signal, passive: false });

  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    pointers.down(event.pointerId, pixelOf(event));
  });
  on('pointermove', (event) => pointers.move(event.pointerId, pixelOf(event)));
  on('pointerup', (event) => pointers.up(event.pointerId, pixelOf(event)));
  on('pointercancel', (event) => pointers.cancel(event.pointerId));
  on('pointerleave', () => gestures.hover(null));
  on('dblclick', (event) => {
    gestures.zoom(pixelOf(event), DOUBLE_CLICK_FACTOR, true);
    gestures.done();
  });
  on('wheel', (event) => {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * WHEEL_LINE_PIXELS;
    const factor = Math.exp(-pixels * (event.ctrlKey ? ZOOM_PER_PINCH_PIXEL : ZOOM_PER_WHEEL_PIXEL));
    gestures.zoom(pixelOf(event), factor, !event.ctrlKey);
    gestures.done();
  });
  return () => ended.abort();
}

/** The pointers that are down: one drags, two pinch. */
class Pointers {
  readonly #down = new Map<number, Point>();
  #travelled = 0;

  constructor(private readonly gestures: Gestures) {}

  down(id: number, pixel: Point): void {
    this.#travelled = this.#down.size === 0 ? 0 : Number.POSITIVE_INFINITY;
    this.#down.set(id, pixel);
  }

  move(id: number, pixel: Point): void {
    const before = this.#down.get(id);
    if (before === undefined) {
      this.gestures.hover(pixel);
      return;
    }
    this.#travelled += Math.hypot(pixel.x - before.x, pixel.y - before.y);
    if (this.#travelled <= CLICK_DISTANCE) return;
    const other = Array.from(this.#down).find(([pointer]) => pointer !== id)?.[1];
    if (other === undefined) this.gestures.pan(pixel.x - before.x, pixel.y - before.y);
    else this.#pinch(before, pixel, other);
    this.#down.set(id, pixel);
  }

  up(id: number, pixel: Point): void {
    if (!this.#down.delete(id)) return;
    if (this.#travelled <= CLICK_DISTANCE) this.gestures.click(pixel);
    else this.gestures.done();
  }

  cancel(id: number): void {
    if (this.#down.delete(id)) this.gestures.done();
  }

  #pinch(before: Point, pixel: Point, other: Point): void {
    const middle = { x: (pixel.x + other.x) / 2, y: (pixel.y + other.y) / 2 };
    const wasApart = Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    const isApart = Math.max(1, Math.hypot(pixel.x - other.x, pixel.y - other.y));
    this.gestures.pan((pixel.x - before.x) / 2, (pixel.y - before.y) / 2);
    this.gestures.zoom(middle, isApart / wasApart, false);
  }
}

const FLEET_PIXELS = 9;
const SYSTEM_PIXELS = 22;
const PLANET_PIXELS = 13;

/** The system whose planets are drawn, and world time. */
interface Near {
  readonly system: DrawnSystem | null;
  readonly worldMs: number | null;
}

/** What is under a pixel: from afar a galaxy, nearer a system, a planet or a fleet. */
export function pick(scene: Scene, camera: Camera, extent: Extent, pixel: Point, near: Near): Pointed | null {
  const point = toMap(camera, extent, pixel);
  const { column, row, x, y } = spotOf(point);
  const galaxy = galaxyAt(column, row);
  const inView = targetOf(scene.geometry, camera, extent);
  if (inView.view === 'universe') return galaxy === 0 ? null : { view: 'galaxy', galaxy };
  const planet = inView.view === 'system' ? planetAt(scene, camera, point, near.system) : null;
  if (planet !== null) return planet;
  const { system, distance } = galaxy === 0 ? NOTHING : scene.geometry.nearestSystem(galaxy, { x, y });
  const isOnStar = distance * camera.scale < FLEET_PIXELS;
  const fleet = isOnStar ? null : fleetAt(scene, camera, point, near.worldMs);
  if (fleet !== null) return fleet;
  if (distance * camera.scale >= SYSTEM_PIXELS) return null;
  // The system that is already shown leads nowhere.
  const isShown = near.system?.galaxy === galaxy && near.system.system === system && inView.view === 'system';
  return isShown ? null : { view: 'system', galaxy, system };
}

const NOTHING = { system: 0, distance: Number.POSITIVE_INFINITY };

function planetAt({ geometry }: Scene, camera: Camera, point: Point, shown: DrawnSystem | null): Pointed | null {
  if (shown === null) return null;
  const { galaxy, system } = shown;
  const reach = Math.max(PLANET_PIXELS / camera.scale, geometry.planetRadius * 1.3);
  for (const { slot } of shown.planets) {
    const place = pointOf(geometry.spot(galaxy, system, slot));
    if (Math.hypot(place.x - point.x, place.y - point.y) < reach) return { view: 'planet', galaxy, system, slot };
  }
  return null;
}

function fleetAt({ fleets }: Scene, camera: Camera, point: Point, worldMs: number | null): Pointed | null {
  const found = worldMs === null ? null : fleets.nearest(point, FLEET_PIXELS / camera.scale, worldMs);
  return found === null ? null : { view: 'fleet', fleet: found.fleet };
}
