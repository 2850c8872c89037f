// What a pointer does on the map: drag, wheel, pinch, hover and click, as movements of the camera.
import type { Point } from './geometry.js';

export interface Gestures {
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
  readonly #gestures: Gestures;
  readonly #down = new Map<number, Point>();
  #travelled = 0;

  constructor(gestures: Gestures) {
    this.#gestures = gestures;
  }

  down(id: number, pixel: Point): void {
    this.#travelled = this.#down.size === 0 ? 0 : Number.POSITIVE_INFINITY;
    this.#down.set(id, pixel);
  }

  move(id: number, pixel: Point): void {
    const before = this.#down.get(id);
    if (before === undefined) {
      this.#gestures.hover(pixel);
      return;
    }
    this.#travelled += Math.hypot(pixel.x - before.x, pixel.y - before.y);
    if (this.#travelled <= CLICK_DISTANCE) return;
    const other = Array.from(this.#down).find(([pointer]) => pointer !== id)?.[1];
    if (other === undefined) this.#gestures.pan(pixel.x - before.x, pixel.y - before.y);
    else this.#pinch(before, pixel, other);
    this.#down.set(id, pixel);
  }

  up(id: number, pixel: Point): void {
    if (!this.#down.delete(id)) return;
    if (this.#travelled <= CLICK_DISTANCE) this.#gestures.click(pixel);
    else this.#gestures.done();
  }

  cancel(id: number): void {
    if (this.#down.delete(id)) this.#gestures.done();
  }

  #pinch(before: Point, pixel: Point, other: Point): void {
    const middle = { x: (pixel.x + other.x) / 2, y: (pixel.y + other.y) / 2 };
    const wasApart = Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    const isApart = Math.max(1, Math.hypot(pixel.x - other.x, pixel.y - other.y));
    this.#gestures.pan((pixel.x - before.x) / 2, (pixel.y - before.y) / 2);
    this.#gestures.zoom(middle, isApart / wasApart, false);
  }
}
