// How often each kind of command was accepted, or refused for each reason, since the process started. It only counts.
import { COMMAND_TYPES, type WorldCommand } from '../../engine/commands/table.js';
import { REFUSALS, type RefusalCode } from '../../engine/rejections.js';

type CommandType = WorldCommand['type'];

/** The outcome of a command. */
export type CommandOutcome = 'accepted' | RefusalCode;

/** Accepted commands are at index 0. */
const OUTCOMES: readonly CommandOutcome[] = ['accepted', ...(Object.keys(REFUSALS) as RefusalCode[])];

export class CommandCounts {
  /** A row for each type, a column for each outcome. */
  readonly #numbers = new Float64Array(COMMAND_TYPES.length * OUTCOMES.length);

  accept(type: CommandType): void {
    this.#add(type, 0);
  }

  refuse(type: CommandType, code: RefusalCode): void {
    this.#add(type, NUMBER_OF_OUTCOME.get(code) as number);
  }

  /** Visits the accepted count of every type, even if 0, and each refusal that has occurred. */
  visit(visitor: (type: CommandType, outcome: CommandOutcome, count: number) => void): void {
    COMMAND_TYPES.forEach((type, row) => {
      OUTCOMES.forEach((outcome, column) => {
        const count = this.#numbers[row * OUTCOMES.length + column] as number;
        if (column === 0 || count > 0) visitor(type, outcome, count);
      });
    });
  }

  #add(type: CommandType, column: number): void {
    const row = NUMBER_OF_TYPE.get(type) as number;
    (this.#numbers[row * OUTCOMES.length + column] as number) += 1;
  }
}

const NUMBER_OF_TYPE: ReadonlyMap<CommandType, number> = new Map(COMMAND_TYPES.map((type, row) => [type, row]));
const NUMBER_OF_OUTCOME: ReadonlyMap<CommandOutcome, number> = new Map(OUTCOMES.map((code, column) => [code, column]));
