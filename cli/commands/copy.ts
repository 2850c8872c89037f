// galaxyd copy: copies a world to another store, also beside its running server, and moves it there with a short switch.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import { type CopiedWorld, copyWorld, type Following } from '../../persistence/upkeep/copy.js';
import { CopyLines } from '../copy-progress.js';
import { CommandFailed } from '../exit-codes.js';
import { operatorCommand, printResult, runToExitCode, size, withSignals } from '../operator-command.js';
import { storeUrl, WORLD_PLACE } from '../shared-options.js';

const NAME = 'copy';

interface CopyFlags {
  readonly from: string;
  readonly to: string;
  readonly follow?: true;
  readonly switch?: string;
  readonly json?: true;
}

export function copyCommand(): Command {
  return operatorCommand({
    name: NAME,
    summary: 'Copies a world to another store byte for byte, and can move it there beside its running server.',
    examples: [
      'galaxyd copy --from ./data --to postgres://galaxyd@db.example/world',
      'galaxyd copy --from postgres://galaxyd@db.example/world --to ./backup',
      "galaxyd copy --from ./data --to postgres://galaxyd@db.example/world --switch 'systemctl stop galaxyd'",
    ],
    remarks:
      'Records, snapshots and origin are copied as they are, so the copy has the same past with the same hashes. It appears\n' +
      'at once, after a replay of all of it has led to the state of the source. Nothing is ever overwritten, and if it is\n' +
      'interrupted, nothing is left. Without --follow it ends with what is durable now.\n\n' +
      'With --follow it goes on beside the server: it copies what the server writes, and ends once nobody serves the source.\n' +
      '--switch follows too, and runs a command that stops the server as soon as the copy has caught up. Then no process can\n' +
      'write to the source until the copy is complete, so nothing that was acknowledged is missing. Start the server on the\n' +
      'copy next, and never again on the source.',
  })
    .addOption(new Option('--from <place>', `${WORLD_PLACE} that is copied`).argParser(storeUrl).makeOptionMandatory())
    .addOption(
      new Option('--to <place>', 'where to put the copy: a missing or empty folder, or an unused postgres:// URL')
        .argParser(storeUrl)
        .makeOptionMandatory(),
    )
    .option('--follow', 'follow the server of the source until it is stopped')
    .option('--switch <command>', 'shell command that stops the server of the source; implies --follow')
    .action((flags: CopyFlags) => runToExitCode(NAME, () => copy(flags)));
}

async function copy(flags: CopyFlags): Promise<void> {
  const from = storeAt(flags.from);
  const to = storeAt(flags.to);
  const lines = new CopyLines(from.label, flags.switch !== undefined);
  const startedMs = performance.now();
  const copied = await withSignals('it was interrupted and leaves nothing behind', (signal) =>
    copyWorld({ from, to, signal, onProgress: lines.onProgress, ...followingOf(flags, lines) }),
  ).finally(() => lines.end());
  const { lastMs, lastSeq: seq, switchMs, ...rest } = copied;
  const result = {
    from: shownStoreUrl(flags.from),
    to: shownStoreUrl(flags.to),
    seq,
    worldTime: new Date(lastMs).toISOString(),
    ...rest,
    switchMs: switchMs === null ? null : Math.round(switchMs),
    durationMs: Math.round(performance.now() - startedMs),
  };
  printResult(flags, result, () => sentences(result));
}

function followingOf(flags: CopyFlags, lines: CopyLines): { readonly follow?: Following } {
  const { follow, switch: command } = flags;
  if (follow === undefined && command === undefined) return {};
  const { onReport } = lines;
  if (command === undefined) return { follow: { onReport } };
  const stopServer = async (): Promise<void> => {
    lines.tell(`stops the server: ${command}`);
    await runShell(command);
  };
  return { follow: { onReport, stopServer } };
}

/** Runs a command of the operator; its output goes to standard error. @throws CommandFailed */
async function runShell(command: string): Promise<void> {
  const shell = spawn('sh', ['-c', command], { stdio: ['ignore', process.stderr.fd, 'inherit'] });
  const [code, signal] = await once(shell, 'exit');
  if (code !== 0) throw new CommandFailed(`the command that stops the server ended with ${signal ?? code}: ${command}`);
}

interface Result extends Omit<CopiedWorld, 'lastSeq' | 'lastMs'> {
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  readonly worldTime: string;
}

function sentences({ from, to, seq, worldTime, ...copied }: Result): string[] {
  const { stateHash, recordHash, recordCount, byteCount, snapshotSeqs, isSourceInUse, switchMs } = copied;
  const parts = `${recordCount} records, snapshots: ${snapshotSeqs.length}, ${size(byteCount)}`;
  const lines = [
    `galaxyd copied ${from} to ${to}: seq ${seq} (${worldTime}), ${parts}`,
    `verified by a replay of the copy: state hash ${stateHash}, record hash ${recordHash}`,
  ];
  if (isSourceInUse) lines.push(`a server runs on ${from}: what it writes after seq ${seq} is not in the copy`);
  if (switchMs !== null) {
    lines.push(`the switch took ${(switchMs / 1000).toFixed(1)} s; the source is complete up to seq ${seq}`);
    lines.push(`start the server with --data ${to}, and never again with --data ${from}`);
  }
  return lines;
}
