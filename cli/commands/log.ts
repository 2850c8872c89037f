// galaxyd log: prints the log of a world, one JSON line per entry.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { lastSeqOf } from '../../persistence/log/batch-record.js';
import type { ReadableLog } from '../../persistence/log/log.js';
import { type LogEntry, logEntries } from '../../persistence/recovery/log-entries.js';
import { storeAt } from '../../persistence/store-url.js';
import { exitOnClosedPipe, streamLine } from '../output/lines.js';
import { operatorCommand, runToExitCode } from './command.js';
import { NotThere } from './exit-codes.js';
import type { LogWords } from './log-words.js';
import { dataOption, seq } from './options.js';

const NAME = 'log';
const FOLLOW_EVERY_MS = 200;

interface LogFlags {
  readonly data: string;
  readonly from?: number;
  readonly follow?: true;
}

export function logCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Prints the log, one JSON line per entry.',
    examples: [
      'galaxyd log --data ./data',
      'galaxyd log --data ./data --from 1000 --follow',
      'galaxyd log --data ./data | jq -c \'select(.type == "launch_fleet")\'',
    ],
    remarks:
      'Ids and names are those of the API. It may run beside the server. The log begins after the older of the two snapshots; everything before is deleted.\n' +
      'The lines are JSON with --json and without it. A --from right after the last entry prints nothing and is not an error.',
  })
    .addOption(dataOption())
    .addOption(new Option('--from <seq>', 'first entry (default: the oldest in the log)').argParser(seq))
    .option('--follow', 'wait for further entries and print them as they come')
    .action((flags: LogFlags) => runToExitCode(NAME, () => print(flags)));
}

async function print({ data, from, follow }: LogFlags): Promise<void> {
  exitOnClosedPipe();
  const store = storeAt(data);
  await store.requireWorld();
  const log = await store.openLog();
  try {
    let nextSeq = await firstToPrint(log, from, follow);
    // Loaded on demand: it knows the views of the API.
    const { LogWords } = await import('./log-words.js');
    const words = await LogWords.open(store, nextSeq);
    do {
      for await (const entry of logEntries(log, nextSeq)) {
        // A running server may have pruned entries that a slow reader had not reached yet.
        if (entry.seq !== nextSeq)
          throw new NotThere(`the entries from seq ${nextSeq} to ${entry.seq - 1} have been pruned`);
        await streamLine(line(entry, words));
        nextSeq = entry.seq + 1;
      }
      if (follow) {
        await sleep(FOLLOW_EVERY_MS);
        await log.refresh();
      }
    } while (follow);
  } finally {
    await log.close();
  }
}

/** @returns seq of the first entry to print. Right after the last entry there is nothing to print yet */
async function firstToPrint(log: ReadableLog, from: number | undefined, follow: true | undefined): Promise<number> {
  const firstSeq = log.firstSeq ?? 1;
  const newest = await log.last();
  const nextSeq = newest === undefined ? firstSeq : (lastSeqOf(newest.bytes) ?? newest.firstSeq) + 1;
  const wanted = from ?? firstSeq;
  if (wanted >= firstSeq && (wanted <= nextSeq || follow)) return wanted;
  const held =
    nextSeq === firstSeq ? `is empty and continues at seq ${firstSeq}` : `holds seqs ${firstSeq} to ${nextSeq - 1}`;
  throw new NotThere(`seq ${wanted} is not in the log, which ${held}`);
}

function line({ seq: entrySeq, atMs, command }: LogEntry, words: LogWords): string {
  return JSON.stringify({ seq: entrySeq, at: new Date(atMs).toISOString(), ...words.of(command) });
}
