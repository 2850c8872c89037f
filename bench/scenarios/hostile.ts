// How long an innocent client waits beside hostile ones, with the settings of the server that are asked for: one hostile load after
// the other, each against a fresh server on a copy of the same world, and the same without any load before the first and after the
// last. The world has some bots, grown players, and one player with very many planets. Meanwhile another innocent client plays on a
// server that nobody attacks: what it waits is due to the machine, which all of them share.
import { cpus } from 'node:os';
import { join } from 'node:path';
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
import { ADMIN_KEY, type OriginalWorld, type PlayerKeys, setUpOriginal } from '../servers/galaxyd-world.js';
import { GameClient, getRequest, postRequest } from '../servers/game-client.js';
import { TRANSPORT_KINDS, type TransportKind, transportOf } from '../servers/peers.js';
import { type BotName, createSettler } from '../servers/world-set-up.js';

/** Flags of the server; limits are those of the rate of requests, by the server's own numbers. */
interface Settings {
  /** Undefined: its own default. */
  readonly transport: TransportKind | undefined;
  /** Whether it is one with --auth key. */
  readonly keys: 'on' | 'off';
  readonly limits: 'off' | 'on';
}

const options = {
  names: row.names(HOSTILE_NAMES),
  seconds: row.closedSeconds(limits.HOSTILE_SECONDS_DEFAULT),
  durability: row.durability,
  transport: row.list('--transport <list>', 'of the server, by default its own choice', TRANSPORT_KINDS, []),
  keys: row.list<Settings['keys']>('--keys <list>', 'whether the server wants them', ['on', 'off'], ['on']),
  limits: row.list<Settings['limits']>('--limits <list>', 'of the rate of requests', ['off', 'on']),
};

type Wanted = row.Values<typeof options>;

interface HostileWorld extends Pick<OriginalWorld<unknown>, 'serveCopy'> {
  readonly names: HostileNames;
  readonly keys: PlayerKeys;
  /** Whom the innocent client plays: a player with three grown planets, and bots, each with a planet. */
  readonly innocentId: string;
  readonly bots: readonly BotName[];
  /** The memory of servers without a hostile client, by their flags. */
  readonly idleMib: Map<string, number>;
}

/** One row of the table. */
interface Case {
  readonly name: HostileName | 'idle';
  readonly settings: Settings;
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
  steps: (wanted) => (wanted.names.length + 2) * settingsOf(wanted).length,
  measure: (run, wanted) =>
    inTemporaryFolder(async (folder) => {
      run.say('setting up a world');
      const table = run.table('an innocent client beside a hostile one');
      const world = await setUpWorld(folder, wanted, table);
      for (const name of ['idle', ...wanted.names, 'idle'] as const) {
        for (const settings of settingsOf(wanted)) {
          run.say(`beside ${name}, ${flagsOf(settings).join(' ')}`);
          const measure = (place: string) =>
            measureCase(world, { name, settings, seconds: wanted.seconds }, place, table);
          await inTemporaryFolder(measure, folder);
          run.step(`${name} measured, ${flagsOf(settings).join(' ')}`);
        }
      }
    }),
});

function settingsOf(wanted: Wanted): readonly Settings[] {
  const transports = wanted.transport.length > 0 ? wanted.transport : [undefined];
  return transports.flatMap((transport) =>
    wanted.keys.flatMap((keys) => wanted.limits.map((limits) => ({ transport, keys, limits }))),
  );
}

function flagsOf({ transport, keys, limits }: Settings): readonly string[] {
  const flags = ['--auth', keys === 'on' ? 'key' : 'none', '--rate-limits', limits];
  return transport === undefined ? flags : ['--transport', transport, ...flags];
}

async function setUpWorld(folder: string, { durability, seconds }: Wanted, table: Table): Promise<HostileWorld> {
  const size = { players: limits.HOSTILE_WORLD_PLAYERS, workedPlanets: 0, grownPlayers: 2 };
  const options = { size, pace: 'calm', durability, folder } as const;
  const original = await setUpOriginal(options, async (client, { grownPlayerIds }) => {
    const [playerId = '', innocentId = ''] = grownPlayerIds;
    const { id: settlerId } = await createSettler(client, 'settler', limits.SETTLED_PLANETS);
    const { planets } = await client.get<{ planets: { id: string }[] }>(`/api/game/state/${playerId}`);
    const [one = '', other = ''] = planets.map(({ id }) => id);
    return { names: { playerId, settlerId, planetIds: [one, other] as const }, innocentId };
  });
  const { names, innocentId } = original.extra;
  table.notes.push(
    `An innocent client beside a hostile one, ${seconds} s each. Server, hostile and innocent client share ` +
      'the machine: the last columns show how many cores each used, the idle rows how quiet it was, and the control columns how ' +
      'long an innocent client of another server waited, which nobody attacked.',
  );
  const bots = original.names.bots.slice(0, limits.INNOCENT_PLANETS);
  const keys = await original.issueKeys([names.playerId, innocentId, names.settlerId], bots);
  return { names, keys, innocentId, bots, idleMib: new Map(), serveCopy: original.serveCopy };
}

async function measureCase(
  world: HostileWorld,
  { name, settings, seconds }: Case,
  folder: string,
  table: Table,
): Promise<void> {
  // Registrations are limited by default; here nothing but the rate of requests is.
  const flags = [...flagsOf(settings), '--registrations-per-minute', '0'];
  const server = await world.serveCopy(folder, { flags });
  const control = await world.serveCopy(join(folder, 'control'), { flags });
  const transport = await transportOf(new GameClient(server.url, ADMIN_KEY));
  const load: HostileLoad | undefined = name === 'idle' ? undefined : HOSTILE_LOADS[name];
  const memory = new MemorySampler(server, limits.MEMORY_SAMPLE_EVERY_MS);
  try {
    const task = name === 'idle' ? undefined : hostileTask(server.url, name, world, seconds);
    const stay = task && (await startStay<HostileTask, HostileResult>(HOSTILE_CLIENT, task));
    const cores = coresMeter(server);
    const plays = ({ url }: ChildServer) =>
      measureInChild<InnocentTask, InnocentResult>(INNOCENT_CLIENT, innocentTask(url, world, load, seconds));
    const [innocent, elsewhere] = await Promise.all([plays(server), plays(control)]);
    const result = await stay?.leave();
    const used = cores(result);
    const { read, command } = innocent;
    const endedBy = server.endedBy();
    const mib = Math.max(...memory.stop());
    const kind = flags.join(' ');
    const idleMib = world.idleMib.get(kind) ?? mib;
    world.idleMib.set(kind, idleMib);
    table.rows.push({
      ...{ hostile: name, ...settings, transport, connections: load?.connections ?? 0 },
      ...waitCells('GET', read),
      ...waitCells('command', command),
      ...{ 'control GET p99 ms': elsewhere.read.p99Ms, 'control command p99 ms': elsewhere.command.p99Ms },
      ...(result === undefined ? NO_REPLIES : repliesTo(result)),
      ...{ 'server MiB': mib, 'MiB above idle': mib - idleMib },
      failures: failuresText(innocent, endedBy),
      ...used,
    });
    if (endedBy !== undefined) table.faults.push(`the server ended with ${endedBy} beside ${name}`);
    // What an innocent client loses beside a hostile one is what is measured. Beside nothing it must lose nothing.
    if (name === 'idle') table.addFaults('the innocent client alone', { failures: read.failures + command.failures });
  } finally {
    memory.stop();
    await Promise.all([server.stop(), control.stop()]);
  }
}

function waitCells(what: string, { p50Ms, p99Ms, maxMs }: Waits) {
  return { [`${what} p50 ms`]: p50Ms, [`${what} p99 ms`]: p99Ms, [`${what} max ms`]: maxMs };
}

const NO_REPLIES = { 'hostile replies/s': null, 'limited %': null, closed: null };

/** Replies of a second, the share of those with status 429, and connections that the server closed. */
export function repliesTo({ seconds, statuses, closed }: HostileResult) {
  const replies = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const limited = replies === 0 ? null : (100 * (statuses[TOO_MANY_REQUESTS] ?? 0)) / replies;
  return { 'hostile replies/s': replies / seconds, 'limited %': limited, closed };
}

/** Failures of the innocent client, out of all its requests. */
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

function hostileTask(url: string, name: HostileName, world: HostileWorld, seconds: number): HostileTask {
  const load: HostileLoad = HOSTILE_LOADS[name];
  return {
    ...{ url, name, names: world.names, headers: headersOf(load, world) },
    secondsMax: (limits.INNOCENT_WARM_UP_MS + limits.INNOCENT_GRACE_MS) / 1000 + seconds + limits.HOSTILE_GRACE_SECONDS,
    ...(load.isNeighbour ? {} : HOSTILE_ADDRESS),
  };
}

function headersOf({ key }: HostileLoad, { names, keys }: HostileWorld): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  if (key === 'operator') return { authorization: `Bearer ${ADMIN_KEY}` };
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
