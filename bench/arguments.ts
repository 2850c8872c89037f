// The command lines of the bench and of the comparison: what is to be measured, how long and in what worlds. They start nothing.
import { Argument, Command, Option } from 'commander';
import { THIS_CHECKOUT } from './comparison/checkout.js';
import type { ComparisonPlan } from './comparison/comparison-run.js';
import type { LoaderName } from './end-to-end/closed-loop.js';
import type { EndToEndPlan, PeerName } from './end-to-end/end-to-end-run.js';
import { MIX_NAMES, type MixName } from './end-to-end/mixes.js';
import type { OpenLoopPlan } from './end-to-end/open-loop-rounds.js';
import { HOSTILE_NAMES, type HostileName } from './hostile/hostile-loads.js';
import type { HostilePlan } from './hostile/hostile-run.js';
import type { Limits, Transport } from './hostile/hostile-world.js';
import * as limits from './limits.js';
import { namesOf, seconds, share, wholeNumber, wholeNumbers } from './option-values.js';
import { SETTING_MIXES, SETTING_NAMES, type SettingName, type SettingsPlan } from './settings/settings-run.js';
import type { SnapshotPlan } from './snapshots/snapshot-run.js';
import { UNIT_GROUP_NAMES, type UnitGroupName, unitTasks } from './units/groups.js';
import type { UnitTask } from './units/unit-case.js';
import { RULES_NAMES, type RulesName } from './units/unit-case.js';
import { CALL_MIX_NAMES, type CallMixName } from './websocket/call-mixes.js';
import type { CallPlan } from './websocket/call-run.js';
import { READER_FORM_NAMES, type ReaderFormName } from './websocket/reader-forms.js';
import type { SubscribersPlan } from './websocket/subscribers-run.js';
import type { ViewersPlan } from './websocket/viewers-run.js';

/** What a run of the bench does: measure, or write what was measured into the documents. */
export type BenchPlan = MeasuringPlan | { readonly kind: 'report'; readonly files: readonly string[] };

interface RunSettings {
  readonly durability: 'durable' | 'relaxed';
  readonly loader: LoaderName | undefined;
  readonly isJson: boolean;
  /** Whether the result is added to bench/results/chosen.jsonl, to be committed. */
  readonly isChosen: boolean;
}

/** Parts that are absent are not measured. */
interface Parts {
  readonly units?: readonly UnitTask[];
  readonly endToEnd?: EndToEndPlan;
  readonly openLoop?: OpenLoopPlan;
  readonly snapshots?: SnapshotPlan;
  readonly hostile?: HostilePlan;
  readonly settings?: SettingsPlan;
  readonly calls?: CallPlan;
  readonly subscribers?: SubscribersPlan;
  readonly viewers?: ViewersPlan;
}

/** Gives a command its options and the names that it takes; `standard` are those that are measured if none is given. */
type AddPart = <Name extends string>(
  command: Command,
  options: readonly Option[],
  known: readonly Name[],
  standard: readonly Name[],
  partsOf: (names: readonly Name[], flags: Flags) => Parts,
) => void;

export interface MeasuringPlan extends RunSettings, Parts {
  readonly kind: 'measure';
}

export interface ComparePlan extends RunSettings {
  readonly plan: ComparisonPlan;
}

interface Flags {
  readonly full: boolean;
  readonly json: boolean;
  readonly choose: boolean;
  readonly seed: number;
  readonly players?: readonly number[];
  readonly connections?: readonly number[];
  readonly seconds?: number;
  readonly rounds: number;
  readonly rate?: number;
  readonly inFlight?: number;
  readonly viewers?: number;
  readonly share: number;
  readonly only: string;
  readonly rules?: readonly RulesName[];
  readonly peers: readonly PeerName[];
  readonly loader?: LoaderName;
  readonly durability: 'durable' | 'relaxed';
  readonly transport?: Transport;
  readonly settings: readonly SettingName[];
  readonly limits: readonly Limits[];
}

type CompareFlags = Omit<ComparisonPlan, 'before' | 'after' | 'units'> &
  Pick<Flags, 'only' | 'loader' | 'json' | 'choose'> & { readonly units: readonly UnitGroupName[] };

/** Sizes and times of the short and of the full form. */
const FORMS = {
  short: { players: [10_000], connections: {}, closedSeconds: 1, openSeconds: 5 },
  full: {
    players: [1_000, 100_000, 1_000_000],
    connections: { connections: [1, 64, 256, 1_024] },
    closedSeconds: 4,
    openSeconds: 60,
  },
} as const;
/** What the short form sends in an open loop. */
const SHORT_OPEN_MIXES: readonly MixName[] = ['read', 'upgrade-cancel'];
const SHARE_DEFAULT = 0.5;
const SOAK = { share: 0.8, seconds: 600, windowSeconds: 10, players: [100_000] } as const;
const SNAPSHOT_ROUNDS_DEFAULT = 2;
const SUBSCRIBER_ROUNDS_DEFAULT = 3;
const PEERS: readonly PeerName[] = ['bare', 'sql'];
/** Before and after. */
const LIMITS: readonly Limits[] = ['off', 'on'];
const COMPARED_UNITS: readonly UnitGroupName[] = ['commands', 'ticks', 'heap', 'codec', 'views', 'mix'];
const COMPARED_MIXES: readonly MixName[] = ['read', 'upgrade-cancel'];
const COMPARED_SECONDS_DEFAULT = 2;

const number = (flags: string, description: string, lowest: number, highest: number): Option =>
  new Option(flags, description).argParser(wholeNumber(lowest, highest));
const numbers = (flags: string, description: string, lowest: number, highest: number): Option =>
  new Option(flags, `${description}, separated by commas`).argParser(wholeNumbers(lowest, highest));
const names = <Name extends string>(flags: string, what: string, known: readonly Name[], standard = known): Option =>
  new Option(flags, `${what}: ${known.join(', ')}, or none`)
    .default(standard, standard.join(','))
    .argParser(namesOf(known));

const full = new Option('--full', 'all sizes and longer runs: an hour and more instead of minutes').default(false);
const json = new Option('--json', 'print one JSON object instead of tables').default(false);
const choose = new Option('--choose', 'also keep the result in bench/results/chosen.jsonl, to be committed').default(
  false,
);
const seed = number('--seed <number>', 'seed of all choices', 0, limits.SEED_MAX).default(1);
const only = new Option('--only <text>', 'only units whose names contain this').default('');
const rules = names<RulesName>('--rules <list>', 'rules of the worlds of ticks, mix, replay and memory', RULES_NAMES, [
  'standard-1',
]);
const players = numbers('--players <list>', 'sizes of the world', 2, limits.PLAYERS_MAX);
const connections = numbers('--connections <list>', 'numbers of connections', 1, limits.CONNECTIONS_MAX);
const secondsOption = (highest: number): Option =>
  new Option('--seconds <number>', 'of each load').argParser(seconds(highest));
const closedSeconds = secondsOption(limits.CLOSED_LOOP_SECONDS_MAX);
const openSeconds = secondsOption(limits.OPEN_LOOP_SECONDS_MAX);
const rounds = (standard: number, lowest = 1) =>
  number('--rounds <number>', 'medians are of so many', lowest, limits.ROUNDS_MAX).default(standard);
const peers = names('--peers <list>', 'measured beside it', PEERS);
const loader = new Option('--loader <name>', 'defaults to wrk if it is installed').choices(['wrk', 'autocannon']);
const durability = new Option('--durability <kind>', 'of the server')
  .choices(['durable', 'relaxed'])
  .default('durable');
const transport = new Option('--transport <name>', 'of the server; its own default otherwise').choices([
  'native',
  'javascript',
]);
const rate = number('--rate <number>', 'requests a second', 1, limits.RATE_MAX);
const inFlight = number('--in-flight <number>', 'calls of each connection', 1, limits.CALLS_IN_FLIGHT_MAX);
const shareOf = (standard: number) =>
  new Option('--share <number>', 'of the measured maximum, if no rate is given').default(standard).argParser(share);

const KEPT = [json, choose, seed];
const SERVED = [players, connections, loader, durability];
const OPEN = [...KEPT, ...SERVED, openSeconds, rate];
const CLOSED = [full, ...KEPT, ...SERVED, closedSeconds, rounds(limits.ROUNDS_DEFAULT), peers];

/**
 * @param words the command line without the program
 * @param prepare changes how commander ends and prints; for tests
 * @throws CommanderError if commander does not end the process, which it does on wrong arguments and --help
 */
export function parseArguments(words: readonly string[], prepare: (command: Command) => void = () => {}): BenchPlan {
  let plan: BenchPlan | undefined;
  const measure = (flags: Flags, parts: Parts) => {
    plan = { kind: 'measure', ...settingsOf(flags), ...parts };
  };
  const program = commandOf(
    'bench',
    'Measures galaxyd: units, end to end beside its peers, and latency at a fixed rate.',
  );
  program.enablePositionalOptions();
  prepare(program);
  withOptions(program, CLOSED).action((flags: Flags) => measure(flags, allParts(flags)));
  const part: AddPart = (command, options, known, standard, partsOf) => {
    const names = new Argument('[names...]', 'what is measured').choices(known).default([], standard.join(', '));
    withOptions(command.addArgument(names), options).action((given: readonly string[], flags: Flags) => {
      const chosen = given.length === 0 ? standard : known.filter((name) => given.includes(name));
      measure(flags, partsOf(chosen, flags));
    });
  };
  const units = program.command('units').description('functions and parts in a process of their own');
  part(units, [full, ...KEPT, players, only, rules], UNIT_GROUP_NAMES, UNIT_GROUP_NAMES, (groups, flags) => ({
    units: unitTasks(groups, flags),
  }));
  const endToEnd = program.command('end-to-end').description('closed loops against the server and its peers');
  part(endToEnd, CLOSED, MIX_NAMES, MIX_NAMES, (mixes, flags) => ({ endToEnd: endToEndPlan(mixes, flags) }));
  const openLoop = program
    .command('open-loop')
    .description('latency at a fixed rate, counted from when a request is due');
  part(openLoop, [full, ...OPEN, shareOf(SHARE_DEFAULT)], MIX_NAMES, MIX_NAMES, (mixes, flags) => ({
    openLoop: openLoopPlan(mixes, flags),
  }));
  const soak = program.command('soak').description('ten minutes at 80 % load: whether throughput and memory stay flat');
  part(soak, [...OPEN, shareOf(SOAK.share)], MIX_NAMES, ['swarm'], (mixes, flags) => ({
    openLoop: soakPlan(mixes, flags),
  }));
  const snapshots = program.command('snapshots').description('what a snapshot costs the players, and a start from it');
  const snapshotOptions = [...KEPT, ...SERVED, openSeconds, rounds(SNAPSHOT_ROUNDS_DEFAULT), shareOf(SHARE_DEFAULT)];
  part(snapshots, snapshotOptions, MIX_NAMES, SHORT_OPEN_MIXES, (mixes, flags) => ({
    snapshots: snapshotPlan(mixes, flags),
  }));
  const hostile = program.command('hostile').description('what an innocent client waits beside a hostile one');
  const limited = names('--limits <list>', 'of the rate of requests', LIMITS);
  const hostileOptions = [json, choose, closedSeconds, durability, transport, limited];
  part(hostile, hostileOptions, HOSTILE_NAMES, HOSTILE_NAMES, (rows, flags) => ({ hostile: hostilePlan(rows, flags) }));
  const settings = program.command('settings').description('what keys, limits and entity tags cost, side by side');
  const shown = names('--settings <list>', 'which', SETTING_NAMES);
  const settingsOptions = [...KEPT, ...SERVED, closedSeconds, rounds(limits.ROUNDS_DEFAULT), shown];
  part(settings, settingsOptions, SETTING_MIXES, SETTING_MIXES, (mixes, flags) => ({
    settings: { seconds: COMPARED_SECONDS_DEFAULT, ...flags, ...oneWorld(flags), mixes },
  }));
  addSocketParts(program, part);
  program
    .command('report')
    .description('writes results into docs/performance.md; the chosen ones by default')
    .argument('[files...]')
    .action((files: string[]) => {
      plan = { kind: 'report', files };
    });
  program.parse([...words], { from: 'user' });
  if (plan === undefined) throw new Error('commander ran no action');
  return plan;
}

/** Adds what is measured over WebSocket. */
function addSocketParts(program: Command, part: AddPart): void {
  const calls = program.command('call').description('calls over WebSocket, beside an echo, single POSTs and batches');
  const callOptions = [...KEPT, players, connections, inFlight, loader, closedSeconds, rounds(limits.ROUNDS_DEFAULT)];
  part(calls, callOptions, CALL_MIX_NAMES, CALL_MIX_NAMES, (mixes, flags) => ({ calls: callPlan(mixes, flags) }));
  const subscribers = program
    .command('subscribers')
    .description('what readers of events cost, and how soon they get them');
  const subscriberOptions = [
    json,
    choose,
    players,
    connections,
    durability,
    rate,
    openSeconds,
    rounds(SUBSCRIBER_ROUNDS_DEFAULT),
  ];
  part(subscribers, subscriberOptions, READER_FORM_NAMES, READER_FORM_NAMES, (forms, flags) => ({
    subscribers: subscribersPlan(forms, flags),
  }));
  const viewers = program
    .command('viewers')
    .description('what viewers of the map cost, beside commands at a fixed rate');
  const viewerCount = number('--viewers <number>', 'of the map', 1, limits.MAP_VIEWERS_MAX);
  const viewerOptions = [
    json,
    choose,
    players,
    viewerCount,
    durability,
    rate,
    openSeconds,
    rounds(SUBSCRIBER_ROUNDS_DEFAULT),
  ];
  part(viewers, viewerOptions, [], [], (_, flags) => ({ viewers: viewersPlan(flags) }));
}

/** The command line of `npm run bench:compare`; parameters and errors are those of parseArguments(). */
export function parseCompareArguments(
  words: readonly string[],
  prepare: (command: Command) => void = () => {},
): ComparePlan {
  let plan: ComparePlan | undefined;
  const program = commandOf(
    'bench:compare',
    'Measures two revisions in turn, and marks what differs by more than noise.',
  )
    .argument('<before>', 'anything git knows a commit by')
    .argument('[after]', 'the same; a full stop is this checkout with its changes', THIS_CHECKOUT)
    .action((before: string, after: string, flags: CompareFlags) => {
      const units = unitTasks(flags.units, { ...flags, players: [flags.players] });
      plan = { plan: { ...flags, before, after, units }, ...settingsOf(flags) };
    });
  prepare(program);
  withOptions(program, [
    names('--units <list>', 'groups of units', UNIT_GROUP_NAMES, COMPARED_UNITS),
    names('--mixes <list>', 'mixes end to end', MIX_NAMES, COMPARED_MIXES),
    rounds(limits.ROUNDS_DEFAULT, limits.COMPARED_ROUNDS_MIN),
    secondsOption(limits.CLOSED_LOOP_SECONDS_MAX).default(COMPARED_SECONDS_DEFAULT),
    number('--players <number>', 'size of the worlds', 2, limits.PLAYERS_MAX).default(FORMS.short.players[0]),
    number('--connections <number>', "the mix's own by default", 1, limits.CONNECTIONS_MAX),
    ...[only, loader, durability, ...KEPT],
  ]);
  program.parse([...words], { from: 'user' });
  if (plan === undefined) throw new Error('commander ran no action');
  return plan;
}

function commandOf(name: string, description: string): Command {
  return new Command(name).description(description).showHelpAfterError('(--help lists the options)');
}

function withOptions(command: Command, options: readonly Option[]): Command {
  for (const option of options) command.addOption(option);
  return command;
}

/** Units have no server: their results count as durable. */
function settingsOf(flags: Pick<Flags, 'durability' | 'loader' | 'json' | 'choose'>): RunSettings {
  const { durability = 'durable', loader, json, choose } = flags;
  return { durability, loader, isJson: json, isChosen: choose };
}

/** The whole bench. Its --seconds are those of the closed loops. */
function allParts(flags: Flags): Parts {
  const { seconds: _, ...others } = { ...flags, only: '', share: SHARE_DEFAULT };
  return {
    units: unitTasks(UNIT_GROUP_NAMES, others),
    endToEnd: endToEndPlan(MIX_NAMES, flags),
    openLoop: openLoopPlan(SHORT_OPEN_MIXES, others),
  };
}

function endToEndPlan(mixes: readonly MixName[], flags: Flags): EndToEndPlan {
  const { players, connections, closedSeconds: seconds } = FORMS[flags.full ? 'full' : 'short'];
  return { players, seconds, ...connections, ...flags, mixes };
}

function openLoopPlan(mixes: readonly MixName[], flags: Flags): OpenLoopPlan {
  const { closedSeconds, openSeconds } = FORMS[flags.full ? 'full' : 'short'];
  const { seconds = openSeconds, rate } = flags;
  const pace = {
    seconds,
    closedSeconds: Math.min(closedSeconds, seconds),
    windowSeconds: seconds,
    ...(rate === undefined ? {} : { ratePerSecond: rate }),
  };
  return { ...flags, ...pace, ...oneWorld(flags), mixes };
}

function soakPlan(
  mixes: readonly MixName[],
  { seconds = SOAK.seconds, players = SOAK.players, ...flags }: Flags,
): OpenLoopPlan {
  const plan = openLoopPlan(mixes, { ...flags, full: true, seconds, players });
  return { ...plan, windowSeconds: Math.min(SOAK.windowSeconds, seconds / 4) };
}

function snapshotPlan(mixes: readonly MixName[], flags: Flags): SnapshotPlan {
  const { seconds = FORMS.short.openSeconds } = flags;
  const closedSeconds = Math.min(FORMS.short.closedSeconds, seconds);
  return { ...flags, ...oneWorld(flags), closedSeconds, openSeconds: seconds, mixes };
}

function hostilePlan(rows: readonly HostileName[], flags: Flags): HostilePlan {
  return { seconds: limits.HOSTILE_SECONDS_DEFAULT, ...flags, rows };
}

function callPlan(mixes: readonly CallMixName[], flags: Flags): CallPlan {
  const defaults = { seconds: COMPARED_SECONDS_DEFAULT, inFlight: limits.CALLS_IN_FLIGHT };
  const { players, connections = limits.CALL_CONNECTIONS } = oneWorld(flags);
  return { ...defaults, ...flags, players, connections, mixes };
}

function subscribersPlan(forms: readonly ReaderFormName[], flags: Flags): SubscribersPlan {
  const { seconds = FORMS.short.openSeconds, rate, rounds, durability } = flags;
  const { players, connections = limits.READER_CONNECTIONS } = oneWorld(flags);
  const pace = rate === undefined ? {} : { ratePerSecond: rate };
  return { forms, players, connections, seconds, rounds, durability, ...pace };
}

function viewersPlan(flags: Flags): ViewersPlan {
  const { seconds = FORMS.short.openSeconds, rate = limits.OFFERED_RATE, rounds, durability } = flags;
  const { viewers = limits.MAP_VIEWERS } = flags;
  const pace = { seconds, rounds, ratePerSecond: rate, launchesPerSecond: limits.LAUNCHES_PER_SECOND };
  return { viewers, players: oneWorld(flags).players, ...pace, durability };
}

/** Plans for a single world take the first of several sizes. */
function oneWorld({ players = FORMS.short.players, connections }: Flags) {
  const [size = FORMS.short.players[0]] = players;
  return { players: size, connections: connections?.[0] };
}
