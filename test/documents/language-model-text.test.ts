// /llms.txt is complete, short enough for the shipped rules by a margin, and cut for the longest rules there can be.
import t from 'tap';
import { TYPE_NAME_LENGTH_MAX, TYPES_PER_LIST_MAX } from '../../engine/rules/limits.js';
import { RULE_TEXT_LENGTH_MAX } from '../../engine/rules/record-limits.js';
import type { RuleSet } from '../../engine/rules/rule-set.js';
import { Rules } from '../../engine/rules/rules.js';
import { SHIPPED_RULES, STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { ruleSetFaults } from '../../engine/rules/soundness.js';
import { STANDARD_1 } from '../../engine/rules/standard-1.js';
import { hasMission, MISSIONS } from '../../engine/terms/missions.js';
import type { WorldSettings } from '../../engine/world/state.js';
import { languageModelText } from '../../http/documents/language-model-text.js';
import { LANGUAGE_MODEL_TEXT_LENGTH_MAX } from '../../http/limits.js';
import { errorsOf } from '../../http/pipeline/route.js';
import { ROUTES } from '../../http/routes/table.js';
import { CUSTOM_RULES } from '../support/custom-rules.js';
import { PARTS_RULES } from '../support/parts-rules.js';

/** Characters left for operations that are added later. */
const MARGIN = 2_500;
const SETTINGS: WorldSettings = {
  seed: 1,
  speedThousandths: 60_000,
  systemsPerGalaxy: 300,
  startMs: 0,
  rulesVersion: 1,
};

const longText = 'long '.repeat(RULE_TEXT_LENGTH_MAX / 5).trim();

/** The standard rules with as many types, and as long texts, as a rule set can have. */
const LONGEST: RuleSet = {
  ...STANDARD_1,
  name: 'longest',
  buildings: filled(STANDARD_1.buildings).map((rule) => ({ ...rule, description: longText })),
  ships: filled(STANDARD_1.ships),
  drives: filled(STANDARD_1.drives),
  research: filled(STANDARD_1.research).map((rule) => ({ ...rule, unlocks: longText })),
};

function filled<T extends { readonly type: string }>(rules: readonly T[]): T[] {
  const more = Array.from({ length: TYPES_PER_LIST_MAX - rules.length }, (_, index) => ({
    ...(rules.at(-1) as T),
    type: `type_${index}_`.padEnd(TYPE_NAME_LENGTH_MAX, 'x'),
  }));
  return [...rules, ...more];
}

t.test('it names every operation of a player with its errors, and every type of the rules', async (t) => {
  const text = languageModelText(SETTINGS, CUSTOM_RULES);
  const ofPlayers = ROUTES.filter(({ access, tag }) => access !== 'admin' && tag !== 'service' && tag !== 'replay');
  for (const route of ofPlayers) {
    t.ok(text.includes(`\`${route.method} ${route.path}`), `${route.method} ${route.path}`);
    for (const code of errorsOf(route)) t.ok(text.includes(`\`${code}\``), code);
  }
  t.notMatch(text, '/api/admin/', 'what only the operator does is left out');
  t.notMatch(text, '/api/replay', 'and what is asked of the past');
  const { buildings, ships, research, drives } = CUSTOM_RULES;
  for (const { type } of [...buildings, ...ships, ...research, ...drives]) t.ok(text.includes(`\n| ${type} |`), type);
  for (const mission of MISSIONS.filter((name) => hasMission(CUSTOM_RULES.set, name)))
    t.ok(text.includes(`\`${mission}\``), mission);
  t.match(text, 'at speed 60:', 'it is about the world that is served');
  t.match(text, 'base x 1.3^(L-1)', 'and about its rules');
});

t.test('for the shipped rules it stays below its limit, with room for more', async (t) => {
  for (const rules of SHIPPED_RULES) {
    const { length } = languageModelText(SETTINGS, rules);
    t.comment(`${rules.set.name}: ${length} characters`);
    t.ok(length < LANGUAGE_MODEL_TEXT_LENGTH_MAX - MARGIN, rules.set.name);
  }
});

t.test('it tells what the parts of a rule set add, and nothing of parts that are not there', async (t) => {
  const text = languageModelText(SETTINGS, PARTS_RULES);
  const plain = languageModelText(SETTINGS, STANDARD_1_RULES);
  for (const sentence of [
    'A plan has up to 50 steps',
    'one more for each 2 levels of administration',
    'strong against',
    '+7 % a level',
  ]) {
    t.ok(text.includes(sentence), sentence);
    t.notOk(plain.includes(sentence), sentence);
  }
});

t.test('for the longest rules it is cut at a line, says so, and keeps all that follows', async (t) => {
  t.same(ruleSetFaults(LONGEST), []);
  const text = languageModelText(SETTINGS, new Rules(LONGEST));
  t.ok(text.length <= LANGUAGE_MODEL_TEXT_LENGTH_MAX, `${text.length} characters`);
  t.match(text, '|\n(Cut: these rules are too long for this text.');
  const short = languageModelText(SETTINGS, STANDARD_1_RULES);
  t.ok(text.endsWith(short.slice(short.indexOf('\n## Operations'))));
});
