// `galaxyd serve`: opens a world, serves it, and shuts it down in order on a signal.

import type { Rules } from '../engine/rules/rules.js';
import { DEFAULT_RULES } from '../engine/rules/shipped.js';
import { CONNECTIONS_MAX, RESERVED_FILES } from '../http/limits.js';
import { VERSION } from '../http/version.js';
import {
  type BugReport,
  CannotListen,
  hasNativeBuild,
  JAVASCRIPT_SERVER_HINT,
  WorldServer,
  type WorldServerOptions,
} from '../http/world-server.js';
import { killOnUncaughtException } from '../persistence/fatal.js';
import { type OpenWorld, type OpenWorldOptions, openReplicatedWorld, openWorld } from '../persistence/open-world.js';
import type { ReplicatedWorld } from '../persistence/replication/replicated-world.js';
import { shownStoreUrl, storeAt } from '../persistence/store-url.js';
import type { SnapshotSchedule } from '../persistence/upkeep/snapshot-keeper.js';
import {
  logFailedRequest,
  logLostFile,
  logOpened,
  logRole,
  logServing,
  logSnapshot,
  logStarting,
} from './announcements.js';
import { EXIT_CODES, failureOf, labelled, WrongUsage } from './exit-codes.js';
import { FileOutput, STANDARD_ERROR } from './line-output.js';
import { type CountingLog, type Log, openLog } from './log-lines.js';
import { openFilesMax } from './open-files-max.js';
import { RecoveryProgressBar } from './recovery-progress.js';
import { rulesOf } from './rule-source.js';
import { BYTES_PER_MEBIBYTE, MS_PER_DAY, MS_PER_MINUTE, type ServeOptions } from './serve-options.js';
import { stopOnSignal } from './stop-on-signal.js';

/** Serves until SIGTERM or SIGINT. If it cannot start, it prints a sentence and sets the exit code. */
export async function serve(options: ServeOptions): Promise<void> {
  killOnUncaughtException();
  if (options.transport === 'native' && !hasNativeBuild) {
    fail(
      [`there is no native build of uWebSockets.js for this platform. ${JAVASCRIPT_SERVER_HINT}`],
      EXIT_CODES.failed.code,
    );
    return;
  }
  if (options.requireNative && options.transport !== 'native') {
    fail([`the native part of uWebSockets.js is missing. ${JAVASCRIPT_SERVER_HINT}`], EXIT_CODES.failed.code);
    return;
  }
  const log = openLog(options.logFormat);
  // The URL of a store may have a password in it.
  const shown = { ...options, data: shownStoreUrl(options.data) };
  logStarting(log, shown);
  try {
    const world = await open(log, options);
    logOpened(log, world, shown);
    const server = await listen(world, log, options);
    // Before the `serving` line, since a program that waits for that line may send a signal at once.
    stopOnSignal(world, server, log);
    // A signal may have closed it before it has found its role.
    if ('enter' in world && !(await world.enter(options.advertise ?? server.url))) return;
    logServing(log, world, server, shown);
  } catch (error) {
    const failure =
      error instanceof CannotListen || error instanceof TooFewFiles
        ? { code: EXIT_CODES.failed.code, lines: [error.message] }
        : failureOf(error);
    if (failure === null) throw error;
    fail(failure.lines, failure.code);
  }
}

/** @returns undefined if neither a rule set nor a variation is named: those of the world, or the default */
async function chosenRules({ rules, vary }: ServeOptions): Promise<Rules | undefined> {
  return rules === undefined && vary === undefined ? undefined : await rulesOf(rules ?? DEFAULT_RULES.set.name, vary);
}

/** A store that several processes share is opened beside the others. */
async function open(log: Log, options: ServeOptions): Promise<OpenWorld | ReplicatedWorld> {
  const progress = new RecoveryProgressBar();
  const store = storeAt(options.data, {
    diskFloorBytes: options.minFreeMib * BYTES_PER_MEBIBYTE,
    onLostFile: (lost) => logLostFile(log, lost),
  });
  if (store.leadership !== null) requireShareable(options);
  const { seed, speed, systemsPerGalaxy, leaseMs, advertise } = options;
  const rules = await chosenRules(options);
  const opening: OpenWorldOptions = {
    store,
    settings: {
      ...(seed === undefined ? {} : { seed }),
      ...(speed === undefined ? {} : { speed }),
      ...(systemsPerGalaxy === undefined ? {} : { systemsPerGalaxy }),
      ...(rules === undefined ? {} : { rules }),
    },
    clock: options.clock === 'turns' ? 'manual' : options.clock,
    clockJumpMsMax: options.maxClockJumpDays * MS_PER_DAY,
    durability: options.durability,
    snapshotSchedule: scheduleOf(options),
    keepHistory: options.keepHistory,
    onSnapshotEvent: (event) => logSnapshot(log, event),
    onProgress: progress.show,
  };
  try {
    if (store.leadership === null) return await openWorld(opening);
    return await openReplicatedWorld({
      ...opening,
      version: VERSION,
      leaseMs,
      ...(advertise === undefined ? {} : { url: advertise }),
      onRoleEvent: (event) => logRole(log, event),
    });
  } finally {
    progress.end();
  }
}

/** Addresses that mean all addresses of this machine, so that no other machine can use them. */
const WILDCARDS = ['', '0.0.0.0', '::', '[::]', '0:0:0:0:0:0:0:0'];

/** @throws WrongUsage */
function requireShareable({ clock, host, advertise }: ServeOptions): void {
  if (clock === 'turns') {
    throw new WrongUsage('one process plays a game of turns, so --clock turns needs a world in a folder');
  }
  if (advertise === undefined && WILDCARDS.includes(host)) {
    throw new WrongUsage(
      `--host ${host} does not say where other processes send clients to; name a URL, such as --advertise http://10.0.0.5:3000`,
    );
  }
}

function scheduleOf({ snapshotMinutes, snapshotLogMib }: ServeOptions): SnapshotSchedule {
  const orNever = (value: number): number => (value === 0 ? Number.POSITIVE_INFINITY : value);
  return {
    everyMs: orNever(snapshotMinutes * MS_PER_MINUTE),
    everyBytes: orNever(snapshotLogMib * BYTES_PER_MEBIBYTE),
  };
}

async function listen(
  world: OpenWorld | ReplicatedWorld,
  log: CountingLog,
  options: ServeOptions,
): Promise<WorldServer> {
  try {
    const { host, port, auth, registration, development, adminKey = null, spectatorKey = null } = options;
    const { transport, trustedProxies, registrationsPerMinute, corsOrigins } = options;
    const onBug: BugReport = (error, requestId) => logFailedRequest(log, error, requestId);
    return await WorldServer.start({
      world,
      host,
      port,
      auth,
      registration,
      ...(development === undefined ? {} : { development }),
      adminKey,
      spectatorKey,
      ...(options.clock === 'turns' ? { turns: {} } : {}),
      transport,
      connectionsMax: connectionsMaxOf(options),
      connectionsPerAddressMax: options.connectionsPerAddress,
      ...(registrationsPerMinute === undefined ? {} : { registrationsPerMinute }),
      ...rateLimitsOf(options),
      ...(corsOrigins === undefined ? {} : { corsOrigins }),
      trustedProxies,
      onBug,
      log,
    });
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Numbers without --rate-limits count only if requests are limited by default. */
function rateLimitsOf(options: ServeOptions): Pick<WorldServerOptions, 'rateLimits'> {
  const { auth, ratePerSecond: perSecond, rateBurst: burst } = options;
  const { rateLimits = auth === 'key' ? 'on' : 'off' } = options;
  return { rateLimits: rateLimits === 'on' ? { perSecond, burst } : null };
}

/** @throws TooFewFiles if the process may not open enough files for the connections */
function connectionsMaxOf({ connections }: ServeOptions): number {
  const filesMax = openFilesMax();
  const left = filesMax - RESERVED_FILES;
  if (left < 1 || (connections !== undefined && connections > left)) throw new TooFewFiles(connections ?? 1, filesMax);
  return connections ?? Math.min(CONNECTIONS_MAX, left);
}

/** The limit of open files is too low for the number of connections. */
class TooFewFiles extends Error {
  constructor(connections: number, filesMax: number) {
    super(
      `${connections} connections need a limit of ${connections + RESERVED_FILES} open files, and it is ${filesMax} (ulimit -n)`,
    );
  }
}

function fail(lines: readonly string[], code: number): void {
  const output = new FileOutput(STANDARD_ERROR);
  for (const line of labelled('galaxyd cannot serve', lines)) output.write(line);
  process.exitCode = code;
}
