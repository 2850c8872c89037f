// The shape of a command, live and on disk. The commands of one subject share a file. Each has the checks in order of precedence, the
// commit line, and the changes.
import type { RowReader } from '../rows/row.js';
import type { Refusal } from '../terms/rejections.js';
import type { World } from '../world/state.js';

/** A value of a command on disk, alone or in a list. */
export type Primitive = string | number | boolean | null;

/** A command on disk: its number, then its fields in fixed order. */
export type CommandRow = readonly (Primitive | readonly Primitive[])[];

/** Reads the fields of a row. */
export type FieldReader = Pick<
  RowReader,
  'integer' | 'integerOrNull' | 'flag' | 'text' | 'textOrNull' | 'integers' | 'fewIntegers' | 'fewTexts'
>;

/** A command on disk: its number, and how its fields are read. */
export interface CommandLayout<C extends { readonly type: string }> {
  readonly type: C['type'];
  /** Never reused. */
  readonly code: number;
  /**
   * Returns the command of a row. It reads each field once, in the order of the row, and gives its limits: a row may come from a
   * foreign folder. The codec finds the places of the fields from this.
   *
   * @throws Error if a field is not of its type, or exceeds its limits
   */
  decode(row: FieldReader): C;
}

export interface CommandDefinition<C extends { readonly type: string }, R> extends CommandLayout<C> {
  /**
   * Checks, then changes. A refused command changes nothing.
   *
   * @param atMs world time of the command: `world.nowMs`, except for a tick, which advances `world.nowMs` up to it
   */
  execute(world: World, command: C, atMs: number): R | Refusal;
}

/** The fields of a command follow from how they are read. */
export function defineCommand<const C extends { readonly type: string }, R>(
  definition: CommandDefinition<C, R>,
): CommandDefinition<C, R> {
  return definition;
}

/**
 * Refuses a position that the rules do not have. A request names its types; a command from a foreign log has positions that may be of
 * other rules.
 *
 * @param types buildings, ships, drives or research of the rules
 * @throws Error
 */
export function requireType(types: readonly unknown[], position: number): void {
  if (position >= types.length) throw new Error(`the rules have ${types.length} such types, and none at ${position}`);
}

/** A command by its definition. */
export type CommandOf<D> = D extends CommandDefinition<infer C, infer _R> ? Readonly<C> : never;
