// Folders whose checksums are right, and whose content this program would never have written: each command ends by itself, with a
// sentence. Without the limits on stored entries, the first one takes all memory, and the second ends in a stack trace.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { encodeCommand } from '../../engine/commands/table.js';
import { WORLD_TIME_MS_MAX } from '../../engine/rules/limits.js';
import { STANDARD_1_RULES } from '../../engine/rules/shipped.js';
import { type EntryList, encodeRecord, NO_PREVIOUS_HASH } from '../../persistence/log/batch-record.js';
import { LmdbLog } from '../../persistence/log/lmdb/lmdb-log.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { appendRecords } from '../support/log-writing.js';
import { type LinesTest, refused, serveArgs, testLines } from '../support/process/operator.js';
import { SOUND_COMMANDS } from '../support/sound-commands.js';

const GENESIS = encodeCommand(SOUND_COMMANDS.genesis);
const UNBOUNDED_RULES = JSON.stringify({ ...STANDARD_1_RULES.set, combatRoundsMax: 1_000_000_000 });

interface ForeignRow {
  readonly content: string;
  readonly entries: EntryList;
  readonly sentence: RegExp;
}

const ROWS: readonly ForeignRow[] = [
  {
    content: 'a command that creates 2^40 players',
    entries: [0, GENESIS, 0, [4, 2 ** 40, 'bot', []]],
    sentence: /seq 2 on: the entry there cannot be applied: .*count is 1099511627776; expected .* from 1 to 10000/,
  },
  {
    content: 'a world time beyond the year 9999',
    entries: [0, GENESIS, 9e15, [2]],
    sentence: /seq 1 on: the record there is not sound \(impossible_time\)/,
  },
  {
    content: 'rules by which a battle takes a billion rounds',
    entries: [0, GENESIS, WORLD_TIME_MS_MAX, encodeCommand({ type: 'switch_rules', rules: UNBOUNDED_RULES })],
    sentence: /seq 2 on: the entry there cannot be applied: .*its rule set is not sound/,
  },
];

t.test('a folder with content that no galaxyd writes is refused', async (t) => {
  const tests: LinesTest[] = [];
  for (const { content, entries, sentence } of ROWS) {
    const folder = await foreignFolder(t, entries);
    const to = join(await temporaryFolder(t), 'restored');
    tests.push({
      what: content,
      lines: [['verify', '--data', folder], ['restore', '--data', folder, '--to', to], serveArgs(folder)],
      check: (t, verify, ...refusals) => {
        t.equal(verify.code, 1);
        t.match(verify.stderr, sentence);
        for (const ending of refusals) refused(t, ending, 3, sentence);
      },
    });
  }
  await testLines(t, tests);
});

async function foreignFolder(t: Test, entries: EntryList): Promise<string> {
  const folder = join(await temporaryFolder(t), 'world');
  await mkdir(folder);
  const log = await LmdbLog.open(join(folder, 'log'));
  const record = { rulesVersion: 1, firstSeq: 1, count: entries.length / 2, previousHash: NO_PREVIOUS_HASH, entries };
  await appendRecords(log, [{ firstSeq: 1, bytes: encodeRecord(record) }]);
  await log.close();
  return folder;
}
