// The shape of a command, live and on disk. One command a file: the checks in order of precedence, the commit line,
// the changes.
import type { Refusal } from '../rejections.js';
import type { World } from '../state.js';

/** What a command is made of on disk; nested lists hold the same. */
export type Primitive = string | number | boolean | null;

/** A command on disk: its number, then its fields in fixed order. */
export type CommandRow = readonly (Primitive | readonly Primitive[])[];

/** A command's number on disk, and the place of each field in its row. */
export interface CommandLayout<C extends { readonly type: string }> {
  readonly type: C['type'];
  /** Never reused. */
  readonly code: number;
  /** Places from 1 on, without a gap. A field that is added later is optional and comes last: older rows end before it. */
  readonly fields: Readonly<Record<Exclude<keyof C, 'type'>, number>>;
}

export interface CommandDefinition<C extends { readonly type: string }, R> extends CommandLayout<C> {
  /**
   * Checks, then changes; a refusal has changed nothing.
   *
   * @param atMs world time of the command: `world.nowMs`, except for a tick, which moves that up to here
   */
  execute(world: World, command: C, atMs: number): R | Refusal;
}
