// Rows of numbers for the graphics card, one for each thing that is drawn: kept in arrays, and only what has changed is sent.
import {
  type AttribInfo,
  type BufferInfo,
  createBufferInfoFromArrays,
  createVertexArrayInfo,
  type ProgramInfo,
  setAttribInfoBufferFromArray,
  type VertexArrayInfo,
} from 'twgl.js';

export interface Column {
  readonly size: 1 | 2 | 4;
  /** Bytes that stand for 0 to 1, instead of numbers. */
  readonly isColour?: boolean;
}

type Numbers = Float32Array | Uint8Array;

/** @typeParam Name of the columns: attributes of the program without `a_` */
export class Rows<Name extends string> {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: ProgramInfo;
  readonly #columns: Readonly<Record<Name, Column>>;
  /** 1: a row for each instance; 0: a row for each vertex. */
  readonly #divisor: 0 | 1;
  #arrays: Record<Name, Numbers>;
  #vertices: { readonly buffers: BufferInfo; readonly array: VertexArrayInfo };
  #capacity: number;
  #firstChanged = Number.POSITIVE_INFINITY;
  #lastChanged = -1;

  constructor(
    gl: WebGL2RenderingContext,
    program: ProgramInfo,
    columns: Readonly<Record<Name, Column>>,
    { capacity, divisor }: { readonly capacity: number; readonly divisor: 0 | 1 },
  ) {
    this.#gl = gl;
    this.#program = program;
    this.#columns = columns;
    this.#divisor = divisor;
    this.#capacity = capacity;
    this.#arrays = this.#newArrays();
    this.#vertices = this.#newVertices();
  }

  /** The vertices to draw. Changed rows are sent first. */
  get vertices(): VertexArrayInfo {
    this.#send();
    return this.#vertices.array;
  }

  /** The numbers of a column. Call changed() for rows that are written. */
  column(name: Name): Numbers {
    return this.#arrays[name];
  }

  changed(row: number): void {
    this.#firstChanged = Math.min(this.#firstChanged, row);
    this.#lastChanged = Math.max(this.#lastChanged, row);
  }

  /** Makes room. Rows keep their numbers. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    while (this.#capacity < rows) this.#capacity *= 2;
    const before = this.#arrays;
    this.#arrays = this.#newArrays();
    for (const name of this.#names()) this.#arrays[name].set(before[name]);
    this.dispose();
    this.#vertices = this.#newVertices();
  }

  /** Copies a row over another one. */
  copy(from: number, to: number): void {
    for (const name of this.#names()) {
      const { size } = this.#columns[name];
      this.#arrays[name].copyWithin(to * size, from * size, (from + 1) * size);
    }
    this.changed(to);
  }

  dispose(): void {
    const gl = this.#gl;
    for (const { buffer } of Object.values(this.#vertices.buffers.attribs ?? {})) gl.deleteBuffer(buffer);
    gl.deleteVertexArray(this.#vertices.array.vertexArrayObject ?? null);
  }

  #send(): void {
    if (this.#lastChanged < 0) return;
    const end = Math.min(this.#capacity, this.#lastChanged + 1);
    const start = this.#firstChanged;
    for (const name of this.#names()) {
      const { size, isColour = false } = this.#columns[name];
      const attribute = this.#vertices.buffers.attribs?.[`a_${name}`];
      if (attribute === undefined) continue;
      const part = this.#arrays[name].subarray(start * size, end * size);
      setAttribInfoBufferFromArray(this.#gl, attribute as AttribInfo, part, start * size * (isColour ? 1 : 4));
    }
    this.#firstChanged = Number.POSITIVE_INFINITY;
    this.#lastChanged = -1;
  }

  #newArrays(): Record<Name, Numbers> {
    const arrays = this.#names().map((name) => {
      const { size, isColour = false } = this.#columns[name];
      const length = size * this.#capacity;
      return [name, isColour ? new Uint8Array(length) : new Float32Array(length)] as const;
    });
    // All names are there.
    return Object.fromEntries(arrays) as Record<Name, Numbers>;
  }

  #newVertices(): { buffers: BufferInfo; array: VertexArrayInfo } {
    const specified = this.#names().map((name) => {
      const { size, isColour = false } = this.#columns[name];
      return [
        `a_${name}`,
        {
          data: this.#arrays[name],
          numComponents: size,
          normalize: isColour,
          divisor: this.#divisor,
          drawType: this.#gl.DYNAMIC_DRAW,
        },
      ] as const;
    });
    const buffers = createBufferInfoFromArrays(this.#gl, Object.fromEntries(specified));
    return { buffers, array: createVertexArrayInfo(this.#gl, this.#program, buffers) };
  }

  #names(): Name[] {
    return Object.keys(this.#columns) as Name[];
  }
}
