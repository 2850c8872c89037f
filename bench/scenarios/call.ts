// Calls over WebSocket, durable and relaxed, beside an echo of the same bytes, single durable POSTs and batches: all in turn and in one
// run, on copies of one world.
import { join } from 'node:path';
import * as limits from '../limits.js';
import type { Failures, Latencies, LoadPlan } from '../loads/load.js';
import { portionOf } from '../loads/load.js';
import { batches, loadOf, MIXES } from '../loads/mixes.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { failuresIn, latencyCells, type Run, type Samples } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import { ADMIN_KEY, nothingMore, setUpOriginal } from '../servers/galaxyd-world.js';
import { GameClient, TESTED } from '../servers/game-client.js';
import { startEchoServer, transportOf } from '../servers/peers.js';
import type { WorldNames } from '../servers/world-set-up.js';
import { CALL_MIX_NAMES, CALL_MIXES, type CallMixName, echoTask } from '../sockets/call-client.js';
import { measureCalls } from '../sockets/call-loops.js';

const options = {
  names: row.names(CALL_MIX_NAMES),
  seed: row.seed,
  players: row.players(),
  connections: row.connections([limits.CALL_CONNECTIONS]),
  inFlight: row.number(
    '--in-flight <number>',
    'calls of each connection',
    limits.CALLS_IN_FLIGHT_MAX,
    limits.CALLS_IN_FLIGHT,
  ),
  loader: row.loader,
  seconds: row.closedSeconds(2),
  rounds: row.rounds(),
};

type Wanted = row.Values<typeof options>;

interface Contestant {
  readonly load: string;
  readonly connections: number;
  /** Requests that each connection has in flight. */
  readonly inFlight: number;
  /** The load of the echo that it is compared with; undefined for none. */
  readonly echo?: string | undefined;
  readonly server: ChildServer;
  /** @param round from 0 */
  measure(round: number): Promise<Measured>;
}

interface Measured extends Latencies, Failures {
  readonly commandsPerSecond: number;
  /** Those of a warm-up included. */
  readonly commandCount: number;
  /** Processor time of the loader per command; NaN if it does not report it. */
  readonly loaderUs: number;
}

interface Sample extends Measured {
  /** Processor time per command of all threads of the server. */
  readonly serverUs: number;
}

const POSTS = 'POST upgrade-cancel, durable';
const US_PER_SECOND = 1_000_000;
const BATCH_CONNECTIONS = 16;

export const call = row.scenario({
  command: 'call',
  description: 'calls over WebSocket, beside an echo, single POSTs and batches',
  options,
  steps: ({ rounds }) => rounds,
  measure: (run, wanted) =>
    inTemporaryFolder(async (folder) => {
      const servers: ChildServer[] = [];
      try {
        const contestants = await enter(run, wanted, folder, servers);
        const conclude = (measured: readonly Samples<Sample>[]) => addRows(run, contestants, measured);
        await run.contest('calls', contestants, { rounds: wanted.rounds, measure: measureRound, conclude });
      } finally {
        for (const server of servers) await server.stop();
      }
    }),
});

/** @param servers gets what was started */
async function enter(run: Run, wanted: Wanted, folder: string, servers: ChildServer[]): Promise<Contestant[]> {
  const { rounds, seconds, seed, names: mixes, inFlight } = wanted;
  const players = wanted.players[0] ?? row.PLAYERS;
  const slots = connectionsOf(wanted) * inFlight;
  run.say(`setting up a world of ${players} bots`);
  const size = { players, workedPlanets: Math.min(players, slots), grownPlayers: 0 };
  const world = { size, pace: 'calm', durability: 'durable', folder } as const;
  const { names, serveCopy } = await setUpOriginal(world, nothingMore);
  const started = async (server: Promise<ChildServer>) => {
    servers.push(await server);
    return server;
  };
  const durable = await started(serveCopy(join(folder, 'durable'), {}));
  const relaxed = await started(serveCopy(join(folder, 'relaxed'), { durability: 'relaxed' }));
  const contestants: Contestant[] = [];
  const hasEcho = (await transportOf(new GameClient(durable.url, ADMIN_KEY))) === 'native';
  if (!hasEcho)
    run
      .table('calls')
      .notes.push('There is no echo: its server is uWebSockets.js, which has no native build for this Node.');
  for (const mix of mixes) {
    const echo = hasEcho ? `echo of ${mix}` : undefined;
    contestants.push(
      { ...callContestant(wanted, mix, names, durable), load: `call ${mix}, durable`, echo },
      { ...callContestant(wanted, mix, names, relaxed), load: `call ${mix}, relaxed`, echo },
    );
    if (echo === undefined) continue;
    const task = await echoTask(durable.url, mix, CALL_MIXES[mix].planetIds(names)[0] ?? '');
    const bare = await started(startEchoServer(task));
    contestants.push({ ...callContestant(wanted, mix, names, bare), load: echo });
  }
  // The planets of the calls are left alone: of those that POSTs have used, a few are still busy afterwards.
  const bots = names.bots.slice(slots);
  const connections = Math.min(MIXES['upgrade-cancel'].connections, Math.floor(bots.length / rounds / 2));
  const posts = loadOf('upgrade-cancel', { server: durable, names: { ...names, bots } }, seed, connections);
  const operations = limits.CALL_BATCH_OPERATIONS;
  const requests = batches(names.workedPlanetIds, operations);
  const where = { server: TESTED, url: durable.url, connections: BATCH_CONNECTIONS };
  const batch: LoadPlan = { ...where, requests, cancelsWhatItBegins: false };
  const posting = (name: string, load: LoadPlan, commands: number): Contestant => ({
    ...{ load: name, connections: load.connections, inFlight: 1, server: durable },
    async measure(round) {
      const portion = portionOf(load, round, rounds);
      const { requestsPerSecond, ...others } = await run.loop.measure({ ...load, requests: portion, seconds });
      const commandsPerSecond = requestsPerSecond * commands;
      return { ...others, commandsPerSecond, commandCount: commandsPerSecond * seconds, loaderUs: Number.NaN };
    },
  });
  return [...contestants, posting(POSTS, posts, 1), posting(`batches of ${operations}, durable`, batch, operations)];
}

function connectionsOf({ connections }: Wanted): number {
  return connections?.[0] ?? limits.CALL_CONNECTIONS;
}

function callContestant(
  wanted: Wanted,
  mix: CallMixName,
  names: WorldNames,
  server: ChildServer,
): Omit<Contestant, 'load'> {
  const { inFlight, seconds } = wanted;
  const connections = connectionsOf(wanted);
  const planetIds = CALL_MIXES[mix].planetIds(names).slice(0, connections * inFlight);
  const task = { url: server.url, mix, connections, inFlight, planetIds, seconds };
  return { connections, inFlight, server, measure: () => measureCalls(task) };
}

async function measureRound({ server, measure }: Contestant, round: number): Promise<Sample> {
  const before = server.processorSeconds();
  const measured = await measure(round);
  const seconds = server.processorSeconds() - before;
  return { ...measured, serverUs: (seconds * US_PER_SECOND) / measured.commandCount };
}

function addRows(run: Run, contestants: readonly Contestant[], measured: readonly Samples<Sample>[]): void {
  const samplesOf = (load: string | undefined) => measured[contestants.findIndex((one) => one.load === load)];
  for (const [index, samples] of measured.entries()) {
    const { load, connections, inFlight, echo } = contestants[index] as Contestant;
    const { lower, median, upper } = samples.spread('commandsPerSecond');
    const cells = {
      ...{ load, 'in flight': `${connections} x ${inFlight}` },
      ...{ 'commands/s': median, 'inner half': [lower, upper] as const },
      'to echo': samples.ratio('commandsPerSecond', samplesOf(echo)),
      'to POSTs': load === POSTS ? null : samples.ratio('commandsPerSecond', samplesOf(POSTS)),
      ...latencyCells(samples.rounds, ['p50Ms', 'p99Ms']),
      'server µs/command': samples.median('serverUs'),
      'loader µs': samples.median('loaderUs'),
    };
    run.table('calls').add(cells, load, failuresIn(samples));
  }
}
