// The rules that the world plays by, right behind the row of the world: how long the lists in other rows are rests on them. A world
// without this row plays by `standard-1`, as all did before there were rule sets.
import { rulesFromText, STANDARD_1_RULES } from '../rules/shipped.js';
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** @returns null if the world plays by `standard-1` */
export function writeRules({ rules }: World): Row | null {
  return rules.text === STANDARD_1_RULES.text ? null : [ROW_KINDS.rules, rules.text];
}

export function readRules({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  world.play(rulesFromText(row.text('rule set')));
}
