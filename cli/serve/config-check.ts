// Looks at a configuration file as `galaxyd serve` would, and at what it names, without starting anything.
import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Command, CommanderError, type Option } from 'commander';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import { isSecret } from '../commands/config-file.js';
import { failureOf } from '../commands/exit-codes.js';
import type { FileFault } from '../commands/operator-file.js';
import { withoutSecrets } from '../commands/options.js';
import {
  addConfigFile,
  CONFIGURABLE,
  contradictionsOf,
  optionsCommand,
  type ServeOptions,
  variableFaults,
} from '../commands/serve.js';
import {
  adminKeysOf,
  chosenRules,
  chosenTransport,
  connectionsMaxOf,
  isUnattended,
  START_REFUSALS,
  shareFaultOf,
  UNATTENDED,
} from './preparations.js';

/** An option, and what the server would run with. */
export interface Setting {
  readonly option: string;
  /** Null if it is not set. A secret is not shown. */
  readonly value: unknown;
  readonly source: 'default' | 'file' | 'environment';
  /** What it means that it is not set, as --help says it; null if that is not said. */
  readonly meaning: string | null;
}

export interface ConfigCheck {
  readonly file: string;
  readonly isSound: boolean;
  readonly settings: readonly Setting[];
  /** A server would not start. */
  readonly faults: readonly FileFault[];
  /** A server would start, but perhaps not as it is meant. */
  readonly warnings: readonly string[];
}

/** What a start finds out, in its order. Each returns sentences, or throws as a start does. */
const LOOKS: readonly ((options: ServeOptions) => Promise<readonly string[]>)[] = [
  async (options) => {
    chosenTransport(options);
    return [];
  },
  async (options) => {
    connectionsMaxOf(options);
    return [];
  },
  async (options) => {
    await chosenRules(options);
    return [];
  },
  async (options) => {
    await adminKeysOf(options);
    return [];
  },
  storeFaults,
];

export async function checkConfig(file: string): Promise<ConfigCheck> {
  const command = optionsCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  const faults = (await environmentFaults(command)).map(ofNoLine);
  faults.push(...(await faultsOf(() => addConfigFile(command, file))));
  const options = command.opts<ServeOptions>();
  // With values that are known to be wrong, the looks would only find defaults.
  if (faults.length === 0) faults.push(...contradictionsOf(options).map(ofNoLine));
  for (const look of faults.length === 0 ? LOOKS : []) {
    faults.push(...(await faultsOf(async () => (await look(options)).map(ofNoLine))));
  }
  return {
    file,
    isSound: faults.length === 0,
    settings: CONFIGURABLE.map((option) => settingOf(command, option)),
    faults,
    warnings: warningsOf(options),
  };
}

/** What is found wrong, or why it fails. */
async function faultsOf(find: () => Promise<readonly FileFault[]>): Promise<readonly FileFault[]> {
  try {
    return await find();
  } catch (error) {
    const failure = failureOf(error, START_REFUSALS);
    if (failure === null) throw error;
    return [ofNoLine(failure.lines.join(' '))];
  }
}

function ofNoLine(message: string): FileFault {
  return { line: null, message };
}

async function environmentFaults(command: Command): Promise<string[]> {
  const faults = variableFaults();
  try {
    await command.parseAsync([], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    faults.push(withoutSecrets(error.message.replace(/^error: /, '')));
  }
  return faults;
}

/** A folder must be there and usable, or can be made. A store that several processes share needs options that they can share. */
async function storeFaults(options: ServeOptions): Promise<readonly string[]> {
  const { leadership, label } = storeAt(options.data);
  if (leadership === null) {
    await requireFolder(resolve(label));
    return [];
  }
  await leadership.close();
  const fault = shareFaultOf(options);
  return fault === null ? [] : [fault];
}

/** @throws Error of the operating system */
async function requireFolder(path: string): Promise<void> {
  try {
    await stat(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    await requireFolder(dirname(path));
    return;
  }
  // Also refuses a file: it has no entry of this name.
  await access(`${path}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
}

function settingOf(command: Command, option: Option): Setting {
  const name = option.attributeName();
  const value: unknown = command.getOptionValue(name) ?? null;
  const source = command.getOptionValueSource(name);
  return {
    option: option.name(),
    value: shownValue(option, value),
    source: source === 'config' ? 'file' : source === 'env' ? 'environment' : 'default',
    meaning: value === null ? (DEFAULT_MEANING.exec(option.description)?.[1] ?? null) : null,
  };
}

/** How a description ends of an option whose default is not a value. */
const DEFAULT_MEANING = /\(default: (.*)\)$/;

function shownValue(option: Option, value: unknown): unknown {
  if (value !== null && isSecret(option)) return '[secret]';
  return option.name() === 'data' ? shownStoreUrl(String(value)) : value;
}

function warningsOf(options: ServeOptions): string[] {
  const { port, auth, host, spectatorKey, connections, connectionsPerAddress, rateLimits, trustedProxies } = options;
  const warnings: readonly (readonly [boolean, string])[] = [
    [isUnattended(options), UNATTENDED],
    [port === 0, 'port 0 takes another free port at each start'],
    [
      auth === 'none' && !/^(127\.|::1$|localhost$)/.test(host),
      `the world has no keys (auth), and ${host} is not of this machine alone: anybody who reaches it can play every player`,
    ],
    [auth === 'none' && trustedProxies.length > 0, 'a proxy passes requests on to a world without keys (auth)'],
    [auth === 'none' && spectatorKey !== undefined, 'spectator-key has no effect without keys (auth)'],
    [auth === 'key' && rateLimits === 'off', 'nothing limits the requests of a client (rate-limits)'],
    [
      connections !== undefined && connectionsPerAddress > connections,
      'one address may open all connections (connections-per-address)',
    ],
  ];
  return warnings.filter(([applies]) => applies).map(([, sentence]) => sentence);
}
