// The fleets as rows for the graphics card: where each comes from, where it goes, and when. Rows change only with the map.
import type { ProgramInfo } from 'twgl.js';
import { bytesOf } from '../../../colours.js';
import type { Leg, Place } from '../../../world/map-state.js';
import { type Geometry, type Point, pointOf, type Spot } from '../map/geometry.js';
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

export class FleetRows extends Rows<keyof typeof COLUMNS> {
  readonly #rowOfFleet = new Map<number, number>();
  /** Indexed by row. */
  readonly #legs: Leg[] = [];
  #originMs = 0;
  #fastestCellsPerMs = 0;

  constructor(
    gl: WebGL2RenderingContext,
    program: ProgramInfo,
    private readonly geometry: Geometry,
    private readonly colourOf: (player: number) => number,
  ) {
    super(gl, program, COLUMNS, 'quad', ROWS_AT_FIRST);
  }

  get count(): number {
    return this.#legs.length;
  }

  /** Speed of the fastest fleet, in cells per millisecond of world time. */
  get fastestCellsPerMs(): number {
    return this.#fastestCellsPerMs;
  }

  /** World time as the rows have it. */
  secondsAt(worldMs: number): number {
    if (Math.abs(worldMs - this.#originMs) > ORIGIN_AGE_SECONDS_MAX * 1_000) {
      this.#originMs = worldMs;
      for (const [row, leg] of this.#legs.entries()) this.#writeTimes(row, leg);
    }
    return (worldMs - this.#originMs) / 1_000;
  }

  put(leg: Leg): void {
    const row = this.#rowOfFleet.get(leg.fleet) ?? this.#legs.length;
    this.reserve(row + 1);
    this.#rowOfFleet.set(leg.fleet, row);
    this.#legs[row] = leg;
    const [from, to] = [this.#spot(leg.from), this.#spot(leg.to)];
    this.setSpot('from', row, from);
    this.setSpot('to', row, to);
    this.set('owner', row, leg.owner);
    this.#writeTimes(row, leg);
    this.#writeColour(row, leg);
    const lengthMs = Math.max(1, leg.arrivesAtMs - leg.departsAtMs);
    const [a, b] = [pointOf(from), pointOf(to)];
    this.#fastestCellsPerMs = Math.max(this.#fastestCellsPerMs, Math.hypot(b.x - a.x, b.y - a.y) / lengthMs);
  }

  /** Removes a fleet: the last row takes its place. */
  remove(fleet: number): void {
    const row = this.#rowOfFleet.get(fleet);
    const last = row === undefined ? undefined : this.#legs.pop();
    if (row === undefined || last === undefined) return;
    this.#rowOfFleet.delete(fleet);
    if (last.fleet === fleet) return;
    this.#legs[row] = last;
    this.#rowOfFleet.set(last.fleet, row);
    this.copy(this.#legs.length, row);
  }

  clear(): void {
    this.#rowOfFleet.clear();
    this.#legs.length = 0;
    this.#fastestCellsPerMs = 0;
  }

  recolour(): void {
    for (const [row, leg] of this.#legs.entries()) this.#writeColour(row, leg);
  }

  /** The fleet that is nearest to a point of the map; null if none is within a distance, in cells. */
  nearest(point: Point, distanceMax: number, worldMs: number): Leg | null {
    let nearest: Leg | null = null;
    let least = distanceMax;
    for (const [row, leg] of this.#legs.entries()) {
      const share = (worldMs - leg.departsAtMs) / Math.max(1, leg.arrivesAtMs - leg.departsAtMs);
      if (share < 0 || share > 1) continue;
      const place = wayAt(this.#point('from', row), this.#point('to', row), share);
      const distance = Math.hypot(place.x - point.x, place.y - point.y);
      if (distance >= least) continue;
      nearest = leg;
      least = distance;
    }
    return nearest;
  }

  #spot({ galaxy, system, slot }: Place): Spot {
    return this.geometry.spot(galaxy, system, slot);
  }

  #point(name: 'from' | 'to', line: number): Point {
    const [column = 0, row = 0, x = 0, y = 0] = this.get(name, line);
    return pointOf({ column, row, x, y });
  }

  #writeTimes(row: number, { departsAtMs, arrivesAtMs }: Leg): void {
    this.set('seconds', row, (departsAtMs - this.#originMs) / 1_000, (arrivesAtMs - this.#originMs) / 1_000);
  }

  #writeColour(row: number, { owner, isReturning }: Leg): void {
    this.set('colour', row, ...bytesOf(this.colourOf(owner)), isReturning ? RETURNING_ALPHA : 255);
  }
}

/** The same as way() in programs.ts. */
function wayAt(a: Point, b: Point, share: number): Point {
  const [x, y] = [b.x - a.x, b.y - a.y];
  const bend = BEND_SHARE * 4 * share * (1 - share);
  return { x: a.x + x * share + y * bend, y: a.y + y * share - x * bend };
}
