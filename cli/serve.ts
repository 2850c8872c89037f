// `galaxyd serve`: opens a world, serves it, and takes it down in order when it is told to stop.
import { type BugReport, CannotListen, GameServer, isNative, JAVASCRIPT_SERVER_HINT } from '../http/game-server.js';
import { NoDiskSpace } from '../persistence/disk-space.js';
import { killOnUncaughtException } from '../persistence/fatal.js';
import { DataFolderLocked } from '../persistence/folder-lock.js';
import { SettingsMismatch } from '../persistence/genesis.js';
import { LogUnreadable, LogWriteFailed } from '../persistence/log.js';
import { type OpenWorld, openWorld } from '../persistence/open-world.js';
import { RecoveryRefused } from '../persistence/recovery.js';
import {
  tellFailedRequest,
  tellOpened,
  tellServing,
  tellStarting,
  tellStopped,
  tellStopping,
} from './announcements.js';
import { type Log, openLog } from './log-lines.js';
import { ReplayProgress } from './replay-progress.js';
import { BYTES_PER_MEBIBYTE, type ServeOptions } from './serve-options.js';

const EXIT_FAILED = 1;
/** Failures that are told in one sentence; anything else is a bug and keeps its stack. */
const EXPECTED = [
  DataFolderLocked,
  LogUnreadable,
  LogWriteFailed,
  NoDiskSpace,
  CannotListen,
  RecoveryRefused,
  SettingsMismatch,
];

/** Serves until SIGTERM or SIGINT; ends the process with 1 and a sentence where it cannot begin. */
export async function serve(options: ServeOptions): Promise<void> {
  killOnUncaughtException();
  if (!isNative && options.requireNative) {
    fail(`the native part of uWebSockets.js is missing. ${JAVASCRIPT_SERVER_HINT}`);
    return;
  }
  const log = openLog(options.logFormat);
  tellStarting(log, options);
  try {
    const world = await open(options);
    tellOpened(log, world, options);
    const server = await listen(world, log, options);
    // Before it is told, since whoever waits for that line may send a signal at once.
    stopOnSignal(world, server, log);
    tellServing(log, world, server, options);
  } catch (error) {
    if (!(error instanceof Error) || !isExpected(error)) throw error;
    fail(error.message);
  }
}

async function open(options: ServeOptions): Promise<OpenWorld> {
  const progress = new ReplayProgress();
  const { seed, speed, systemsPerGalaxy } = options;
  const world = await openWorld({
    dataFolder: options.data,
    settings: {
      ...(seed === undefined ? {} : { seed }),
      ...(speed === undefined ? {} : { speed }),
      ...(systemsPerGalaxy === undefined ? {} : { systemsPerGalaxy }),
    },
    clock: options.clock,
    durability: options.durability,
    diskFloorBytes: options.minFreeMib * BYTES_PER_MEBIBYTE,
    onProgress: (done, total) => progress.show(done, total),
  });
  progress.end();
  return world;
}

async function listen(world: OpenWorld, log: Log, options: ServeOptions): Promise<GameServer> {
  try {
    const { host, port, auth, adminKey = null } = options;
    const onBug: BugReport = (error, requestId) => tellFailedRequest(log, error, requestId);
    return await GameServer.start({ world, host, port, auth, adminKey, onBug });
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** The first signal stops in order: replies that are owed go out, then the log is closed. A second one is not waited for. */
function stopOnSignal(world: OpenWorld, server: GameServer, log: Log): void {
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    process.removeListener('SIGTERM', stop);
    process.removeListener('SIGINT', stop);
    tellStopping(log, signal);
    const isDrained = await server.stop();
    await world.close();
    tellStopped(log, isDrained);
    // Idle keep-alive connections would hold the event loop.
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function isExpected(error: Error): boolean {
  // Errors of the operating system, such as a folder that may not be read, name their cause and place themselves.
  return EXPECTED.some((expected) => error instanceof expected) || 'syscall' in error;
}

function fail(sentence: string): void {
  console.error(`galaxyd cannot serve: ${sentence}`);
  process.exitCode = EXIT_FAILED;
}
