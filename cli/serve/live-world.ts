// `galaxyd serve`: opens a world and serves it until a signal.

import type { AdminKeys } from '../../http/admission/identity.js';
import { defaultHostNames, hostNameList } from '../../http/server/host-names.js';
import { BUILD } from '../../http/version.js';
import {
  type BugReport,
  deskOf,
  RecoveryMeter,
  type WorldListenerOptions,
  WorldServer,
} from '../../http/world-server.js';
import { killOnUncaughtException } from '../../persistence/fatal.js';
import { type OpenWorld, type OpenWorldOptions, openReplicatedWorld, openWorld } from '../../persistence/open-world.js';
import { killSelf, onParentEnd } from '../../persistence/parent-process.js';
import type { ReplicatedWorld } from '../../persistence/replication/replicated-world.js';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import { Scrubber, ScrubWorker } from '../../persistence/upkeep/scrubber.js';
import type { SnapshotSchedule } from '../../persistence/upkeep/snapshot-keeper.js';
import { WrongUsage } from '../commands/exit-codes.js';
import {
  BYTES_PER_MEBIBYTE,
  MS_PER_DAY,
  MS_PER_HOUR,
  MS_PER_MINUTE,
  MS_PER_SECOND,
  type ServeOptions,
} from '../commands/serve.js';
import { type CountingLog, type Log, openLog } from '../output/log.js';
import { RecoveryProgressBar } from '../output/progress.js';
import {
  logDisk,
  logFailedRequest,
  logOpened,
  logOperator,
  logRole,
  logScrub,
  logServing,
  logSnapshot,
  logStarting,
  logUnreadableBlocks,
  logUnrecorded,
  logUntrustedProxy,
  rereadOnSignal,
  type StoppedWorld,
  stopOnSignal,
} from './announcements.js';
import {
  adminKeysOf,
  chosenRules,
  chosenTransport,
  connectionsMaxOf,
  START_REFUSALS,
  shareFaultOf,
} from './preparations.js';
import { reportFailure } from './process.js';
import { TraceFiles } from './trace-files.js';

/** Serves until SIGTERM or SIGINT. If it cannot start, it prints a sentence and sets the exit code. */
export async function serve(options: ServeOptions): Promise<void> {
  killOnUncaughtException();
  const stopListening = onParentEnd(killSelf);
  try {
    await start({ ...options, transport: chosenTransport(options) });
  } catch (error) {
    reportFailure('serve', error, START_REFUSALS);
  } finally {
    stopListening();
  }
}

/** With the transport that was chosen. */
type ChosenOptions = ServeOptions & Required<Pick<ServeOptions, 'transport'>>;

async function start(options: ChosenOptions): Promise<void> {
  const log = openLog(options.logFormat);
  const adminKeys = await adminKeysOf(options);
  // The URL of a store may have a password in it.
  const shown = { ...options, data: shownStoreUrl(options.data) };
  logStarting(log, shown);
  const store = storeAt(options.data, {
    diskFloorBytes: options.minFreeMib * BYTES_PER_MEBIBYTE,
    onDiskEvent: (event) => logDisk(log, event),
  });
  let leads = (): boolean => false;
  const scrubber = scrubberOf(store, log, options, () => leads());
  const meter = new RecoveryMeter();
  const desk = deskOf(store.operatorRecords(), {
    onRecord: (record) => logOperator(log, record),
    onFailure: (error) => logUnrecorded(log, error),
  });
  // A port that is taken is refused before hours of recovery, and requests meanwhile are told how far it is.
  const traces = options.traces === undefined ? null : await TraceFiles.open(options.traces);
  const parts = { scrubs: scrubber, traces };
  const listener = await WorldServer.listen({ ...listenerOptionsOf(log, options, adminKeys, parts), desk }, meter);
  const world = await open(store, log, options, meter).catch(async (error: unknown) => {
    await listener.close();
    throw error;
  });
  logOpened(log, world, shown);
  await desk.blocks.load().catch((error: unknown) => logUnreadableBlocks(log, error));
  const server = listener.serve(world);
  if (adminKeys !== null && options.adminKeys !== undefined) rereadOnSignal(adminKeys, options.adminKeys, log);
  // Before the `serving` line, since a program that waits for that line may send a signal at once.
  stopOnSignal(stoppedWith(world, scrubber, traces), server, log, options.stopSeconds * MS_PER_SECOND);
  leads = () => !('replica' in world) || world.replica.role === 'leader';
  scrubber?.start();
  // A signal may have closed the world before it has found its role.
  if ('enter' in world && !(await world.enter(options.advertise ?? server.url))) return;
  logServing(log, world, server, shown);
}

/** Null if nothing is verified in the background. */
function scrubberOf(
  { url }: WorldStore,
  log: Log,
  { verifyHours }: ServeOptions,
  isDue: () => boolean,
): Scrubber | null {
  if (verifyHours === 0 || url === null) return null;
  const everyMs = verifyHours * MS_PER_HOUR;
  return new Scrubber({ everyMs, worker: new ScrubWorker(url), isDue, onEvent: (event) => logScrub(log, event) });
}

/** A world that is closed once nothing reads it beside its server. */
function stoppedWith(
  world: OpenWorld | ReplicatedWorld,
  scrubber: Scrubber | null,
  traces: TraceFiles | null,
): StoppedWorld {
  return {
    ...('handOver' in world ? { handOver: () => world.handOver() } : {}),
    async close() {
      await scrubber?.stop();
      await traces?.close();
      await world.close();
    },
  };
}

async function open(
  store: WorldStore,
  log: Log,
  options: ServeOptions,
  meter: RecoveryMeter,
): Promise<OpenWorld | ReplicatedWorld> {
  const progress = new RecoveryProgressBar();
  const fault = store.leadership === null ? null : shareFaultOf(options);
  if (fault !== null) throw new WrongUsage(fault);
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
    onDowntime: options.onDowntime,
    durability: options.durability,
    snapshotSchedule: scheduleOf(options),
    keepHistory: options.keepHistory,
    onSnapshotEvent: (event) => logSnapshot(log, event),
    onProgress: (step, done, total) => {
      progress.showStep(step, done, total);
      meter.note(step, done, total);
    },
  };
  try {
    if (store.leadership === null) return await openWorld(opening);
    return await openReplicatedWorld({
      ...opening,
      version: BUILD,
      leaseMs,
      ...(advertise === undefined ? {} : { url: advertise }),
      onRoleEvent: (event) => logRole(log, event),
    });
  } finally {
    progress.end();
  }
}

function scheduleOf({ snapshotMinutes, snapshotLogMib }: ServeOptions): SnapshotSchedule {
  const orNever = (value: number): number => (value === 0 ? Number.POSITIVE_INFINITY : value);
  return {
    everyMs: orNever(snapshotMinutes * MS_PER_MINUTE),
    everyBytes: orNever(snapshotLogMib * BYTES_PER_MEBIBYTE),
  };
}

/** @throws TooFewFiles */
function listenerOptionsOf(
  log: CountingLog,
  options: ChosenOptions,
  adminKey: AdminKeys | null,
  { scrubs, traces }: { readonly scrubs: Scrubber | null; readonly traces: TraceFiles | null },
): WorldListenerOptions {
  const { host, port, auth, registration, development, spectatorKey = null } = options;
  const { transport, trustedProxies, registrationsPerMinute, corsOrigins, allowedHosts } = options;
  const onBug: BugReport = (error, requestId) => logFailedRequest(log, error, requestId);
  return {
    host,
    port,
    auth,
    registration,
    ...(development === undefined ? {} : { development }),
    adminKey,
    spectatorKey,
    ...(options.clock === 'turns' ? { turns: traces === null ? {} : { traces } } : {}),
    transport,
    connectionsMax: connectionsMaxOf(options),
    connectionsPerAddressMax: options.connectionsPerAddress,
    ...(registrationsPerMinute === undefined ? {} : { registrationsPerMinute }),
    ...rateLimitsOf(options),
    allowedHosts: allowedHosts === undefined ? defaultHostNames(host, auth) : hostNameList(allowedHosts),
    ...(corsOrigins === undefined ? {} : { corsOrigins }),
    trustedProxies,
    keepsMetricHistory: true,
    onUntrustedProxy: (address) => logUntrustedProxy(log, address, options),
    onBug,
    log,
    ...(scrubs === null ? {} : { scrubs }),
  };
}

/** Without --rate-limits, the numbers matter only if requests are limited by default. */
function rateLimitsOf(options: ServeOptions): Pick<WorldListenerOptions, 'rateLimits'> {
  const { auth, ratePerSecond: perSecond, rateBurst: burst } = options;
  const { rateLimits = auth === 'key' ? 'on' : 'off' } = options;
  return { rateLimits: rateLimits === 'on' ? { perSecond, burst } : null };
}
