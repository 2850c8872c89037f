// Measures mixes end to end: for each size of the world one server under test, and beside it the bare server and the SQL
// peer, in the same run.
import { BenchFailed } from '../bench-failed.js';
import { heldMibOf } from '../processes/child-server.js';
import { ADMIN_KEY, type GalaxydWorld, inGalaxydWorld, type Pace } from '../servers/galaxyd-world.js';
import { GameClient, TESTED } from '../servers/game-client.js';
import { BARE, SQL, type SqlPeer, sampleReplies, startBareServer, startSqlPeer } from '../servers/peers.js';
import { readFilling } from '../servers/sql-peer/peer-filling.js';
import type { Run } from './closed-loop.js';
import { type ClosedLoad, type LoadPlan, type Measurement, portionOf } from './load.js';
import { loadOf, MIXES, type MixName } from './mixes.js';
import { type Contestant, measureInTurn, type Standing, standingsOf } from './side-by-side.js';

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

const PACES: readonly Pace[] = ['calm', 'hurried'];

/** How many times runEndToEnd() reports a step. */
export function endToEndSteps(plan: EndToEndPlan): number {
  const loads = plan.mixes.reduce((sum, name) => sum + connectionsOf(plan, name).length, 0);
  return plan.players.length * loads * plan.rounds;
}

export async function runEndToEnd(run: Run<EndToEndPlan, EndToEndResult>): Promise<void> {
  const { plan, progress } = run;
  for (const players of plan.players) {
    for (const pace of PACES) {
      const mixes = plan.mixes.filter((name) => MIXES[name].pace === pace);
      if (mixes.length === 0) continue;
      const options = { players, pace, durability: plan.durability };
      await inGalaxydWorld(options, progress, (world) => measureWorld(run, mixes, world));
    }
  }
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
  run: Run<EndToEndPlan, EndToEndResult>,
  mixes: readonly MixName[],
  world: GalaxydWorld,
): Promise<void> {
  const { plan } = run;
  const needsSqlPeer = plan.peers.includes('sql') && mixes.some((name) => MIXES[name].isOfferedBySqlPeer);
  const sqlPeer = needsSqlPeer ? await startFilledSqlPeer(world) : undefined;
  try {
    for (const mix of mixes) {
      const numbers = connectionsOf(plan, mix);
      for (const [part, connections] of numbers.entries()) {
        const load = loadOf(mix, world, plan.seed, connections);
        const requests = portionOf(load, part, numbers.length);
        await measureMix(run, mix, { ...load, requests, seconds: plan.seconds }, { world, sqlPeer });
      }
    }
  } finally {
    await sqlPeer?.server.stop();
  }
}

async function startFilledSqlPeer({ client, names, options }: GalaxydWorld): Promise<SqlPeer> {
  const playerIds = [...names.grownPlayerIds, ...names.bots.map(({ playerId }) => playerId)];
  return startSqlPeer(options.folder, await readFilling(client, playerIds));
}

async function measureMix(
  { plan, loop, progress, keep }: Run<EndToEndPlan, EndToEndResult>,
  mix: MixName,
  load: ClosedLoad,
  { world, sqlPeer }: Arena,
): Promise<void> {
  const { title, operations, isOfferedBySqlPeer } = MIXES[mix];
  const { rounds, peers } = plan;
  const { players } = world.options.size;
  const { connections } = load;
  const head = { mix, title, players, connections, operations };
  const label = `${mix}, ${players} players, ${connections} connections`;
  if (load.cancelsWhatItBegins && Math.floor(load.requests.length / rounds) <= connections) {
    const note = 'the world has too few planets for it';
    progress.step(`${label}: ${note}`, rounds);
    keep({ ...head, standings: [], note });
    return;
  }
  const replies = await sampleReplies(world.client, load);
  const bare = peers.includes('bare') ? await startBareServer(replies) : undefined;
  try {
    const known = { ...load, replyBytes: Math.min(...replies.map(({ body }) => Buffer.byteLength(body))) };
    const contestants: Contestant[] = [{ name: TESTED, load: known }];
    if (bare !== undefined) contestants.push(await peerContestant(BARE, { ...known, url: bare.url }));
    if (sqlPeer !== undefined && isOfferedBySqlPeer) {
      const requests = known.requests.filter((request) => sqlPeer.knows(request));
      contestants.push(await peerContestant(SQL, { ...known, requests, url: sqlPeer.server.url }));
    }
    const measure = ({ load: own }: Contestant, round: number) =>
      loop.measure({ ...own, requests: portionOf(own, round, rounds) });
    const onRound = (round: number) => progress.step(`${label}: round ${round} of ${rounds}`);
    const conclude = (measured: readonly (readonly Measurement[])[]) => {
      const heldMib = heldMibOf(world.server);
      const standings = standingsOf(contestants, measured);
      keep({ ...head, standings, ...(heldMib === undefined ? {} : { heldMib }) });
    };
    await requireWholeBatches(mix, load, world);
    await measureInTurn(contestants, { rounds, measure, onRound, conclude });
    await requireWholeBatches(mix, load, world);
  } finally {
    await bare?.stop();
  }
}

/** A peer, once it has answered each kind of request as it should. */
async function peerContestant(name: string, load: ClosedLoad): Promise<Contestant> {
  await sampleReplies(new GameClient(load.url, ADMIN_KEY, name), load);
  return { name, load: { ...load, server: name } };
}

/** A batch succeeds even if its commands are refused: before and after a load, none of them may be. */
async function requireWholeBatches(mix: MixName, { requests }: LoadPlan, { client }: GalaxydWorld): Promise<void> {
  const { operations } = MIXES[mix];
  const [first] = requests;
  if (operations === 1 || first === undefined) return;
  const { text } = await client.send(first);
  const refused = text.match(/"status":[45]\d\d/g)?.length ?? 0;
  if (refused > 0) throw new BenchFailed(`${TESTED}: ${refused} of ${operations} commands of a batch are refused`);
}
