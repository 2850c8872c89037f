// Stars and battles as rows for the graphics card. A star is a cell of a galaxy or one system, in the colour of who owns most of it. A
// battle flashes up where it happens, larger if more ships were lost; the oldest makes room.
import type { ProgramInfo } from 'twgl.js';
import { bytesOf } from '../../../colours.js';
import { FLASHES_MAX } from '../../../limits.js';
import type { Battle } from '../../../world/map-state.js';
import type { Geometry, Spot } from '../map/geometry.js';
import { FLASH_SECONDS } from './programs.js';
import { Rows } from './rows.js';

const STARS = {
  spot: { size: 4 },
  owner: { size: 1 },
  owned: { size: 1 },
  colour: { size: 4, isColour: true },
} as const;
const FLASHES = { spot: { size: 4 }, bornSeconds: { size: 1 }, size: { size: 1 } } as const;

const STARS_AT_FIRST = 1_024;
const FLASH_SIZE_MIN = 9;
const FLASH_SIZE_PER_DOUBLING = 2.6;

export class StarRows extends Rows<keyof typeof STARS> {
  #count = 0;

  constructor(
    gl: WebGL2RenderingContext,
    program: ProgramInfo,
    private readonly colourOf: (player: number) => number,
  ) {
    super(gl, program, STARS, 'point', STARS_AT_FIRST);
  }

  get count(): number {
    return this.#count;
  }

  /** Puts the stars to their places. Nobody owns them yet. */
  place(spots: readonly Spot[]): void {
    this.#count = spots.length;
    this.reserve(spots.length);
    for (const [star, spot] of spots.entries()) {
      this.setSpot('spot', star, spot);
      this.setOwner(star, 0, 0);
    }
  }

  /** @param owned planets that have an owner */
  setOwner(star: number, owner: number, owned: number): void {
    this.set('owner', star, owner);
    this.set('owned', star, owned);
    this.#writeColour(star);
  }

  recolour(): void {
    for (let star = 0; star < this.#count; star += 1) this.#writeColour(star);
  }

  #writeColour(star: number): void {
    const [owner = 0] = this.get('owner', star);
    this.set('colour', star, ...bytesOf(this.colourOf(owner)), 255);
  }
}

export class FlashRows extends Rows<keyof typeof FLASHES> {
  readonly count = FLASHES_MAX;
  #next = 0;
  #lastBornSeconds = Number.NEGATIVE_INFINITY;

  constructor(
    gl: WebGL2RenderingContext,
    program: ProgramInfo,
    private readonly geometry: Geometry,
  ) {
    super(gl, program, FLASHES, 'quad', FLASHES_MAX);
  }

  /** @param atSeconds of performance.now() */
  add({ galaxy, system, slot, attackerLost, defenderLost }: Battle, atSeconds: number): void {
    const row = this.#next;
    this.#next = (row + 1) % FLASHES_MAX;
    this.setSpot('spot', row, this.geometry.spot(galaxy, system, slot));
    this.set('bornSeconds', row, atSeconds);
    this.set('size', row, FLASH_SIZE_MIN + FLASH_SIZE_PER_DOUBLING * Math.log2(1 + attackerLost + defenderLost));
    this.#lastBornSeconds = Math.max(this.#lastBornSeconds, atSeconds);
  }

  /** Whether there is anything to see. */
  isLit(atSeconds: number): boolean {
    return atSeconds - this.#lastBornSeconds < FLASH_SECONDS;
  }
}
