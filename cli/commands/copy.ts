// galaxyd copy: copies a world to another store, also beside its running server, and can move it there with a short pause.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import {
  type CopiedWorld,
  type CopyProgress,
  copyWorld,
  type Following,
  type FollowReport,
} from '../../persistence/upkeep/copy.js';
import { COPY_LINE_EVERY_MS, COPY_PATIENCE_MS } from '../limits.js';
import { ProgressLine, RecoveryProgressBar } from '../output/progress.js';
import { grouped, size } from '../output/summaries.js';
import { operatorCommand, printResult, runToExitCode, withSignals } from './command.js';
import { CommandFailed } from './exit-codes.js';
import { storeUrl, WORLD_PLACE } from './options.js';

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
      'It copies records, snapshots and origin unchanged, so the copy has the same past with the same hashes. The copy appears\n' +
      'only once it is complete and a replay of it has reached the state of the source. Nothing is ever overwritten, and an\n' +
      'interruption leaves nothing behind. Without --follow the copy ends with what is durable now.\n\n' +
      'With --follow it continues beside the server, copies what the server writes, and ends once no process serves the source.\n' +
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
  const lines = new CopyReport(from.label, flags.switch !== undefined);
  const startedMs = performance.now();
  const copied = await withSignals((signal) =>
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

function followingOf(flags: CopyFlags, lines: CopyReport): { readonly follow?: Following } {
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

/** Runs a shell command of the operator. Its output goes to standard error. @throws CommandFailed */
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

/** Progress on standard error: what the copy reads and writes, then how far it is behind the server that it follows. */
class CopyReport {
  readonly #bar = new RecoveryProgressBar();
  readonly #line = new ProgressLine(COPY_LINE_EVERY_MS);
  readonly #from: string;
  readonly #stops: boolean;
  #state: FollowReport['state'] | null = null;
  #stateSinceMs = 0;
  #hasToldWaiting = false;

  /**
   * @param from label of the source
   * @param stops whether the copy runs a command that stops the server
   */
  constructor(from: string, stops: boolean) {
    this.#from = from;
    this.#stops = stops;
  }

  readonly onProgress: CopyProgress = (...progress) => {
    // Once the copy follows the server, its steps are too short to show.
    if (this.#state === null) this.#bar.showStep(...progress);
  };

  readonly onReport = ({ seq, behindEntries, state }: FollowReport): void => {
    if (this.#state === null) this.#tellFollowing(seq);
    if (state !== this.#state) {
      this.#state = state;
      this.#stateSinceMs = performance.now();
    }
    if (state === 'in_use') this.#tellWaiting();
    const place = `at seq ${grouped(seq)}, ${grouped(behindEntries)} entries behind`;
    this.#line.show(() => ({ onTerminal: `follows ${this.#from}: ${place}`, elsewhere: `follows: ${place}` }));
  };

  /** Writes a line that stays. */
  tell(sentence: string): void {
    this.#line.tell(sentence);
  }

  end(): void {
    this.#bar.end();
    this.#line.end();
  }

  #tellFollowing(seq: number): void {
    this.#bar.end();
    const next = this.#stops ? '' : '; stop the server when you like, and the copy ends with it';
    this.#line.tell(`copied and verified ${this.#from} up to seq ${seq}, and follows its server${next}`);
  }

  /** A server may need some seconds to finish what it has begun, so this waits before it warns. */
  #tellWaiting(): void {
    if (this.#hasToldWaiting || performance.now() - this.#stateSinceMs < COPY_PATIENCE_MS) return;
    this.#hasToldWaiting = true;
    this.#line.tell(`waits: a process still serves ${this.#from}, or has taken over there; stop all of them`);
  }
}
