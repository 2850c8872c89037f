// The operator's records in a folder: a bound for each trail, and what a power cut leaves of a line.
import { appendFile, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { OPERATOR_TRAIL_BYTES_MAX } from '../../../persistence/limits.js';
import { OperatorFolder } from '../../../persistence/stores/operator-folder.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const LINE_LENGTH = 10_000;

t.test('a trail keeps its newest lines in two files', async (t) => {
  const path = join(await temporaryFolder(t), 'operator');
  const records = new OperatorFolder(path);
  const count = Math.ceil((3 * OPERATOR_TRAIL_BYTES_MAX.refusals) / LINE_LENGTH);
  const lineOf = (number: number): string => JSON.stringify({ number, filler: 'x'.repeat(LINE_LENGTH) });
  for (let number = 0; number < count; number += 1) await records.append('refusals', lineOf(number));
  await records.append('actions', '{"first":true}');
  const kept = (await new OperatorFolder(path).lines('refusals')).map(
    (line) => (JSON.parse(line) as { number: number }).number,
  );
  t.equal(kept.at(-1), count - 1);
  t.same(
    kept,
    Array.from(kept, (_, index) => (kept[0] ?? 0) + index),
    'without a gap',
  );
  t.ok(kept.length * LINE_LENGTH >= OPERATOR_TRAIL_BYTES_MAX.refusals - 2 * LINE_LENGTH, `${kept.length} lines`);
  t.ok(kept.length * LINE_LENGTH <= 2 * OPERATOR_TRAIL_BYTES_MAX.refusals);
  t.same((await readdir(path)).sort(), ['actions.jsonl', 'refusals.jsonl', 'refusals.jsonl.1']);
});

t.test('half a line is left out, and the next one begins anew', async (t) => {
  const path = join(await temporaryFolder(t), 'operator');
  await new OperatorFolder(path).append('actions', '{"number":1}');
  await appendFile(join(path, 'actions.jsonl'), '{"number":2');
  const records = new OperatorFolder(path);
  t.same(await records.lines('actions'), ['{"number":1}']);
  await records.append('actions', '{"number":3}');
  t.same(await records.lines('actions'), ['{"number":1}', '{"number":3}']);
});

t.test('nothing is written through a link', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'operator');
  const records = new OperatorFolder(path);
  await records.putDocument('{}');
  await writeFile(join(folder, 'precious'), 'precious');
  for (const name of ['actions.jsonl', 'blocked-addresses.json.partial'])
    await symlink(join(folder, 'precious'), join(path, name));
  await t.rejects(records.append('actions', '{}'), { name: 'UnfitFile' });
  await t.rejects(records.putDocument('{"blocks":[]}'), { name: 'UnfitFile' });
  t.equal(await readFile(join(folder, 'precious'), 'utf8'), 'precious');
  t.equal(await records.document(), '{}');
});
