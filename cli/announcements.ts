// What `galaxyd serve` says at its beginning and its end, in sentences and facts. It decides nothing.
import { type GameServer, isNative, JAVASCRIPT_SERVER_HINT } from '../http/game-server.js';
import { VERSION } from '../http/version.js';
import type { OpenWorld } from '../persistence/open-world.js';
import type { Log } from './log-lines.js';
import type { ServeOptions } from './serve-options.js';

export function tellStarting(log: Log, { data }: ServeOptions): void {
  const facts = { version: VERSION, node: process.version, processId: process.pid, dataFolder: data };
  log.tell('starting', `galaxyd ${VERSION} starts on the world in ${data}`, facts);
}

/** How the world came back, or that it is new, and what its operator should know about its place. */
export function tellOpened(
  log: Log,
  { recovery, engine, doubtfulFileSystem }: OpenWorld,
  { data }: ServeOptions,
): void {
  const { entryCount, durationMs, droppedTail } = recovery;
  if (droppedTail !== undefined) {
    const { firstSeq, byteCount } = droppedTail;
    const sentence = `galaxyd dropped a record of ${byteCount} bytes at seq ${firstSeq} that was not written whole`;
    log.tell('record_dropped', sentence, { firstSeq, byteCount });
  }
  if (entryCount === 0) {
    log.tell('world_made', `galaxyd ${VERSION} made a new world in ${data}`, { dataFolder: data });
  } else {
    const wholeMs = Math.round(durationMs);
    const sentence = `galaxyd ${VERSION} replayed ${entryCount} entries from ${data} in ${wholeMs} ms`;
    log.tell('world_recovered', sentence, { dataFolder: data, entryCount, durationMs: wholeMs, seq: engine.seq });
  }
  if (doubtfulFileSystem !== null) {
    const sentence = `galaxyd warns: ${data} is on ${doubtfulFileSystem}, where a power cut may cost data; a local disk is safe`;
    log.tell('file_system_doubtful', sentence, { dataFolder: data, fileSystem: doubtfulFileSystem });
  }
}

/** The last line before the first reply: whoever waits for the server reads it here. */
export function tellServing(log: Log, world: OpenWorld, server: GameServer, options: ServeOptions): void {
  if (!isNative) {
    const sentence = `galaxyd runs without the native part of uWebSockets.js. ${JAVASCRIPT_SERVER_HINT}`;
    log.tell('native_server_missing', sentence);
  }
  const { seed, speedThousandths, systemsPerGalaxy } = world.engine.world.settings;
  const speed = speedThousandths / 1000;
  const { clockKind: clock, durability } = world;
  const { auth } = options;
  const shown = `seed ${seed}, speed ${speed}, ${clock} clock, ${durability}, auth ${auth}`;
  const settings = { ...options, seed, speed, systemsPerGalaxy, clock, durability };
  log.tell('serving', `galaxyd serves ${server.url} (${shown})`, { url: server.url, settings });
}

/** A bug, which its client met as internal_error. */
export function tellFailedRequest(log: Log, error: unknown, requestId: string): void {
  const sentence = `request ${requestId} was answered with internal_error`;
  log.tell('request_failed', sentence, { requestId, err: error });
}

export function tellStopping(log: Log, signal: NodeJS.Signals): void {
  log.tell('stopping', `galaxyd is told to stop (${signal})`, { signal });
}

/** @param isDrained false where replies were owed that nobody fetched in time */
export function tellStopped(log: Log, isDrained: boolean): void {
  const sentence = isDrained ? 'galaxyd stopped' : 'galaxyd stopped; some clients were not waited for';
  log.tell('stopped', sentence, { isDrained });
}
