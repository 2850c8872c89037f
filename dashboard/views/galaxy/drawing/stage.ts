// The map while it is shown: connects what is known of the world, the camera and the pointer with the two canvases, and draws only if
// something has changed.
import { effect, untracked } from '@preact/signals';
import { goTo, replaceRoute, route } from '../../../address.js';
import { rgbOfPlayer, theme } from '../../../colours.js';
import { GESTURE_SETTLED_MS, MAP_DRAW_PERIOD_MAX_MS } from '../../../limits.js';
import type { Route } from '../../../routes.js';
import {
  fleets,
  galaxies,
  goods,
  type MapChange,
  onFrame,
  pacts,
  settledGalaxies,
  systemsPerCell,
  systemsPerGalaxy,
} from '../../../world/map-state.js';
import { rate, worldMsAt } from '../../../world/world-clock.js';
import {
  type Camera,
  cameraOf,
  cameraOfGalaxies,
  type Extent,
  type Flight,
  flightBetween,
  pan,
  targetOf,
  zoomAt,
} from '../map/camera.js';
import { clamp, Geometry, type Point, partsOf, type Target } from '../map/geometry.js';
import {
  brightPlayer,
  drawnSystem,
  followedPlayer,
  galaxiesToShow,
  galaxyDetail,
  pointAt,
  pointed,
  pointerAt,
  togglePlayer,
} from '../map/shown.js';
import { linesOfFleets, linesOfGoods, linesOfPacts } from './lines.js';
import { drawOverlay } from './overlay.js';
import { followGestures, pick } from './pointer.js';
import { Scene } from './scene.js';

/** More pixels would cost time and be seen by nobody. */
const PIXEL_RATIO_MAX = 2;
/** Pixels that the fastest fleet moves from one picture to the next. */
const STEP_PIXELS = 0.35;
/** How fast a turn of the wheel is followed. */
const WHEEL_HALF_LIFE_MS = 45;

export type StageState = 'ready' | 'missing' | 'lost';

export class Stage {
  readonly #context: CanvasRenderingContext2D;
  readonly #ends: (() => void)[] = [];
  readonly #gl: WebGL2RenderingContext | null;
  #scene: Scene | null = null;
  #geometry = new Geometry(0);
  #extent: Extent = { width: 1, height: 1 };
  #pixelRatio = 1;
  #camera: Camera = { x: 5, y: 5, scale: 1 };
  #target: Target = { view: 'universe' };
  /** Whether the camera shows the target whole: then it follows the size of the window. */
  #isFramed = true;
  /** Whether the universe is shown with the galaxies in which nobody lives. */
  #isUniverseWhole = false;
  #flying: { readonly flight: Flight; readonly startedAtMs: number } | null = null;
  /** What is left of the turns of the wheel. */
  #wheel: { readonly pixel: Point; readonly factor: number } | null = null;
  #isOverlayOld = true;
  #request = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settling: ReturnType<typeof setTimeout> | undefined;
  #drawnAtMs = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    lines: HTMLCanvasElement,
    private readonly onState: (state: StageState) => void,
  ) {
    const context = lines.getContext('2d');
    this.#gl = canvas.getContext('webgl2', { alpha: false, antialias: false, powerPreference: 'low-power' });
    if (context === null) throw new Error('this browser draws on no canvas');
    this.#context = context;
    if (this.#gl === null) onState('missing');
    else this.#begin();
  }

  get pixelRatio(): number {
    return this.#pixelRatio;
  }

  dispose(): void {
    for (const end of this.#ends) end();
    cancelAnimationFrame(this.#request);
    clearTimeout(this.#timer);
    clearTimeout(this.#settling);
    this.#scene?.dispose();
  }

  /** Zooms around the middle. */
  zoom(factor: number): void {
    this.#zoomBy({ x: this.#extent.width / 2, y: this.#extent.height / 2 }, factor, true);
    this.#settle();
  }

  /** Moves the camera by shares of the window. */
  move(x: number, y: number): void {
    this.#pan(-x * this.#extent.width, -y * this.#extent.height);
    this.#settle();
  }

  /** Shows the target whole; the universe in turn with and without the galaxies in which nobody lives. */
  frame(): void {
    if (this.#target.view === 'universe' && this.#isFramed) this.#isUniverseWhole = !this.#isUniverseWhole;
    this.#flyTo(this.#target);
  }

  /** Both canvases as one picture. It is drawn again, because a browser keeps no picture of WebGL. */
  picture(): HTMLCanvasElement {
    this.#draw(performance.now());
    const copy = document.createElement('canvas');
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    const context = copy.getContext('2d');
    context?.drawImage(this.canvas, 0, 0);
    context?.drawImage(this.#context.canvas, 0, 0);
    return copy;
  }

  #begin(): void {
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this.host);
    this.#ends.push(
      () => sizes.disconnect(),
      followGestures(this.host, {
        pan: (dx, dy) => this.#pan(dx, dy),
        zoom: (pixel, factor, isSmooth) => this.#zoomBy(pixel, factor, isSmooth),
        hover: (pixel) => this.#hover(pixel),
        click: (pixel) => this.#click(pixel),
        done: () => this.#settle(),
      }),
      this.#followContext(),
      onFrame((change) => this.#take(change)),
      ...this.#followSignals(),
    );
  }

  #followContext(): () => void {
    const ended = new AbortController();
    const on = (name: string, listener: (event: Event) => void): void =>
      this.canvas.addEventListener(name, listener, { signal: ended.signal });
    on('webglcontextlost', (event) => {
      // Without this the browser does not give it back.
      event.preventDefault();
      this.#scene = null;
      this.onState('lost');
    });
    on('webglcontextrestored', () => {
      this.#newScene();
      this.onState('ready');
    });
    return () => ended.abort();
  }

  #followSignals(): (() => void)[] {
    const rows: readonly (readonly [read: () => unknown, act: () => void])[] = [
      [() => [systemsPerGalaxy.value, systemsPerCell.value], () => this.#newScene()],
      [() => galaxies.value, () => this.#scene?.setGalaxies(galaxies.value)],
      [() => [settledGalaxies.value, followedPlayer.value], () => this.#frameAgain()],
      // The colour of any player follows the theme and the leaders.
      [() => [theme.value, rgbOfPlayer(1)], () => this.#recolour()],
      [() => galaxyDetail.value, () => this.#scene?.setDetail(galaxyDetail.value)],
      [() => [brightPlayer.value, pointed.value, drawnSystem.value, pacts.value, goods.value], () => this.#showLines()],
      [() => route.value, () => this.#show(route.value)],
      [() => rate.value, () => {}],
    ];
    const follow = (read: () => unknown, act: () => void): void => {
      read();
      untracked(act);
      untracked(() => this.#refresh());
    };
    return rows.map(([read, act]) => effect(() => follow(read, act)));
  }

  /** Somebody lives in another galaxy now, or another player is followed. */
  #frameAgain(): void {
    if (this.#target.view === 'universe' && this.#isFramed) this.#flyToCamera(this.#cameraOf(this.#target));
  }

  #cameraOf(target: Target): Camera {
    const shown = target.view === 'universe' && !this.#isUniverseWhole ? galaxiesToShow() : [];
    return shown.length === 0 ? cameraOf(this.#geometry, target, this.#extent) : cameraOfGalaxies(shown, this.#extent);
  }

  #show(shown: Route): void {
    if (isTarget(shown) && !isSameTarget(shown, this.#target)) this.#flyTo(shown);
  }

  /** Builds the scene from all that is known: for another world, or after the graphics card has lost its memory. */
  #newScene(): void {
    if (this.#gl === null) return;
    this.#scene?.dispose();
    this.#geometry = new Geometry(systemsPerGalaxy.peek());
    this.#scene = new Scene(this.#gl, systemsPerGalaxy.peek(), systemsPerCell.peek(), (player) =>
      untracked(() => rgbOfPlayer(player)),
    );
    this.#scene.setGalaxies(galaxies.peek());
    this.#scene.setDetail(galaxyDetail.peek());
    for (const leg of fleets.values()) this.#scene.fleets.put(leg);
    this.#showLines();
    const shown = route.peek();
    if (isTarget(shown)) this.#target = shown;
    this.#isFramed = true;
    this.#resize();
  }

  #take({ isReset, legs, gone, battles }: MapChange): void {
    if (this.#scene === null) return;
    if (isReset) this.#scene.fleets.clear();
    for (const leg of legs) this.#scene.fleets.put(leg);
    for (const fleet of gone) this.#scene.fleets.remove(fleet);
    this.#scene.addBattles(battles, performance.now());
    if (brightPlayer.peek() !== 0 || pointed.peek()?.view === 'fleet') this.#showLines();
    this.#requestDraw();
  }

  #recolour(): void {
    this.#scene?.recolour();
    this.#showLines();
  }

  #showLines(): void {
    const bright = brightPlayer.peek();
    const under = pointed.peek();
    const legs = Array.from(fleets.values()).filter(
      ({ owner, fleet }) => (bright !== 0 && owner === bright) || (under?.view === 'fleet' && under.fleet === fleet),
    );
    const ties = [...linesOfPacts(pacts.peek(), bright), ...linesOfGoods(goods.peek(), bright)];
    this.#scene?.setLines([...ties, ...linesOfFleets(legs)], theme.peek());
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.host;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#extent = { width: clientWidth, height: clientHeight };
    this.#pixelRatio = Math.min(PIXEL_RATIO_MAX, devicePixelRatio);
    for (const canvas of [this.canvas, this.#context.canvas]) {
      canvas.width = Math.round(clientWidth * this.#pixelRatio);
      canvas.height = Math.round(clientHeight * this.#pixelRatio);
    }
    if (this.#isFramed) this.#camera = this.#cameraOf(this.#target);
    // A canvas that gets a size is empty.
    this.#isOverlayOld = true;
    // Drawn at once: an empty canvas would flicker.
    this.#draw(performance.now());
    this.#requestDraw();
  }

  #flyTo(target: Target): void {
    this.#target = target;
    this.#isFramed = true;
    this.#flyToCamera(this.#cameraOf(target));
  }

  #flyToCamera(to: Camera): void {
    this.#wheel = null;
    const flight = flightBetween(this.#camera, to, this.#extent);
    this.#flying = prefersStill() ? null : { flight, startedAtMs: performance.now() };
    if (this.#flying === null) this.#camera = to;
    this.#refresh();
  }

  #pan(dx: number, dy: number): void {
    this.#moved(pan(this.#geometry, this.#camera, this.#extent, dx, dy));
  }

  #zoomBy(pixel: Point, factor: number, isSmooth: boolean): void {
    if (isSmooth && !prefersStill()) {
      this.#wheel = { pixel, factor: clamp((this.#wheel?.factor ?? 1) * factor, 1 / 64, 64) };
      this.#flying = null;
      this.#requestDraw();
    } else this.#moved(zoomAt(this.#geometry, this.#camera, this.#extent, pixel, factor));
  }

  #moved(camera: Camera): void {
    this.#camera = camera;
    this.#flying = null;
    this.#isFramed = false;
    this.#refresh();
  }

  /** Lets the address follow what is shown, a moment after the last gesture. */
  #settle(): void {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => {
      const target = this.#targetInView();
      if (this.#flying !== null || isSameTarget(target, this.#target)) return;
      this.#target = target;
      replaceRoute(target);
    }, GESTURE_SETTLED_MS);
  }

  /** A planet stays in the address while it fills the window. */
  #targetInView(): Target {
    const target = targetOf(this.#geometry, this.#camera, this.#extent);
    const now = this.#target;
    if (now.view !== 'planet' || target.view !== 'system') return target;
    const isNear = this.#camera.scale > cameraOf(this.#geometry, now, this.#extent).scale * 0.5;
    return isNear && target.galaxy === now.galaxy && target.system === now.system ? now : target;
  }

  #hover(pixel: Point | null): void {
    pointerAt.value = pixel;
    pointAt(pixel === null ? null : this.#pick(pixel));
  }

  #click(pixel: Point): void {
    const found = this.#pick(pixel);
    if (found === null) return;
    if (found.view === 'fleet') togglePlayer(fleets.get(found.fleet)?.owner ?? 0);
    else goTo(found);
  }

  #pick(pixel: Point) {
    if (this.#scene === null) return null;
    const worldMs = worldMsAt(performance.now());
    return pick(this.#scene, this.#camera, this.#extent, pixel, { system: drawnSystem.peek(), worldMs });
  }

  /** Draws both canvases with the next frame. */
  #refresh(): void {
    this.#isOverlayOld = true;
    this.#requestDraw();
  }

  #requestDraw(): void {
    clearTimeout(this.#timer);
    if (this.#request !== 0) return;
    this.#request = requestAnimationFrame((atMs) => {
      this.#request = 0;
      this.#advance(atMs);
      this.#draw(atMs);
      this.#planNext(atMs);
    });
  }

  /** Moves the camera on its flight, or after the wheel. */
  #advance(atMs: number): void {
    const elapsedMs = clamp(atMs - this.#drawnAtMs, 0, 100);
    this.#drawnAtMs = atMs;
    if (this.#flying !== null) {
      const { flight, startedAtMs } = this.#flying;
      const share = clamp((atMs - startedAtMs) / flight.lengthMs, 0, 1);
      this.#camera = flight.at(share * share * (3 - 2 * share));
      this.#isOverlayOld = true;
      if (share === 1) this.#flying = null;
    } else if (this.#wheel !== null) {
      const { pixel, factor } = this.#wheel;
      const left = factor ** (0.5 ** (elapsedMs / WHEEL_HALF_LIFE_MS));
      this.#moved(zoomAt(this.#geometry, this.#camera, this.#extent, pixel, factor / left));
      this.#wheel = Math.abs(Math.log(left)) < 0.002 ? null : { pixel, factor: left };
      if (this.#wheel === null) this.#settle();
    }
  }

  #draw(atMs: number): void {
    const shared = { camera: this.#camera, extent: this.#extent, theme: theme.peek() };
    const moving = { worldMs: worldMsAt(atMs), atMs, bright: brightPlayer.peek(), isStill: prefersStill() };
    this.#scene?.draw({ ...shared, ...moving, pixelRatio: this.#pixelRatio });
    if (!this.#isOverlayOld) return;
    this.#isOverlayOld = false;
    const settled = new Set(galaxies.peek().keys());
    this.#context.setTransform(this.#pixelRatio, 0, 0, this.#pixelRatio, 0, 0);
    const near = { target: this.#target, pointed: pointed.peek(), system: drawnSystem.peek() };
    drawOverlay(this.#context, this.#geometry, { ...shared, ...near, settled });
  }

  /** The next picture is due when the camera, a battle, or a fleet moves far enough to be seen. */
  #planNext(atMs: number): void {
    if (this.#flying !== null || this.#wheel !== null || this.#scene?.isLit(atMs) === true) {
      this.#requestDraw();
      return;
    }
    const fastest = (this.#scene?.fleets.fastestCellsPerMs ?? 0) * this.#camera.scale * rate.peek();
    if (fastest <= 0) return;
    const delayMs = STEP_PIXELS / fastest;
    if (delayMs < 20) this.#requestDraw();
    else this.#timer = setTimeout(() => this.#requestDraw(), Math.min(delayMs, MAP_DRAW_PERIOD_MAX_MS));
  }
}

const prefersStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function isTarget(shown: { readonly view: string }): shown is Target {
  return ['universe', 'galaxy', 'system', 'planet'].includes(shown.view);
}

function isSameTarget(one: Target, other: Target): boolean {
  return partsOf(one).join() === partsOf(other).join();
}
