// What `galaxyd serve` says at its beginning and its end, in sentences and facts. It decides nothing.
import { type GameServer, JAVASCRIPT_SERVER_HINT } from '../http/game-server.js';
import { VERSION } from '../http/version.js';
import type { OpenWorld } from '../persistence/open-world.js';
import type { SnapshotEvent } from '../persistence/upkeep/snapshot-keeper.js';
import type { Log } from './log-lines.js';
import { recoverySentence } from './recovery-sentence.js';
import type { ServeOptions } from './serve-options.js';
import { snapshotRow } from './snapshot-row.js';

export function tellStarting(log: Log, { data }: ServeOptions): void {
  const facts = { version: VERSION, node: process.version, processId: process.pid, dataFolder: data };
  log.tell('starting', `galaxyd ${VERSION} starts on the world in ${data}`, facts);
}

/** How the world came back, or that it is new, and what its operator should know about its place. */
export function tellOpened(log: Log, world: OpenWorld, { data }: ServeOptions): void {
  const { recovery, isNew, engine, doubtfulFileSystem } = world;
  const { snapshot, snapshotDurationMs, entryCount, durationMs, tornTail, damagedSnapshots } = recovery;
  for (const { seq, message } of damagedSnapshots) tellSnapshot(log, { type: 'snapshot_damaged', seq, message });
  if (tornTail !== undefined) {
    const { firstSeq, byteCount } = tornTail;
    const sentence = `galaxyd dropped a record of ${byteCount} bytes at seq ${firstSeq} that was not written whole`;
    log.tell('record_dropped', sentence, { firstSeq, byteCount });
  }
  if (isNew) {
    log.tell('world_made', `galaxyd ${VERSION} made a new world in ${data}`, { dataFolder: data });
  } else {
    log.tell('world_recovered', `galaxyd ${VERSION} ${recoverySentence(world, data)}`, {
      dataFolder: data,
      snapshotSeq: snapshot?.seq ?? null,
      snapshotDurationMs: Math.round(snapshotDurationMs),
      entryCount,
      durationMs: Math.round(durationMs),
      seq: engine.seq,
    });
  }
  if (doubtfulFileSystem !== null) {
    const sentence = `galaxyd warns: ${data} is on ${doubtfulFileSystem}, where a power cut may cost data; a local disk is safe`;
    log.tell('file_system_doubtful', sentence, { dataFolder: data, fileSystem: doubtfulFileSystem });
  }
}

/** The last line before the first reply: whoever waits for the server reads it here. */
export function tellServing(log: Log, world: OpenWorld, server: GameServer, options: ServeOptions): void {
  if (options.transport === 'javascript') {
    const sentence = `galaxyd runs over Node's own HTTP server. ${JAVASCRIPT_SERVER_HINT}`;
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

/** What the keeper of snapshots tells. */
export function tellSnapshot(log: Log, event: SnapshotEvent): void {
  const { type, ...facts } = event;
  if (event.type === 'snapshot_taken') {
    const { taken, prunedToSeq } = event;
    log.tell(type, snapshotSentence(event), {
      ...snapshotRow(taken.manifest),
      durationMs: taken.durationMs,
      prunedToSeq,
    });
  } else {
    log.tell(type, snapshotSentence(event), facts);
  }
}

function snapshotSentence(event: SnapshotEvent): string {
  switch (event.type) {
    case 'snapshot_taken': {
      const { taken, prunedToSeq } = event;
      const done = `galaxyd took a snapshot at seq ${taken.manifest.seq} in ${Math.round(taken.durationMs)} ms`;
      return prunedToSeq === null ? done : `${done}; the log may be gone up to seq ${prunedToSeq}`;
    }
    case 'snapshot_damaged':
      return `galaxyd warns: it passed over a snapshot: ${event.message}`;
    case 'snapshot_failed':
      return `galaxyd could not take a snapshot, and goes on: ${event.message}`;
    case 'snapshots_late':
      return `galaxyd warns: snapshots cannot keep up; the log behind the newest one has ${event.logBytes} bytes`;
  }
}
