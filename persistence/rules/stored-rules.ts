// Rule sets in logs and snapshots: they get the checks of a rule set in a request, because the folder may be a foreign one.

import { createHash } from 'node:crypto';
import { GENESIS } from '../../engine/commands/genesis.js';
import { switchRules } from '../../engine/commands/rules.js';
import type { Command } from '../../engine/commands/table.js';
import { ROW_KINDS, type Row } from '../../engine/rows/row.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import type { Rules } from '../../engine/rules/rules.js';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { ruleSetFaults } from '../../engine/rules/soundness.js';
import { Compile } from '../typebox.js';
import { RuleSet as RuleSetSchema } from './rule-set-schema.js';

/** @throws Error if an entry of a log brings rules that no world can use */
export function requireSoundRulesOf(command: Command): void {
  if (command.type !== GENESIS.type && command.type !== switchRules.type) return;
  if (command.rules !== undefined) requireSoundRules(command.rules);
}

/** @throws Error if a row of a snapshot holds rules that no world can use */
export function requireSoundRulesIn([kind, text]: Row): void {
  if (kind === ROW_KINDS.rules && typeof text === 'string') requireSoundRules(text);
}

function requireSoundRules(text: string): void {
  if (SHIPPED_RULES.some((rules) => rules.text === text)) return;
  const set: unknown = JSON.parse(text);
  const isOfShape = Compile(RuleSetSchema).Check(set);
  const [fault] = isOfShape
    ? ruleSetFaults(set as RuleSet)
    : [{ path: '', message: 'it does not have the shape of one' }];
  if (fault !== undefined) throw new Error(`its rule set is not sound: ${fault.path} ${fault.message}`);
}

/** Hexadecimal digits of a digest. */
const DIGEST_LENGTH = 16;

export interface RulesIdentity {
  readonly name: string;
  readonly version: number;
  /** The first 16 hexadecimal digits of the SHA-256 of the rule set's text (ruleSetText()). */
  readonly digest: string;
}

export function rulesIdentity({ set, text }: Pick<Rules, 'set' | 'text'>): RulesIdentity {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);
  return { name: set.name, version: set.version, digest };
}

/** A label for people: `standard-1 version 1 (0123456789abcdef)`. */
export function rulesLabel(rules: Pick<Rules, 'set' | 'text'>): string {
  const { name, version, digest } = rulesIdentity(rules);
  return `${name} version ${version} (${digest})`;
}
