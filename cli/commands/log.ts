// galaxyd log: prints the log of a world, one JSON line an entry.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { placesOf } from '../../persistence/data-folder.js';
import { LmdbLog } from '../../persistence/lmdb-log.js';
import { type LogEntry, logEntries } from '../../persistence/log-entries.js';
import { operatorCommand, runToExitCode } from '../operator-command.js';
import { dataOption, seq } from '../shared-options.js';

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
    summary: 'Prints the log, one JSON line an entry.',
    examples: [
      'galaxyd log --data ./data',
      'galaxyd log --data ./data --from 1000 --follow',
      'galaxyd log --data ./data | jq -c \'select(.type == "launch_fleet")\'',
    ],
    remarks:
      'It may run beside the server. The log begins where the older of the two snapshots ends; before that, nothing is left.',
  })
    .addOption(dataOption())
    .addOption(new Option('--from <seq>', 'first entry (default: the first there is)').argParser(seq))
    .option('--follow', 'wait for further entries and print them as they come')
    .action((flags: LogFlags) => runToExitCode(NAME, () => print(flags)));
}

async function print({ data, from = 1, follow }: LogFlags): Promise<void> {
  endQuietlyWhenNobodyReads();
  const log = await LmdbLog.openReadOnly(placesOf(data).logPath);
  try {
    let nextSeq = from;
    do {
      for await (const entry of logEntries(log, nextSeq)) {
        await write(`${line(entry)}\n`);
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

function line({ seq: entrySeq, atMs, command }: LogEntry): string {
  return JSON.stringify({ seq: entrySeq, at: new Date(atMs).toISOString(), ...command });
}

/** Waits for a slow reader instead of keeping what it has not read. */
function write(text: string): Promise<void> | undefined {
  if (process.stdout.write(text)) return undefined;
  return new Promise((resolve) => process.stdout.once('drain', resolve));
}

/** `galaxyd log | head` is no failure. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
