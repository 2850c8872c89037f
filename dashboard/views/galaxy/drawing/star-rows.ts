// Points of light for the graphics card: a cell of a galaxy or one system each, in the colour of who owns most of it.
import type { ProgramInfo } from 'twgl.js';
import type { Spot } from '../geometry.js';
import { Rows } from './rows.js';

const COLUMNS = {
  spot: { size: 4 },
  owner: { size: 1 },
  owned: { size: 1 },
  colour: { size: 4, isColour: true },
} as const;

const ROWS_AT_FIRST = 1_024;

export class StarRows {
  readonly #rows: Rows<keyof typeof COLUMNS>;
  readonly #colourOf: (player: number) => number;
  #count = 0;

  constructor(gl: WebGL2RenderingContext, program: ProgramInfo, colourOf: (player: number) => number) {
    this.#rows = new Rows(gl, program, COLUMNS, { capacity: ROWS_AT_FIRST, shape: 'point' });
    this.#colourOf = colourOf;
  }

  get count(): number {
    return this.#count;
  }

  get rows(): Rows<keyof typeof COLUMNS> {
    return this.#rows;
  }

  /** Puts the stars to their places. Nobody owns them yet. */
  place(spots: readonly Spot[]): void {
    this.#count = spots.length;
    this.#rows.reserve(spots.length);
    const column = this.#rows.column('spot');
    for (const [index, { column: x, row: y, ...rest }] of spots.entries()) {
      column.set([x, y, rest.x, rest.y], index * 4);
      this.setOwner(index, 0, 0);
    }
  }

  /** @param owned planets that have an owner */
  setOwner(star: number, owner: number, owned: number): void {
    this.#rows.column('owner')[star] = owner;
    this.#rows.column('owned')[star] = owned;
    this.#writeColour(star);
    this.#rows.changed(star);
  }

  recolour(): void {
    for (let star = 0; star < this.#count; star += 1) {
      this.#writeColour(star);
      this.#rows.changed(star);
    }
  }

  dispose(): void {
    this.#rows.dispose();
  }

  #writeColour(star: number): void {
    const rgb = this.#colourOf(this.#rows.column('owner')[star] ?? 0);
    this.#rows.column('colour').set([(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, 255], star * 4);
  }
}
