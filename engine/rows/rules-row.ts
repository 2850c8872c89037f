// The row of the world's rules. It directly follows the row of the world, because the lengths of the lists in other
// rows depend on it.
import { RULE_SET_BYTES_MAX } from '../rules/record-limits.js';
import { rulesFromText } from '../rules/shipped.js';
import type { World } from '../state.js';
import { ROW_KINDS, type Row } from './row.js';
import type { RowReader } from './row-reader.js';
import type { WorldDraft } from './world-draft.js';

export function writeRules({ rules }: World): Row {
  return [ROW_KINDS.rules, rules.text];
}

export function readRules({ world }: WorldDraft, row: RowReader): void {
  row.requireLength(2);
  world.play(rulesFromText(row.text('rule set', RULE_SET_BYTES_MAX)));
}
