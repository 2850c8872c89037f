// galaxyd serve: the table of its flags, from which --help is made. Each flag is an environment variable and a key of the configuration
// file, too. The command line comes before the environment, the environment before the file.
import { Command, InvalidArgumentError, Option } from 'commander';
import { SYSTEMS_PER_GALAXY_MAX } from '../../engine/rules/limits.js';
import { DEFAULT_RULES } from '../../engine/rules/shipped.js';
import { proxyList } from '../../http/admission/admission.js';
import {
  CONNECTIONS_PER_ADDRESS_MAX,
  DRAIN_DEADLINE_MS,
  RATE_BURST,
  RATE_PER_SECOND,
  REGISTRATIONS_PER_MINUTE,
} from '../../http/limits.js';
import { originList } from '../../http/server/cors.js';
import { hostNameList } from '../../http/server/host-names.js';
import { TRANSPORT_KINDS, type TransportKind } from '../../http/server/transport.js';
import {
  CLOCK_JUMP_MS_MAX,
  DISK_FLOOR_BYTES,
  LEASE_MS,
  LEASE_MS_MAX,
  LEASE_MS_MIN,
  SCRUB_EVERY_MS,
  SNAPSHOT_EVERY_MS,
  SNAPSHOT_LOG_BYTES,
} from '../../persistence/limits.js';
import { runToExitCode } from './command.js';
import { type FileFault, OperatorFileUnsound } from './operator-file.js';
import { IGNORED_VARIABLES, integer, port, sharedKey, speedFactor, storeUrl, WORLD_PLACE } from './options.js';

export const BYTES_PER_MEBIBYTE = 1024 * 1024;
export const MS_PER_SECOND = 1_000;
export const MS_PER_MINUTE = 60_000;
export const MS_PER_HOUR = 3_600_000;
export const MS_PER_DAY = 86_400_000;
const KEY_LENGTH_MIN = 8;
const CLOCK_JUMP_DAYS_FLAG_MAX = 100_000;
const CONNECTIONS_FLAG_MAX = 1_000_000;
const REGISTRATIONS_FLAG_MAX = 1_000_000;
const RATE_FLAG_MAX = 1_000_000;
const STOP_SECONDS_MAX = 3_600;
const VERIFY_HOURS_MAX = 500;

export interface ServeOptions {
  /** Path of the configuration file, whose values are among the others. */
  readonly config?: string;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly data: string;
  /** URL at which clients and other processes reach this one. Defaults to host and port. */
  readonly advertise?: string;
  /** Used only with a store that several processes share. */
  readonly leaseMs: number;
  readonly seed?: number;
  readonly speed?: number;
  readonly systemsPerGalaxy?: number;
  /** Name of a built-in rule set, or a file. */
  readonly rules?: string;
  /** Seed of the instance of the rules. */
  readonly vary?: number;
  readonly clock: 'real' | 'manual' | 'turns';
  /** Used only with a real clock. */
  readonly maxClockJumpDays: number;
  /** Used only with a real clock. */
  readonly onDowntime: 'advance' | 'pause';
  /** Folder for the traces of entrants. Used only with the clock of turns. */
  readonly traces?: string;
  readonly auth: 'none' | 'key';
  readonly registration: 'open' | 'closed';
  /** Defaults to on with --auth none, else to off. */
  readonly development?: 'on' | 'off';
  readonly adminKey?: string;
  /** Path of the file of further keys of operators. */
  readonly adminKeys?: string;
  readonly spectatorKey?: string;
  readonly durability: 'durable' | 'relaxed';
  readonly minFreeMib: number;
  readonly stopSeconds: number;
  /** 0: time alone never makes a snapshot due. */
  readonly snapshotMinutes: number;
  readonly snapshotLogMib: number;
  /** Hours between two verifications of the world in the background; 0 for none. */
  readonly verifyHours: number;
  readonly keepHistory: boolean;
  /** Defaults to native if the library loads. */
  readonly transport?: TransportKind;
  readonly requireNative: boolean;
  /** Defaults to what the process may open, at most CONNECTIONS_MAX. */
  readonly connections?: number;
  readonly connectionsPerAddress: number;
  /** Defaults to REGISTRATIONS_PER_MINUTE with --auth key, else to 0; 0: any number. */
  readonly registrationsPerMinute?: number;
  /** Defaults to on with --auth key, else to off. */
  readonly rateLimits?: 'on' | 'off';
  readonly ratePerSecond: number;
  readonly rateBurst: number;
  readonly trustedProxies: readonly string[];
  /** As written, for hostNameList(). Defaults to names of this machine if nothing else can reach a world without keys. */
  readonly allowedHosts?: readonly string[];
  /** Defaults to any origin with --auth key, else to none. */
  readonly corsOrigins?: readonly string[];
  /** Defaults to text on a terminal, else json. */
  readonly logFormat?: 'json' | 'text';
}

const OPTIONS: readonly Option[] = [
  flag(
    '--config <file>',
    'TOML file with other options of this list as keys, such as port = 4000; galaxyd config check looks at it',
  ),
  flag('--host <address>', 'address to listen on').default('127.0.0.1'),
  flag('--port <number>', 'port to listen on; 0 takes a free one').default(3000).argParser(port),
  flag('--data <place>', `${WORLD_PLACE}; created if it is missing`).default('./data').argParser(storeUrl),
  flag(
    '--advertise <url>',
    'with a shared store, where clients reach this process, such as http://10.0.0.5:3000 (default: from --host and --port)',
  ).argParser(advertisedUrl),
  flag(
    '--lease-ms <number>',
    'with a shared store, milliseconds without a renewal of its lease after which a leader is replaced',
  )
    .default(LEASE_MS)
    .argParser(integer(LEASE_MS_MIN, LEASE_MS_MAX)),
  flag('--seed <number>', 'seed of a new world (default: 1)').argParser(integer(0, Number.MAX_SAFE_INTEGER)),
  flag('--speed <factor>', 'speed of a new world: multiplies production, divides durations (default: 1)').argParser(
    speedFactor,
  ),
  flag('--systems-per-galaxy <number>', 'size of a new world (default: 300)').argParser(
    integer(1, SYSTEMS_PER_GALAXY_MAX),
  ),
  flag(
    '--rules <name|file>',
    `rules of a new world; galaxyd rules list prints the names (default: ${DEFAULT_RULES.set.name})`,
  ),
  flag('--vary <seed>', 'other numbers and names in the rules of a new world, drawn from this seed').argParser(
    integer(0, Number.MAX_SAFE_INTEGER),
  ),
  flag(
    '--clock <kind>',
    'real follows the machine, manual stands still until an operator moves it, turns until all entrants of a game have acted',
  )
    .choices(['real', 'manual', 'turns'])
    .default('real'),
  flag(
    '--traces <folder>',
    'with --clock turns, folder for a file for each entrant, with its requests and their answers',
  ),
  flag(
    '--max-clock-jump-days <number>',
    'days by which a real clock may be after the last entry of the log; a world is never moved back',
  )
    .default(CLOCK_JUMP_MS_MAX / MS_PER_DAY)
    .argParser(integer(1, CLOCK_JUMP_DAYS_FLAG_MAX)),
  flag(
    '--on-downtime <choice>',
    'advance: a real clock makes up for the time in which the world was not served; pause: it goes on from the last instant of the log',
  )
    .choices(['advance', 'pause'])
    .default('advance'),
  flag('--auth <kind>', 'none: players are named by their ids; key: every request carries an API key')
    .choices(['none', 'key'])
    .default('none'),
  flag('--registration <kind>', 'open: anybody may create players; closed: only the operator')
    .choices(['open', 'closed'])
    .default('open'),
  flag(
    '--development <switch>',
    'on: planets can be taken without a fleet, with --auth key by the operator (default: on with --auth none, else off)',
  ).choices(['on', 'off']),
  flag(
    '--admin-key <key>',
    `opens the paths below /api/admin to this key; ${KEY_LENGTH_MIN} characters or more`,
  ).argParser(sharedKey),
  flag(
    '--admin-keys <file>',
    'file of further admin keys with names, as galaxyd admin-key new writes it; read again on SIGHUP',
  ),
  flag(
    '--spectator-key <key>',
    'with --auth key, reads public events and the map with all fleets, and nothing else; rules as for --admin-key',
  ).argParser(sharedKey),
  flag('--durability <kind>', 'durable answers when a command is on disk, relaxed when it is applied')
    .choices(['durable', 'relaxed'])
    .default('durable'),
  flag('--min-free-mib <number>', 'free disk space in MiB below which commands are refused')
    .default(DISK_FLOOR_BYTES / BYTES_PER_MEBIBYTE)
    .argParser(integer(0, Number.MAX_SAFE_INTEGER / BYTES_PER_MEBIBYTE)),
  flag('--stop-seconds <number>', 'seconds that a stop waits for clients that have not read their replies')
    .default(DRAIN_DEADLINE_MS / MS_PER_SECOND)
    .argParser(integer(0, STOP_SECONDS_MAX)),
  flag('--snapshot-minutes <number>', 'minutes between snapshots of a changing world; 0 for never')
    .default(SNAPSHOT_EVERY_MS / MS_PER_MINUTE)
    .argParser(integer(0, Number.MAX_SAFE_INTEGER / MS_PER_MINUTE)),
  flag('--snapshot-log-mib <number>', 'MiB of log between snapshots; 0 for never')
    .default(SNAPSHOT_LOG_BYTES / BYTES_PER_MEBIBYTE)
    .argParser(integer(0, Number.MAX_SAFE_INTEGER / BYTES_PER_MEBIBYTE)),
  flag(
    '--verify-hours <number>',
    'hours within which the whole world is verified in the background, again and again; 0 for never',
  )
    .default(SCRUB_EVERY_MS / MS_PER_HOUR)
    .argParser(verifyHours),
  flag('--keep-history', 'delete nothing from the log, and keep older snapshots at intervals').default(false),
  flag(
    '--transport <kind>',
    "native: uWebSockets.js; javascript: Node's own HTTP server (default: native if it loads)",
  ).choices(TRANSPORT_KINDS),
  flag('--require-native', 'refuse to start if the native part of uWebSockets.js does not load').default(false),
  flag(
    '--connections <number>',
    'maximum number of open connections (default: 16384, or what the limit of open files allows)',
  ).argParser(integer(1, CONNECTIONS_FLAG_MAX)),
  flag(
    '--connections-per-address <number>',
    'maximum for one IP address, without a limit for loopback addresses; also of WebSockets for one client, loopback or not',
  )
    .default(CONNECTIONS_PER_ADDRESS_MAX)
    .argParser(integer(1, CONNECTIONS_FLAG_MAX)),
  flag(
    '--registrations-per-minute <number>',
    `players that one IP address may create per minute; 0 for any number (default: ${REGISTRATIONS_PER_MINUTE} with --auth key, else 0)`,
  ).argParser(integer(0, REGISTRATIONS_FLAG_MAX)),
  flag(
    '--rate-limits <on|off>',
    'limit the requests of each player, and of each address without a key (default: on with --auth key, else off)',
  ).choices(['on', 'off']),
  flag('--rate-per-second <number>', 'tokens that a rate limit regains per second; an ordinary request takes one')
    .default(RATE_PER_SECOND)
    .argParser(integer(1, RATE_FLAG_MAX)),
  flag('--rate-burst <number>', 'tokens of a rate limit that was not used for a while')
    .default(RATE_BURST)
    .argParser(integer(1, RATE_FLAG_MAX)),
  flag('--trusted-proxies <networks>', 'networks such as 10.0.0.0/8,::1 whose X-Forwarded-For names the client')
    .default([], 'none')
    .argParser(networks),
  flag(
    '--allowed-hosts <names>',
    'names that requests may have in Host, such as play.example.org, or * for any (default: with --auth none on a loopback address localhost, 127.0.0.1, [::1] and that address, else any)',
  ).argParser(hostNames),
  flag(
    '--cors-origins <origins>',
    'origins such as https://example.org whose pages may use the API in a browser, * for any, or none (default: * with --auth key, else none)',
  ).argParser(origins),
  flag(
    '--log-format <kind>',
    'json: one object a line; text: sentences (default: text on a terminal, else json)',
  ).choices(['json', 'text']),
];

/** The options that a configuration file may have. */
export const CONFIGURABLE: readonly Option[] = OPTIONS.filter((option) => option.name() !== 'config');

const EXAMPLES = `
Examples:
  galaxyd serve
  galaxyd serve --port 4000 --data ./world --speed 60
  galaxyd serve --vary 7
  galaxyd serve --clock manual --admin-key let-me-advance-time
  GALAXYD_PORT=4000 galaxyd serve
  galaxyd serve --config ./galaxyd.toml

The command line comes before the environment, and the environment before the file of --config.

The seed and the size of a world are fixed when it is created. A start with others is refused, and so is one with another speed or
other rules, which POST /api/admin/clock/speed and POST /api/admin/rules change.

--keep-history applies to this start and not to the world. A server that is started without it deletes the log before the older of
the two newest snapshots, and all older snapshots. They cannot be recovered.`;

/** @param run serves with checked options */
export function serveCommand(run: (options: ServeOptions) => Promise<void>): Command {
  return optionsCommand().action(async (_options: unknown, command: Command) => {
    const { config } = command.opts<ServeOptions>();
    const wrongVariable = variableFaults()[0];
    if (wrongVariable !== undefined) command.error(`error: ${wrongVariable}`);
    if (config !== undefined && !(await runToExitCode('serve', () => useConfigFile(command, config)))) return;
    const options = command.opts<ServeOptions>();
    const contradiction = contradictionsOf(options)[0];
    if (contradiction !== undefined) command.error(`error: ${contradiction}`);
    await run(options);
  });
}

/** The subcommand without its work: what reads the command line and the environment. */
export function optionsCommand(): Command {
  const command = new Command('serve').description('Serves a world.').addHelpText('after', EXAMPLES);
  for (const option of OPTIONS) command.addOption(option);
  return command.allowExcessArguments(false);
}

/** @throws OperatorFileUnsound if something is wrong with the file, or with the options that it completes */
async function useConfigFile(command: Command, path: string): Promise<true> {
  const faults = await addConfigFile(command, path);
  const contradictions = contradictionsOf(command.opts<ServeOptions>()).map((message) => ({ line: null, message }));
  if (faults.length + contradictions.length === 0) return true;
  throw new OperatorFileUnsound(path, 'a configuration', [...faults, ...contradictions]);
}

/**
 * Gives a command, which has read its arguments and the environment, what the file says of the other options.
 *
 * @returns what is wrong with the file
 */
export async function addConfigFile(command: Command, path: string): Promise<FileFault[]> {
  // Loaded on demand: most subcommands read no such file.
  const { readConfigFile } = await import('./config-file.js');
  const { values, faults } = await readConfigFile(path, CONFIGURABLE);
  for (const [option, value] of values) {
    const name = option.attributeName();
    const source = command.getOptionValueSource(name);
    if (source === undefined || source === 'default') command.setOptionValueWithSource(name, value, 'config');
  }
  return faults;
}

/** The variables of the environment that have no meaning, or no clear one: a misspelt variable would have no effect, silently. */
export function variableFaults(): string[] {
  const known = new Set([...OPTIONS.map((option) => option.envVar), ...IGNORED_VARIABLES]);
  const unknown = Object.keys(process.env).filter((name) => name.startsWith('GALAXYD_') && !known.has(name));
  // Commander turns a switch on if its variable has any value.
  const ambiguous = OPTIONS.filter((option) => option.isBoolean()).flatMap(({ envVar }) => {
    const value = envVar === undefined ? undefined : process.env[envVar];
    return value === undefined || value === 'true' ? [] : [`${envVar} must be true or unset`];
  });
  return [...unknown.map((name) => `unknown environment variable ${name}`), ...ambiguous];
}

/** Which options cannot go together, and why. */
export function contradictionsOf({ clock, traces, auth, adminKey, adminKeys, durability }: ServeOptions): string[] {
  if (clock !== 'turns') return traces === undefined ? [] : ['--traces requires --clock turns: it traces entrants'];
  const hasOperator = adminKey !== undefined || adminKeys !== undefined;
  return [
    ...(auth === 'key' ? [] : ['--clock turns requires --auth key: entrants act with their own keys']),
    ...(hasOperator ? [] : ['--clock turns requires --admin-key: the operator begins the games']),
    ...(durability === 'durable'
      ? []
      : ['--clock turns requires --durability durable: an entrant sees all events before its turn']),
  ];
}

function flag(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.env(`GALAXYD_${option.name().toUpperCase().replaceAll('-', '_')}`);
}

/** Parses a URL without a path. Redirected requests keep their own path. */
function advertisedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin = url !== null && url.search === '' && url.hash === '' && url.pathname === '/' && url.username === '';
  if (!isOrigin || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidArgumentError('It must be like http://HOST:PORT or https://HOST, without a path.');
  }
  return url.origin;
}

/** With fractions, for tests and small worlds; the longest time is below that of a timer. */
function verifyHours(text: string): number {
  const hours = /^\d{1,3}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  if (hours <= VERIFY_HOURS_MAX) return hours;
  throw new InvalidArgumentError(`It must be a number from 0 to ${VERIFY_HOURS_MAX}.`);
}

function networks(text: string): readonly string[] {
  return listed(text, (list) => {
    proxyList(list);
    return list;
  });
}

function origins(text: string): readonly string[] {
  return text === 'none' ? [] : listed(text, originList);
}

/** Commander takes null for a missing value, so the list is read when the server starts. */
function hostNames(text: string): readonly string[] {
  return listed(text, (list) => {
    hostNameList(list);
    return list;
  });
}

/** Reads a list with commas. @param read throws RangeError with a sentence without its full stop */
function listed<List>(text: string, read: (items: readonly string[]) => List): List {
  try {
    return read(text.split(',').map((item) => item.trim()));
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}.`);
  }
}
