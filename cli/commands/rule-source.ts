// Reads the rule set that the command line names: a built-in one, or a file.
import { RULE_SET_BYTES_MAX } from '../../engine/rules/record-limits.js';
import { Rules } from '../../engine/rules/rules.js';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { varied } from '../../engine/rules/vary.js';
import { checkedRuleSet } from '../../http/checks/rule-set-check.js';
import { openPlainFile } from '../../persistence/files/plain-file.js';
import { withoutByteOrderMark } from '../../text/foreign-text.js';
import { RuleSetUnsound } from './exit-codes.js';
import { UnfitOperatorFile } from './operator-file.js';

/**
 * @param source the name of a built-in rule set, else a path
 * @param variation seed of the instance; without it, the rules are used as they are
 * @throws RuleSetUnsound, UnfitOperatorFile
 * @throws UnfitFile, or an Error of the operating system, if the file cannot be read
 */
export async function rulesOf(source: string, variation?: number): Promise<Rules> {
  const rules = await unvariedRules(source);
  if (variation === undefined) return rules;
  // If the numbers of a file are large, those of an instance may be too large.
  const checked = checkedRuleSet(varied(rules.set, variation));
  if ('faults' in checked) throw new RuleSetUnsound(`${source}, varied by ${variation},`, checked.faults);
  return new Rules(checked.set);
}

async function unvariedRules(source: string): Promise<Rules> {
  const shipped = SHIPPED_RULES.find(({ set }) => set.name === source);
  if (shipped !== undefined) return shipped;
  const checked = checkedRuleSet(parsed(source, await textOf(source)));
  if ('faults' in checked) throw new RuleSetUnsound(source, checked.faults);
  return new Rules(checked.set);
}

/** @throws UnfitOperatorFile if there is no such file */
async function textOf(path: string): Promise<string> {
  const file = await openPlainFile(path, RULE_SET_BYTES_MAX).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const names = SHIPPED_RULES.map(({ set }) => set.name).join(', ');
    throw new UnfitOperatorFile(`${path}: there is no such file, and the rule sets with a name are ${names}`);
  });
  try {
    return withoutByteOrderMark(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

function parsed(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RuleSetUnsound(source, [{ path: '', message: `it is not JSON: ${(error as SyntaxError).message}` }]);
  }
}
