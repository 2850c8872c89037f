// galaxyd verify: replays the whole log and checks every hash.
import type { Command } from 'commander';
import { storeAt } from '../../persistence/store-url.js';
import { verifyWorld } from '../../persistence/upkeep/verify.js';
import { printLines, tellLines } from '../output/lines.js';
import { counted, snapshotRow } from '../output/summaries.js';
import { type OperatorOptions, operatorCommand, printResult, runToExitCode, withProgress } from './command.js';
import { EXIT_CODES, failureOf, labelled } from './exit-codes.js';
import { dataOption } from './options.js';

const NAME = 'verify';

export function verifyCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Replays the whole log and checks every hash.',
    examples: ['galaxyd verify --data ./data', 'galaxyd verify --data ./data --json'],
    remarks:
      'It reads each snapshot whole, replays the log from its beginning, and compares the states at each snapshot.\n' +
      'It changes nothing, and may run beside the server. It reports the first thing that is wrong, with exit code 1. Damage\n' +
      'does not end a running server, which does the same every day (serve --verify-hours).',
  })
    .addOption(dataOption())
    .action((options: OperatorOptions) => runToExitCode(NAME, () => verify(options)));
}

const NOT_READ: ReadonlySet<number> = new Set([EXIT_CODES.unfit.code, EXIT_CODES.tryAgain.code]);

async function verify(options: OperatorOptions): Promise<void> {
  try {
    const world = await withProgress((onProgress) => verifyWorld(storeAt(options.data), onProgress));
    const { entryCount, lastSeq: seq, lastMs, stateHash } = world;
    const worldTime = new Date(lastMs).toISOString();
    const snapshots = world.snapshots.map(snapshotRow);
    printResult(options, { isSound: true, seq, worldTime, stateHash, entryCount, snapshots }, () => {
      const parts = `${counted(entryCount, 'entry', 'entries')} of the log and ${counted(snapshots.length, 'snapshot', 'snapshots')}`;
      return [`galaxyd found everything sound: ${parts}, up to seq ${seq} (${worldTime}), state hash ${stateHash}`];
    });
  } catch (error) {
    const failure = failureOf(error);
    // A world that cannot be read may be sound.
    if (failure === null || NOT_READ.has(failure.code)) throw error;
    if (options.json) printLines([JSON.stringify({ isSound: false, problem: failure.lines.join('\n') })]);
    else tellLines(labelled(`galaxyd ${NAME}`, failure.lines));
    process.exitCode = EXIT_CODES.failed.code;
  }
}
