// `galaxyd serve`: opens a world, serves it, and takes it down in order when it is told to stop.
import { GameServer, isNative, JAVASCRIPT_SERVER_HINT } from '../http/game-server.js';
import { VERSION } from '../http/version.js';
import { killOnUncaughtException } from '../persistence/fatal.js';
import { type OpenWorld, openWorld } from '../persistence/open-world.js';
import type { SnapshotSchedule } from '../persistence/snapshot-keeper.js';
import { EXIT_CODES, failureOf } from './exit-codes.js';
import { RecoveryProgressBar } from './recovery-progress.js';
import { recoverySentence } from './recovery-sentence.js';
import { BYTES_PER_MEBIBYTE, MS_PER_MINUTE, type ServeOptions } from './serve-options.js';

/** Serves until SIGTERM or SIGINT; ends the process with a sentence and its exit code where it cannot begin. */
export async function serve(options: ServeOptions): Promise<void> {
  killOnUncaughtException();
  if (!isNative && options.requireNative) {
    fail(`the native part of uWebSockets.js is missing. ${JAVASCRIPT_SERVER_HINT}`, EXIT_CODES.failed.code);
    return;
  }
  try {
    const world = await open(options);
    const server = await listen(world, options);
    // Before it is told, since whoever waits for that line may send a signal at once.
    stopOnSignal(world, server);
    announce(world, server, options);
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    fail(failure.sentence, failure.code);
  }
}

async function open(options: ServeOptions): Promise<OpenWorld> {
  const progress = new RecoveryProgressBar();
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
    snapshotSchedule: scheduleOf(options),
    onProgress: progress.show,
  });
  progress.end();
  return world;
}

function scheduleOf({ snapshotMinutes, snapshotLogMib }: ServeOptions): SnapshotSchedule {
  const orNever = (value: number): number => (value === 0 ? Number.POSITIVE_INFINITY : value);
  return {
    everyMs: orNever(snapshotMinutes * MS_PER_MINUTE),
    everyBytes: orNever(snapshotLogMib * BYTES_PER_MEBIBYTE),
  };
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
  const { tornTail, damagedSnapshots } = world.recovery;
  const { seed, speedThousandths } = world.engine.world.settings;
  for (const { message } of damagedSnapshots) console.log(`galaxyd warns: it passed over a snapshot: ${message}`);
  if (tornTail !== undefined) {
    const { firstSeq, byteCount } = tornTail;
    console.log(`galaxyd dropped a record of ${byteCount} bytes at seq ${firstSeq} that was not written whole`);
  }
  console.log(`galaxyd ${VERSION} ${recoverySentence(world, options.data)}`);
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

function fail(sentence: string, code: number): void {
  console.error(`galaxyd cannot serve: ${sentence}`);
  process.exitCode = code;
}
