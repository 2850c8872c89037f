// What the graphics card draws of the map: dust, stars, lines, fleets, battles. It knows no signals and no timers: it is given what
// is there, and draws one picture when asked.
import {
  createFramebufferInfo,
  createTexture,
  type FramebufferInfo,
  resizeFramebufferInfo,
  setUniforms,
} from 'twgl.js';
import { bytesOf, channelsOf, MAP_COLOURS, type Theme } from '../../../colours.js';
import type { Battle, GalaxyCells } from '../../../world/map-state.js';
import { type Camera, cameraOf, type Extent } from '../map/camera.js';
import { armPoint, cellOf, clamp, GALAXY_COUNT, Geometry, rotationOf, spotOf } from '../map/geometry.js';
import type { GalaxyDetail } from '../map/shown.js';
import { FleetRows } from './fleet-rows.js';
import { FlashRows, StarRows } from './light-rows.js';
import { LINE_FORMS, type MapLine } from './lines.js';
import { compilePrograms, type Programs } from './programs.js';
import { LINE_STEPS, Rows, type Uniforms } from './rows.js';

/** One picture. */
export interface Picture {
  readonly camera: Camera;
  readonly extent: Extent;
  readonly pixelRatio: number;
  readonly theme: Theme;
  /** Null before the first answer of the server: then there are no fleets. */
  readonly worldMs: number | null;
  /** An instant of performance.now(). */
  readonly atMs: number;
  /** Number of the player who is shown brightly, 0 if everybody is. */
  readonly bright: number;
  readonly isStill: boolean;
}

const LINES_AT_FIRST = 256;
const SKY_STARS = 420;

export class Scene {
  readonly geometry: Geometry;
  readonly fleets: FleetRows;
  readonly #programs: Programs;
  readonly #cellsPerGalaxy: number;
  readonly #cells: StarRows;
  readonly #systems: StarRows;
  readonly #flashes: FlashRows;
  readonly #dust;
  readonly #lines;
  readonly #texture: WebGLTexture;
  /** The galaxies as they were sent last. */
  readonly #known = new Map<number, GalaxyCells>();
  /** Sky, dust and stars as they were drawn last: they are drawn again only if they or the camera have changed. */
  readonly #stillPicture: FramebufferInfo;
  #stillKey = '';
  #detailed = 0;
  #lineCount = 0;

  /** @param colourOf colour of a player as 0xRRGGBB */
  constructor(
    private readonly gl: WebGL2RenderingContext,
    systemsPerGalaxy: number,
    private readonly systemsPerCell: number,
    private readonly colourOf: (player: number) => number,
  ) {
    this.geometry = new Geometry(systemsPerGalaxy);
    this.#cellsPerGalaxy = Math.ceil(systemsPerGalaxy / Math.max(1, systemsPerCell));
    this.#programs = compilePrograms(gl);
    const { stars, fleets, flashes, dust, lines } = this.#programs;
    this.#cells = new StarRows(gl, stars, colourOf);
    this.#systems = new StarRows(gl, stars, colourOf);
    this.fleets = new FleetRows(gl, fleets, this.geometry, colourOf);
    this.#flashes = new FlashRows(gl, flashes, this.geometry);
    this.#dust = new Rows(gl, dust, DUST_COLUMNS, 'quad', GALAXY_COUNT);
    this.#lines = new Rows(gl, lines, LINE_COLUMNS, 'line', LINES_AT_FIRST);
    this.#texture = createTexture(gl, { src: paintDust(), min: gl.LINEAR_MIPMAP_LINEAR, auto: true });
    this.#stillPicture = createFramebufferInfo(gl, STILL_ATTACHMENTS, 1, 1);
    this.#placeAll();
  }

  /** Applies who owns what. Only changed galaxies are written. */
  setGalaxies(galaxies: ReadonlyMap<number, GalaxyCells>): void {
    for (let galaxy = 1; galaxy <= GALAXY_COUNT; galaxy += 1) {
      const cells = galaxies.get(galaxy);
      if (cells === this.#known.get(galaxy)) continue;
      const first = (galaxy - 1) * this.#cellsPerGalaxy;
      for (let cell = 0; cell < this.#cellsPerGalaxy; cell += 1)
        this.#cells.setOwner(first + cell, cells?.owners[cell] ?? 0, cells?.owned[cell] ?? 0);
      const share = (cells?.planets ?? 0) / Math.max(1, this.geometry.systemsPerGalaxy);
      this.#dust.set('strength', galaxy - 1, Math.sqrt(clamp(share, 0, 1)));
      if (cells === undefined) this.#known.delete(galaxy);
      else this.#known.set(galaxy, cells);
      this.#stillKey = '';
    }
  }

  /** Shows the systems of a galaxy instead of its cells, if a cell has several; null shows the cells. */
  setDetail(detail: GalaxyDetail | null): void {
    if (this.systemsPerCell === 1) return;
    if (detail !== null && detail.galaxy !== this.#detailed)
      this.#systems.place(
        Array.from({ length: this.geometry.systemsPerGalaxy }, (_, system) =>
          this.geometry.spot(detail.galaxy, system),
        ),
      );
    this.#detailed = detail?.galaxy ?? 0;
    for (const { index, owner, owned } of detail?.systems ?? []) this.#systems.setOwner(index, owner, owned);
    this.#stillKey = '';
  }

  /** Shows these lines and no others. */
  setLines(lines: readonly MapLine[], theme: Theme): void {
    this.#lineCount = lines.length;
    this.#lines.reserve(lines.length);
    for (const [row, { kind, from, to, owner, opacity }] of lines.entries()) {
      const { bend, dashPixels } = LINE_FORMS[kind];
      this.#lines.setSpot('from', row, this.geometry.spot(from.galaxy, from.system, from.slot));
      this.#lines.setSpot('to', row, this.geometry.spot(to.galaxy, to.system, to.slot));
      this.#lines.set('form', row, bend, dashPixels);
      const rgb = kind === 'fleet' ? this.colourOf(owner) : MAP_COLOURS[theme][kind];
      this.#lines.set('colour', row, ...bytesOf(rgb), Math.round(opacity * 255));
    }
  }

  addBattles(battles: readonly Battle[], atMs: number): void {
    for (const battle of battles) this.#flashes.add(battle, atMs / 1_000);
  }

  /** Whether the picture changes even if no fleet moves. */
  isLit(atMs: number): boolean {
    return this.#flashes.isLit(atMs / 1_000);
  }

  recolour(): void {
    this.#cells.recolour();
    this.#systems.recolour();
    this.fleets.recolour();
    this.#stillKey = '';
  }

  draw(picture: Picture): void {
    const { gl } = this;
    const width = Math.round(picture.extent.width * picture.pixelRatio);
    const height = Math.round(picture.extent.height * picture.pixelRatio);
    const shared = sharedUniforms(picture);
    gl.viewport(0, 0, width, height);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const { camera, theme, bright } = picture;
    const key = JSON.stringify([camera, width, height, theme, bright]);
    if (key !== this.#stillKey) this.#drawStill(picture, shared, width, height);
    this.#stillKey = key;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    this.#copyStill();
    if (this.#lineCount > 0) this.#lines.draw(this.#lineCount, { ...shared, u_steps: LINE_STEPS });
    this.#drawFleets(picture, shared);
    if (this.isLit(picture.atMs)) this.#drawFlashes(picture, shared);
  }

  dispose(): void {
    const { gl } = this;
    for (const rows of [this.#cells, this.#systems, this.fleets, this.#flashes, this.#dust, this.#lines])
      rows.dispose();
    for (const { program } of Object.values(this.#programs)) gl.deleteProgram(program);
    gl.deleteTexture(this.#texture);
    gl.deleteFramebuffer(this.#stillPicture.framebuffer);
    for (const picture of this.#stillPicture.attachments) gl.deleteTexture(picture);
  }

  #placeAll(): void {
    const cells = new Geometry(this.#cellsPerGalaxy);
    const spots = [];
    for (let galaxy = 1; galaxy <= GALAXY_COUNT; galaxy += 1) {
      for (let cell = 0; cell < this.#cellsPerGalaxy; cell += 1) spots.push(cells.spot(galaxy, cell));
      const { column, row } = cellOf(galaxy);
      const angle = rotationOf(galaxy);
      this.#dust.set('cell', galaxy - 1, column, row);
      this.#dust.set('turn', galaxy - 1, Math.cos(angle), Math.sin(angle));
    }
    this.#cells.place(spots);
  }

  /** Copies by drawing: after a blit, Chromium showed nothing of it (decision 23). */
  #copyStill(): void {
    const { gl } = this;
    gl.disable(gl.BLEND);
    this.#drawWithoutRows('copy', { u_picture: this.#stillPicture.attachments[0] as WebGLTexture }, gl.TRIANGLES, 3);
    gl.enable(gl.BLEND);
  }

  /** Draws what the program itself knows by the number of a vertex. */
  #drawWithoutRows(name: 'copy' | 'sky', uniforms: Uniforms, mode: number, vertices: number): void {
    const program = this.#programs[name];
    this.gl.useProgram(program.program);
    this.gl.bindVertexArray(null);
    setUniforms(program, uniforms);
    this.gl.drawArrays(mode, 0, vertices);
  }

  #drawStill(picture: Picture, shared: Uniforms, width: number, height: number): void {
    const { gl } = this;
    if (this.#stillPicture.width !== width || this.#stillPicture.height !== height)
      resizeFramebufferInfo(gl, this.#stillPicture, STILL_ATTACHMENTS, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#stillPicture.framebuffer);
    gl.clearColor(...channelsOf(MAP_COLOURS[picture.theme].ground), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const sky = { ...shared, u_free: channelsOf(MAP_COLOURS[picture.theme].free) };
    this.#drawWithoutRows('sky', sky, gl.POINTS, SKY_STARS);
    this.#drawDust(picture, shared);
    this.#drawStars(picture, shared);
  }

  #drawDust({ camera, extent, theme, bright }: Picture, shared: Uniforms): void {
    const { arm, core, glow } = MAP_COLOURS[theme];
    const galaxyScale = cameraOf(this.geometry, { view: 'galaxy', galaxy: 1 }, extent).scale;
    // Near a system it would only be a veil.
    const opacity =
      ((glow === 1 ? 0.62 : 0.55) * (bright === 0 ? 1 : 0.5)) / (1 + (camera.scale / galaxyScale / 4) ** 2);
    if (opacity < 0.02) return;
    this.#dust.draw(GALAXY_COUNT, {
      ...shared,
      u_dust: this.#texture,
      u_arm: channelsOf(arm),
      u_core: channelsOf(core),
      u_opacity: opacity,
    });
  }

  #drawStars({ camera, extent, theme, bright }: Picture, shared: Uniforms): void {
    const { free } = MAP_COLOURS[theme];
    const hidden = this.#detailed === 0 ? { column: -1, row: -1 } : cellOf(this.#detailed);
    const room = this.geometry.systemRadius * camera.scale;
    const uniforms = {
      ...shared,
      u_bright: bright,
      u_free: channelsOf(free),
      u_freeOpacity: clamp(0.12 + room * 0.05, 0.18, 0.8),
    };
    const cellRoom = new Geometry(this.#cellsPerGalaxy).systemRadius * camera.scale;
    const size = (pixels: number): number =>
      clamp(pixels * 1.2, clamp(camera.scale * 0.026, 1.1, 1.9), clamp(extent.width / 90, 7, 12));
    this.#cells.draw(this.#cells.count, { ...uniforms, u_size: size(cellRoom), u_hidden: [hidden.column, hidden.row] });
    if (this.#detailed === 0) return;
    this.#systems.draw(this.#systems.count, { ...uniforms, u_size: size(room), u_hidden: [-1, -1] });
  }

  #drawFleets({ worldMs, camera, extent, bright }: Picture, shared: Uniforms): void {
    if (worldMs === null || this.fleets.count === 0) return;
    const seconds = this.fleets.secondsAt(worldMs);
    const depth = Math.log2(camera.scale / cameraOf(this.geometry, { view: 'universe' }, extent).scale);
    const size = clamp(Math.min(extent.width, extent.height) / 800, 0.6, 1);
    this.fleets.draw(this.fleets.count, {
      ...shared,
      u_bright: bright,
      u_seconds: seconds,
      u_head: clamp((0.95 + 0.5 * depth) * size, 0.8, 4),
      u_trail: clamp((7 + 8 * depth) * size, 5, 44),
    });
  }

  #drawFlashes({ atMs, camera, theme, isStill }: Picture, shared: Uniforms): void {
    this.#flashes.draw(this.#flashes.count, {
      ...shared,
      u_seconds: atMs / 1_000,
      u_zoom: clamp(0.06 * Math.sqrt(camera.scale), 0.3, 2.4),
      u_motion: isStill ? 0 : 1,
      u_flash: channelsOf(MAP_COLOURS[theme].flash),
    });
  }
}

/** One texture of the usual kind. */
const STILL_ATTACHMENTS = [{}];
const DUST_COLUMNS = { cell: { size: 2 }, turn: { size: 2 }, strength: { size: 1 } } as const;
const LINE_COLUMNS = {
  from: { size: 4 },
  to: { size: 4 },
  form: { size: 2 },
  colour: { size: 4, isColour: true },
} as const;

function sharedUniforms({ camera, extent, pixelRatio, theme }: Picture): Uniforms {
  const { column, row, x, y } = spotOf(camera);
  return {
    u_camera: [column, row, x, y],
    u_clipPerCell: [(2 * camera.scale) / extent.width, (-2 * camera.scale) / extent.height],
    u_extent: [extent.width, extent.height],
    u_pixelRatio: pixelRatio,
    u_glow: MAP_COLOURS[theme].glow,
  };
}

const DUST_SIZE = 512;
const DUST_GRAINS = 900;

/**
 * The dust of a galaxy as a picture that all galaxies share: the arm in red, the core in green. It is painted once, from the spiral that
 * the systems lie on.
 */
function paintDust(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = DUST_SIZE;
  canvas.height = DUST_SIZE;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.fillStyle = '#000';
  context.fillRect(0, 0, DUST_SIZE, DUST_SIZE);
  context.globalCompositeOperation = 'lighter';
  for (let grain = 0; grain < DUST_GRAINS; grain += 1) {
    const share = (grain + 0.5) / DUST_GRAINS;
    // Sums of waves whose lengths have no common measure look like chance, and are the same each time.
    const clump = 0.5 + 0.28 * Math.sin(grain * 0.071) + 0.22 * Math.sin(grain * 0.0237 + 2);
    const offset = 0.02 * Math.sin(grain * 2.399);
    const { x, y } = armPoint(share, offset);
    const radius = (0.03 + 0.035 * clump) * (0.75 + 0.5 * share);
    spill(context, x, y, radius, `rgb(${Math.round(14 + 30 * clump * (1 - 0.45 * share))} 0 0)`);
  }
  spill(context, 0, 0, 0.2, 'rgb(40 70 0)');
  spill(context, 0, 0, 0.075, 'rgb(0 150 0)');
  return canvas;
}

/** Paints a soft disc. Lengths are in cells. */
function spill(context: CanvasRenderingContext2D, x: number, y: number, radius: number, colour: string): void {
  const [left, top, reach] = [(x + 0.5) * DUST_SIZE, (y + 0.5) * DUST_SIZE, radius * DUST_SIZE];
  const gradient = context.createRadialGradient(left, top, 0, left, top, reach);
  gradient.addColorStop(0, colour);
  gradient.addColorStop(0.4, colour.replace(')', ' / 0.45)'));
  gradient.addColorStop(1, 'rgb(0 0 0 / 0)');
  context.fillStyle = gradient;
  context.fillRect(left - reach, top - reach, reach * 2, reach * 2);
}
