// Measures how long an innocent client waits beside hostile ones, without rate limits and with them: one hostile load after the
// other, each against a fresh server on a copy of the same world, and the same without any load before the first and after
// the last.
import { mkdir } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Run } from '../end-to-end/closed-loop.js';
import { HOSTILE_GRACE_SECONDS, INNOCENT_GRACE_MS, INNOCENT_WARM_UP_MS, MEMORY_SAMPLE_EVERY_MS } from '../limits.js';
import { measureInChild } from '../processes/child-measurement.js';
import { type ChildServer, MemorySampler } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { ADMIN_KEY } from '../servers/galaxyd-world.js';
import { getRequest, postRequest } from '../servers/game-client.js';
import type { HostileResult, HostileTask } from './hostile-client.js';
import { HOSTILE_LOADS, type HostileLoad, type HostileName, largeBatch, SERIAL_MARK } from './hostile-loads.js';
import { type HostileWorld, type Limits, setUpHostileWorld, type Transport } from './hostile-world.js';
import type { InnocentResult, InnocentTask } from './innocent-client.js';

export interface HostilePlan {
  readonly rows: readonly HostileName[];
  /** Each row is measured with each of these. */
  readonly limits: readonly Limits[];
  /** Of each row, the warm-up not counted. */
  readonly seconds: number;
  /** Passed on to the server if given; its own default otherwise. */
  readonly transport?: Transport | undefined;
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
  /** Absent in results from before there were any. */
  readonly limits?: Limits;
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
  /** Largest memory of the server's own that was seen; absent if the system does not report it. */
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

const HOSTILE_CLIENT = new URL('./hostile-client.js', import.meta.url);
const INNOCENT_CLIENT = new URL('./innocent-client.js', import.meta.url);
/** On Linux the whole of 127.0.0.0/8 is the loopback, so that hostile clients have another address than the innocent one. */
const HOSTILE_ADDRESS = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/** How many times runHostile() reports a step. */
export function hostileSteps({ rows, limits }: HostilePlan): number {
  return (rows.length + 2) * limits.length;
}

/** Keeps the report after each row, with the rows so far. */
export function runHostile({ plan, progress, keep }: Omit<Run<HostilePlan, HostileReport>, 'loop'>): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    progress.say('setting up a world');
    const original = join(folder, 'original');
    await mkdir(original);
    const world = await setUpHostileWorld(original, plan.durability, plan.transport);
    const readings: HostileReading[] = [];
    for (const row of ['idle', ...plan.rows, 'idle'] as const) {
      for (const limits of plan.limits) {
        progress.say(`beside ${row}, limits ${limits}`);
        const measure = (place: string) => measureRow(world, { row, limits, seconds: plan.seconds }, place);
        readings.push(await inTemporaryFolder(measure, folder));
        keep({ transport: world.transport, seconds: plan.seconds, readings: [...readings] });
        progress.step(`${row} measured, limits ${limits}`);
      }
    }
  });
}

interface RowPlan {
  readonly row: HostileName | 'idle';
  readonly limits: Limits;
  readonly seconds: number;
}

async function measureRow(
  world: HostileWorld,
  { row, limits, seconds }: RowPlan,
  folder: string,
): Promise<HostileReading> {
  const server = await world.serveCopy(folder, limits);
  const load: HostileLoad | undefined = row === 'idle' ? undefined : HOSTILE_LOADS[row];
  const memory = new MemorySampler(server, MEMORY_SAMPLE_EVERY_MS);
  try {
    const started = load === undefined ? undefined : await startLoad(server.url, load, world, seconds);
    const cores = coresMeter(server);
    const task = innocentTask(server.url, world, load, seconds);
    const innocent = await measureInChild<InnocentTask, InnocentResult>(INNOCENT_CLIENT, task);
    started?.finish();
    const result = await started?.result;
    const heldMib = memory.stop();
    const used = cores(result);
    const endedBy = server.endedBy();
    return {
      row,
      limits,
      title: load?.title ?? 'nothing hostile',
      connections: load?.connections ?? 0,
      ...innocent,
      ...(result === undefined ? {} : { hostile: outcomeOf(result) }),
      ...(heldMib.length === 0 ? {} : { heldMaxMib: Math.max(...heldMib) }),
      ...(used === undefined ? {} : { cores: used }),
      ...(endedBy === undefined ? {} : { serverEndedBy: endedBy }),
    };
  } finally {
    memory.stop();
    await server.stop();
  }
}

function innocentTask(
  url: string,
  { innocent: { playerId, bots }, keys }: HostileWorld,
  load: HostileLoad | undefined,
  seconds: number,
): InnocentTask {
  const upgrades = bots.map(({ planetId }) =>
    postRequest('/api/building/upgrade', { planetId, buildingType: 'iron_mine' }),
  );
  // Its large batches are another player's, whose limit they use up.
  const batcherId = bots.at(-1)?.playerId ?? playerId;
  const large = { ...largeBatch(batcherId), headers: keys.headersOf(batcherId) };
  return {
    url,
    seconds,
    read: keys.sign(getRequest(`/api/game/state/${playerId}`)),
    upgrades: upgrades.map((upgrade) => keys.sign(upgrade)),
    ...(load?.behaviour === 'slow-upload' ? { largeBatch: large } : {}),
  };
}

interface StartedLoad {
  readonly result: Promise<HostileResult>;
  finish(): void;
}

/** Settles when its connections have been opened. */
function startLoad(url: string, load: HostileLoad, world: HostileWorld, seconds: number): Promise<StartedLoad> {
  const { behaviour, connections, requestsPerWrite } = load;
  const secondsMax = (INNOCENT_WARM_UP_MS + INNOCENT_GRACE_MS) / 1000 + seconds + HOSTILE_GRACE_SECONDS;
  const asked = load.request(world.names);
  const request = { ...asked, headers: { ...asked.headers, ...headersOf(load, world) } };
  const from = load.isNeighbour ? {} : HOSTILE_ADDRESS;
  const task = { url, behaviour, connections, requestsPerWrite, request, secondsMax, ...framesOf(load), ...from };
  const finishing = new AbortController();
  return new Promise((resolve, reject) => {
    const options = {
      onProgress: () => resolve({ result, finish: () => finishing.abort() }),
      finish: finishing.signal,
    };
    const result = measureInChild<HostileTask, HostileResult>(HOSTILE_CLIENT, task, options);
    result.catch(reject);
  });
}

function framesOf({ frames, connections, everyMs = 0 }: HostileLoad): Pick<HostileTask, 'frames' | 'everyMs'> {
  if (frames === undefined) return {};
  return { everyMs, frames: Array.from({ length: connections }, (_, index) => frames(index).toString('base64')) };
}

function headersOf({ key }: HostileLoad, { names, keys }: HostileWorld): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (key === 'operator') return { authorization: `Bearer ${ADMIN_KEY}` };
  if (key === 'guess') return { authorization: `Bearer gxd_${SERIAL_MARK}` };
  return keys.headersOf(key === 'player' ? names.playerId : names.settlerId);
}

function outcomeOf({ seconds, statuses, closed }: HostileResult) {
  const replies = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return { repliesPerSecond: replies / seconds, statuses, closed };
}

/** Starts counting processor time. @returns ends it; undefined if the system does not report it */
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
