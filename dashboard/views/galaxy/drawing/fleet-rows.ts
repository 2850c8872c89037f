// The fleets as rows for the graphics card: where each comes from, where it goes, and when. Rows change only with the map.
import type { ProgramInfo } from 'twgl.js';
import type { Leg } from '../../../world/map-state.js';
import { type Geometry, type Point, pointOf, type Spot } from '../geometry.js';
import { BEND_SHARE } from './programs.js';
import { Rows } from './rows.js';

const COLUMNS = {
  from: { size: 4 },
  to: { size: 4 },
  seconds: { size: 2 },
  owner: { size: 1 },
  colour: { size: 4, isColour: true },
} as const;

const ROWS_AT_FIRST = 1_024;
/** Beyond this distance from the origin of time, short numbers would be seen as jerks. */
const ORIGIN_AGE_SECONDS_MAX = 60_000;
/** How opaque a fleet on its way back is. */
const RETURNING_ALPHA = 150;

export class FleetRows {
  readonly #rows: Rows<keyof typeof COLUMNS>;
  readonly #geometry: Geometry;
  readonly #colourOf: (player: number) => number;
  readonly #rowOfFleet = new Map<number, number>();
  /** By row. */
  readonly #legs: Leg[] = [];
  #originMs = 0;
  #fastestCellsPerMs = 0;

  constructor(
    gl: WebGL2RenderingContext,
    program: ProgramInfo,
    geometry: Geometry,
    colourOf: (player: number) => number,
  ) {
    this.#rows = new Rows(gl, program, COLUMNS, { capacity: ROWS_AT_FIRST, shape: 'quad' });
    this.#geometry = geometry;
    this.#colourOf = colourOf;
  }

  get count(): number {
    return this.#legs.length;
  }

  get rows(): Rows<keyof typeof COLUMNS> {
    return this.#rows;
  }

  /** Speed of the fastest fleet, in cells per millisecond of world time. */
  get fastestCellsPerMs(): number {
    return this.#fastestCellsPerMs;
  }

  /** World time as the rows have it. */
  secondsAt(worldMs: number): number {
    if (Math.abs(worldMs - this.#originMs) > ORIGIN_AGE_SECONDS_MAX * 1_000) this.#moveOrigin(worldMs);
    return (worldMs - this.#originMs) / 1_000;
  }

  set(leg: Leg): void {
    const row = this.#rowOfFleet.get(leg.fleet) ?? this.#legs.length;
    this.#rows.reserve(row + 1);
    this.#rowOfFleet.set(leg.fleet, row);
    this.#legs[row] = leg;
    const from = this.#spot(leg.from);
    const to = this.#spot(leg.to);
    this.#rows.column('from').set([from.column, from.row, from.x, from.y], row * 4);
    this.#rows.column('to').set([to.column, to.row, to.x, to.y], row * 4);
    this.#rows.column('owner')[row] = leg.owner;
    this.#writeTimes(row, leg);
    this.#writeColour(row, leg);
    this.#rows.changed(row);
    const lengthMs = Math.max(1, leg.arrivesAtMs - leg.departsAtMs);
    const [a, b] = [pointOf(from), pointOf(to)];
    this.#fastestCellsPerMs = Math.max(this.#fastestCellsPerMs, Math.hypot(b.x - a.x, b.y - a.y) / lengthMs);
  }

  /** Removes a fleet: the last row takes its place. */
  delete(fleet: number): void {
    const row = this.#rowOfFleet.get(fleet);
    const last = this.#legs.pop();
    if (row === undefined || last === undefined) {
      if (last !== undefined) this.#legs.push(last);
      return;
    }
    this.#rowOfFleet.delete(fleet);
    if (last.fleet === fleet) return;
    this.#legs[row] = last;
    this.#rowOfFleet.set(last.fleet, row);
    this.#rows.copy(this.#legs.length, row);
  }

  clear(): void {
    this.#rowOfFleet.clear();
    this.#legs.length = 0;
    this.#fastestCellsPerMs = 0;
  }

  recolour(): void {
    for (const [row, leg] of this.#legs.entries()) this.#writeColour(row, leg);
    this.#allChanged();
  }

  /** The fleet that is nearest to a point of the map; null if none is within a distance, in cells. */
  nearest(point: Point, distanceMax: number, worldMs: number): Leg | null {
    let nearest: Leg | null = null;
    let least = distanceMax;
    const from = this.#rows.column('from');
    const to = this.#rows.column('to');
    for (const [row, leg] of this.#legs.entries()) {
      const share = shareOf(leg, worldMs);
      if (share < 0 || share > 1) continue;
      const place = wayAt(pointAt(from, row), pointAt(to, row), share);
      const distance = Math.hypot(place.x - point.x, place.y - point.y);
      if (distance >= least) continue;
      nearest = leg;
      least = distance;
    }
    return nearest;
  }

  /** Where a fleet is on the map. */
  pointOf(leg: Leg, worldMs: number): Point {
    return wayAt(pointOf(this.#spot(leg.from)), pointOf(this.#spot(leg.to)), shareOf(leg, worldMs));
  }

  dispose(): void {
    this.#rows.dispose();
  }

  #spot({ galaxy, system, slot }: Leg['from']): Spot {
    return this.#geometry.spot(galaxy, system, slot);
  }

  #moveOrigin(worldMs: number): void {
    this.#originMs = worldMs;
    for (const [row, leg] of this.#legs.entries()) this.#writeTimes(row, leg);
    this.#allChanged();
  }

  #writeTimes(row: number, { departsAtMs, arrivesAtMs }: Leg): void {
    const seconds = this.#rows.column('seconds');
    seconds[row * 2] = (departsAtMs - this.#originMs) / 1_000;
    seconds[row * 2 + 1] = (arrivesAtMs - this.#originMs) / 1_000;
  }

  #writeColour(row: number, { owner, isReturning }: Leg): void {
    const rgb = this.#colourOf(owner);
    const colour = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, isReturning ? RETURNING_ALPHA : 255];
    this.#rows.column('colour').set(colour, row * 4);
  }

  #allChanged(): void {
    if (this.count === 0) return;
    this.#rows.changed(0);
    this.#rows.changed(this.count - 1);
  }
}

function shareOf({ departsAtMs, arrivesAtMs }: Leg, worldMs: number): number {
  return (worldMs - departsAtMs) / Math.max(1, arrivesAtMs - departsAtMs);
}

/** The same as way() in programs.ts. */
function wayAt(a: Point, b: Point, share: number): Point {
  const [x, y] = [b.x - a.x, b.y - a.y];
  const bend = BEND_SHARE * 4 * share * (1 - share);
  return { x: a.x + x * share + y * bend, y: a.y + y * share - x * bend };
}

function pointAt(spots: Float32Array | Uint8Array, row: number): Point {
  const [column = 0, line = 0, x = 0, y = 0] = spots.subarray(row * 4, row * 4 + 4);
  return { x: column + 0.5 + x, y: line + 0.5 + y };
}
