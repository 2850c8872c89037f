// What is written and drawn with lines above the map, on a canvas of its own: names, orbits, the star and the planets of a system,
// and a ring around what the viewer points at. It is drawn again only if it changes.
import { bytesOf, colourOfPlayer, colourOfStar, hexOf, MAP_COLOURS, theme } from '../../../colours.js';
import { pngOfCanvas } from '../../../parts/button.js';
import { formatWorldTime } from '../../../parts/format.js';
import { cameraOf, toScreen } from '../map/camera.js';
import {
  cellOf,
  clamp,
  GALAXY_COUNT,
  GALAXY_RADIUS,
  type Geometry,
  type Point,
  pointOf,
  STAR_SHARE,
  type Target,
} from '../map/geometry.js';
import type { DrawnPlanet, DrawnSystem, Pointed } from '../map/shown.js';
import { type Label, placeLabels } from './labels.js';
import type { Picture } from './scene.js';

interface Overlay extends Pick<Picture, 'camera' | 'extent' | 'theme'> {
  readonly target: Target;
  readonly pointed: Pointed | null;
  /** Galaxies that have an owned planet. */
  readonly settled: ReadonlySet<number>;
  readonly system: DrawnSystem | null;
}

const FONT = 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

/** Every how many systems one has its number written beside it, if there is room. */
const NUMBERED_STEPS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000];
const NUMBERED_DISTANCE = 200;
/** Height of a line of a label. */
const LABEL_LINE = 15;

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
    const isPointed = pointed?.view === 'galaxy' && pointed.galaxy === galaxy;
    const isBold = settled.has(galaxy) || isPointed;
    context.font = `${isBold ? 600 : 400} ${size}px ${FONT}`;
    context.globalAlpha = opacity * (isPointed ? 1 : isBold ? 0.85 : 0.5);
    context.fillStyle = isPointed ? text : textSoft;
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
  context.globalAlpha = opacity * 0.9;
  const gap = clamp(room * 0.3, 7, 16);
  for (let system = 0; system < geometry.systemsPerGalaxy; system += step) {
    const { x, y } = toScreen(camera, extent, pointOf(geometry.spot(target.galaxy, system)));
    if (x < -40 || y < -20 || x > extent.width + 40 || y > extent.height + 20) continue;
    write(canvas, String(system), x + gap, y, '400 11px', MAP_COLOURS[theme].textSoft);
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
  const drawn = system.planets.flatMap((planet) => drawPlanet(canvas, centre, planet, opacity) ?? []);
  labelPlanets(canvas, drawn, opacity);
  context.globalAlpha = 1;
}

function drawOrbits(canvas: Canvas, centre: Point, { planets }: DrawnSystem, opacity: number): void {
  const { context, geometry, camera, theme } = canvas;
  context.lineWidth = 1;
  for (const { slot, owner, isDimmed } of planets) {
    const colour = isDimmed ? null : (owner?.colour ?? null);
    context.strokeStyle = colour ?? MAP_COLOURS[theme].orbit;
    context.globalAlpha = opacity * (colour === null ? 0.2 : 0.5);
    outline(context, centre, geometry.orbitRadius(slot) * camera.scale);
  }
  context.globalAlpha = opacity;
}

/** Draws a circle. */
function outline(context: CanvasRenderingContext2D, { x, y }: Point, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** The path of light, and its colours by their share of the way. */
type Light = readonly [from: Point, near: number, far: number, stops: Readonly<Record<number, string>>];

/** Fills a disc with light. */
function glow(
  context: CanvasRenderingContext2D,
  { x, y }: Point,
  radius: number,
  [from, near, far, stops]: Light,
): void {
  const gradient = context.createRadialGradient(from.x, from.y, near, from.x, from.y, far);
  for (const [share, colour] of Object.entries(stops)) gradient.addColorStop(Number(share), colour);
  context.fillStyle = gradient;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function drawStar({ context, geometry, camera, theme }: Canvas, from: Point, { starType }: DrawnSystem): void {
  const radius = geometry.systemRadius * STAR_SHARE * camera.scale;
  const colour = colourOfStar(starType);
  const corona = { 0: `${colour}cc`, 0.25: `${colour}55`, 1: `${colour}00` };
  const disc = { 0: '#ffffff', 0.55: colour, 1: colour };
  glow(context, from, radius * 4.5, [from, radius * 0.5, radius * 4.5, corona]);
  glow(context, from, radius, [from, 0, radius, disc]);
  if (theme === 'dark') return;
  context.lineWidth = 1;
  context.strokeStyle = '#8a6d3b';
  context.stroke();
}

const visibilityOf = ({ isDimmed }: DrawnPlanet): number => (isDimmed ? 0.25 : 1);

/** A planet with its label. */
interface LabelledPlanet extends Label {
  readonly planet: DrawnPlanet;
  readonly isPointed: boolean;
  readonly lines: readonly Line[];
}

/** @returns the planet, if it has a label */
function drawPlanet(canvas: Canvas, star: Point, planet: DrawnPlanet, opacity: number): LabelledPlanet | null {
  const { context, geometry, camera, extent, theme, system, pointed } = canvas;
  if (system === null) return null;
  const centre = toScreen(camera, extent, pointOf(geometry.spot(system.galaxy, system.system, planet.slot)));
  const { x, y } = centre;
  const colour = planet.owner?.colour ?? null;
  const radius = Math.max(colour === null ? 3.2 : 5, geometry.planetRadius * camera.scale);
  if (x < -radius || y < -radius || x > extent.width + radius || y > extent.height + radius) return null;
  context.globalAlpha = opacity * visibilityOf(planet);
  shade(context, centre, star, radius, colour ?? hexOf(MAP_COLOURS[theme].free));
  if (colour !== null && radius > 9) {
    context.lineWidth = Math.min(3, radius * 0.12);
    context.strokeStyle = colour;
    outline(context, centre, radius * 1.28);
  }
  const isPointed = pointed?.view === 'planet' && pointed.slot === planet.slot;
  const spacing = geometry.planetRadius * camera.scale * 3;
  if (colour === null && !isPointed && spacing <= 26) return null;
  const lines = linesOf(canvas, planet, radius);
  const width = Math.max(...lines.map(({ text, font }) => widthOf(context, text, font)));
  const size = { width, height: lines.length * LABEL_LINE };
  return { planet, isPointed, lines, centre, radius: radius * (radius > 9 ? 1.45 : 1), ...size };
}

/** A disc that is lit from its star. */
function shade(context: CanvasRenderingContext2D, centre: Point, star: Point, radius: number, colour: string): void {
  const angle = Math.atan2(star.y - centre.y, star.x - centre.x);
  const from = { x: centre.x + Math.cos(angle) * radius * 0.55, y: centre.y + Math.sin(angle) * radius * 0.55 };
  const stops = { 0: mixed(colour, 255, 0.45), 0.4: colour, 1: mixed(colour, 0, 0.72) };
  glow(context, centre, radius, [from, 0, radius * 1.75, stops]);
}

interface Line {
  readonly text: string;
  readonly font: string;
  readonly colour: string;
}

function linesOf({ theme }: Canvas, { owner, slot, name }: DrawnPlanet, radius: number): Line[] {
  const { text, textSoft } = MAP_COLOURS[theme];
  const first = { text: owner?.name ?? String(slot), font: '500 12px', colour: owner === null ? textSoft : text };
  return owner !== null && radius >= 14 ? [first, { text: name, font: '400 11px', colour: textSoft }] : [first];
}

/** Writes the names of planets: what the viewer points at first, owners before numbers of slots. */
function labelPlanets(canvas: Canvas, planets: readonly LabelledPlanet[], opacity: number): void {
  const weightOf = ({ isPointed, planet }: LabelledPlanet): number => (isPointed ? 2 : planet.owner === null ? 0 : 1);
  const ordered = planets.toSorted((one, other) => weightOf(other) - weightOf(one));
  placeLabels(ordered).forEach((place, index) => {
    const labelled = ordered[index];
    if (place === null || labelled === undefined) return;
    canvas.context.globalAlpha = opacity * visibilityOf(labelled.planet);
    const top = place.y - ((labelled.lines.length - 1) * LABEL_LINE) / 2;
    labelled.lines.forEach(({ text, font, colour }, line) => {
      write(canvas, text, place.x, top + line * LABEL_LINE, font, colour);
    });
  });
}

function widthOf(context: CanvasRenderingContext2D, text: string, font: string): number {
  context.font = `${font} ${FONT}`;
  return context.measureText(text).width;
}

function drawPointed(canvas: Canvas): void {
  const { pointed, context, camera, extent, geometry, theme } = canvas;
  if (pointed === null || pointed.view === 'fleet') return;
  const centre = toScreen(camera, extent, geometry.frameOf(pointed).centre);
  const radius = Math.max(8, ringRadius(canvas, pointed));
  context.lineWidth = 1.5;
  context.strokeStyle = MAP_COLOURS[theme].pointer;
  context.globalAlpha = pointed.view === 'galaxy' ? 0.45 : 0.9;
  outline(context, centre, radius);
  context.globalAlpha = 1;
  if (pointed.view !== 'system' || geometry.systemRadius * camera.scale > 200) return;
  write(canvas, String(pointed.system), centre.x + radius + 5, centre.y, '600 12px', MAP_COLOURS[theme].text);
}

function ringRadius({ geometry, camera }: Canvas, { view }: Pointed): number {
  if (view === 'galaxy') return (GALAXY_RADIUS + 0.045) * camera.scale;
  if (view === 'system') return clamp(geometry.systemRadius * camera.scale, 9, 14);
  return Math.max(9, geometry.planetRadius * camera.scale * 1.5);
}

/** Writes text that can be read above everything. */
function write({ context, theme }: Canvas, text: string, x: number, y: number, font: string, colour: string): void {
  context.font = `${font} ${FONT}`;
  context.textBaseline = 'middle';
  context.fillStyle = colour;
  context.lineWidth = 3;
  context.strokeStyle = hexOf(MAP_COLOURS[theme].ground);
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

/** A colour such as `#e69f00`, mixed with black (0) or white (255). */
function mixed(colour: string, grey: 0 | 255, share: number): string {
  const parts = bytesOf(Number.parseInt(colour.slice(1), 16));
  return `rgb(${parts.map((part) => Math.round(part + (grey - part) * share)).join(' ')})`;
}

interface Caption {
  readonly title: string;
  /** World time in ms since 1970. */
  readonly worldMs: number | null;
  readonly leaders: readonly { readonly player: number; readonly name: string }[];
}

const LINE = 30;
const MARGIN = 16;

/**
 * The map as a PNG file: the picture itself, with the name of the world, its time and the leaders' colours below it.
 *
 * @param pixelRatio pixels of the picture for a CSS pixel
 */
export function pngOf(map: HTMLCanvasElement, pixelRatio: number, caption: Caption): Promise<Blob> {
  const canvas = document.createElement('canvas');
  const footer = (LINE * 2 + MARGIN) * pixelRatio;
  canvas.width = map.width;
  canvas.height = map.height + footer;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser draws on no canvas');
  const { ground, text, textSoft } = MAP_COLOURS[theme.peek()];
  context.fillStyle = hexOf(ground);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(map, 0, 0);
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, map.height);
  context.textBaseline = 'middle';
  context.font = `600 15px ${FONT}`;
  context.fillStyle = text;
  context.fillText(caption.title, MARGIN, LINE / 2 + MARGIN / 2);
  const titleWidth = context.measureText(caption.title).width;
  context.font = `400 13px ${FONT}`;
  context.fillStyle = textSoft;
  const time = caption.worldMs === null ? '' : `${formatWorldTime(caption.worldMs)} world time`;
  context.fillText(time, MARGIN + titleWidth + MARGIN, LINE / 2 + MARGIN / 2);
  drawLegend(context, caption, map.width / pixelRatio);
  return pngOfCanvas(canvas);
}

/** Draws as many leaders as there is room for. */
function drawLegend(context: CanvasRenderingContext2D, { leaders }: Caption, width: number): void {
  const y = LINE * 1.5 + MARGIN / 2;
  let x = MARGIN;
  for (const { player, name } of leaders) {
    const room = context.measureText(name).width + 16;
    if (x + room > width - MARGIN) return;
    context.fillStyle = colourOfPlayer(player);
    context.fillRect(x, y - 5, 10, 10);
    context.fillStyle = MAP_COLOURS[theme.peek()].textSoft;
    context.fillText(name, x + 16, y);
    x += room + MARGIN;
  }
}
