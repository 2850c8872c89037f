// The row of a lineage. A world that was never restored or forked has none.
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

export function* writeLineages({ lineages }: World): Generator<Row> {
  for (const { base, playersBefore } of lineages.list) yield [ROW_KINDS.lineage, base, playersBefore];
}

export function readLineage({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(3);
  world.lineages.begin({ base: row.integer('base', 1, world.seq), playersBefore: row.integer('players before') });
}
