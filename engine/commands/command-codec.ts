// Converts commands to rows and back. A command declares how its row is read; how it is written follows from that.

import { RowReader } from '../rows/row-reader.js';
import type { CommandLayout, CommandRow, FieldReader } from './command.js';

export class CommandCodec<C extends { readonly type: string }> {
  readonly #layout: CommandLayout<C>;
  /** In the order of the row. */
  readonly #names: readonly (keyof C & string)[];

  /** @throws Error if the places of the fields have a gap */
  constructor(layout: CommandLayout<C>) {
    this.#layout = layout;
    // A reader that returns places instead of values shows the order in which a command reads its fields. Each command has a literal of
    // its own, since one loop over lists of names is slower.
    const { type, ...fields } = layout.decode(new PlaceReader());
    const named = Object.entries<unknown>(fields).sort(([, a], [, b]) => Number(a) - Number(b));
    if (named.some(([, place], index) => place !== index + 1)) throw new Error(`the fields of ${type} have a gap`);
    this.#names = named.map(([name]) => name as keyof C & string);
  }

  /** @throws Error if a field is absent before one that is there */
  encode(command: C): CommandRow {
    return this.#shortRow(command) ?? this.#longRow(command);
  }

  /**
   * Returns the row of a command with two or three fields, as most have. It is a literal, since a row that grows takes several times its size.
   *
   * @returns null if there are more or fewer, or one is absent
   */
  #shortRow(command: C): CommandRow | null {
    const { code } = this.#layout;
    const [first, second, third] = this.#names;
    if (this.#names.length > 3 || first === undefined || second === undefined) return null;
    const one: unknown = command[first];
    const two: unknown = command[second];
    if (one === undefined || two === undefined) return null;
    if (third === undefined) return [code, one, two] as CommandRow;
    const three: unknown = command[third];
    return three === undefined ? null : ([code, one, two, three] as CommandRow);
  }

  #longRow(command: C): CommandRow {
    const row: unknown[] = [this.#layout.code];
    for (const name of this.#names) {
      const value = command[name];
      if (value === undefined) {
        this.#requireEnd(command, row.length);
        break;
      }
      row.push(value);
    }
    return row as unknown as CommandRow;
  }

  /**
   * @param row of this command, from a log
   * @throws Error if a field is not of its type, exceeds its limits or is not known to this program
   */
  decode(row: CommandRow): C {
    if (row.length > this.#names.length + 1) {
      throw new Error(`a command with number ${this.#layout.code} has unknown fields`);
    }
    return this.#layout.decode(new RowReader(row, 1));
  }

  /** Only fields at the end can be absent: a row has no gap. */
  #requireEnd(command: C, place: number): void {
    for (const name of this.#names.slice(place)) {
      if (command[name] !== undefined) throw new Error(`${command.type} has ${name}, but not the field before it`);
    }
  }
}

/** Reads the place of each field instead of its value: 1, 2, 3. */
class PlaceReader implements FieldReader {
  #place = 0;

  readonly integer = (): number => this.#next();
  readonly integerOrNull = (): number => this.#next();
  readonly flag = (): boolean => this.#next() as unknown as boolean;
  readonly text = (): string => this.#next() as unknown as string;
  readonly textOrNull = (): string => this.#next() as unknown as string;
  readonly integers = (): number[] => this.#next() as unknown as number[];
  readonly fewIntegers = (): number[] => this.#next() as unknown as number[];
  readonly fewTexts = (): string[] => this.#next() as unknown as string[];

  #next(): number {
    this.#place += 1;
    return this.#place;
  }
}
