// What the graphics card draws of the map: dust, stars, routes, fleets, battles. It knows no signals and no timers: it is given what
// is there, and draws one picture when asked.
import {
  createFramebufferInfo,
  createTexture,
  drawBufferInfo,
  type FramebufferInfo,
  resizeFramebufferInfo,
  setUniforms,
} from 'twgl.js';
import type { Theme } from '../../../colours.js';
import type { Battle, GalaxyCells, Leg } from '../../../world/map-state.js';
import { type Camera, cameraOf, type Extent } from '../camera.js';
import { clamp } from '../clamp.js';
import { cellOf, GALAXY_COUNT, Geometry, rotationOf, spotOf } from '../geometry.js';
import { channelsOf, MAP_COLOURS } from '../map-colours.js';
import { paintDust } from './dust.js';
import { FlashRows } from './flash-rows.js';
import { FleetRows } from './fleet-rows.js';
import { compilePrograms, type Programs } from './programs.js';
import { QUAD_VERTICES, Rows } from './rows.js';
import { StarRows } from './star-rows.js';

/** One picture. */
export interface Picture {
  readonly camera: Camera;
  readonly extent: Extent;
  readonly pixelRatio: number;
  readonly theme: Theme;
  /** Null before the first answer of the server: then there are no fleets. */
  readonly worldMs: number | null;
  /** Of performance.now(). */
  readonly atMs: number;
  /** Number of the player who is shown brightly, 0 if everybody is. */
  readonly bright: number;
  readonly isStill: boolean;
}

/** The systems of a galaxy one by one, as far as they have owners. */
export interface GalaxyDetail {
  readonly galaxy: number;
  readonly systems: readonly { readonly index: number; readonly owner: number; readonly owned: number }[];
}

const ROUTES_AT_FIRST = 256;
const ROUTE_STEPS = 24;
const SKY_STARS = 420;

export class Scene {
  readonly geometry: Geometry;
  readonly fleets: FleetRows;
  readonly #gl: WebGL2RenderingContext;
  readonly #programs: Programs;
  readonly #systemsPerCell: number;
  readonly #cellsPerGalaxy: number;
  readonly #cells: StarRows;
  readonly #systems: StarRows;
  readonly #flashes: FlashRows;
  readonly #dust;
  readonly #routes;
  readonly #texture: WebGLTexture;
  readonly #colourOf: (player: number) => number;
  /** The galaxies as they were sent last. */
  readonly #known = new Map<number, GalaxyCells>();
  /** Sky, dust and stars as they were drawn last: they are drawn anew only if they or the camera have changed. */
  readonly #stillPicture: FramebufferInfo;
  #stillKey = '';
  #detailed = 0;
  #routeCount = 0;

  /** @param colourOf colour of a player as 0xRRGGBB */
  constructor(
    gl: WebGL2RenderingContext,
    world: { readonly systemsPerGalaxy: number; readonly systemsPerCell: number },
    colourOf: (player: number) => number,
  ) {
    this.#gl = gl;
    this.geometry = new Geometry(world.systemsPerGalaxy);
    this.#systemsPerCell = world.systemsPerCell;
    this.#cellsPerGalaxy = Math.ceil(world.systemsPerGalaxy / Math.max(1, world.systemsPerCell));
    this.#colourOf = colourOf;
    this.#programs = compilePrograms(gl);
    this.#cells = new StarRows(gl, this.#programs.stars, colourOf);
    this.#systems = new StarRows(gl, this.#programs.stars, colourOf);
    this.fleets = new FleetRows(gl, this.#programs.fleets, this.geometry, colourOf);
    this.#flashes = new FlashRows(gl, this.#programs.flashes, this.geometry);
    this.#dust = new Rows(gl, this.#programs.dust, DUST_COLUMNS, { capacity: GALAXY_COUNT, shape: 'quad' });
    this.#routes = new Rows(gl, this.#programs.routes, ROUTE_COLUMNS, { capacity: ROUTES_AT_FIRST, shape: 'line' });
    this.#texture = createTexture(gl, { src: paintDust(), min: gl.LINEAR_MIPMAP_LINEAR, auto: true });
    this.#stillPicture = createFramebufferInfo(gl, STILL_ATTACHMENTS, 1, 1);
    this.#placeAll();
  }

  /** Takes over who owns what. Only galaxies that have changed cost anything. */
  setGalaxies(galaxies: ReadonlyMap<number, GalaxyCells>): void {
    for (let galaxy = 1; galaxy <= GALAXY_COUNT; galaxy += 1) {
      const cells = galaxies.get(galaxy);
      if (cells === this.#known.get(galaxy)) continue;
      const first = (galaxy - 1) * this.#cellsPerGalaxy;
      for (let cell = 0; cell < this.#cellsPerGalaxy; cell += 1)
        this.#cells.setOwner(first + cell, cells?.owners[cell] ?? 0, cells?.owned[cell] ?? 0);
      const share = (cells?.planets ?? 0) / Math.max(1, this.geometry.systemsPerGalaxy);
      this.#dust.column('strength')[galaxy - 1] = Math.sqrt(clamp(share, 0, 1));
      this.#dust.changed(galaxy - 1);
      if (cells === undefined) this.#known.delete(galaxy);
      else this.#known.set(galaxy, cells);
      this.#stillKey = '';
    }
  }

  /** Shows the systems of a galaxy instead of its cells, if a cell has several; null shows the cells. */
  setDetail(detail: GalaxyDetail | null): void {
    if (this.#systemsPerCell === 1) return;
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

  /** Shows the ways of some fleets as lines. */
  setRoutes(legs: readonly Leg[]): void {
    this.#routeCount = legs.length;
    this.#routes.reserve(legs.length);
    for (const [row, { from, to, owner }] of legs.entries()) {
      for (const [name, place] of [['from', from] as const, ['to', to] as const]) {
        const spot = this.geometry.spot(place.galaxy, place.system, place.slot);
        this.#routes.column(name).set([spot.column, spot.row, spot.x, spot.y], row * 4);
      }
      const rgb = this.#colourOf(owner);
      this.#routes.column('colour').set([(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, 255], row * 4);
      this.#routes.changed(row);
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
    const gl = this.#gl;
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
    this.#drawRoutes(shared);
    this.#drawFleets(picture, shared);
    if (this.isLit(picture.atMs)) this.#drawFlashes(picture, shared);
  }

  dispose(): void {
    const gl = this.#gl;
    for (const rows of [this.#cells, this.#systems, this.fleets, this.#flashes, this.#dust, this.#routes])
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
      this.#dust.column('cell').set([column, row], (galaxy - 1) * 2);
      this.#dust.column('turn').set([Math.cos(angle), Math.sin(angle)], (galaxy - 1) * 2);
      this.#dust.changed(galaxy - 1);
    }
    this.#cells.place(spots);
  }

  /** By drawing: after a blit, Chromium showed nothing of it (decision 23). */
  #copyStill(): void {
    const gl = this.#gl;
    const { copy } = this.#programs;
    gl.disable(gl.BLEND);
    gl.useProgram(copy.program);
    gl.bindVertexArray(null);
    setUniforms(copy, { u_picture: this.#stillPicture.attachments[0] });
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.enable(gl.BLEND);
  }

  #drawStill(picture: Picture, shared: Uniforms, width: number, height: number): void {
    const gl = this.#gl;
    if (this.#stillPicture.width !== width || this.#stillPicture.height !== height)
      resizeFramebufferInfo(gl, this.#stillPicture, STILL_ATTACHMENTS, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.#stillPicture.framebuffer);
    gl.clearColor(...channelsOf(MAP_COLOURS[picture.theme].ground), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.#drawSky(picture, shared);
    this.#drawDust(picture, shared);
    this.#drawStars(picture, shared);
  }

  /** It needs no rows: the program itself knows where the stars are. */
  #drawSky({ theme }: Picture, shared: Uniforms): void {
    const gl = this.#gl;
    gl.useProgram(this.#programs.sky.program);
    gl.bindVertexArray(null);
    setUniforms(this.#programs.sky, { ...shared, u_free: channelsOf(MAP_COLOURS[theme].free) });
    gl.drawArrays(gl.POINTS, 0, SKY_STARS);
  }

  #drawDust({ camera, extent, theme, bright }: Picture, shared: Uniforms): void {
    const { arm, core, glow } = MAP_COLOURS[theme];
    const galaxyScale = cameraOf(this.geometry, { view: 'galaxy', galaxy: 1 }, extent).scale;
    // Near a system it would be nothing but a veil.
    const opacity =
      ((glow === 1 ? 0.62 : 0.55) * (bright === 0 ? 1 : 0.5)) / (1 + (camera.scale / galaxyScale / 4) ** 2);
    if (opacity < 0.02) return;
    this.#begin(this.#programs.dust, this.#dust, {
      ...shared,
      u_dust: this.#texture,
      u_arm: channelsOf(arm),
      u_core: channelsOf(core),
      u_opacity: opacity,
    });
    drawBufferInfo(this.#gl, this.#dust.vertices, this.#gl.TRIANGLES, GALAXY_COUNT * QUAD_VERTICES);
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
    this.#begin(this.#programs.stars, this.#cells.rows, {
      ...uniforms,
      u_size: size(cellRoom),
      u_hidden: [hidden.column, hidden.row],
    });
    drawBufferInfo(this.#gl, this.#cells.rows.vertices, this.#gl.POINTS, this.#cells.count);
    if (this.#detailed === 0) return;
    this.#begin(this.#programs.stars, this.#systems.rows, { ...uniforms, u_size: size(room), u_hidden: [-1, -1] });
    drawBufferInfo(this.#gl, this.#systems.rows.vertices, this.#gl.POINTS, this.#systems.count);
  }

  #drawRoutes(shared: Uniforms): void {
    if (this.#routeCount === 0) return;
    this.#begin(this.#programs.routes, this.#routes, { ...shared, u_steps: ROUTE_STEPS });
    drawBufferInfo(this.#gl, this.#routes.vertices, this.#gl.LINE_STRIP, ROUTE_STEPS + 1, 0, this.#routeCount);
  }

  #drawFleets({ worldMs, camera, extent, bright }: Picture, shared: Uniforms): void {
    if (worldMs === null || this.fleets.count === 0) return;
    const seconds = this.fleets.secondsAt(worldMs);
    const depth = Math.log2(camera.scale / cameraOf(this.geometry, { view: 'universe' }, extent).scale);
    const size = clamp(Math.min(extent.width, extent.height) / 800, 0.6, 1);
    this.#begin(this.#programs.fleets, this.fleets.rows, {
      ...shared,
      u_bright: bright,
      u_seconds: seconds,
      u_head: clamp((0.95 + 0.5 * depth) * size, 0.8, 4),
      u_trail: clamp((7 + 8 * depth) * size, 5, 44),
    });
    drawBufferInfo(this.#gl, this.fleets.rows.vertices, this.#gl.TRIANGLES, this.fleets.count * QUAD_VERTICES);
  }

  #drawFlashes({ atMs, camera, theme, isStill }: Picture, shared: Uniforms): void {
    this.#begin(this.#programs.flashes, this.#flashes.rows, {
      ...shared,
      u_seconds: atMs / 1_000,
      u_zoom: clamp(0.06 * Math.sqrt(camera.scale), 0.3, 2.4),
      u_motion: isStill ? 0 : 1,
      u_flash: channelsOf(MAP_COLOURS[theme].flash),
    });
    drawBufferInfo(this.#gl, this.#flashes.rows.vertices, this.#gl.TRIANGLES, this.#flashes.capacity * QUAD_VERTICES);
  }

  #begin<Name extends string>(program: Programs[keyof Programs], rows: Rows<Name>, uniforms: Uniforms): void {
    const { vertices } = rows;
    this.#gl.useProgram(program.program);
    this.#gl.bindVertexArray(vertices.vertexArrayObject ?? null);
    setUniforms(program, uniforms);
  }
}

/** One texture of the usual kind. */
const STILL_ATTACHMENTS = [{}];
const DUST_COLUMNS = { cell: { size: 2 }, turn: { size: 2 }, strength: { size: 1 } } as const;
const ROUTE_COLUMNS = { from: { size: 4 }, to: { size: 4 }, colour: { size: 4, isColour: true } } as const;

type Uniforms = Readonly<Record<string, number | readonly number[] | WebGLTexture>>;

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
