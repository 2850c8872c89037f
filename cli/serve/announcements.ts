// What a serving process logs, as sentences and facts, and how a signal stops it.

import type { AdminKey, AdminKeys } from '../../http/admission/identity.js';
import { BUILD } from '../../http/version.js';
import { type AuditRecord, javascriptServerHint, type WorldServer } from '../../http/world-server.js';
import { asError } from '../../persistence/fatal.js';
import { type DiskEvent, lostFileSentence } from '../../persistence/files/disk-space.js';
import type { OpenWorld } from '../../persistence/open-world.js';
import { onParentEnd } from '../../persistence/parent-process.js';
import type { RoleEvent } from '../../persistence/replication/role-announcer.js';
import type { ScrubEvent } from '../../persistence/upkeep/scrubber.js';
import type { SnapshotEvent } from '../../persistence/upkeep/snapshot-keeper.js';
import { readAdminKeys } from '../commands/admin-key-file.js';
import { failureOf } from '../commands/exit-codes.js';
import type { ServeOptions } from '../commands/serve.js';
import type { Log } from '../output/log.js';
import { recoverySentence, snapshotRow } from '../output/summaries.js';
import { isUnattended, UNATTENDED } from './preparations.js';

/** What the log needs of a world, whether one process serves it or several. */
type ServedWorld = Pick<OpenWorld, 'recovery' | 'isNew' | 'engine' | 'warnings' | 'durability'> &
  Partial<Pick<OpenWorld, 'skippedMs'>>;

export function logStarting(log: Log, { data }: ServeOptions): void {
  const facts = { version: BUILD, node: process.version, processId: process.pid, dataFolder: data };
  log.tell('starting', `galaxyd ${BUILD} starts on the world in ${data}`, facts);
}

/** Logs how the world was recovered or that it is new, and warnings about its durability. */
export function logOpened(log: Log, world: ServedWorld, { data }: ServeOptions): void {
  const { recovery, isNew, engine, warnings, skippedMs = null } = world;
  const { snapshot, snapshotDurationMs, entryCount, durationMs, tornTail, damagedSnapshots } = recovery;
  for (const { seq, message } of damagedSnapshots) logSnapshot(log, { type: 'snapshot_damaged', seq, message });
  if (tornTail !== undefined) {
    const { firstSeq, byteCount } = tornTail;
    const sentence = `galaxyd dropped an incomplete record of ${byteCount} bytes at seq ${firstSeq}`;
    log.tell('record_dropped', sentence, { firstSeq, byteCount });
  }
  if (isNew) {
    log.tell('world_made', `galaxyd ${BUILD} made a new world in ${data}`, { dataFolder: data });
  } else {
    log.tell('world_recovered', `galaxyd ${BUILD} ${recoverySentence(world, data)}`, {
      dataFolder: data,
      snapshotSeq: snapshot?.seq ?? null,
      snapshotDurationMs: Math.round(snapshotDurationMs),
      entryCount,
      durationMs: Math.round(durationMs),
      seq: engine.seq,
    });
  }
  if (skippedMs !== null) {
    const sentence = `galaxyd goes on from the last instant of the log: world time is ${skippedMs} ms further behind the clock of the machine`;
    log.tell('downtime_skipped', sentence, { skippedMs });
  }
  for (const warning of warnings) {
    log.tell('durability_doubtful', `galaxyd warns: ${warning}`, { dataFolder: data, warning });
  }
}

/** Logs the last line before the first reply. Programs that start a server wait for this line. */
export function logServing(log: Log, world: ServedWorld, server: WorldServer, options: ServeOptions): void {
  if (options.transport === 'javascript') {
    const sentence = `galaxyd runs over Node's own HTTP server. ${javascriptServerHint()}`;
    log.tell('native_server_missing', sentence);
  }
  if (isUnattended(options)) log.tell('registration_unattended', `galaxyd warns: ${UNATTENDED}`);
  const { seed, speedThousandths, systemsPerGalaxy } = world.engine.world.settings;
  const speed = speedThousandths / 1000;
  const { durability } = world;
  const { auth, clock } = options;
  const shown = `seed ${seed}, speed ${speed}, ${clock} clock, ${durability}, auth ${auth}`;
  const settings = { ...options, seed, speed, systemsPerGalaxy, clock, durability };
  log.tell('serving', `galaxyd serves ${server.url} (${shown})`, { url: server.url, settings });
}

/** Logs a bug, which the client saw as internal_error. */
export function logFailedRequest(log: Log, error: unknown, requestId: string): void {
  const sentence = `request ${requestId} was answered with internal_error`;
  log.tell('request_failed', sentence, { requestId, err: error });
}

function logStopping(log: Log, signal: NodeJS.Signals): void {
  log.tell('stopping', `galaxyd is stopping (${signal})`, { signal });
}

/** @param isDrained false if clients did not fetch all their replies in time */
function logStopped(log: Log, isDrained: boolean): void {
  const sentence = isDrained ? 'galaxyd stopped' : 'galaxyd stopped without waiting for some clients';
  log.tell('stopped', sentence, { isDrained });
}

/** Logs an event of the snapshot keeper. */
export function logSnapshot(log: Log, event: SnapshotEvent): void {
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
      return prunedToSeq === null ? done : `${done}; the log up to seq ${prunedToSeq} is no longer needed`;
    }
    case 'snapshot_damaged':
      return `galaxyd warns: it skipped a snapshot: ${event.message}`;
    case 'snapshot_failed':
      return `galaxyd could not take a snapshot and continues without it: ${event.message}`;
    case 'snapshots_late':
      return `galaxyd warns: snapshots cannot keep up; the log after the newest one has ${event.logBytes} bytes`;
  }
}

/** Logs an outcome of the verification in the background. */
export function logScrub(log: Log, event: ScrubEvent): void {
  const { type, ...facts } = event;
  log.tell(type, scrubSentence(event), facts);
}

function scrubSentence(event: ScrubEvent): string {
  switch (event.type) {
    case 'world_verified':
      return `galaxyd found the world sound up to seq ${event.lastSeq}: ${event.byteCount} bytes in ${Math.round(event.durationMs)} ms`;
    case 'damage_found':
      return `galaxyd warns: the stored world is damaged: ${event.message} (docs/operating.md, "When something is damaged")`;
    case 'verify_failed':
      return `galaxyd could not verify the world, and tries again: ${event.message}`;
  }
}

/** Logs that requests come through a proxy that the operator has not named. */
export function logUntrustedProxy(log: Log, address: string, { auth }: Pick<ServeOptions, 'auth'>): void {
  const keys = auth === 'none' ? '; the world has no keys, so anybody who reaches the proxy can play every player' : '';
  const sentence = `galaxyd warns: ${address} names the clients of its requests in X-Forwarded-For, and counts as one client itself, since --trusted-proxies does not name it${keys}`;
  log.tell('proxy_not_trusted', sentence, { address, auth });
}

/** Logs what an operator has done, or that somebody without the key of one has tried. */
export function logOperator(log: Log, record: AuditRecord): void {
  const { key, address, method, path, status, code } = record;
  const outcome = `${status ?? 'no reply'}${code === null ? '' : ` ${code}`}`;
  if (key === null)
    log.tell('operator_refused', `galaxyd refused ${method} ${path} from ${address}: ${outcome}`, { ...record });
  else log.tell('operator_acted', `the operator ${key} at ${address}: ${method} ${path}: ${outcome}`, { ...record });
}

/** Logs that an action could not be kept in the trail; its own line is in this log. */
export function logUnrecorded(log: Log, error: unknown): void {
  const { message } = asError(error);
  log.tell('operator_unrecorded', `galaxyd could not keep an action of the operator: ${message}`, { message });
}

/** Logs that it is not known which addresses were blocked. */
export function logUnreadableBlocks(log: Log, error: unknown): void {
  const { message } = asError(error);
  log.tell('blocks_unreadable', `galaxyd blocks no address: ${message}`, { message });
}

/** Logs what has changed on the disk of the world. */
export function logDisk(log: Log, event: DiskEvent): void {
  const { type } = event;
  switch (type) {
    case 'disk_low': {
      const { freeBytes = null, floorBytes } = event;
      const free = freeBytes === null ? 'could not be measured' : `has ${freeBytes} bytes left`;
      const sentence = `galaxyd refuses commands: the disk ${free}, and ${floorBytes} must be free (docs/operating.md, "A full disk")`;
      log.tell(type, sentence, { freeBytes, floorBytes });
      return;
    }
    case 'disk_has_room': {
      const { freeBytes, floorBytes } = event;
      log.tell(type, `galaxyd has room on the disk again: ${freeBytes} bytes are left`, { freeBytes, floorBytes });
      return;
    }
    case 'log_file_lost': {
      const { lost } = event;
      const sentence = `galaxyd refuses commands: ${lostFileSentence(lost)} (docs/operating.md, "A log file that is gone")`;
      log.tell(type, sentence, { ...lost, processId: process.pid });
      return;
    }
    case 'log_files_found':
      log.tell(type, 'galaxyd finds all files of the log in their places, and accepts commands again');
  }
}

/** Logs a change of the role of this process in a store that several processes share. */
export function logRole(log: Log, event: RoleEvent): void {
  const { type, ...facts } = event;
  log.tell(type, `galaxyd ${roleSentence(event)}`, facts);
}

function roleSentence(event: RoleEvent): string {
  switch (event.type) {
    case 'role_leading':
      return `leads the world from seq ${event.seq} on (epoch ${event.epoch}), ${Math.round(event.tookMs)} ms after it claimed the lease`;
    case 'role_following':
      return `follows the leader at ${event.leaderUrl} (epoch ${event.epoch})`;
    case 'role_leaderless':
      return `warns: nobody leads the world after epoch ${event.epoch}`;
    case 'role_refused':
      return `does not take over the world after epoch ${event.epoch}: ${event.message}`;
    case 'role_paused':
      return `warns: it has not renewed its lease for ${Math.round(event.leaseAgeMs)} ms, so it answers nothing`;
    case 'role_resumed':
      return `has renewed its lease and answers again, after ${Math.round(event.pausedMs)} ms`;
    case 'role_handing_over':
      return `hands the world over to the process at ${event.successorUrl}`;
    case 'role_handed_over':
      return `has handed the world over at seq ${event.seq} (epoch ${event.epoch})`;
    case 'store_unreachable':
      return `warns: it cannot reach the store of the world: ${event.message}`;
    case 'store_reached':
      return `reaches the store of the world again, after ${Math.round(event.afterMs)} ms`;
  }
}

/**
 * Reads the keys of operators again at each SIGHUP, and logs what has changed. If the file cannot be used, the old keys stay.
 *
 * @param path of their file
 */
export function rereadOnSignal(keys: AdminKeys, path: string, log: Log): void {
  process.on('SIGHUP', async () => {
    try {
      const before = keys.listed;
      const after = await readAdminKeys(path);
      keys.replace(after);
      const changes = keyChanges(before, after);
      const words = Object.entries(changes).flatMap(([verb, names]) =>
        names.length > 0 ? [`${verb} ${names.join(', ')}`] : [],
      );
      const sentence = `galaxyd has read ${path} again: ${words.join('; ') || 'nothing has changed'}`;
      log.tell('admin_keys_read', sentence, { file: path, ...changes });
    } catch (error) {
      const reason = failureOf(error)?.lines.join(' ') ?? String(error);
      log.tell('admin_keys_kept', `galaxyd keeps its admin keys: ${reason}`, { file: path, reason });
    }
  });
}

/** Names of keys, by what has become of them. */
function keyChanges(
  before: readonly AdminKey[],
  after: readonly AdminKey[],
): Record<'added' | 'removed' | 'changed', string[]> {
  const namesOf = (keys: readonly AdminKey[]): string[] => keys.map(({ name }) => name);
  const old = new Map(before.map((key) => [key.name, key]));
  const present = new Set(namesOf(after));
  return {
    added: namesOf(after.filter(({ name }) => !old.has(name))),
    removed: namesOf(before.filter(({ name }) => !present.has(name))),
    changed: namesOf(
      after.filter(({ name, kind, hash }) => {
        const known = old.get(name);
        return known !== undefined && (known.kind !== kind || known.hash !== hash);
      }),
    ),
  };
}

/** The world to close. A world that several processes serve is handed over first, if another process is ready. */
export interface StoppedWorld {
  close(): Promise<void>;
  handOver?(): Promise<boolean>;
}

/**
 * Stops the server at the first SIGTERM or SIGINT: it sends pending replies, then closes the world. A second signal ends the process
 * at once. A server that was started with a channel to its parent also stops once its parent has ended.
 */
export function stopOnSignal(world: StoppedWorld, server: WorldServer, log: Log, deadlineMs?: number): void {
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    process.removeListener('SIGTERM', stop);
    process.removeListener('SIGINT', stop);
    stopListening();
    logStopping(log, signal);
    // The server still answers meanwhile, so that it can send clients to the new leader.
    await world.handOver?.();
    const isDrained = await server.stop(deadlineMs);
    await world.close();
    logStopped(log, isDrained);
    // Idle keep-alive connections would keep the event loop running.
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const stopListening = onParentEnd(() => void stop('SIGTERM'));
}
