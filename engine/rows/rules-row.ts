// The row of the world's rules. It directly follows the row of the world, because the lengths of the lists in other
// rows depend on it. A world without this row uses `standard-1`, as all worlds did before there were rule sets.
import { RULE_SET_BYTES_MAX } from '../rules/record-limits.js';
import { rulesFromText, STANDARD_1_RULES } from '../rules/shipped.js';
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

/** @returns null if the world uses `standard-1` */
export function writeRules({ rules }: World): Row | null {
  return rules.text === STANDARD_1_RULES.text ? null : [ROW_KINDS.rules, rules.text];
}

export function readRules({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  world.play(rulesFromText(row.text('rule set', RULE_SET_BYTES_MAX)));
}
