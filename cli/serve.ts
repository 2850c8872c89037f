// `galaxyd serve`: opens a world, serves it, and takes it down in order when it is told to stop.
import { CannotListen, GameServer, isNative, JAVASCRIPT_SERVER_HINT } from '../http/game-server.js';
import { VERSION } from '../http/version.js';
import { NoDiskSpace } from '../persistence/disk-space.js';
import { killOnUncaughtException } from '../persistence/fatal.js';
import { DataFolderLocked } from '../persistence/folder-lock.js';
import { SettingsMismatch } from '../persistence/genesis.js';
import { LogUnreadable, LogWriteFailed } from '../persistence/log.js';
import { type OpenWorld, openWorld } from '../persistence/open-world.js';
import { RecoveryRefused } from '../persistence/recovery.js';
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
  try {
    const world = await open(options);
    const server = await listen(world, options);
    // Before it is told, since whoever waits for that line may send a signal at once.
    stopOnSignal(world, server);
    announce(world, server, options);
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

async function listen(world: OpenWorld, options: ServeOptions): Promise<GameServer> {
  try {
    const { host, port, auth, adminKey = null } = options;
    return await GameServer.start({ world, host, port, auth, adminKey });
  } catch (error) {
    await world.close();
    throw error;
  }
}

function announce(world: OpenWorld, server: GameServer, options: ServeOptions): void {
  const { entryCount, durationMs, droppedTail } = world.recovery;
  const { seed, speedThousandths } = world.engine.world.settings;
  if (droppedTail !== undefined) {
    const { firstSeq, byteCount } = droppedTail;
    console.log(`galaxyd dropped a record of ${byteCount} bytes at seq ${firstSeq} that was not written whole`);
  }
  console.log(
    entryCount === 0
      ? `galaxyd ${VERSION} made a new world in ${options.data}`
      : `galaxyd ${VERSION} replayed ${entryCount} entries from ${options.data} in ${Math.round(durationMs)} ms`,
  );
  if (world.doubtfulFileSystem !== null) {
    console.log(
      `galaxyd warns: ${options.data} is on ${world.doubtfulFileSystem}, where a power cut may cost data; a local disk is safe`,
    );
  }
  if (!isNative) console.log(`galaxyd runs without the native part of uWebSockets.js. ${JAVASCRIPT_SERVER_HINT}`);
  const facts = `seed ${seed}, speed ${speedThousandths / 1000}, ${world.clockKind} clock, ${world.durability}, auth ${options.auth}`;
  console.log(`galaxyd serves ${server.url} (${facts})`);
}

/** The first signal stops in order: replies that are owed go out, then the log is closed. A second one is not waited for. */
function stopOnSignal(world: OpenWorld, server: GameServer): void {
  const stop = async (): Promise<void> => {
    process.removeListener('SIGTERM', stop);
    process.removeListener('SIGINT', stop);
    const isDrained = await server.stop();
    await world.close();
    console.log(isDrained ? 'galaxyd stopped' : 'galaxyd stopped; some clients were not waited for');
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
