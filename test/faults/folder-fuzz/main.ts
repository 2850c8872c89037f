// `npm run folder-fuzz`: makes data folders whose checksums are right and whose content no galaxyd would write, opens each, and prints the
// outcomes. It exits with 1 if a promise was not kept.
import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../../bench/option-values.js';
import { Progress } from '../../../bench/runner/progress.js';
import { tableText } from '../../../bench/runner/table.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { OPTION_MAX, seedOption } from '../../support/process/drawn-options.js';
import type { Owner } from '../../support/process/galaxyd-process.js';
import { withOwner } from '../../support/process/with-owner.js';
import { FolderOpener } from '../folder-opener.js';
import { type FuzzedFolder, FuzzRun, OPENING_MS_MAX } from './fuzz-run.js';
import { MUTATIONS } from './mutations.js';
import { soundFolders } from './sound-folders.js';

const FOLDERS = 10_000;
/** Progress is shown this often. */
const FOLDERS_PER_STEP = 100;

const { seed, seconds, folders, json } = new Command('folder-fuzz')
  .description('Makes data folders that no galaxyd would write, with checksums that are right, and opens each.')
  .addOption(seedOption('folders'))
  .addOption(new Option('--seconds <number>', 'ends after this time').argParser(wholeNumber(1, OPTION_MAX)))
  .addOption(new Option('--folders <number>', 'folders').default(FOLDERS).argParser(wholeNumber(1, OPTION_MAX)))
  .option('--json', 'prints JSON', false)
  .allowExcessArguments(false)
  .parse()
  .opts<{ seed: number; seconds?: number; folders: number; json: boolean }>();

const startedMs = performance.now();
process.exitCode = await withOwner(runAll);

async function runAll(owner: Owner): Promise<number> {
  const progress = new Progress(Math.ceil(folders / FOLDERS_PER_STEP), process.stderr, 'folder-fuzz');
  progress.say(`${folders} folders; --seed ${seed} draws the same ones`);
  const sound = await soundFolders(owner, await temporaryFolder(owner));
  const judged: FuzzedFolder[] = [];
  let next = seed;
  const work = async (): Promise<void> => {
    const run = await FuzzRun.begin(owner, new FolderOpener(owner, { openingMs: OPENING_MS_MAX }), sound);
    while (next < seed + folders && !isOver()) {
      const folderSeed = next;
      next += 1;
      const folder = await run.judge(folderSeed);
      judged.push(folder);
      for (const fault of folder.faults)
        console.error(`folder-fuzz: --seed ${folderSeed} --folders 1, ${folder.what}, ${folder.how}: ${fault}`);
      if (judged.length % FOLDERS_PER_STEP === 0) progress.step(`${judged.length} folders`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  progress.end();
  const rows = MUTATIONS.map(({ what }) => rowOf(what, judged));
  const faulty = judged.filter(({ faults }) => faults.length > 0).length;
  const figures = { seed, folders: judged.length, seconds: secondsPassed(), faulty };
  if (json) console.log(JSON.stringify({ ...figures, rows }, null, 2));
  else
    console.log(
      `${tableText(rows)}\n${judged.length} folders in ${figures.seconds} s: ${faulty} with promises not kept`,
    );
  return faulty === 0 ? 0 : 1;
}

function rowOf(what: string, judged: readonly FuzzedFolder[]): Record<string, string | number> {
  const folders = judged.filter((folder) => folder.what === what);
  const count = (wanted: FuzzedFolder['outcome']): number => folders.filter(({ outcome }) => outcome === wanted).length;
  return {
    what,
    folders: folders.length,
    opened: count('opened'),
    refused: count('refused'),
    broken: count('broken'),
    'not kept': folders.filter(({ faults }) => faults.length > 0).length,
    'slowest ms': Math.round(Math.max(0, ...folders.map(({ openingMs }) => openingMs))),
  };
}

function isOver(): boolean {
  return seconds !== undefined && secondsPassed() >= seconds;
}

function secondsPassed(): number {
  return Math.round((performance.now() - startedMs) / 1_000);
}
