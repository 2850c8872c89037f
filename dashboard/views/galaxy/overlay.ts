// What is written and drawn with lines above the map, on a canvas of its own: names, orbits, the star and the planets of a system,
// and a ring around what the viewer points at. It is drawn anew only if it changes.
import type { Theme } from '../../colours.js';
import { type Camera, cameraOf, type Extent, toScreen } from './camera.js';
import { clamp } from './clamp.js';
import {
  cellOf,
  GALAXY_COUNT,
  GALAXY_RADIUS,
  type Geometry,
  type Point,
  pointOf,
  SLOT_COUNT,
  STAR_SHARE,
  type Target,
} from './geometry.js';
import { colourOfStar, MAP_COLOURS } from './map-colours.js';
import type { Pointed } from './selection.js';

/** A system as it is drawn. */
export interface ShownSystem {
  readonly galaxy: number;
  readonly system: number;
  readonly starType: string;
  readonly starName: string;
  readonly planets: readonly {
    readonly slot: number;
    readonly name: string;
    /** Colour of the owner; null if nobody owns it. */
    readonly colour: string | null;
    readonly ownerName: string | null;
    readonly isDimmed: boolean;
  }[];
}

export interface Overlay {
  readonly camera: Camera;
  readonly extent: Extent;
  readonly theme: Theme;
  readonly target: Target;
  readonly pointed: Pointed | null;
  /** Galaxies that have an owned planet. */
  readonly settled: ReadonlySet<number>;
  readonly system: ShownSystem | null;
}

const FONT = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** Every how many systems one has its number written beside it, if there is room. */
const NUMBERED_STEPS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000];
const NUMBERED_DISTANCE = 200;

interface Canvas extends Overlay {
  readonly context: CanvasRenderingContext2D;
  readonly geometry: Geometry;
}

/** @param context whose unit is a CSS pixel */
export function drawOverlay(context: CanvasRenderingContext2D, geometry: Geometry, overlay: Overlay): void {
  const { width, height } = overlay.extent;
  context.clearRect(0, 0, width, height);
  context.lineJoin = 'round';
  const canvas = { ...overlay, context, geometry };
  const whole = cameraOf(geometry, { view: 'universe' }, overlay.extent).scale;
  const galaxy = cameraOf(geometry, { view: 'galaxy', galaxy: 1 }, overlay.extent).scale;
  const system = cameraOf(geometry, { view: 'system', galaxy: 1, system: 0 }, overlay.extent).scale;
  const { scale } = overlay.camera;
  drawGalaxyNumbers(canvas, fade(scale, galaxy * 0.7, whole * 1.6));
  drawSystemNumbers(canvas, fade(scale, galaxy * 0.5, galaxy * 0.8) * fade(scale, system * 0.7, system * 0.35));
  drawSystem(canvas, fade(scale, system * 0.2, system * 0.45));
  drawPointed(canvas);
}

/** 0 at one value, 1 at the other; in either order. */
function fade(value: number, none: number, full: number): number {
  return clamp((Math.log(value) - Math.log(none)) / (Math.log(full) - Math.log(none)), 0, 1);
}

function drawGalaxyNumbers(canvas: Canvas, opacity: number): void {
  if (opacity === 0) return;
  const { context, camera, extent, theme, settled, pointed } = canvas;
  const { text, textSoft } = MAP_COLOURS[theme];
  const size = clamp(camera.scale * 0.13, 8, 12);
  for (let galaxy = 1; galaxy <= GALAXY_COUNT; galaxy += 1) {
    const { column, row } = cellOf(galaxy);
    const { x, y } = toScreen(camera, extent, { x: column + 0.06, y: row + 0.94 });
    if (x < -40 || y < -20 || x > extent.width + 40 || y > extent.height + 20) continue;
    const isPointed = pointed?.kind === 'galaxy' && pointed.galaxy === galaxy;
    const isBold = settled.has(galaxy) || isPointed;
    context.font = `${isBold ? 600 : 400} ${size}px ${FONT}`;
    context.globalAlpha = opacity * (isPointed ? 1 : isBold ? 0.85 : 0.5);
    context.fillStyle = isPointed ? text : textSoft;
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
    context.fillText(String(galaxy), x, y);
  }
  context.globalAlpha = 1;
}

function drawSystemNumbers(canvas: Canvas, opacity: number): void {
  const { context, camera, extent, theme, target, geometry } = canvas;
  if (opacity === 0 || target.view === 'universe') return;
  const room = geometry.systemRadius * 2.6 * camera.scale;
  const step = NUMBERED_STEPS.find((systems) => systems * room >= NUMBERED_DISTANCE) ?? geometry.systemsPerGalaxy;
  context.font = `400 11px ${FONT}`;
  context.fillStyle = MAP_COLOURS[theme].textSoft;
  context.globalAlpha = opacity * 0.9;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const gap = clamp(room * 0.3, 7, 16);
  for (let system = 0; system < geometry.systemsPerGalaxy; system += step) {
    const { x, y } = toScreen(camera, extent, pointOf(geometry.spot(target.galaxy, system)));
    if (x < -40 || y < -20 || x > extent.width + 40 || y > extent.height + 20) continue;
    halo(canvas, String(system), x + gap, y);
  }
  context.globalAlpha = 1;
}

function drawSystem(canvas: Canvas, opacity: number): void {
  const { system, context, geometry, camera, extent } = canvas;
  if (system === null || opacity === 0) return;
  context.globalAlpha = opacity;
  const centre = toScreen(camera, extent, pointOf(geometry.spot(system.galaxy, system.system)));
  drawOrbits(canvas, centre, system, opacity);
  drawStar(canvas, centre, system);
  for (const planet of system.planets) drawPlanet(canvas, centre, planet, opacity);
  context.globalAlpha = 1;
}

function drawOrbits(canvas: Canvas, centre: Point, { planets }: ShownSystem, opacity: number): void {
  const { context, geometry, camera, theme } = canvas;
  const taken = new Map(planets.map((planet) => [planet.slot, planet]));
  context.lineWidth = 1;
  for (let slot = 1; slot <= SLOT_COUNT; slot += 1) {
    const planet = taken.get(slot);
    if (planet === undefined) continue;
    context.beginPath();
    context.arc(centre.x, centre.y, geometry.orbitRadius(slot) * camera.scale, 0, 2 * Math.PI);
    const isOwned = planet.colour !== null && !planet.isDimmed;
    context.strokeStyle = isOwned ? (planet.colour ?? '') : MAP_COLOURS[theme].orbit;
    context.globalAlpha = opacity * (isOwned ? 0.5 : 0.2);
    context.stroke();
  }
  context.globalAlpha = opacity;
}

function drawStar({ context, geometry, camera, theme }: Canvas, { x, y }: Point, { starType }: ShownSystem): void {
  const radius = geometry.systemRadius * STAR_SHARE * camera.scale;
  const colour = colourOfStar(starType);
  const corona = context.createRadialGradient(x, y, radius * 0.5, x, y, radius * 4.5);
  corona.addColorStop(0, `${colour}cc`);
  corona.addColorStop(0.25, `${colour}55`);
  corona.addColorStop(1, `${colour}00`);
  context.fillStyle = corona;
  context.fillRect(x - radius * 4.5, y - radius * 4.5, radius * 9, radius * 9);
  const disc = context.createRadialGradient(x, y, 0, x, y, radius);
  disc.addColorStop(0, '#ffffff');
  disc.addColorStop(0.55, colour);
  disc.addColorStop(1, colour);
  context.fillStyle = disc;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  if (theme === 'dark') return;
  context.lineWidth = 1;
  context.strokeStyle = '#8a6d3b';
  context.stroke();
}

function drawPlanet(canvas: Canvas, centre: Point, planet: ShownSystem['planets'][number], opacity: number): void {
  const { context, geometry, camera, extent, theme, system, pointed } = canvas;
  if (system === null) return;
  const { x, y } = toScreen(camera, extent, pointOf(geometry.spot(system.galaxy, system.system, planet.slot)));
  const radius = Math.max(planet.colour === null ? 3.2 : 5, geometry.planetRadius * camera.scale);
  if (x < -radius || y < -radius || x > extent.width + radius || y > extent.height + radius) return;
  context.globalAlpha = opacity * (planet.isDimmed ? 0.25 : 1);
  shade(canvas, { x, y }, centre, radius, planet.colour ?? hex(MAP_COLOURS[theme].free));
  if (planet.colour !== null && radius > 9) {
    context.lineWidth = Math.min(3, radius * 0.12);
    context.strokeStyle = planet.colour;
    context.beginPath();
    context.arc(x, y, radius * 1.28, 0, 2 * Math.PI);
    context.stroke();
  }
  const isPointed = pointed?.kind === 'planet' && pointed.slot === planet.slot;
  const spacing = geometry.planetRadius * camera.scale * 3;
  if (planet.colour !== null || isPointed || spacing > 26) labelPlanet(canvas, planet, { x, y }, radius);
  context.globalAlpha = opacity;
}

/** A disc that is lit from its star. */
function shade({ context }: Canvas, { x, y }: Point, star: Point, radius: number, colour: string): void {
  const angle = Math.atan2(star.y - y, star.x - x);
  const [lightX, lightY] = [x + Math.cos(angle) * radius * 0.55, y + Math.sin(angle) * radius * 0.55];
  const light = context.createRadialGradient(lightX, lightY, 0, lightX, lightY, radius * 1.75);
  light.addColorStop(0, mixed(colour, 255, 0.45));
  light.addColorStop(0.4, colour);
  light.addColorStop(1, mixed(colour, 0, 0.72));
  context.fillStyle = light;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function labelPlanet(canvas: Canvas, planet: ShownSystem['planets'][number], { x, y }: Point, radius: number): void {
  const { context, theme } = canvas;
  const { text, textSoft } = MAP_COLOURS[theme];
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const left = x + radius * (radius > 9 ? 1.45 : 1) + 5;
  context.font = `500 12px ${FONT}`;
  context.fillStyle = planet.ownerName === null ? textSoft : text;
  halo(canvas, planet.ownerName ?? String(planet.slot), left, y);
  if (planet.ownerName === null || radius < 14) return;
  context.font = `400 11px ${FONT}`;
  context.fillStyle = textSoft;
  halo(canvas, planet.name, left, y + 15);
}

function drawPointed(canvas: Canvas): void {
  const { pointed, context, camera, extent, geometry, theme } = canvas;
  if (pointed === null || pointed.kind === 'fleet') return;
  const { centre, radius } = ringOf(canvas, pointed);
  const { x, y } = toScreen(camera, extent, centre);
  context.lineWidth = 1.5;
  context.strokeStyle = MAP_COLOURS[theme].pointer;
  context.globalAlpha = pointed.kind === 'galaxy' ? 0.45 : 0.9;
  context.beginPath();
  context.arc(x, y, Math.max(8, radius), 0, 2 * Math.PI);
  context.stroke();
  context.globalAlpha = 1;
  if (pointed.kind !== 'system' || geometry.systemRadius * camera.scale > 200) return;
  context.font = `600 12px ${FONT}`;
  context.fillStyle = MAP_COLOURS[theme].text;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  halo(canvas, String(pointed.system), x + Math.max(8, radius) + 5, y);
}

function ringOf(
  { geometry, camera }: Canvas,
  pointed: Exclude<Pointed, { kind: 'fleet' }>,
): { readonly centre: Point; readonly radius: number } {
  if (pointed.kind === 'galaxy') {
    const { column, row } = cellOf(pointed.galaxy);
    return { centre: { x: column + 0.5, y: row + 0.5 }, radius: (GALAXY_RADIUS + 0.045) * camera.scale };
  }
  if (pointed.kind === 'system')
    return {
      centre: pointOf(geometry.spot(pointed.galaxy, pointed.system)),
      radius: clamp(geometry.systemRadius * camera.scale, 9, 14),
    };
  return {
    centre: pointOf(geometry.spot(pointed.galaxy, pointed.system, pointed.slot)),
    radius: Math.max(9, geometry.planetRadius * camera.scale * 1.5),
  };
}

/** Text that can be read above everything. */
function halo({ context, theme }: Canvas, text: string, x: number, y: number): void {
  context.lineWidth = 3;
  context.strokeStyle = hex(MAP_COLOURS[theme].ground);
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

function hex(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}

/** A colour such as `#e69f00`, mixed with black (0) or white (255). */
function mixed(colour: string, grey: 0 | 255, share: number): string {
  const rgb = Number.parseInt(colour.slice(1), 16);
  const parts = [rgb >> 16, (rgb >> 8) & 255, rgb & 255];
  return `rgb(${parts.map((part) => Math.round(part + (grey - part) * share)).join(' ')})`;
}
