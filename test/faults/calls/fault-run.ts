// One operation of galaxyd of which one system call fails, and the judgement of what it leaves behind: what was acknowledged is there after
// a restart, or the process ended before it answered; whatever is left opens, or is refused with a sentence.
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT_CODES } from '../../../cli/commands/exit-codes.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import type { Ending } from '../../support/process/galaxyd-process.js';
import { withOwner } from '../../support/process/with-owner.js';
import type { FolderOpener, Opening } from '../folder-opener.js';
import { MAKING, OPERATIONS, type OperationName, PREPARED, prepareWorld, type Stage } from './operations.js';
import { type CallError, type FailingCall, WATCHED_CALLS, type WatchedCall, WatchedCalls } from './watched-calls.js';

/** Something that fails once or from then on, in an operation. */
export interface PlannedFault {
  readonly operation: OperationName;
  /** The kind of step, of which the nth fails. */
  readonly call: string;
  readonly nth: number;
  readonly error: string;
  readonly fromThenOn: boolean;
}

/** Plans faults and lets operations meet them. */
export interface FaultSource<Planned extends PlannedFault> {
  /** Every fault of an operation. */
  faultsOf(operation: OperationName): Promise<Planned[]>;
  /** Lets the operation fail and judges what is left. */
  run(fault: Planned, opener: FolderOpener): Promise<FaultOutcome>;
}

export interface Fault extends FailingCall, PlannedFault {
  readonly call: WatchedCall;
  readonly error: CallError;
}

/** How the program ended: by itself, or it went on and the test has killed it. */
export type FaultEnding = 'goes on' | 'ends itself' | 'hangs' | `exit code ${number}` | `signal ${string}`;

export interface FaultOutcome {
  /** Calls that failed. */
  readonly failed: number;
  readonly ending: FaultEnding;
  /** A sentence for each promise that was not kept. */
  readonly faults: readonly string[];
}

/** Errors of one call, and whether they may last. A call that is interrupted for ever is tried for ever. */
const ERRORS: readonly (readonly [error: CallError, mayLast: boolean])[] = [
  ['EIO', true],
  ['ENOSPC', true],
  ['EACCES', true],
  ['EINTR', false],
  ['short', true],
];
const WRITES: ReadonlySet<WatchedCall> = new Set(['write', 'pwrite64', 'pwritev']);
const MAY_FAIL = WATCHED_CALLS.filter((call) => call !== 'send');
/** Printed before the process ends itself, followed by a stack. */
const FAIL_STOP = /^galaxyd stops: /m;
const STACK = /\n\s+at |node:internal/;
/** What lmdb prints of a failed write by itself. */
const OF_LMDB =
  /^(?:Write error: .*)?Error: .*\n\s+at Function.<anonymous> \(.*\/lmdb\/write\.js.*\) \{\n\s+code: \d+\n\}$/gm;
/**
 * If LMDB cannot open its own files after galaxyd could, lmdb frees memory twice (decision 6), and the C library aborts if it notices.
 * Nothing was answered by then.
 */
const OF_LMDB_OPENING: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT']);
const EXPECTED_CODES: ReadonlySet<number | null> = new Set(Object.values(EXIT_CODES).map(({ code }) => code));

export class FaultRuns implements FaultSource<Fault> {
  readonly #library: string;
  readonly #prepared: string;

  private constructor(library: string, prepared: string) {
    this.#library = library;
    this.#prepared = prepared;
  }

  /** @param place an empty folder for the world that the operations begin with */
  static async prepare(library: string, place: string): Promise<FaultRuns> {
    const runs = new FaultRuns(library, join(place, 'world'));
    await withStage(library, { world: join(place, 'world') }, prepareWorld);
    return runs;
  }

  /** Each of its calls, with each error, once and from then on. */
  async faultsOf(operation: OperationName): Promise<Fault[]> {
    return await withStage(this.#library, {}, async (stage) => {
      const ending = await this.#perform(operation, stage);
      if (ending !== null && ending.code !== 0)
        throw new Error(`without a fault, ${operation} fails: ${ending.stderr}`);
      const { counts } = stage.calls;
      return MAY_FAIL.flatMap((call) =>
        Array.from({ length: counts[call] }, (_, index) => index + 1).flatMap((nth) =>
          ERRORS.filter(([error]) => error !== 'short' || WRITES.has(call)).flatMap(([error, mayLast]) =>
            (mayLast ? [false, true] : [false]).map((fromThenOn) => ({ operation, call, nth, error, fromThenOn })),
          ),
        ),
      );
    });
  }

  async run(fault: Fault, opener: FolderOpener): Promise<FaultOutcome> {
    return await withStage(this.#library, { fault }, async (stage) => {
      const ending = await this.#perform(fault.operation, stage);
      const { failed } = stage.calls;
      const faults = [
        ...stage.faults,
        ...(ending === null ? [] : complaintsAbout(ending)),
        ...worldFaults(await opener.open(stage.world), OPERATIONS[fault.operation].from, stage),
      ];
      if (MAKING.has(fault.operation)) faults.push(...(await madeFaults(ending, stage, opener)));
      return { failed, ending: kindOf(ending), faults };
    });
  }

  async #perform(name: OperationName, stage: FolderStage): Promise<Ending | null> {
    const { from, perform } = OPERATIONS[name];
    await mkdir(stage.folder, { recursive: true });
    if (from === 'world') {
      await cp(this.#prepared, stage.world, { recursive: true, preserveTimestamps: true });
      stage.acknowledged.push(...PREPARED);
    }
    return await perform(stage);
  }
}

interface FolderStage extends Stage {
  /** Everything in it is watched. */
  readonly folder: string;
  readonly calls: WatchedCalls;
}

async function withStage<T>(
  library: string,
  { world, fault }: { world?: string; fault?: Fault },
  work: (stage: FolderStage) => Promise<T>,
): Promise<T> {
  return await withOwner(async (owner) => {
    const place = await temporaryFolder(owner);
    const folder = join(place, 'watched');
    const calls = new WatchedCalls(library, folder, place);
    const begin = (): void => {
      if (fault === undefined) calls.reset();
      else calls.fail(fault);
    };
    const worlds = { world: world ?? join(folder, 'world'), made: join(folder, 'made') };
    return await work({ owner, folder, calls, env: calls.env, begin, ...worlds, acknowledged: [], faults: [] });
  });
}

export function kindOf(ending: Ending | null): FaultEnding {
  if (ending === null) return 'goes on';
  const { code, signal, stderr } = ending;
  if (signal === 'SIGKILL' && FAIL_STOP.test(stderr)) return 'ends itself';
  return signal === null ? `exit code ${code ?? -1}` : `signal ${signal}`;
}

export function complaintsAbout(ending: Ending): string[] {
  const { code, signal, stderr } = ending;
  if (kindOf(ending) === 'ends itself') return [];
  const faults: string[] = [];
  if (signal !== null && !OF_LMDB_OPENING.has(signal)) faults.push(`it died of ${signal}: ${stderr}`);
  if (signal === null && !EXPECTED_CODES.has(code)) faults.push(`it ended with ${code}: ${stderr}`);
  if (STACK.test(stderr.replaceAll(OF_LMDB, ''))) faults.push(`it printed a stack: ${stderr}`);
  return faults;
}

export function worldFaults(
  { verified, opened }: Opening,
  from: 'nothing' | 'world',
  { acknowledged }: Stage,
): string[] {
  if (opened.kind === 'broken') return [`the world cannot be opened: ${opened.how}`];
  const mustOpen = from === 'world' || acknowledged.length > 0;
  if (opened.kind === 'refused') return mustOpen ? [`the world is refused: ${opened.sentence}`] : [];
  const lost = acknowledged.filter((name) => !opened.names.includes(name));
  const faults = lost.map((name) => `the player ${name} was acknowledged and is lost`);
  if (verified !== null && mustOpen) faults.push(`verify refuses the world: ${verified.sentence}`);
  return faults;
}

/** Checks the folder that a command has made. */
async function madeFaults(
  ending: Ending | null,
  { made, acknowledged }: Stage,
  opener: FolderOpener,
): Promise<string[]> {
  const isDone = ending?.code === 0;
  if (!existsSync(made)) return isDone ? ['it reported success and made nothing'] : [];
  const { opened } = await opener.open(made);
  if (opened.kind === 'broken') return [`what it made cannot be opened: ${opened.how}`];
  if (!isDone) return [];
  if (opened.kind === 'refused') return [`it reported success, and what it made is refused: ${opened.sentence}`];
  const lost = acknowledged.filter((name) => !opened.names.includes(name));
  return lost.map((name) => `it reported success, and the player ${name} is not in what it made`);
}
