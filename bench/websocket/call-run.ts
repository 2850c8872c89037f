// Measures calls over WebSocket, durable and relaxed, beside an echo of the same bytes, single durable POSTs and batches: all
// in turn and in one run, on copies of one world.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Run } from '../end-to-end/closed-loop.js';
import { type Latencies, type LoadPlan, portionOf } from '../end-to-end/load.js';
import { batches, loadOf, MIXES } from '../end-to-end/mixes.js';
import { type Failures, failuresOf, measureInTurn, medianLatencies } from '../end-to-end/side-by-side.js';
import { CALL_BATCH_OPERATIONS } from '../limits.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder } from '../processes/clean-up.js';
import { median, pairedRatio, type Spread, spreadOf } from '../reports/statistics.js';
import { serveAgain, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { TESTED } from '../servers/game-client.js';
import { startEchoServer } from '../servers/peers.js';
import type { WorldNames } from '../servers/world-set-up.js';
import { type CallMeasurement, measureCalls } from './call-loop.js';
import { CALL_MIXES, type CallMixName } from './call-mixes.js';
import { echoTask } from './echo-task.js';

export interface CallPlan {
  readonly mixes: readonly CallMixName[];
  readonly players: number;
  readonly connections: number;
  readonly inFlight: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly seed: number;
}

export interface CallReading extends Latencies, Failures {
  /** What is measured: `call ships, durable`. */
  readonly load: string;
  readonly title: string;
  readonly connections: number;
  /** Requests that each connection has in flight. */
  readonly inFlight: number;
  readonly commandsPerSecond: Spread;
  /** Median of the rounds' own ratios to the echo of the same frames. */
  readonly ratioToEcho?: number;
  /** The same to single durable POSTs. */
  readonly ratioToPosts?: number;
  /** Processor time per command of all threads of the server, and of the loader if it reports it. */
  readonly serverUs: number;
  readonly loaderUs?: number;
}

interface Round extends Latencies, Failures {
  readonly commandsPerSecond: number;
  readonly serverUs: number;
  readonly loaderUs?: number;
}

interface Contestant extends Pick<CallReading, 'load' | 'title' | 'connections' | 'inFlight'> {
  /** The load of the echo that it is compared with. */
  readonly echo?: string;
  readonly server: ChildServer;
  /** @param round from 0 */
  measure(round: number): Promise<Measured>;
}

interface Measured extends Omit<Round, 'serverUs'> {
  /** Those of a warm-up included. */
  readonly commandCount: number;
}

const POSTS = 'POST upgrade-cancel, durable';
const US_PER_SECOND = 1_000_000;
const BATCH_CONNECTIONS = 16;

/** How many times runCalls() reports a step. */
export function callSteps({ rounds }: CallPlan): number {
  return rounds;
}

export function runCalls(run: Run<CallPlan, CallReading>): Promise<void> {
  const { plan, progress } = run;
  return inTemporaryFolder(async (folder) => {
    progress.say(`setting up a world of ${plan.players} bots`);
    const servers: ChildServer[] = [];
    try {
      const contestants = await enter(run, await serveCopies(plan, folder, servers), servers);
      const measure = (contestant: Contestant, round: number) => measureRound(contestant, round);
      const onRound = (round: number) => progress.step(`calls: round ${round} of ${plan.rounds}`);
      const conclude = (measured: readonly (readonly Round[])[]) => {
        for (const reading of readingsOf(contestants, measured)) run.keep(reading);
      };
      await measureInTurn(contestants, { rounds: plan.rounds, measure, onRound, conclude });
    } finally {
      for (const server of servers) await server.stop();
    }
  });
}

interface Copies {
  readonly names: WorldNames;
  readonly durable: ChildServer;
  readonly relaxed: ChildServer;
}

/** Sets a world up, and serves one copy durably and one relaxed. @param servers gets what was started */
async function serveCopies(plan: CallPlan, folder: string, servers: ChildServer[]): Promise<Copies> {
  const slots = plan.connections * plan.inFlight;
  const size = { players: plan.players, workedPlanets: Math.min(plan.players, slots), grownPlayers: 0 };
  const original: WorldOptions = { size, pace: 'calm', durability: 'durable', folder: join(folder, 'durable') };
  await mkdir(original.folder);
  const { server, names } = await startGalaxydWorld(original);
  await server.stop();
  const copy = { ...original, durability: 'relaxed', folder: join(folder, 'relaxed') } as const;
  await cp(original.folder, copy.folder, { recursive: true });
  const durable = await serveAgain(original);
  servers.push(durable);
  const relaxed = await serveAgain(copy);
  servers.push(relaxed);
  return { names, durable, relaxed };
}

async function enter(
  { plan, loop }: Run<CallPlan, CallReading>,
  { names, durable, relaxed }: Copies,
  servers: ChildServer[],
): Promise<Contestant[]> {
  const contestants: Contestant[] = [];
  for (const mix of plan.mixes) {
    const echo = await startEchoServer(await echoTask(durable.url, mix, CALL_MIXES[mix].planetIds(names)[0] ?? ''));
    servers.push(echo);
    const echoLoad = `echo of ${mix}`;
    contestants.push(
      { ...callContestant(plan, mix, names, durable), load: `call ${mix}, durable`, echo: echoLoad },
      { ...callContestant(plan, mix, names, relaxed), load: `call ${mix}, relaxed`, echo: echoLoad },
      { ...callContestant(plan, mix, names, echo), load: echoLoad },
    );
  }
  const { rounds, seconds, seed } = plan;
  // The planets of the calls are left alone: of those that POSTs have used, a few are still busy afterwards.
  const bots = names.bots.slice(plan.connections * plan.inFlight);
  const connections = Math.min(MIXES['upgrade-cancel'].connections, Math.floor(bots.length / rounds / 2));
  const posts = loadOf('upgrade-cancel', { server: durable, names: { ...names, bots } }, seed, connections);
  const measurePosts = async (load: LoadPlan, operations: number, round: number): Promise<Measured> => {
    const requests = portionOf(load, round, rounds);
    const { requestsPerSecond, ...others } = await loop.measure({ ...load, requests, seconds });
    const commandsPerSecond = requestsPerSecond * operations;
    return { ...others, commandsPerSecond, commandCount: commandsPerSecond * seconds };
  };
  const batch: LoadPlan = {
    server: TESTED,
    url: durable.url,
    connections: BATCH_CONNECTIONS,
    requests: batches(names.workedPlanetIds, CALL_BATCH_OPERATIONS),
    cancelsWhatItBegins: false,
  };
  const http = { server: durable, inFlight: 1 };
  return [
    ...contestants,
    {
      ...{ ...http, load: POSTS, title: 'one command a request', connections: posts.connections },
      measure: (round) => measurePosts(posts, 1, round),
    },
    {
      ...{ ...http, load: `batches of ${CALL_BATCH_OPERATIONS}, durable`, connections: BATCH_CONNECTIONS },
      title: 'POST batch of ship orders and their cancels, minimal replies',
      measure: (round) => measurePosts(batch, CALL_BATCH_OPERATIONS, round),
    },
  ];
}

function callContestant(
  { connections, inFlight, seconds }: CallPlan,
  mix: CallMixName,
  names: WorldNames,
  server: ChildServer,
): Omit<Contestant, 'load'> {
  const planetIds = CALL_MIXES[mix].planetIds(names).slice(0, connections * inFlight);
  const task = { url: server.url, mix, connections, inFlight, planetIds, seconds };
  const measure = async () => withLoaderTime(await measureCalls(task));
  return { title: CALL_MIXES[mix].title, connections, inFlight, server, measure };
}

function withLoaderTime({ answered, accepted: _, loaderSeconds, ...measured }: CallMeasurement): Measured {
  return { ...measured, loaderUs: (loaderSeconds * US_PER_SECOND) / answered };
}

async function measureRound({ server, measure }: Contestant, round: number): Promise<Round> {
  const before = server.processorSeconds() ?? Number.NaN;
  const { commandCount, ...measured } = await measure(round);
  const seconds = (server.processorSeconds() ?? Number.NaN) - before;
  return { ...measured, serverUs: (seconds * US_PER_SECOND) / commandCount };
}

function readingsOf(contestants: readonly Contestant[], measured: readonly (readonly Round[])[]): CallReading[] {
  const ratesOf = (load: string | undefined) => {
    const rounds = measured[contestants.findIndex((contestant) => contestant.load === load)];
    return rounds?.map(({ commandsPerSecond }) => commandsPerSecond);
  };
  const posts = ratesOf(POSTS) ?? [];
  return contestants.map(({ load, title, connections, inFlight, echo }, index) => {
    const rounds = measured[index] ?? [];
    const rates = ratesOf(load) ?? [];
    const echoRates = ratesOf(echo);
    const loaderUs = rounds.flatMap((round) => round.loaderUs ?? []);
    return {
      ...{ load, title, connections, inFlight },
      commandsPerSecond: spreadOf(rates),
      ...(echoRates === undefined ? {} : { ratioToEcho: pairedRatio(rates, echoRates) }),
      ...(load === POSTS ? {} : { ratioToPosts: pairedRatio(rates, posts) }),
      serverUs: median(rounds.map((round) => round.serverUs)),
      ...(loaderUs.length === 0 ? {} : { loaderUs: median(loaderUs) }),
      ...medianLatencies(rounds),
      ...failuresOf(rounds),
    };
  });
}
