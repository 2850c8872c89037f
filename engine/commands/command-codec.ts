// Turns commands into rows and back, from the layout that each command declares.
import type { CommandLayout, CommandRow } from './command.js';

export class CommandCodec<C extends { readonly type: string }> {
  readonly #code: number;
  /** In the order of the row. */
  readonly #names: readonly (keyof C & string)[];
  /** A command whose fields have no value yet: copies of it share one hidden class. */
  readonly #blank: C;

  /** @throws Error if the places of the fields have a gap */
  constructor({ type, code, fields }: CommandLayout<C>) {
    const places = Object.entries<number>(fields).sort(([, a], [, b]) => a - b);
    if (places.some(([, place], index) => place !== index + 1)) throw new Error(`the fields of ${type} have a gap`);
    this.#code = code;
    this.#names = places.map(([name]) => name as keyof C & string);
    this.#blank = Object.fromEntries([['type', type], ...places.map(([name]) => [name, undefined])]);
  }

  encode(command: C): CommandRow {
    const row: unknown[] = [this.#code];
    for (const name of this.#names) {
      const value = command[name];
      // Only optional fields can be absent, and they come last.
      if (value === undefined) break;
      row.push(value);
    }
    return row as unknown as CommandRow;
  }

  /** @param row of this command, as a log holds it: it was checked before it was written */
  decode(row: CommandRow): C {
    const command: Record<string, unknown> = { ...this.#blank };
    for (let place = 1; place < row.length; place += 1) command[this.#names[place - 1] as string] = row[place];
    return command as unknown as C;
  }
}
