// Rule sets that were shipped never change: worlds from before rule sets name no rules and play by `standard-1`.
import t from 'tap';
import { SHIPPED_RULES } from '../../engine/rules/shipped.js';
import { rulesIdentity } from '../../persistence/rules/stored-rules.js';

t.test('every shipped rule set is what it was when it was shipped', async (t) => {
  t.same(SHIPPED_RULES.map(rulesIdentity), [
    { name: 'standard-1', version: 1, digest: 'aff36b2dace09859' },
    { name: 'standard-2', version: 1, digest: '8c64c5779f073558' },
  ]);
});
