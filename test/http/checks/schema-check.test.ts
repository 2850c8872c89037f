// Checks of requests against their schemas: they refuse what has errors and nothing else, and cost no more than the errors that they show.
import t from 'tap';
import { compileRequestCheck } from '../../../http/checks/schema-check.js';
import { RECORDED } from '../../../http/documents/recorded-examples.js';
import { BATCH_OPERATIONS_MAX, SHAPE_ERRORS_SHOWN_MAX } from '../../../http/limits.js';
import { ROUTES } from '../../../http/routes/table.js';
import { BatchRequest } from '../../../http/schemas/requests.js';

/** Values of every JSON type. */
const ODD_VALUES: readonly unknown[] = [null, true, '', 'a', -1, 1.5, 1e300, [], [null], {}, { a: 1 }, 'x'.repeat(300)];

t.test('a request has shape errors if and only if it is refused', async (t) => {
  for (const { operationId, body } of ROUTES) {
    if (body === null) continue;
    const check = compileRequestCheck(body.schema, operationId);
    const example = RECORDED.operations[operationId]?.body as Readonly<Record<string, unknown>>;
    const variants = Object.keys(example).flatMap((key) => [
      ...ODD_VALUES.map((value) => ({ ...example, [key]: value })),
      Object.fromEntries(Object.entries(example).filter(([other]) => other !== key)),
    ]);
    const values: readonly unknown[] = [example, ...ODD_VALUES, { ...example, unknown: 1 }, ...variants];
    const wrong = values.filter((value) => check.accepts(value) !== (check.errors(value).length === 0));
    t.same(wrong, [], operationId);
  }
});

t.test('a refusal costs no more than the errors that it shows', async (t) => {
  const check = compileRequestCheck(BatchRequest, 'batch');
  let looks = 0;
  const counting = (items: unknown[]): unknown =>
    new Proxy(items, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) looks += 1;
        return Reflect.get(target, key);
      },
    });
  const tooMany = check.errors({ operations: counting(Array(500_000).fill(1)) });
  t.same(tooMany, [{ path: '/operations', message: `must not have more than ${BATCH_OPERATIONS_MAX} items` }]);
  t.equal(looks, 0);
  const wrong = check.errors({ operations: counting(Array(BATCH_OPERATIONS_MAX).fill(1)) });
  t.equal(wrong.length, SHAPE_ERRORS_SHOWN_MAX);
  t.same(wrong[0], { path: '/operations/0', message: 'must be an object, and is a number' });
  t.equal(looks, SHAPE_ERRORS_SHOWN_MAX);
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
  t.equal(
    check.errors({ operations: [{ method: 'GET', path: '/healthz' }], ...fields }).length,
    SHAPE_ERRORS_SHOWN_MAX,
  );
});
