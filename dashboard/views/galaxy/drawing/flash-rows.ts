// Battles for the graphics card: each flashes up where it happens, larger if more ships were lost. The oldest makes room.
import type { ProgramInfo } from 'twgl.js';
import { FLASHES_MAX } from '../../../limits.js';
import type { Battle } from '../../../world/map-state.js';
import type { Geometry } from '../geometry.js';
import { FLASH_SECONDS } from './programs.js';
import { Rows } from './rows.js';

const COLUMNS = { spot: { size: 4 }, bornSeconds: { size: 1 }, size: { size: 1 } } as const;

const SIZE_MIN = 9;
const SIZE_PER_DOUBLING = 2.6;

export class FlashRows {
  readonly #rows: Rows<keyof typeof COLUMNS>;
  readonly #geometry: Geometry;
  #next = 0;
  #lastBornSeconds = Number.NEGATIVE_INFINITY;

  constructor(gl: WebGL2RenderingContext, program: ProgramInfo, geometry: Geometry) {
    this.#rows = new Rows(gl, program, COLUMNS, { capacity: FLASHES_MAX, shape: 'quad' });
    this.#geometry = geometry;
  }

  get capacity(): number {
    return FLASHES_MAX;
  }

  get rows(): Rows<keyof typeof COLUMNS> {
    return this.#rows;
  }

  /** @param atSeconds of performance.now() */
  add({ galaxy, system, slot, attackerLost, defenderLost }: Battle, atSeconds: number): void {
    const row = this.#next;
    this.#next = (row + 1) % FLASHES_MAX;
    const { column, row: line, x, y } = this.#geometry.spot(galaxy, system, slot);
    this.#rows.column('spot').set([column, line, x, y], row * 4);
    this.#rows.column('bornSeconds')[row] = atSeconds;
    this.#rows.column('size')[row] = SIZE_MIN + SIZE_PER_DOUBLING * Math.log2(1 + attackerLost + defenderLost);
    this.#rows.changed(row);
    this.#lastBornSeconds = Math.max(this.#lastBornSeconds, atSeconds);
  }

  /** Whether there is anything to see. */
  isLit(atSeconds: number): boolean {
    return atSeconds - this.#lastBornSeconds < FLASH_SECONDS;
  }

  dispose(): void {
    this.#rows.dispose();
  }
}
