// The rows of what retired players leave behind: the last number that a player has had, since numbers are never used again, and
// the starter planets that are free again. A world without retired players has no such rows.
import { PLAYER_NUMBER_MAX } from '../rules/record-limits.js';
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** @returns the last player number, then the keys in the order of the list */
export function* writeRetired({ retiredCount, lastPlayerNumber, freedStarters }: World): Generator<Row> {
  if (retiredCount === 0) return;
  yield [ROW_KINDS.retired, lastPlayerNumber];
  for (const key of freedStarters.keys) yield [ROW_KINDS.freed_starter, key];
}

export function readRetired(draft: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (draft.lastPlayerNumber !== null) throw new Error('there are two such rows');
  draft.lastPlayerNumber = row.integer('last player number', 1, PLAYER_NUMBER_MAX);
}

export function readFreedStarter({ world, lastPlayerNumber }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  if (lastPlayerNumber === null) throw new Error('nobody is retired');
  const key = row.integer('key');
  if (!world.universe.holds(key)) throw new Error(`the universe has no planet ${key}`);
  if (world.freedStarters.has(key)) throw new Error(`planet ${key} is listed twice`);
  world.freedStarters.add(key);
}
