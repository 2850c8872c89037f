// Instances of rule sets: sound for every seed, the same for the same seed, and never different in what is fixed.
import t from 'tap';
import { type RuleSet, ruleSetText } from '../../../engine/rules/rule-set.js';
import { SHIPPED_RULES } from '../../../engine/rules/shipped.js';
import { varied } from '../../../engine/rules/vary.js';
import { checkedRuleSet } from '../../../http/checks/rule-set-check.js';
import { CUSTOM } from '../../support/custom-rules.js';
import { shortOrLong } from '../../support/process/lengths.js';

/** `LONG=1` draws thousands. */
const SEEDS = shortOrLong(12, 2000);
const SETS: readonly RuleSet[] = [...SHIPPED_RULES.map(({ set }) => set), CUSTOM];
/** Seeds with both halves, and the largest. */
const LARGE_SEEDS = [2 ** 32 + 1, Number.MAX_SAFE_INTEGER];

t.test('every instance is sound, and has the structure of its rule set', async (t) => {
  for (const set of SETS) {
    for (const seed of [...Array(SEEDS).keys(), ...LARGE_SEEDS]) {
      const instance = varied(set, seed);
      const checked = checkedRuleSet(JSON.parse(ruleSetText(instance)));
      const wrong = [...('faults' in checked ? checked.faults : []), ...changed(set, instance)];
      if (wrong.length > 0) t.same(wrong, [], `${instance.name} is sound`);
    }
    t.pass(`${set.name}: ${SEEDS} instances`);
  }
});

t.test('a seed always gives the same instance, and another seed another one', async (t) => {
  for (const set of SETS) {
    const texts = [0, 1, 2, 3, ...LARGE_SEEDS].map((seed) => ruleSetText(varied(set, seed)));
    t.same(
      [0, 1, 2, 3, ...LARGE_SEEDS].map((seed) => ruleSetText(varied(set, seed))),
      texts,
    );
    t.equal(new Set([ruleSetText(set), ...texts]).size, texts.length + 1, 'all are different');
    t.notSame(varied(set, 1).buildings[1]?.baseCost, varied(set, 2).buildings[1]?.baseCost);
  }
});

t.test('names for people are different within an instance and between instances', async (t) => {
  const [set] = SETS as [RuleSet];
  const names = (seed: number): string[] => {
    const { buildings, ships, drives, research } = varied(set, seed);
    return [...buildings, ...ships, ...drives, ...research].map(({ displayName }) => displayName ?? '');
  };
  for (let seed = 0; seed < SEEDS; seed += 1) {
    const own = names(seed);
    t.equal(new Set(own).size, own.length, own.join(', '));
    t.ok(own.every((name) => /^[A-Z][a-z]{2,}( \d+)?$/.test(name)));
  }
  t.same(
    names(1).filter((name) => names(2).includes(name)),
    [],
  );
});

t.test('an instance of rules whose numbers leave no room differs in its names only', async (t) => {
  // No growth near this one is sound.
  const [set] = SETS as [RuleSet];
  const tight: RuleSet = { ...set, costGrowth: { numerator: 150, denominator: 100 } };
  const { name, costGrowth, starter } = varied(tight, 3);
  t.same(
    { name, costGrowth, starter },
    { name: `${set.name}-vary-3`, costGrowth: tight.costGrowth, starter: set.starter },
  );
});

/** What of a rule set must not change, and has. */
function changed(set: RuleSet, instance: RuleSet): string[] {
  const faults: string[] = [];
  const compare = (what: string, one: unknown, other: unknown): void => {
    if (JSON.stringify(one) !== JSON.stringify(other)) faults.push(what);
  };
  const fixed = ({ version, roles, colony, plans, h2SavingPercentPerLevel, h2UsePercentMin }: RuleSet): unknown => {
    return { version, roles, colony, plans, h2SavingPercentPerLevel, h2UsePercentMin };
  };
  compare('fixed parts', fixed(set), fixed(instance));
  compare('parts', Object.keys(set).sort(), Object.keys(instance).sort());
  const unnamed = ({ displayName: _, ...drive }: RuleSet['drives'][number]): unknown => drive;
  compare('drives', set.drives.map(unnamed), instance.drives.map(unnamed));
  for (const list of ['buildings', 'ships', 'research'] as const) {
    const types = (one: RuleSet): unknown => one[list].map(({ type }) => type);
    compare(list, types(set), types(instance));
  }
  compare('strengths', strengths(set), strengths(instance));
  for (const [place, { baseCost, baseOutput }] of set.buildings.entries()) {
    const other = instance.buildings[place];
    const isZero = (units: readonly number[] = []): boolean[] => units.map((each) => each === 0);
    compare(`resources of building ${place}`, isZero(baseCost), isZero(other?.baseCost));
    compare(`outputs of building ${place}`, isZero(baseOutput), isZero(other?.baseOutput));
  }
  return faults;
}

function strengths({ buildings, ships }: RuleSet): unknown {
  return [buildings.map(({ defence }) => defence?.strongAgainst), ships.map(({ strongAgainst }) => strongAgainst)];
}
