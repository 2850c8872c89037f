// The command line of the bench: what is to be measured, how long and in what worlds. It starts nothing.
import { Argument, Command, Option } from 'commander';
import type { LoaderName } from './end-to-end/closed-loop.js';
import type { EndToEndPlan, PeerName } from './end-to-end/end-to-end-run.js';
import { MIX_NAMES, type MixName } from './end-to-end/mixes.js';
import type { OpenLoopPlan } from './end-to-end/open-loop-rounds.js';
import { HOSTILE_NAMES, type HostileName } from './hostile/hostile-loads.js';
import type { HostilePlan } from './hostile/hostile-run.js';
import type { Transport } from './hostile/hostile-world.js';
import {
  CLOSED_LOOP_SECONDS_MAX,
  CONNECTIONS_MAX,
  HOSTILE_SECONDS_DEFAULT,
  OPEN_LOOP_SECONDS_MAX,
  PLAYERS_MAX,
  RATE_MAX,
  ROUNDS_DEFAULT,
  ROUNDS_MAX,
} from './limits.js';
import { isOneOf, nameOf, share, wholeNumber, wholeNumbers } from './option-values.js';
import type { SnapshotPlan } from './snapshots/snapshot-run.js';
import { UNIT_GROUP_NAMES, UNIT_GROUP_SIZES, type UnitGroupName } from './units/group-sizes.js';
import type { UnitTask } from './units/unit-case.js';

/** What a run of the bench does: measure, or write what was measured into the documents. */
export type BenchPlan = MeasuringPlan | { readonly kind: 'report'; readonly files: readonly string[] };

export interface MeasuringPlan {
  readonly kind: 'measure';
  readonly units: readonly UnitTask[];
  readonly endToEnd: EndToEndPlan | undefined;
  readonly openLoop: OpenLoopPlan | undefined;
  readonly snapshots: SnapshotPlan | undefined;
  readonly hostile: HostilePlan | undefined;
  readonly durability: 'durable' | 'relaxed';
  readonly loader: LoaderName | undefined;
  readonly isJson: boolean;
  /** Whether the result goes where chosen results are committed, and not to the local ones. */
  readonly isChosen: boolean;
}

interface Flags {
  readonly full: boolean;
  readonly json: boolean;
  readonly choose: boolean;
  readonly seed: number;
  readonly players?: number[];
  readonly connections?: number[];
  readonly seconds?: number;
  readonly rounds: number;
  readonly rate?: number;
  readonly share: number;
  readonly only: string;
  readonly peers: PeerName[];
  readonly loader?: LoaderName;
  readonly durability: 'durable' | 'relaxed';
  readonly transport?: Transport;
}

/** Sizes and times of the short and of the full form. */
const FORMS = {
  short: { players: [10_000], connections: undefined, closedSeconds: 1, openSeconds: 5 },
  full: { players: [1_000, 100_000, 1_000_000], connections: [1, 64, 256, 1_024], closedSeconds: 4, openSeconds: 60 },
} as const;
/** What the short form sends in an open loop. */
const SHORT_OPEN_MIXES: readonly MixName[] = ['read', 'upgrade-cancel'];
const PEERS: readonly PeerName[] = ['bare', 'sql'];
const SOAK = { share: 0.8, seconds: 600, windowSeconds: 10, players: 100_000 } as const;
const SHARE_DEFAULT = 0.5;

const OPTIONS = {
  full: new Option('--full', 'all sizes and longer runs: an hour and more instead of minutes').default(false),
  json: new Option('--json', 'print one JSON object instead of tables').default(false),
  choose: new Option('--choose', 'keep the result in bench/results, to be committed').default(false),
  seed: new Option('--seed <number>', 'seed of all choices').default(1).argParser(wholeNumber(0, 999_999_999)),
  only: new Option('--only <text>', 'only cases whose names hold this').default(''),
  players: new Option('--players <list>', 'sizes of the world, separated by commas').argParser(
    wholeNumbers(2, PLAYERS_MAX),
  ),
  connections: new Option('--connections <list>', 'numbers of connections, separated by commas').argParser(
    wholeNumbers(1, CONNECTIONS_MAX),
  ),
  closedSeconds: new Option('--seconds <number>', 'of each measurement').argParser(
    wholeNumber(1, CLOSED_LOOP_SECONDS_MAX),
  ),
  openSeconds: new Option('--seconds <number>', 'of each load').argParser(wholeNumber(1, OPEN_LOOP_SECONDS_MAX)),
  rounds: new Option('--rounds <number>', 'medians are of so many')
    .default(ROUNDS_DEFAULT)
    .argParser(wholeNumber(1, ROUNDS_MAX)),
  peers: new Option('--peers <list>', `measured beside it: ${PEERS.join(', ')}, or none`)
    .default([...PEERS], PEERS.join(','))
    .argParser((text) => (text === 'none' ? [] : text.split(',').map(nameOf(PEERS)))),
  loader: new Option('--loader <name>', 'defaults to wrk if it is installed').choices(['wrk', 'autocannon']),
  durability: new Option('--durability <kind>', 'of the server under test')
    .choices(['durable', 'relaxed'])
    .default('durable'),
  transport: new Option('--transport <name>', 'passed on to galaxyd serve, whose own default stands otherwise').choices(
    ['native', 'javascript'],
  ),
  rate: new Option('--rate <number>', 'requests a second').argParser(wholeNumber(1, RATE_MAX)),
  share: new Option('--share <number>', 'of the measured maximum, where no rate is given')
    .default(SHARE_DEFAULT)
    .argParser(share),
} as const;

const KEPT = [OPTIONS.json, OPTIONS.choose, OPTIONS.seed];
const SERVED = [OPTIONS.players, OPTIONS.connections, OPTIONS.loader, OPTIONS.durability];

/** What a part of the command line adds to. */
interface CommandLine {
  readonly program: Command;
  add(command: Command, options: readonly Option[]): Command;
  chosen<Name extends string>(known: readonly Name[], given: readonly string[]): Name[];
  decide(plan: BenchPlan): void;
}

function mixesArgument(): Argument {
  return new Argument('[mixes...]', `any of ${MIX_NAMES.join(', ')}`).default([], 'all');
}

/** Runs that are no loads of the mixes, and the report. */
function addSpecialRuns({ program, add, chosen, decide }: CommandLine): void {
  add(program.command('snapshots'), [...KEPT, ...SERVED, OPTIONS.openSeconds])
    .addOption(
      new Option('--rounds <number>', OPTIONS.rounds.description).default(2).argParser(wholeNumber(1, ROUNDS_MAX)),
    )
    .addOption(OPTIONS.share)
    .description('what a snapshot costs the players meanwhile, and a start from it')
    .addArgument(mixesArgument())
    .action((names: string[], flags: Flags) => {
      const wanted = chosen(MIX_NAMES, names.length === 0 ? SHORT_OPEN_MIXES : names);
      decide(measuring(flags, { snapshots: snapshotPlan(wanted, flags) }));
    });
  add(program.command('hostile'), [OPTIONS.json, OPTIONS.choose, OPTIONS.closedSeconds, OPTIONS.durability])
    .addOption(OPTIONS.transport)
    .description('what an innocent client waits beside a hostile one')
    .addArgument(new Argument('[rows...]', `any of ${HOSTILE_NAMES.join(', ')}`).default([], 'all'))
    .action((names: string[], flags: Flags) => {
      decide(measuring(flags, { hostile: hostilePlan(chosen(HOSTILE_NAMES, names), flags) }));
    });
  add(program.command('report'), [])
    .description('writes results into docs/performance.md; those in bench/results by default')
    .argument('[files...]')
    .action((files: string[]) => {
      decide({ kind: 'report', files });
    });
}

/**
 * @param words the command line without the program
 * @param prepare changes how commander ends and prints; for tests
 * @throws CommanderError where commander does not end the process, which it does on wrong arguments and --help
 */
export function parseArguments(words: readonly string[], prepare: (command: Command) => void = () => {}): BenchPlan {
  let plan: BenchPlan | undefined;
  const program = new Command('bench')
    .description('Measures galaxyd: units, end to end beside its peers, and latency at a fixed rate.')
    .showHelpAfterError('(--help tells what there is)')
    .enablePositionalOptions();
  prepare(program);
  const chosen = <Name extends string>(known: readonly Name[], given: readonly string[]): Name[] => {
    const unknown = given.find((name) => !isOneOf(known, name));
    if (unknown !== undefined) program.error(`error: there is no ${unknown}; there are: ${known.join(', ')}`);
    return given.length === 0 ? [...known] : known.filter((name) => given.includes(name));
  };
  const add = (command: Command, options: readonly Option[]) => {
    for (const option of options) command.addOption(option);
    return command.copyInheritedSettings(program).allowExcessArguments(false);
  };
  add(program, [OPTIONS.full, ...KEPT, ...SERVED, OPTIONS.closedSeconds, OPTIONS.rounds, OPTIONS.peers]).action(
    (flags: Flags) => {
      const openLoop = { ...openLoopPlan(SHORT_OPEN_MIXES, withDefaults(flags)), seconds: formOf(flags).openSeconds };
      const units = unitTasks(UNIT_GROUP_NAMES, withDefaults(flags));
      plan = measuring(flags, { units, endToEnd: endToEndPlan(MIX_NAMES, flags), openLoop });
    },
  );
  const groups = new Argument('[groups...]', `any of ${UNIT_GROUP_NAMES.join(', ')}`).default([], 'all');
  add(program.command('units'), [OPTIONS.full, ...KEPT, OPTIONS.players, OPTIONS.only])
    .description('functions and parts in a process of their own')
    .addArgument(groups)
    .action((names: string[], flags: Flags) => {
      plan = measuring(flags, { units: unitTasks(chosen(UNIT_GROUP_NAMES, names), flags) });
    });
  add(program.command('end-to-end'), [OPTIONS.full, ...KEPT, ...SERVED, OPTIONS.closedSeconds, OPTIONS.rounds])
    .addOption(OPTIONS.peers)
    .description('closed loops against the server and its peers')
    .addArgument(mixesArgument())
    .action((names: string[], flags: Flags) => {
      plan = measuring(flags, { endToEnd: endToEndPlan(chosen(MIX_NAMES, names), flags) });
    });
  add(program.command('open-loop'), [
    OPTIONS.full,
    ...KEPT,
    ...SERVED,
    OPTIONS.openSeconds,
    OPTIONS.rate,
    OPTIONS.share,
  ])
    .description('latency at a fixed rate, from the instant at which each request was due')
    .addArgument(mixesArgument())
    .action((names: string[], flags: Flags) => {
      plan = measuring(flags, { openLoop: openLoopPlan(chosen(MIX_NAMES, names), flags) });
    });
  add(program.command('soak'), [...KEPT, ...SERVED, OPTIONS.openSeconds, OPTIONS.rate])
    .addOption(new Option('--share <number>', OPTIONS.share.description).default(SOAK.share).argParser(share))
    .description('ten minutes at 80 % load: whether throughput and memory stay flat')
    .addArgument(mixesArgument())
    .action((names: string[], flags: Flags) => {
      const { seconds = SOAK.seconds, players = [SOAK.players] } = flags;
      const wanted = chosen(MIX_NAMES, names.length === 0 ? ['swarm'] : names);
      const openLoop = openLoopPlan(wanted, { ...flags, full: true, players, seconds });
      plan = measuring(flags, { openLoop: { ...openLoop, windowSeconds: Math.min(SOAK.windowSeconds, seconds / 4) } });
    });
  addSpecialRuns({ program, add, chosen, decide: (special) => (plan = special) });
  program.parse([...words], { from: 'user' });
  if (plan === undefined) throw new Error('commander ran no action');
  return plan;
}

/** The short form has no flags for these. */
function withDefaults(flags: Flags): Flags {
  const { seconds: _, ...rest } = flags;
  return { ...rest, only: '', share: SHARE_DEFAULT };
}

function formOf({ full }: Flags) {
  return full ? FORMS.full : FORMS.short;
}

function unitTasks(groups: readonly UnitGroupName[], { full, players, only, seed }: Flags): UnitTask[] {
  return groups.flatMap((group) => {
    const sizes: readonly number[] = UNIT_GROUP_SIZES[group][full ? 'full' : 'short'];
    const isSized = sizes[0] !== 0;
    return (isSized ? (players ?? sizes) : sizes).map((size) => ({ group, only, players: size, isFull: full, seed }));
  });
}

function endToEndPlan(mixes: readonly MixName[], flags: Flags): EndToEndPlan {
  const form = formOf(flags);
  const { players = form.players, connections = form.connections, seconds = form.closedSeconds } = flags;
  const { peers, rounds, durability, seed } = flags;
  return { mixes, players, connections, peers, seconds, rounds, durability, seed };
}

function openLoopPlan(mixes: readonly MixName[], flags: Flags): OpenLoopPlan {
  const form = formOf(flags);
  const { seconds = form.openSeconds, durability, seed } = flags;
  return {
    mixes,
    players: flags.players?.[0] ?? FORMS.short.players[0],
    connections: flags.connections?.[0],
    ratePerSecond: flags.rate,
    share: flags.share,
    seconds,
    closedSeconds: form.closedSeconds,
    windowSeconds: seconds,
    durability,
    seed,
  };
}

function snapshotPlan(mixes: readonly MixName[], flags: Flags): SnapshotPlan {
  const { closedSeconds, openSeconds } = FORMS.short;
  const { rounds, share: openShare, durability, seed } = flags;
  return {
    mixes,
    players: flags.players?.[0] ?? FORMS.short.players[0],
    connections: flags.connections?.[0],
    ...{ rounds, closedSeconds, openSeconds: flags.seconds ?? openSeconds, share: openShare, durability, seed },
  };
}

function hostilePlan(rows: readonly HostileName[], flags: Flags): HostilePlan {
  const { seconds = HOSTILE_SECONDS_DEFAULT, transport, durability } = flags;
  return { rows, seconds, transport, durability };
}

type Parts = Partial<Pick<MeasuringPlan, 'units' | 'endToEnd' | 'openLoop' | 'snapshots' | 'hostile'>>;

function measuring(flags: Flags, { units = [], endToEnd, openLoop, snapshots, hostile }: Parts): MeasuringPlan {
  const { durability = 'durable', loader, json, choose } = flags;
  const parts = { units, endToEnd, openLoop, snapshots, hostile };
  return { kind: 'measure', ...parts, durability, loader, isJson: json, isChosen: choose };
}
