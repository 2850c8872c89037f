// How long an innocent client waits beside hostile ones, without rate limits and with them: one hostile load after the other, each
// against a fresh server on a copy of the same world, and the same without any load before the first and after the last. The world
// has some bots, grown players, and one player with very many planets.
import { cpus } from 'node:os';
import type { HostileResult, HostileTask } from '../hostile/hostile-client.js';
import {
  HOSTILE_LOADS,
  HOSTILE_NAMES,
  type HostileLoad,
  type HostileName,
  type HostileNames,
  largeBatch,
  SERIAL_MARK,
} from '../hostile/hostile-loads.js';
import type { InnocentResult, InnocentTask, Waits } from '../hostile/innocent-client.js';
import * as limits from '../limits.js';
import { measureInChild, startStay } from '../processes/child-measurement.js';
import { type ChildServer, MemorySampler } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import * as row from '../runner/scenario.js';
import type { Table } from '../runner/table.js';
import { type OriginalWorld, type PlayerKeys, setUpOriginal } from '../servers/galaxyd-world.js';
import { getRequest, postRequest } from '../servers/game-client.js';
import { type BotName, createSettler } from '../servers/world-set-up.js';

/** Whether requests are limited, by the server's own numbers. */
const LIMITS = ['off', 'on'] as const;
type Limits = (typeof LIMITS)[number];

const options = {
  names: row.names(HOSTILE_NAMES),
  seconds: row.closedSeconds(limits.HOSTILE_SECONDS_DEFAULT),
  durability: row.durability,
  transport: {
    flags: '--transport <name>',
    description: 'of the server; its own default otherwise',
    choices: ['native', 'javascript'],
    standard: undefined,
  } as row.OptionRow<'native' | 'javascript' | undefined>,
  limits: row.list('--limits <list>', 'of the rate of requests', LIMITS),
};

type Wanted = row.Values<typeof options>;

interface HostileWorld extends Pick<OriginalWorld<unknown>, 'serveCopy'> {
  readonly names: HostileNames;
  readonly keys: PlayerKeys;
  /** Whom the innocent client plays: a player with three grown planets, and bots, each with a planet. */
  readonly innocentId: string;
  readonly bots: readonly BotName[];
}

/** One row of the table. */
interface Case {
  readonly name: HostileName | 'idle';
  readonly limited: Limits;
  readonly seconds: number;
}

const HOSTILE_CLIENT = new URL('../hostile/hostile-client.js', import.meta.url);
const INNOCENT_CLIENT = new URL('../hostile/innocent-client.js', import.meta.url);
/** On Linux the whole of 127.0.0.0/8 is the loopback, so that hostile clients have another address than the innocent one. */
const HOSTILE_ADDRESS = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
const TOO_MANY_REQUESTS = '429';

export const hostile = row.scenario({
  command: 'hostile',
  description: 'what an innocent client waits beside a hostile one',
  options,
  steps: (wanted) => (wanted.names.length + 2) * wanted.limits.length,
  measure: (run, wanted) =>
    inTemporaryFolder(async (folder) => {
      run.say('setting up a world');
      const table = run.table('an innocent client beside a hostile one');
      const world = await setUpWorld(folder, wanted, table);
      for (const name of ['idle', ...wanted.names, 'idle'] as const) {
        for (const limited of wanted.limits) {
          run.say(`beside ${name}, limits ${limited}`);
          const measure = (place: string) =>
            measureCase(world, { name, limited, seconds: wanted.seconds }, place, table);
          await inTemporaryFolder(measure, folder);
          run.step(`${name} measured, limits ${limited}`);
        }
      }
    }),
});

async function setUpWorld(folder: string, { durability, transport, seconds }: Wanted, table: Table) {
  const size = { players: limits.HOSTILE_WORLD_PLAYERS, workedPlanets: 0, grownPlayers: 2 };
  const flags = transport === undefined ? [] : ['--transport', transport];
  const options = { size, pace: 'calm', durability, folder, flags } as const;
  const original = await setUpOriginal(options, async (client, { grownPlayerIds }) => {
    const [playerId = '', innocentId = ''] = grownPlayerIds;
    const { id: settlerId } = await createSettler(client, 'settler', limits.SETTLED_PLANETS);
    const { planets } = await client.get<{ planets: { id: string }[] }>(`/api/game/state/${playerId}`);
    const [one = '', other = ''] = planets.map(({ id }) => id);
    const { http } = await client.get<{ http: string }>('/api/status');
    return { names: { playerId, settlerId, planetIds: [one, other] as const }, innocentId, http };
  });
  const { names, innocentId, http } = original.extra;
  table.notes.push(
    `An innocent client beside a hostile one, ${http} transport, ${seconds} s each. Server, hostile and innocent client share ` +
      'the machine: the last columns show how many cores each used, and the idle rows how quiet it was.',
  );
  const bots = original.names.bots.slice(0, limits.INNOCENT_PLANETS);
  const keys = await original.issueKeys([names.playerId, innocentId, names.settlerId], bots);
  return { names, keys, innocentId, bots, serveCopy: original.serveCopy };
}

async function measureCase(
  world: HostileWorld,
  { name, limited, seconds }: Case,
  folder: string,
  table: Table,
): Promise<void> {
  // Registrations are limited by default; here nothing but the rate of requests is.
  const flags = ['--auth', 'key', '--rate-limits', limited, '--registrations-per-minute', '0'];
  const server = await world.serveCopy(folder, { flags });
  const load: HostileLoad | undefined = name === 'idle' ? undefined : HOSTILE_LOADS[name];
  const memory = new MemorySampler(server, limits.MEMORY_SAMPLE_EVERY_MS);
  try {
    const task = load === undefined ? undefined : hostileTask(server.url, load, world, seconds);
    const stay = task && (await startStay<HostileTask, HostileResult>(HOSTILE_CLIENT, task));
    const cores = coresMeter(server);
    const innocent = await measureInChild<InnocentTask, InnocentResult>(
      INNOCENT_CLIENT,
      innocentTask(server.url, world, load, seconds),
    );
    const result = await stay?.leave();
    const used = cores(result);
    const { read, command } = innocent;
    const endedBy = server.endedBy();
    table.rows.push({
      ...{ hostile: name, limits: limited, connections: load?.connections ?? 0 },
      ...waitCells('GET', read),
      ...waitCells('command', command),
      ...(result === undefined ? { 'hostile replies/s': null, 'limited %': null } : repliesTo(result)),
      'server MiB': Math.max(...memory.stop()),
      failures: failuresText(innocent, endedBy),
      ...used,
    });
    if (endedBy !== undefined) table.faults.push(`the server ended with ${endedBy} beside ${name}`);
    // What an innocent client loses beside a hostile one is what is measured. Beside nothing it must lose nothing.
    if (name === 'idle') table.addFaults('the innocent client alone', { failures: read.failures + command.failures });
  } finally {
    memory.stop();
    await server.stop();
  }
}

function waitCells(what: string, { p50Ms, p99Ms, maxMs }: Waits) {
  return { [`${what} p50 ms`]: p50Ms, [`${what} p99 ms`]: p99Ms, [`${what} max ms`]: maxMs };
}

/** Replies of a second, and the share of those with status 429. */
export function repliesTo({ seconds, statuses }: HostileResult) {
  const replies = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const limited = replies === 0 ? null : (100 * (statuses[TOO_MANY_REQUESTS] ?? 0)) / replies;
  return { 'hostile replies/s': replies / seconds, 'limited %': limited };
}

/** Of the innocent client, out of all its requests. */
export function failuresText({ read, command, largeBatch }: InnocentResult, endedBy: string | undefined): string {
  const text = (failures: number, samples: number) => `${failures} of ${samples}`;
  const all = text(read.failures + command.failures, read.samples + command.samples);
  const large = largeBatch === undefined ? '' : `; of large batches ${text(largeBatch.failures, largeBatch.samples)}`;
  return `${all}${large}${endedBy === undefined ? '' : `; the server ended with ${endedBy}`}`;
}

function innocentTask(
  url: string,
  { innocentId, bots, keys }: HostileWorld,
  load: HostileLoad | undefined,
  seconds: number,
): InnocentTask {
  const upgrades = bots.map(({ planetId }) =>
    postRequest('/api/building/upgrade', { planetId, buildingType: 'iron_mine' }),
  );
  // Its large batches are another player's, whose limit they use up.
  const batcherId = bots.at(-1)?.playerId ?? innocentId;
  const large = { ...largeBatch(batcherId), headers: keys.headersOf(batcherId) };
  return {
    url,
    seconds,
    read: keys.sign(getRequest(`/api/game/state/${innocentId}`)),
    upgrades: upgrades.map((upgrade) => keys.sign(upgrade)),
    ...(load?.behaviour === 'slow-upload' ? { largeBatch: large } : {}),
  };
}

function hostileTask(url: string, load: HostileLoad, world: HostileWorld, seconds: number): HostileTask {
  const { behaviour, connections, requestsPerWrite } = load;
  const asked = load.request(world.names);
  return {
    ...{ url, behaviour, connections, requestsPerWrite },
    request: { ...asked, headers: { ...asked.headers, ...headersOf(load, world) } },
    secondsMax: (limits.INNOCENT_WARM_UP_MS + limits.INNOCENT_GRACE_MS) / 1000 + seconds + limits.HOSTILE_GRACE_SECONDS,
    ...(load.isNeighbour ? {} : HOSTILE_ADDRESS),
  };
}

function headersOf({ key }: HostileLoad, { names, keys }: HostileWorld): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (key === 'guess') return { authorization: `Bearer gxd_${SERIAL_MARK}` };
  return keys.headersOf(key === 'player' ? names.playerId : names.settlerId);
}

/**
 * Starts counting processor time. What it returns ends it: mean numbers of cores in use. With few cores, clients and server compete
 * for them. Others are the innocent client, the bench, and whatever else runs on the machine.
 */
function coresMeter(server: ChildServer) {
  const startedMs = performance.now();
  const busyBefore = busySeconds();
  const serverBefore = server.processorSeconds();
  return (hostile: HostileResult | undefined) => {
    const seconds = (performance.now() - startedMs) / 1000;
    const ofServer = (server.processorSeconds() - serverBefore) / seconds;
    const ofHostile = hostile === undefined ? 0 : hostile.processorSeconds / hostile.seconds;
    const others = Math.max(0, (busySeconds() - busyBefore) / seconds - ofServer - ofHostile);
    return { 'server cores': ofServer, 'hostile cores': ofHostile, 'other cores': others };
  };
}

/** Processor time of everything on the machine. */
function busySeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000;
}
