// Where everything is on the map: galaxies on a grid, the systems of a galaxy along a spiral by their index, planets on orbits by
// their slot. What is near in the world is near on the map. It is pure; lengths are in cells of the grid.
//
// A place has two parts, the cell and the place in it, because the numbers of WebGL are too short for the sum: a planet is a
// hundred-thousandth of a cell.
import type { Target as AnyTarget } from '../../../routes.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A position on the map. The cell is a whole number; the rest is at most half a cell from its centre. */
export interface Spot {
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly y: number;
}

/** What the map shows: everything, a galaxy, a system or a planet. */
export type Target = Extract<AnyTarget, { readonly view: 'universe' | 'galaxy' | 'system' | 'planet' }>;

/** The same as in engine/rules/limits.ts. */
export const GALAXY_COUNT = 100;
export const SLOT_COUNT = 30;

/** Galaxies in a row of the grid, and rows. */
export const GRID_SIZE = 10;

/** Distance from the centre of a galaxy to its outermost system, and to the innermost one. */
export const GALAXY_RADIUS = 0.41;
const CORE_RADIUS = 0.06;
const TURNS = 2.5;
/** Width of the arm: less than the distance between two of its turns, so that the spiral is seen. */
const ARM_WIDTH = 0.088;
const ANGLE_MAX = 2 * Math.PI * TURNS;
const RADIUS_PER_RADIAN = (GALAXY_RADIUS - CORE_RADIUS) / ANGLE_MAX;
const ARM_AREA = ((GALAXY_RADIUS ** 2 - CORE_RADIUS ** 2) / (2 * RADIUS_PER_RADIAN)) * ARM_WIDTH;
/** Multiples of it, modulo 1, are spread most evenly. */
const GOLDEN_SHARE = (Math.sqrt(5) - 1) / 2;
const GOLDEN_ANGLE = 2 * Math.PI * GOLDEN_SHARE;

/** Share of the room of a system that its orbits take. */
const SYSTEM_SHARE = 0.29;
const SYSTEM_RADIUS_MAX = 0.02;
/** Radii of the star, the innermost orbit and a planet, as shares of that of the system. */
export const STAR_SHARE = 0.055;
const INNER_ORBIT_SHARE = 0.14;
const ORBIT_STEP_SHARE = (1 - INNER_ORBIT_SHARE) / SLOT_COUNT;
const PLANET_SHARE = ORBIT_STEP_SHARE * 0.34;

/** Column and row of a galaxy. Every other row runs backwards, so that a galaxy is always beside the next one. */
export function cellOf(galaxy: number): { readonly column: number; readonly row: number } {
  const row = Math.floor((galaxy - 1) / GRID_SIZE);
  const step = (galaxy - 1) % GRID_SIZE;
  return { row, column: row % 2 === 0 ? step : GRID_SIZE - 1 - step };
}

/** Galaxy of a cell; 0 if there is none. */
export function galaxyAt(column: number, row: number): number {
  if (column < 0 || row < 0 || column >= GRID_SIZE || row >= GRID_SIZE) return 0;
  return row * GRID_SIZE + (row % 2 === 0 ? column : GRID_SIZE - 1 - column) + 1;
}

/** Rotation of the spiral of a galaxy, in radians, so that they do not all look the same. */
export function rotationOf(galaxy: number): number {
  return (galaxy * GOLDEN_ANGLE) % (2 * Math.PI);
}

/** A point of the middle of the arm of a galaxy that is not turned. @param share of the arm's area, from the core outwards */
export function armPoint(share: number, offset = 0, rotation = 0): Point {
  const middle = Math.sqrt(CORE_RADIUS ** 2 + share * (GALAXY_RADIUS ** 2 - CORE_RADIUS ** 2));
  const angle = (middle - CORE_RADIUS) / RADIUS_PER_RADIAN + rotation;
  const radius = middle + offset;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

/** The places of systems and planets, by the number of systems in a galaxy. */
export class Geometry {
  /** Distance from the star to the outermost orbit. */
  readonly systemRadius: number;
  readonly planetRadius: number;

  constructor(readonly systemsPerGalaxy: number) {
    const room = Math.sqrt(ARM_AREA / Math.max(1, systemsPerGalaxy));
    this.systemRadius = Math.min(SYSTEM_RADIUS_MAX, room * SYSTEM_SHARE);
    this.planetRadius = this.systemRadius * PLANET_SHARE;
  }

  /** Centre of a system in its cell. A whole index is a system; the middle of several lies between them. */
  system(galaxy: number, system: number): Point {
    const share = (system + 0.5) / Math.max(1, this.systemsPerGalaxy);
    const offset = (((system * GOLDEN_SHARE) % 1) - 0.5) * ARM_WIDTH;
    return armPoint(share, offset, rotationOf(galaxy));
  }

  /** Radius of the orbit of a slot. */
  orbitRadius(slot: number): number {
    return this.systemRadius * (INNER_ORBIT_SHARE + ORBIT_STEP_SHARE * (slot - 0.5));
  }

  spot(galaxy: number, system: number, slot?: number): Spot {
    const { x, y } = this.system(galaxy, system);
    if (slot === undefined) return { ...cellOf(galaxy), x, y };
    const radius = this.orbitRadius(slot);
    const angle = (slot + system) * GOLDEN_ANGLE;
    return { ...cellOf(galaxy), x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  }

  /** Centre of what is shown, and how much room it needs around it. */
  frameOf(target: Target): { readonly centre: Point; readonly radius: number } {
    if (target.view === 'universe')
      return { centre: { x: GRID_SIZE / 2, y: GRID_SIZE / 2 }, radius: GRID_SIZE / 2 + 0.05 };
    const { galaxy } = target;
    if (target.view === 'galaxy') {
      const { column, row } = cellOf(galaxy);
      return { centre: { x: column + 0.5, y: row + 0.5 }, radius: GALAXY_RADIUS + 0.07 };
    }
    if (target.view === 'system')
      return { centre: pointOf(this.spot(galaxy, target.system)), radius: this.systemRadius * 1.12 };
    return { centre: pointOf(this.spot(galaxy, target.system, target.slot)), radius: this.planetRadius * 7 };
  }

  /** The system of a galaxy that is nearest to a point of its cell, and its distance. */
  nearestSystem(galaxy: number, { x, y }: Point): { readonly system: number; readonly distance: number } {
    let nearest = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let system = 0; system < this.systemsPerGalaxy; system += 1) {
      const point = this.system(galaxy, system);
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance >= least) continue;
      nearest = system;
      least = distance;
    }
    return { system: nearest, distance: least };
  }
}

/** A spot as one point of the map. */
export function pointOf({ column, row, x, y }: Spot): Point {
  return { x: column + 0.5 + x, y: row + 0.5 + y };
}

/** The cell of a point, and the point in it. */
export function spotOf({ x, y }: Point): Spot {
  const column = Math.floor(x);
  const row = Math.floor(y);
  return { column, row, x: x - column - 0.5, y: y - row - 0.5 };
}

/** Galaxy, system and slot of a target, as far as it has them. */
export function partsOf(target: Target): readonly number[] {
  if (target.view === 'universe') return [];
  if (target.view === 'galaxy') return [target.galaxy];
  return target.view === 'system' ? [target.galaxy, target.system] : [target.galaxy, target.system, target.slot];
}

/** Keeps a number within bounds. */
export function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, value));
}
