// Bodies that are read without JSON.parse: what is read must be exactly what JSON.parse and the check of the schema give, for every
// operation and every text; and what clients usually send must be read so.
import t from 'tap';
import { STANDARD_1_RULES } from '../../../engine/rules/shipped.js';
import { compileRequestCheck, type RequestCheck, withTypeNames } from '../../../http/checks/schema-check.js';
import { RECORDED } from '../../../http/documents/recorded-examples.js';
import { ROUTES } from '../../../http/routes/table.js';
import { variantsOf } from '../support/text-variants.js';

/** The frame before a body; positions are relative to the frame. */
const BEFORE = '{"body":';
const AFTER = ',"prefer":"return=minimal"}';

/** Their bodies have other values than ids, names and integers, or names that must match a pattern. */
const PARSED = [
  'announce',
  'blockAddress',
  'blockPlayer',
  'renamePlayer',
  'createPlayer',
  'launchFleet',
  'makeOffer',
  'simulateLaunch',
  'retireInactivePlayers',
  'runBatch',
  'sendMessage',
  'advanceClock',
  'switchRules',
  'setSpeed',
  'createPlayers',
  'moveReplay',
  'putPlan',
  'beginTurns',
  'endTurn',
];

const CHECKS: readonly (readonly [operationId: string, check: RequestCheck, example: object])[] = ROUTES.flatMap(
  ({ operationId, body }) => {
    if (body === null) return [];
    const check = compileRequestCheck(withTypeNames(body.schema, STANDARD_1_RULES), operationId);
    return [[operationId, check, RECORDED.operations[operationId]?.body as object] as const];
  },
);

/** What is read of a body inside a frame. */
function read({ readPlain }: RequestCheck, text: string): unknown {
  return readPlain?.(BEFORE + text + AFTER, BEFORE.length, BEFORE.length + text.length);
}

/** What JSON.parse and the schema make of it; undefined if it is refused. */
function parsed(check: RequestCheck, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return check.accepts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Texts that differ from a body in one character, or in one value. */
function* variants(example: object): Generator<string> {
  const text = JSON.stringify(example);
  yield* variantsOf(text);
  for (const [name, value] of Object.entries(example)) {
    for (const other of [
      '',
      'a',
      'x'.repeat(64),
      'x'.repeat(65),
      0,
      1,
      -1,
      2 ** 53,
      1e15,
      10 ** 15 - 1,
      null,
      {},
      [],
      [value],
    ]) {
      yield JSON.stringify({ ...example, [name]: other });
    }
    yield `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
  }
  yield JSON.stringify(Object.fromEntries(Object.entries(example).reverse()));
}

t.test('a body is read as JSON.parse and its schema would', async (t) => {
  let readCount = 0;
  for (const [operationId, check, example] of CHECKS) {
    const withPlayer = { ...example, playerId: 'player-1' };
    const texts = ['{}', '', '[]', ...variants(example), ...variants(withPlayer)];
    const wrong = texts.filter((text) => {
      const value = read(check, text);
      if (value !== undefined) readCount += 1;
      return value !== undefined && JSON.stringify(value) !== JSON.stringify(parsed(check, text));
    });
    t.same(wrong, [], operationId);
  }
  t.ok(readCount > 500, `${readCount} texts were read`);
});

t.test('the bodies of nearly all commands are read so', async (t) => {
  const slow = CHECKS.filter(([, check, example]) => read(check, JSON.stringify(example)) === undefined);
  t.same(slow.map(([operationId]) => operationId).sort(), [...PARSED].sort());
});
