// What viewers of the map cost: commands at a fixed rate with and without viewers, in turn on one server, while fleets set out all the
// time. The viewers are in a process of their own: many connections that subscribe to the map and count what comes.
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailed } from '../bench-failed.js';
import * as limits from '../limits.js';
import { sharedNowMs, startStay } from '../processes/child-measurement.js';
import { failuresIn, latencyCells, type Run, Samples } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import { type GalaxydWorld, inGalaxydWorld } from '../servers/galaxyd-world.js';
import { forEachAtOnce } from '../servers/game-client.js';
import { measureOfferedCalls, type OfferedCallResult } from '../sockets/call-loops.js';
import { OPCODES, textFrame, WebSocketConnection } from '../sockets/frames.js';
import { callTaskOf } from '../sockets/read-world.js';

const options = {
  players: row.players(),
  viewers: row.number('--viewers <number>', 'of the map', limits.MAP_VIEWERS_MAX, limits.MAP_VIEWERS),
  durability: row.durability,
  rate: row.rate(limits.OFFERED_RATE),
  seconds: row.openSeconds(5),
  rounds: row.rounds(3),
};

type Wanted = row.Values<typeof options>;

interface ViewersTask {
  readonly url: string;
  readonly viewers: number;
}

interface ViewersResult {
  readonly framesPerSecond: number;
  /** Payload of the frames of one viewer. */
  readonly kibPerMinute: number;
  /** Frames that the viewer with the fewest has less than that with the most. */
  readonly spread: number;
  /** Connections that the server closed, and subscriptions that it ended. */
  readonly cutOff: number;
  readonly firstEnd?: string | undefined;
}

interface Sample extends OfferedCallResult {
  /** Processor time of the server in a second. */
  readonly serverMs: number;
}

const MODULE = new URL(import.meta.url);
const SUBSCRIBE = textFrame('{"op":"subscribe","id":1,"topic":"map"}');
/** An answer and the start of a map frame differ here: `{"op":"f`. */
const OP_LETTER_AT = 7;
const [LETTER_F, LETTER_S, LETTER_W] = [...Buffer.from('fsw')] as [number, number, number];

export const viewers = row.scenario({
  command: 'viewers',
  description: 'what viewers of the map cost, beside commands at a fixed rate',
  options,
  steps: ({ rounds }) => rounds,
  measure(run, wanted) {
    const players = wanted.players[0] ?? row.PLAYERS;
    const size = { players, workedPlanets: players, grownPlayers: 0, transports: limits.VIEWED_TRANSPORTS };
    const options = { size, pace: 'calm', durability: wanted.durability } as const;
    return inGalaxydWorld(options, run.say, async (world) => {
      const launching = new AbortController();
      const launches = launchAllTheTime(world, launching.signal);
      try {
        await measureWorld(run, wanted, world);
      } finally {
        launching.abort();
        await launches;
      }
    });
  },
});

async function measureWorld(run: Run, wanted: Wanted, world: GalaxydWorld): Promise<void> {
  const { rounds, seconds, rate: ratePerSecond } = wanted;
  const calls = callTaskOf(world.server.url, world.names);
  const task = { ...calls, ratePerSecond, seconds, keptOneIn: Number.MAX_SAFE_INTEGER };
  const offer = async (): Promise<Sample> => {
    const before = world.server.processorSeconds();
    const startMs = performance.now();
    const load = await measureOfferedCalls(task);
    const usedMs = (world.server.processorSeconds() - before) * 1_000;
    return { ...load, serverMs: (usedMs / (performance.now() - startMs)) * 1_000 };
  };
  const measure = async (isViewed: boolean): Promise<Sample | (Sample & ViewersResult)> => {
    if (!isViewed) return offer();
    const viewing = { url: world.server.url, viewers: wanted.viewers };
    const stay = await startStay<ViewersTask, ViewersResult>(MODULE, viewing);
    const load = await offer();
    return { ...load, ...(await stay.leave()) };
  };
  const conclude = ([without, both]: readonly Samples<Sample>[]) => {
    if (without === undefined || both === undefined) return;
    const viewed = new Samples(both.rounds as readonly (Sample & ViewersResult)[]);
    const cutOff = viewed.sum('cutOff');
    const cells = {
      ...{ viewers: wanted.viewers, players: world.options.size.players, 'commands/s': ratePerSecond },
      ...latencyCells(without.rounds, ['p50Ms', 'p99Ms'], 'command '),
      ...latencyCells(viewed.rounds, ['p50Ms', 'p99Ms'], 'viewed: '),
      'p99 ratio': both.ratio('p99Ms', without),
      'loader pause ms': Math.max(without.most('loaderPauseMaxMs'), both.most('loaderPauseMaxMs')),
      'server ms/s without': without.median('serverMs'),
      'with viewers': both.median('serverMs'),
      ...{ 'frames/s of each': viewed.median('framesPerSecond'), 'KiB/min of each': viewed.median('kibPerMinute') },
      ...{ 'frames between most and fewest': viewed.most('spread'), 'cut off': cutOff },
    };
    const table = run.table('viewers of the map');
    table.add(cells, 'commands beside viewers', failuresIn(without, both));
    const firstEnd = viewed.rounds.find((sample) => sample.firstEnd !== undefined)?.firstEnd;
    if (cutOff > 0) table.faults.push(`viewers: ${cutOff} were cut off, the first one by: ${firstEnd}`);
  };
  await run.contest('viewers', [false, true], { rounds, measure, conclude });
}

/** Sends a batch of launches each second: to the planet of the next player, far enough to be under way for longer than the bench. */
async function launchAllTheTime({ client, names }: GalaxydWorld, signal: AbortSignal): Promise<void> {
  const { bots } = names;
  let next = 0;
  while (!signal.aborted) {
    const count = Math.min(limits.LAUNCHES_PER_SECOND, bots.length);
    const operations = Array.from({ length: count }, () => {
      const [from, to] = [bots[next % bots.length], bots[(next + 1) % bots.length]];
      next += 1;
      const ships = [{ type: 'transport', count: 1 }];
      const places = { originPlanetId: from?.planetId, targetPlanetId: to?.planetId };
      const body = { playerId: from?.playerId, ...places, ships, mission: 'transport' };
      return { method: 'POST', path: '/api/fleet/launch', body };
    });
    await client.post('/api/batch', { operations });
    await sleep(1_000, undefined, { signal }).catch(() => {});
  }
}

/** Runs in a process of its own. @param report called once all have subscribed */
export async function measure(
  { url, viewers }: ViewersTask,
  report: (text: string) => void,
  finish: AbortSignal,
): Promise<ViewersResult> {
  const counts = new Array<number>(viewers).fill(0);
  let [bytes, cutOff, subscribed, firstFrameMs] = [0, 0, 0, 0];
  let firstEnd: string | undefined;
  const ended = (reason: string): void => {
    cutOff += 1;
    firstEnd ??= reason.slice(0, limits.FAILURE_LENGTH_MAX);
  };
  const open = async (viewer: number): Promise<WebSocketConnection> => {
    const connection = new WebSocketConnection(url, {
      takesFragments: true,
      onFrame: (opcode, piece, start, end) => {
        const letter = opcode === OPCODES.text ? piece[start + OP_LETTER_AT] : LETTER_F;
        if (letter === LETTER_F) bytes += end - start;
        if (opcode === OPCODES.text && letter === LETTER_F) {
          counts[viewer] = (counts[viewer] ?? 0) + 1;
          if (firstFrameMs === 0) firstFrameMs = sharedNowMs();
        } else if (letter === LETTER_S) subscribed += 1;
        else if (letter !== LETTER_F && letter !== LETTER_W) ended(piece.toString('utf8', start, end));
      },
      onClose: ended,
    });
    await connection.ready;
    connection.write(SUBSCRIBE);
    return connection;
  };
  const connections = await forEachAtOnce([...counts.keys()], open, limits.READERS_OPENING_MAX);
  const deadlineMs = sharedNowMs() + limits.READERS_DEADLINE_MS;
  while (subscribed < viewers) {
    if (sharedNowMs() > deadlineMs)
      throw new BenchFailed(`only ${subscribed} viewers have subscribed; ${firstEnd ?? ''}`);
    await sleep(1);
  }
  report('ready');
  await new Promise((resolve) => finish.addEventListener('abort', resolve, { once: true }));
  const seconds = firstFrameMs === 0 ? 0 : (sharedNowMs() - firstFrameMs) / 1_000;
  for (const connection of connections) connection.close();
  const framesPerSecond = counts.reduce((sum, count) => sum + count, 0) / viewers / seconds;
  const kibPerMinute = ((bytes / viewers / seconds) * 60) / 1_024;
  return { framesPerSecond, kibPerMinute, spread: Math.max(...counts) - Math.min(...counts), cutOff, firstEnd };
}
