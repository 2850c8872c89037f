// galaxyd restore and galaxyd fork: make a new world from another one or from a copied snapshot.
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import type { ReplayEnd } from '../../persistence/recovery/replay.js';
import { SnapshotFolder } from '../../persistence/snapshots/snapshot-files.js';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import type { Origin } from '../../persistence/stores/origin.js';
import { type RestoreSource, restoreWorld } from '../../persistence/upkeep/restore.js';
import { operatorCommand, printResult, runToExitCode, withProgress } from './command.js';
import { WrongUsage } from './exit-codes.js';
import { dataOption, seq, storeUrl, WORLD_PLACE, worldTime } from './options.js';

interface RestoreFlags {
  readonly data?: string;
  readonly from?: string;
  readonly to: string;
  readonly untilSeq?: number;
  readonly untilTime?: number;
  readonly json?: true;
}

export function restoreCommand(): Command {
  return operatorCommand({
    name: 'restore',
    summary: 'Makes a new world from an earlier state of another one.',
    examples: [
      'galaxyd restore --data ./data --to ./earlier --until-seq 120000',
      'galaxyd restore --data ./data --to ./earlier --until-time 2026-11-21T08:30:00Z',
      'galaxyd restore --data ./data --from 100000 --to ./earlier',
      'galaxyd restore --from /backup/snapshot-0000000000100000 --to ./data',
    ],
    remarks:
      '--from names a snapshot by its seq, or by the path of its folder, which may be a copy; a path needs no --data.\n' +
      'Without --from it begins with the best snapshot. Without --until it stops at the snapshot that --from names, else at\n' +
      'the last durable entry. An instant after the last entry gives the world as of that entry.\n' +
      'Nothing is ever overwritten, and the source may be in use. /api/status of the new world shows its origin.',
  })
    .option('--data <place>', `${WORLD_PLACE} that is restored`, storeUrl)
    .option('--from <snapshot>', 'seq of a snapshot, or the path of its folder')
    .addOption(toOption())
    .option('--until-seq <seq>', 'last entry of the log that is replayed', seq)
    .addOption(
      new Option('--until-time <instant>', 'latest world time of a replayed entry, ISO 8601')
        .argParser(worldTime)
        .conflicts('untilSeq'),
    )
    .action((flags: RestoreFlags) => runToExitCode('restore', () => make('restore', flags)));
}

export function forkCommand(): Command {
  return operatorCommand({
    name: 'fork',
    summary: 'Makes a new world from the present state of a running or stopped one.',
    examples: ['galaxyd fork --data ./data --to ./experiment'],
    remarks:
      'The new world has the players, keys and clock of the other one, and its own future. Both can be served at once, on\n' +
      'different ports. /api/status of the new world shows its origin.',
  })
    .addOption(dataOption())
    .addOption(toOption())
    .action((flags: RestoreFlags) => runToExitCode('fork', () => make('fork', flags)));
}

function toOption(): Option {
  return new Option(
    '--to <place>',
    'where to put the new world: a missing or empty folder, or an unused postgres:// URL',
  )
    .argParser(storeUrl)
    .makeOptionMandatory();
}

async function make(kind: Origin['kind'], flags: RestoreFlags): Promise<void> {
  const until = untilOf(flags);
  const source = sourceOf(flags);
  const origin = await withProgress((onProgress) =>
    restoreWorld({ kind, source, to: storeAt(flags.to), ...(until === undefined ? {} : { until }), onProgress }),
  );
  const to = shownStoreUrl(flags.to);
  printResult(flags, { ...origin, to }, () => [
    `galaxyd made ${to}: seq ${origin.seq} of ${origin.from}, world time ${origin.worldTime}, state hash ${origin.stateHash}`,
    `serve it with: ${serving()} --data ${to}`,
  ]);
}

/** What serves a world, in the way in which this command was started: as a script of a clone, or as a program. */
function serving(): string {
  return process.env['npm_lifecycle_event'] === 'galaxyd' ? 'npm start --' : 'galaxyd serve';
}

function untilOf({ untilSeq, untilTime }: RestoreFlags): ReplayEnd | undefined {
  if (untilSeq !== undefined) return { seq: untilSeq };
  return untilTime === undefined ? undefined : { atMs: untilTime };
}

/** Accepts a snapshot's seq, the name of its folder in the data folder, or the path of its folder. */
function sourceOf({ data, from }: RestoreFlags): RestoreSource {
  const source = data === undefined ? {} : { store: storeAt(data) };
  if (from === undefined) {
    if (data === undefined) throw new WrongUsage('name a world with --data, or a snapshot with --from');
    return source;
  }
  const named = /^\d{1,16}$/.test(from) ? Number(from) : existsSync(from) ? null : SnapshotFolder.seqOf(from);
  if (named === null) return { ...source, snapshot: from };
  if (data === undefined) throw new WrongUsage(`there is no folder ${from}; a seq needs --data as well`);
  return { ...source, snapshot: named };
}
