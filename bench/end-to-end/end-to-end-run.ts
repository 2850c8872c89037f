// Measures mixes end to end: for each size of the world one server under test, and beside it the bare server and the SQL
// peer, in the same run.
import { BenchFailed } from '../bench-failed.js';
import type { ChildServer } from '../processes/child-server.js';
import { inTemporaryFolder, TEMPORARY_PLACE } from '../processes/temporary-folder.js';
import type { Progress } from '../reports/progress.js';
import { bareReplies } from '../servers/bare-replies.js';
import { type GalaxydWorld, type Pace, sizeOfWorld, startGalaxydWorld } from '../servers/galaxyd-world.js';
import type { LoadRequest } from '../servers/load-request.js';
import { type SqlPeer, startBareServer, startSqlPeer } from '../servers/peers.js';
import { readFilling } from '../servers/sql-peer/peer-filling.js';
import type { ClosedLoop } from './closed-loop.js';
import { MIXES, type Mix, type MixName } from './mixes.js';
import { type Contestant, measureSideBySide, type Standing } from './side-by-side.js';

export type PeerName = 'bare' | 'sql';

export interface EndToEndPlan {
  readonly mixes: readonly MixName[];
  readonly players: readonly number[];
  /** The mix's own by default. */
  readonly connections: readonly number[] | undefined;
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
  /** The server under test first; nobody where it was not measured. */
  readonly standings: readonly Standing[];
  /** Why it was not measured. */
  readonly note?: string;
  /** Resident memory of the server under test afterwards. */
  readonly heldMib?: number;
}

const TESTED = 'galaxyd';
const BARE = 'bare uWebSockets.js';
const SQL = 'Fastify with SQLite';
const BYTES_PER_MIB = 1024 * 1024;
const PACES: readonly Pace[] = ['calm', 'hurried'];

/** How many times runEndToEnd() reports a step. */
export function endToEndSteps(plan: EndToEndPlan): number {
  const loads = plan.mixes.reduce((sum, name) => sum + (plan.connections ?? [MIXES[name].connections]).length, 0);
  return plan.players.length * loads * plan.rounds;
}

export async function runEndToEnd(plan: EndToEndPlan, loop: ClosedLoop, progress: Progress): Promise<EndToEndResult[]> {
  const results: EndToEndResult[] = [];
  for (const players of plan.players) {
    for (const pace of PACES) {
      const mixes = plan.mixes.filter((name) => MIXES[name].pace === pace);
      if (mixes.length > 0) results.push(...(await measureWorld(plan, mixes, players, pace, loop, progress)));
    }
  }
  return results;
}

function measureWorld(
  plan: EndToEndPlan,
  mixes: readonly MixName[],
  players: number,
  pace: Pace,
  loop: ClosedLoop,
  progress: Progress,
): Promise<EndToEndResult[]> {
  return inTemporaryFolder(TEMPORARY_PLACE, async (folder) => {
    progress.say(`setting up a world of ${players} bots`);
    const { durability } = plan;
    const world = await startGalaxydWorld({ size: sizeOfWorld(players), pace, durability, folder });
    const arena = new Arena(plan, world, folder, loop, progress);
    try {
      const results: EndToEndResult[] = [];
      for (const name of mixes) {
        for (const connections of plan.connections ?? [MIXES[name].connections]) {
          results.push(await arena.measure(name, connections, players));
        }
      }
      return results;
    } finally {
      await arena.close();
      await world.server.stop();
    }
  });
}

/** One world with its peers. */
class Arena {
  readonly #plan: EndToEndPlan;
  readonly #world: GalaxydWorld;
  readonly #folder: string;
  readonly #loop: ClosedLoop;
  readonly #progress: Progress;
  #sqlPeer: SqlPeer | undefined;

  constructor(plan: EndToEndPlan, world: GalaxydWorld, folder: string, loop: ClosedLoop, progress: Progress) {
    this.#plan = plan;
    this.#world = world;
    this.#folder = folder;
    this.#loop = loop;
    this.#progress = progress;
  }

  async measure(name: MixName, connections: number, players: number): Promise<EndToEndResult> {
    const mix: Mix = MIXES[name];
    const requests = mix.requests(this.#world.names, this.#plan.seed);
    const head = { mix: name, title: mix.title, players, connections, operations: mix.operations };
    const note = await this.#obstacle(mix, requests, connections);
    if (note !== undefined) {
      for (let round = 0; round < this.#plan.rounds; round += 1) this.#progress.step(`${name}: ${note}`);
      return { ...head, standings: [], note };
    }
    const bare = this.#plan.peers.includes('bare') ? await this.#startBareServer(mix, requests) : undefined;
    try {
      const contestants = await this.#contestants(mix, requests, connections, bare?.url);
      const label = `${name}, ${players} players, ${connections} connections`;
      const { rounds } = this.#plan;
      await this.#requireWholeBatches(mix, requests);
      const standings = await measureSideBySide(contestants, rounds, this.#loop.measure, (round) =>
        this.#progress.step(`${label}: round ${round} of ${rounds}`),
      );
      await this.#requireWholeBatches(mix, requests);
      const heldBytes = this.#world.server.heldBytes();
      return {
        ...head,
        standings,
        ...(heldBytes === undefined ? {} : { heldMib: Math.round(heldBytes / BYTES_PER_MIB) }),
      };
    } finally {
      await bare?.stop();
    }
  }

  async close(): Promise<void> {
    await this.#sqlPeer?.server.stop();
  }

  async #obstacle(mix: Mix, requests: readonly LoadRequest[], connections: number): Promise<string | undefined> {
    const first = requests[0];
    if (first === undefined) return 'the world is too small for it';
    const ownPlanets = Math.floor(requests.length / this.#plan.rounds);
    if (mix.cancelsWhatItBegins && ownPlanets <= connections) return 'the world has too few planets for it';
    return (await this.#world.client.offers(first)) ? undefined : 'not offered by this server';
  }

  /** A batch is a success whatever its parts came to: before and after a load, none of them may be refused. */
  async #requireWholeBatches(mix: Mix, requests: readonly LoadRequest[]): Promise<void> {
    const [first] = requests;
    if (mix.operations === 1 || first === undefined) return;
    const reply = await (await this.#world.client.send(first)).text();
    const refused = reply.match(/"status":[45]\d\d/g)?.length ?? 0;
    if (refused > 0) throw new BenchFailed(`${refused} of ${mix.operations} commands of a batch are refused`);
  }

  async #contestants(
    mix: Mix,
    requests: readonly LoadRequest[],
    connections: number,
    bareUrl: string | undefined,
  ): Promise<Contestant[]> {
    const { cancelsWhatItBegins } = mix;
    const load = { connections, seconds: this.#plan.seconds, requests, cancelsWhatItBegins };
    const contestants: Contestant[] = [{ name: TESTED, load: { ...load, url: this.#world.server.url } }];
    if (bareUrl !== undefined) contestants.push({ name: BARE, load: { ...load, url: bareUrl } });
    if (mix.isOfferedByPeer && this.#plan.peers.includes('sql')) {
      const { server, knows } = await this.#startedSqlPeer();
      const known = requests.filter(knows);
      contestants.push({ name: SQL, load: { ...load, requests: known, url: server.url } });
    }
    return contestants;
  }

  async #startBareServer(mix: Mix, requests: readonly LoadRequest[]): Promise<ChildServer> {
    return startBareServer(await bareReplies(this.#world.client, requests, mix.cancelsWhatItBegins));
  }

  async #startedSqlPeer(): Promise<SqlPeer> {
    const { names, client } = this.#world;
    const playerIds = [...names.grownPlayerIds, ...names.bots.map(({ playerId }) => playerId)];
    this.#sqlPeer ??= await startSqlPeer(this.#folder, await readFilling(client, playerIds));
    return this.#sqlPeer;
  }
}
