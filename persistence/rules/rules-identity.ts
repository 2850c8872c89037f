// Identifies a rule set: its author chooses name and version, the digest depends on its content.
import { createHash } from 'node:crypto';
import type { Rules } from '../../engine/rules/rules.js';

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

/** For people: `standard-1 version 1 (0123456789abcdef)`. */
export function rulesLabel(rules: Pick<Rules, 'set' | 'text'>): string {
  const { name, version, digest } = rulesIdentity(rules);
  return `${name} version ${version} (${digest})`;
}
