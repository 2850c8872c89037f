// How a rule set is told from any other: name and version are what its author says, the digest is what it is.
import { createHash } from 'node:crypto';
import type { Rules } from '../engine/rules/rules.js';

/** Hexadecimal digits of a digest. */
const DIGEST_LENGTH = 16;

export interface RulesIdentity {
  readonly name: string;
  readonly version: number;
  /** Of SHA-256 over the text of the rule set (ruleSetText()), the first 16 hexadecimal digits. */
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
