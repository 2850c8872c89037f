// Measures what an innocent client waits beside hostile ones: one hostile load after the other, each against a fresh server
// on a copy of the same world, and the same without any load before the first and after the last.
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { HOSTILE_GRACE_SECONDS, INNOCENT_GRACE_MS, INNOCENT_WARM_UP_MS, MEMORY_SAMPLE_EVERY_MS } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder, TEMPORARY_PLACE } from '../processes/temporary-folder.js';
import type { Progress } from '../reports/progress.js';
import type { HostileResult, HostileTask } from './hostile-client.js';
import { HOSTILE_LOADS, type HostileLoad, type HostileName, largeBatch } from './hostile-loads.js';
import { type HostileNames, type HostileWorld, setUpHostileWorld, type Transport } from './hostile-world.js';
import type { InnocentResult, InnocentTask } from './innocent-client.js';

export interface HostilePlan {
  readonly rows: readonly HostileName[];
  /** Of each row, the warm-up not counted. */
  readonly seconds: number;
  /** Passed on to the server if given; its own default otherwise. */
  readonly transport: Transport | undefined;
  readonly durability: 'durable' | 'relaxed';
}

/** Mean numbers of cores in use while a row was measured: with few cores, clients and server compete for them. */
export interface CoresUsed {
  readonly server: number;
  readonly hostile: number;
  /** The innocent client, the bench, and whatever else runs on the machine. */
  readonly others: number;
}

export interface HostileReading extends InnocentResult {
  readonly row: HostileName | 'idle';
  readonly title: string;
  readonly connections: number;
  /** Absent for the idle rows. */
  readonly hostile?: {
    readonly repliesPerSecond: number;
    /** Replies by status. */
    readonly statuses: Readonly<Record<string, number>>;
    /** Connections that the server closed or refused. */
    readonly closed: number;
  };
  /** Largest memory of the server's own that was seen; absent where the system does not tell. */
  readonly heldMaxMib?: number;
  readonly cores?: CoresUsed;
  /** The signal or exit code by which the server ended under the load. */
  readonly serverEndedBy?: string;
}

export interface HostileReport {
  /** As the server reports it. */
  readonly transport: string;
  readonly seconds: number;
  readonly readings: readonly HostileReading[];
}

const HOSTILE_PROGRAM = new URL('./hostile-program.js', import.meta.url);
const INNOCENT_PROGRAM = new URL('./innocent-program.js', import.meta.url);
const BYTES_PER_MIB = 1024 * 1024;
/** On Linux the whole of 127.0.0.0/8 is the loopback, so that hostile clients have an address apart from the innocent one's. */
const HOSTILE_ADDRESS = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/** How many times runHostile() reports a step. */
export function hostileSteps({ rows }: HostilePlan): number {
  return rows.length + 2;
}

export function runHostile(plan: HostilePlan, progress: Progress): Promise<HostileReport> {
  return inTemporaryFolder(TEMPORARY_PLACE, async (folder) => {
    progress.say('setting up a world');
    const original = join(folder, 'original');
    await mkdir(original);
    const world = await setUpHostileWorld(original, plan.durability, plan.transport);
    const readings: HostileReading[] = [];
    for (const row of ['idle', ...plan.rows, 'idle'] as const) {
      progress.say(`beside ${row}`);
      readings.push(await inTemporaryFolder(folder, (place) => measureRow(world, row, plan.seconds, place)));
      progress.step(`${row} measured`);
    }
    return { transport: world.transport, seconds: plan.seconds, readings };
  });
}

async function measureRow(
  world: HostileWorld,
  row: HostileName | 'idle',
  seconds: number,
  folder: string,
): Promise<HostileReading> {
  const server = await world.serveCopy(folder);
  const load: HostileLoad | undefined = row === 'idle' ? undefined : HOSTILE_LOADS[row];
  const memory = new MemoryWatch(server);
  try {
    const measured = load === undefined ? {} : startLoad(server.url, load, world.names, seconds);
    await measured.ready;
    const cores = coresMeter(server);
    const innocent = await measureInChild<InnocentTask, InnocentResult>(INNOCENT_PROGRAM, {
      url: server.url,
      seconds,
      playerId: world.names.playerId,
      planetIds: world.names.planetIds,
      ...(load?.behaviour === 'slow-upload' ? { largeBatch: largeBatch(world.names.settlerId) } : {}),
    });
    measured.finish?.();
    const result = await measured.result;
    const heldMaxMib = memory.stop();
    const used = cores(result);
    const endedBy = server.endedBy();
    return {
      row,
      title: load?.title ?? 'nothing hostile',
      connections: load?.connections ?? 0,
      ...innocent,
      ...(result === undefined ? {} : { hostile: outcomeOf(result) }),
      ...(heldMaxMib === undefined ? {} : { heldMaxMib }),
      ...(used === undefined ? {} : { cores: used }),
      ...(endedBy === undefined ? {} : { serverEndedBy: endedBy }),
    };
  } finally {
    memory.stop();
    await server.stop();
  }
}

interface StartedLoad {
  /** Its connections have been opened. */
  readonly ready?: Promise<unknown>;
  readonly result?: Promise<HostileResult>;
  finish?(): void;
}

function startLoad(url: string, load: HostileLoad, names: HostileNames, seconds: number): StartedLoad {
  const { behaviour, connections, requestsPerWrite } = load;
  const secondsMax = (INNOCENT_WARM_UP_MS + INNOCENT_GRACE_MS) / 1000 + seconds + HOSTILE_GRACE_SECONDS;
  const request = load.request(names);
  const task = { url, behaviour, connections, requestsPerWrite, request, secondsMax, ...HOSTILE_ADDRESS };
  const finishing = new AbortController();
  let markReady = () => {};
  const opened = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const onReady = () => markReady();
  const result = measureInChild<HostileTask, HostileResult>(HOSTILE_PROGRAM, task, onReady, [], finishing.signal);
  return { ready: Promise.race([opened, result]), result, finish: () => finishing.abort() };
}

function outcomeOf({ seconds, statuses, closed }: HostileResult) {
  const replies = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { repliesPerSecond: replies / seconds, statuses, closed };
}

/** Starts counting processor time. @returns ends it; undefined where the system does not tell */
function coresMeter(server: ChildServer): (hostile: HostileResult | undefined) => CoresUsed | undefined {
  const startedMs = performance.now();
  const busyBefore = busySeconds();
  const serverBefore = server.processorSeconds();
  return (hostile) => {
    const seconds = (performance.now() - startedMs) / 1000;
    const serverAfter = server.processorSeconds();
    if (serverBefore === undefined || serverAfter === undefined) return undefined;
    const ofServer = (serverAfter - serverBefore) / seconds;
    const ofHostile = hostile === undefined ? 0 : hostile.processorSeconds / hostile.seconds;
    const all = (busySeconds() - busyBefore) / seconds;
    return { server: ofServer, hostile: ofHostile, others: Math.max(0, all - ofServer - ofHostile) };
  };
}

/** Processor time of everything on the machine. */
function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
}

class MemoryWatch {
  readonly #timer: NodeJS.Timeout;
  #maxBytes: number | undefined;

  constructor(private readonly server: ChildServer) {
    this.#timer = setInterval(() => this.#look(), MEMORY_SAMPLE_EVERY_MS);
  }

  /** @returns the most that was seen, in MiB */
  stop(): number | undefined {
    clearInterval(this.#timer);
    this.#look();
    return this.#maxBytes === undefined ? undefined : Math.round(this.#maxBytes / BYTES_PER_MIB);
  }

  #look(): void {
    const bytes = this.server.heldBytes();
    if (bytes !== undefined) this.#maxBytes = Math.max(this.#maxBytes ?? 0, bytes);
  }
}
