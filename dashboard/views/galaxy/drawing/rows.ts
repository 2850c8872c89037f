// Rows of numbers for the graphics card, one for each thing that is drawn: kept in arrays, and only what has changed is sent.
import {
  type BufferInfo,
  createBufferInfoFromArrays,
  createVertexArrayInfo,
  drawBufferInfo,
  type ProgramInfo,
  setAttribInfoBufferFromArray,
  setUniforms,
  type VertexArrayInfo,
} from 'twgl.js';
import type { Spot } from '../map/geometry.js';

interface Column {
  readonly size: 1 | 2 | 4;
  /** Bytes that stand for 0 to 1, instead of numbers. */
  readonly isColour?: boolean;
}

/**
 * What a row is drawn as. `point`: one vertex. `quad`: two triangles; each of the four vertices has a copy of the row
 * (decision 23). `line`: an instance, for a few rows.
 */
type Shape = 'point' | 'quad' | 'line';

/** The numbers of gl_VertexID of a quad, modulo 4, whose lowest bits are its corner. */
const CORNERS = [0, 1, 2, 2, 1, 3];
/** Vertices that are drawn for each row. */
const QUAD_VERTICES = CORNERS.length;
/** Parts of a line. */
export const LINE_STEPS = 24;

type Numbers = Float32Array | Uint8Array;
export type Uniforms = Readonly<Record<string, number | readonly number[] | WebGLTexture>>;

interface Vertices {
  readonly buffers: BufferInfo;
  readonly array: VertexArrayInfo;
}

/** @typeParam Name of the columns: attributes of the program without `a_` */
export class Rows<Name extends string> {
  readonly #copies: number;
  #capacity: number;
  #arrays: Record<Name, Numbers>;
  #vertices: Vertices;
  #firstChanged = Number.POSITIVE_INFINITY;
  #lastChanged = -1;

  /** @param capacity rows that there is room for at first */
  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly program: ProgramInfo,
    private readonly columns: Readonly<Record<Name, Column>>,
    private readonly shape: Shape,
    capacity: number,
  ) {
    this.#copies = shape === 'quad' ? 4 : 1;
    this.#capacity = capacity;
    this.#arrays = this.#newArrays();
    this.#vertices = this.#newVertices();
  }

  /** Draws the first rows. What has changed is sent before. */
  draw(count: number, uniforms: Uniforms): void {
    this.#send();
    const { gl, program, shape } = this;
    const { array } = this.#vertices;
    gl.useProgram(program.program);
    gl.bindVertexArray(array.vertexArrayObject ?? null);
    setUniforms(program, uniforms);
    if (shape === 'point') drawBufferInfo(gl, array, gl.POINTS, count);
    else if (shape === 'quad') drawBufferInfo(gl, array, gl.TRIANGLES, count * QUAD_VERTICES);
    else drawBufferInfo(gl, array, gl.LINE_STRIP, LINE_STEPS + 1, 0, count);
  }

  /** The numbers of a row in a column. */
  get(name: Name, row: number): Numbers {
    const { size } = this.columns[name];
    return this.#arrays[name].subarray(row * size, (row + 1) * size);
  }

  set(name: Name, row: number, ...numbers: readonly number[]): void {
    this.#arrays[name].set(numbers, row * this.columns[name].size);
    this.#changed(row);
  }

  setSpot(name: Name, row: number, spot: Spot): void {
    this.set(name, row, spot.column, spot.row, spot.x, spot.y);
  }

  /** Makes room. Rows keep their numbers. */
  reserve(rows: number): void {
    if (rows <= this.#capacity) return;
    const last = this.#capacity - 1;
    while (this.#capacity < rows) this.#capacity *= 2;
    const before = this.#arrays;
    this.#arrays = this.#newArrays();
    for (const name of this.#names()) this.#arrays[name].set(before[name]);
    this.dispose();
    this.#vertices = this.#newVertices();
    this.#changed(0);
    this.#changed(last);
  }

  /** Copies a row over another one. */
  copy(from: number, to: number): void {
    for (const name of this.#names()) {
      const { size } = this.columns[name];
      this.#arrays[name].copyWithin(to * size, from * size, (from + 1) * size);
    }
    this.#changed(to);
  }

  dispose(): void {
    const { gl } = this;
    const { buffers, array } = this.#vertices;
    for (const { buffer } of Object.values(buffers.attribs ?? {})) gl.deleteBuffer(buffer);
    gl.deleteBuffer(buffers.indices ?? null);
    gl.deleteVertexArray(array.vertexArrayObject ?? null);
  }

  #changed(row: number): void {
    this.#firstChanged = Math.min(this.#firstChanged, row);
    this.#lastChanged = Math.max(this.#lastChanged, row);
  }

  #send(): void {
    if (this.#lastChanged < 0) return;
    const first = this.#firstChanged;
    for (const name of this.#names()) {
      const { size, isColour = false } = this.columns[name];
      const attribute = this.#vertices.buffers.attribs?.[`a_${name}`];
      if (attribute === undefined) continue;
      const part = this.#arrays[name].subarray(first * size, (this.#lastChanged + 1) * size);
      const offset = first * size * this.#copies * (isColour ? 1 : 4);
      setAttribInfoBufferFromArray(this.gl, attribute, this.#copied(part, size), offset);
    }
    this.#firstChanged = Number.POSITIVE_INFINITY;
    this.#lastChanged = -1;
  }

  /** Each row as often as it has vertices. */
  #copied(part: Numbers, size: number): Numbers {
    const copies = this.#copies;
    if (copies === 1) return part;
    const copied =
      part instanceof Uint8Array ? new Uint8Array(part.length * copies) : new Float32Array(part.length * copies);
    for (let index = 0; index < part.length; index += 1) {
      const start = (index - (index % size)) * copies + (index % size);
      for (let copy = 0; copy < copies; copy += 1) copied[start + copy * size] = part[index] as number;
    }
    return copied;
  }

  #newArrays(): Record<Name, Numbers> {
    const arrays = this.#names().map((name) => [name, this.#numbers(name, 1)] as const);
    // All names are there.
    return Object.fromEntries(arrays) as Record<Name, Numbers>;
  }

  /** An array for a column: each row as often as it has copies. */
  #numbers(name: Name, copies: number): Numbers {
    const { size, isColour = false } = this.columns[name];
    const length = size * this.#capacity * copies;
    return isColour ? new Uint8Array(length) : new Float32Array(length);
  }

  #newVertices(): Vertices {
    const specified = this.#names().map((name) => {
      const { size, isColour = false } = this.columns[name];
      const attribute = {
        data: this.#numbers(name, this.#copies),
        numComponents: size,
        normalize: isColour,
        divisor: this.shape === 'line' ? 1 : 0,
        drawType: this.gl.DYNAMIC_DRAW,
      };
      return [`a_${name}`, attribute] as const;
    });
    const indices = this.shape === 'quad' ? { indices: { numComponents: 1, data: this.#quadIndices() } } : {};
    const buffers = createBufferInfoFromArrays(this.gl, { ...Object.fromEntries(specified), ...indices });
    return { buffers, array: createVertexArrayInfo(this.gl, this.program, buffers) };
  }

  #quadIndices(): Uint32Array {
    return Uint32Array.from({ length: this.#capacity * QUAD_VERTICES }, (_, index) => {
      const corner = CORNERS[index % QUAD_VERTICES] ?? 0;
      return Math.floor(index / QUAD_VERTICES) * 4 + corner;
    });
  }

  #names(): Name[] {
    return Object.keys(this.columns) as Name[];
  }
}
