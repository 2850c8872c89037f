// Rule sets that were shipped never change: worlds from before rule sets name no rules and play by `standard-1`.
import t from 'tap';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { rulesIdentity } from '../../persistence/rules-identity.js';

t.test('every shipped rule set is what it was when it was shipped', async (t) => {
  // standard-2 joins them when its numbers stand.
  const settled = SHIPPED_RULES.filter(({ set }) => set.name !== 'standard-2');
  t.same(settled.map(rulesIdentity), [{ name: 'standard-1', version: 1, digest: 'aff36b2dace09859' }]);
});
