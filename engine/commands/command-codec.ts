// Converts commands to rows and back, by the layout that each command declares.
import type { CommandLayout, CommandRow } from './command.js';

export class CommandCodec<C extends { readonly type: string }> {
  readonly #code: number;
  /** In the order of the row. */
  readonly #names: readonly (keyof C & string)[];
  /** By length of the row: a command with all fields that such a row has. Its copies share one hidden class. */
  readonly #blanks: readonly Readonly<Record<string, unknown>>[];

  /** @throws Error if the places have a gap */
  constructor({ type, code, fields }: CommandLayout<C>) {
    const places = Object.entries<number>(fields).sort(([, a], [, b]) => a - b);
    if (places.some(([, place], index) => place !== index + 1)) throw new Error(`the fields of ${type} have a gap`);
    this.#code = code;
    this.#names = places.map(([name]) => name as keyof C & string);
    this.#blanks = [type, ...this.#names].map((_, count) =>
      Object.fromEntries([['type', type], ...this.#names.slice(0, count).map((name) => [name, undefined])]),
    );
  }

  /** @throws Error if a field is absent before one that is there */
  encode(command: C): CommandRow {
    const row: unknown[] = [this.#code];
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

  /** Only fields at the end can be absent: a row has no gap. */
  #requireEnd(command: C, place: number): void {
    for (const name of this.#names.slice(place)) {
      if (command[name] !== undefined) throw new Error(`${command.type} has ${name}, but not the field before it`);
    }
  }

  /**
   * @param row of this command from a log, which was checked before it was written
   * @throws Error if the row has more fields than this program knows
   */
  decode(row: CommandRow): C {
    const blank = this.#blanks[row.length - 1];
    if (blank === undefined) throw new Error(`a command with number ${this.#code} has unknown fields`);
    const command: Record<string, unknown> = { ...blank };
    for (let place = 1; place < row.length; place += 1) command[this.#names[place - 1] as string] = row[place];
    return command as unknown as C;
  }
}
