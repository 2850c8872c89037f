// The row of what `war` keeps of a player: until when it is protected, and what it destroyed. It follows the player's own row, or that of
// its keys. Players without either have none.
import { addDestroyedTo } from '../points.js';
import type { Player } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** @returns null if the player never was protected, or attacked, and destroyed nothing */
export function writeWar({ protectedUntilMs, destroyedUnits }: Player): Row | null {
  return protectedUntilMs === 0 && destroyedUnits === 0 ? null : [ROW_KINDS.war, protectedUntilMs, destroyedUnits];
}

export function readWar({ world, owner, points }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  if (world.rules.war === null) throw new Error('the rules have no war');
  if (owner.protectedUntilMs !== 0 || owner.destroyedUnits !== 0) throw new Error('the player has two such rows');
  const protectedUntilMs = row.integer('end of the protection');
  const destroyedUnits = row.integer('destroyed units');
  if (protectedUntilMs === 0 && destroyedUnits === 0) throw new Error('it says nothing');
  world.protectedUntilMs.set(owner.number, protectedUntilMs);
  world.destroyedUnits.set(owner.number, destroyedUnits);
  addDestroyedTo(points, world.rules, destroyedUnits);
}
