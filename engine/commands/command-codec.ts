// Converts commands to rows and back, by the layout that each command declares.
import type { CommandLayout, CommandRow } from './command.js';

export class CommandCodec<C extends { readonly type: string }> {
  readonly #code: number;
  /** In the order of the row. */
  readonly #names: readonly (keyof C & string)[];
  /** A command with all fields undefined. Its copies share one hidden class. */
  readonly #blank: C;

  /** @throws Error if the positions have a gap */
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

  /** @param row of this command from a log, which was checked before it was written */
  decode(row: CommandRow): C {
    const command: Record<string, unknown> = { ...this.#blank };
    for (let place = 1; place < row.length; place += 1) command[this.#names[place - 1] as string] = row[place];
    return command as unknown as C;
  }
}
