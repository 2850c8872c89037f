// The shape of a command, live and on disk. One command a file: the checks in order of precedence, the commit line,
// the changes.
import type { Refusal } from '../rejections.js';
import type { World } from '../state.js';

/** What a command is made of on disk; nested lists hold the same. */
export type Primitive = string | number | boolean | null;
export type CommandArguments = readonly (Primitive | readonly Primitive[])[];

export interface CommandDefinition<C extends { readonly type: string }, R> {
  readonly type: C['type'];
  /** The command's number on disk; never reused. */
  readonly code: number;
  /** Its fields in a fixed order. */
  encode(command: C): CommandArguments;
  /** The reverse of encode. */
  decode(fields: CommandArguments): C;
  /**
   * Checks, then changes; a refusal has changed nothing.
   *
   * @param atMs world time of the command: `world.nowMs`, except for a tick, which moves that up to here
   */
  execute(world: World, command: C, atMs: number): R | Refusal;
}
