// Measures mixes end to end: for each size of the world one server under test, and beside it the bare server and the SQL
// peer, in the same run.
import { BenchFailed } from '../bench-failed.js';
import { heldMibOf } from '../processes/child-server.js';
import { type GalaxydWorld, inGalaxydWorld, type Pace } from '../servers/galaxyd-world.js';
import { bareReplies, type SqlPeer, startBareServer, startSqlPeer } from '../servers/peers.js';
import { readFilling } from '../servers/sql-peer/peer-filling.js';
import type { Run } from './closed-loop.js';
import type { LoadPlan } from './load.js';
import { loadOf, MIXES, type MixName } from './mixes.js';
import { type Contestant, measureSideBySide, type Standing } from './side-by-side.js';

export type PeerName = 'bare' | 'sql';

export interface EndToEndPlan {
  readonly mixes: readonly MixName[];
  readonly players: readonly number[];
  /** The mix's own by default. */
  readonly connections?: readonly number[] | undefined;
  readonly peers: readonly PeerName[];
  readonly seconds: number;
  readonly rounds: number;
  readonly durability: 'durable' | 'relaxed';
  readonly seed: number;
}

export interface EndToEndResult {
  readonly mix: MixName;
  readonly title: string;
  readonly players: number;
  readonly connections: number;
  /** Commands of one request. */
  readonly operations: number;
  /** The server under test first; empty if it was not measured. */
  readonly standings: readonly Standing[];
  /** Why it was not measured. */
  readonly note?: string;
  /** Resident memory of the server under test afterwards. */
  readonly heldMib?: number;
}

const TESTED = 'galaxyd';
const BARE = 'bare uWebSockets.js';
const SQL = 'Fastify with SQLite';
const PACES: readonly Pace[] = ['calm', 'hurried'];

/** How many times runEndToEnd() reports a step. */
export function endToEndSteps(plan: EndToEndPlan): number {
  const loads = plan.mixes.reduce((sum, name) => sum + connectionsOf(plan, name).length, 0);
  return plan.players.length * loads * plan.rounds;
}

export async function runEndToEnd(run: Run<EndToEndPlan>): Promise<EndToEndResult[]> {
  const { plan, progress } = run;
  const results: EndToEndResult[] = [];
  for (const players of plan.players) {
    for (const pace of PACES) {
      const mixes = plan.mixes.filter((name) => MIXES[name].pace === pace);
      if (mixes.length === 0) continue;
      const options = { players, pace, durability: plan.durability };
      results.push(...(await inGalaxydWorld(options, progress, (world) => measureWorld(run, mixes, world))));
    }
  }
  return results;
}

function connectionsOf({ connections }: EndToEndPlan, name: MixName): readonly number[] {
  return connections ?? [MIXES[name].connections];
}

/** One world with its peers. */
interface Arena {
  readonly world: GalaxydWorld;
  readonly sqlPeer: SqlPeer | undefined;
}

async function measureWorld(
  run: Run<EndToEndPlan>,
  mixes: readonly MixName[],
  world: GalaxydWorld,
): Promise<EndToEndResult[]> {
  const { plan } = run;
  const needsSqlPeer = plan.peers.includes('sql') && mixes.some((name) => MIXES[name].isOfferedBySqlPeer);
  const sqlPeer = needsSqlPeer ? await startFilledSqlPeer(world) : undefined;
  try {
    const results: EndToEndResult[] = [];
    for (const mix of mixes) {
      for (const connections of connectionsOf(plan, mix)) {
        results.push(await measureMix(run, mix, connections, { world, sqlPeer }));
      }
    }
    return results;
  } finally {
    await sqlPeer?.server.stop();
  }
}

async function startFilledSqlPeer({ client, names, options }: GalaxydWorld): Promise<SqlPeer> {
  const playerIds = [...names.grownPlayerIds, ...names.bots.map(({ playerId }) => playerId)];
  return startSqlPeer(options.folder, await readFilling(client, playerIds));
}

async function measureMix(
  { plan, loop, progress }: Run<EndToEndPlan>,
  mix: MixName,
  connections: number,
  { world, sqlPeer }: Arena,
): Promise<EndToEndResult> {
  const { title, operations, isOfferedBySqlPeer } = MIXES[mix];
  const { rounds, peers } = plan;
  const { players } = world.options.size;
  const head = { mix, title, players, connections, operations };
  const label = `${mix}, ${players} players, ${connections} connections`;
  const load = { ...loadOf(mix, world, plan.seed, connections), seconds: plan.seconds };
  if (load.cancelsWhatItBegins && Math.floor(load.requests.length / rounds) <= connections) {
    const note = 'the world has too few planets for it';
    progress.step(`${label}: ${note}`, rounds);
    return { ...head, standings: [], note };
  }
  const contestants: Contestant[] = [{ name: TESTED, load }];
  const bare = peers.includes('bare')
    ? await startBareServer(await bareReplies(world.client, load.requests, load.cancelsWhatItBegins))
    : undefined;
  if (bare !== undefined) contestants.push({ name: BARE, load: { ...load, url: bare.url } });
  if (sqlPeer !== undefined && isOfferedBySqlPeer) {
    const requests = load.requests.filter((request) => sqlPeer.knows(request));
    contestants.push({ name: SQL, load: { ...load, requests, url: sqlPeer.server.url } });
  }
  try {
    await requireWholeBatches(mix, load, world);
    const onRound = (round: number) => progress.step(`${label}: round ${round} of ${rounds}`);
    const standings = await measureSideBySide(contestants, rounds, loop.measure, onRound);
    await requireWholeBatches(mix, load, world);
    const heldMib = heldMibOf(world.server);
    return { ...head, standings, ...(heldMib === undefined ? {} : { heldMib }) };
  } finally {
    await bare?.stop();
  }
}

/** A batch succeeds even if its commands are refused: before and after a load, none of them may be. */
async function requireWholeBatches(mix: MixName, { requests }: LoadPlan, { client }: GalaxydWorld): Promise<void> {
  const { operations } = MIXES[mix];
  const [first] = requests;
  if (operations === 1 || first === undefined) return;
  const reply = await (await client.send(first)).text();
  const refused = reply.match(/"status":[45]\d\d/g)?.length ?? 0;
  if (refused > 0) throw new BenchFailed(`${refused} of ${operations} commands of a batch are refused`);
}
