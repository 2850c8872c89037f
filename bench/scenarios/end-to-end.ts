// Mixes end to end: for each size of the world and each transport one server under test, and beside it the bare server of that transport
// and the SQL peer, in the same run.
import { type ClosedLoad, type LoadPlan, portionOf } from '../loads/load.js';
import { LASTING_MIXES, loadOf, MIX_NAMES, MIXES, type MixName } from '../loads/mixes.js';
import { ALL_LATENCIES, failuresIn, latencyCells, type Run } from '../runner/run.js';
import * as row from '../runner/scenario.js';
import { ADMIN_KEY, type GalaxydWorld, inGalaxydWorld, type Pace, sizeOfWorld } from '../servers/galaxyd-world.js';
import { GameClient, TESTED } from '../servers/game-client.js';
import {
  BARE,
  prepared,
  readFilling,
  SQL,
  type SqlPeer,
  sampleReplies,
  startBareServer,
  startSqlPeer,
  TRANSPORT_KINDS,
  transportOf,
} from '../servers/peers.js';

const PEERS = ['bare', 'sql'] as const;
const PACES: readonly Pace[] = ['calm', 'hurried'];

const options = {
  names: row.names(MIX_NAMES, LASTING_MIXES),
  full: row.full,
  seed: row.seed,
  players: row.players([row.PLAYERS], [1_000, 100_000, 1_000_000]),
  connections: row.connections(undefined, [1, 64, 256, 1_024]),
  loader: row.loader,
  durability: row.durability,
  seconds: row.closedSeconds(1, 4),
  rounds: row.rounds(),
  peers: row.list('--peers <list>', 'measured beside it', PEERS),
  transports: row.list('--transports <list>', 'of the server, by default its own choice', TRANSPORT_KINDS, []),
};

type Wanted = row.Values<typeof options>;

/** One world with its peers. */
interface Arena {
  readonly world: GalaxydWorld;
  readonly sqlPeer: SqlPeer | undefined;
}

interface Contestant {
  readonly name: string;
  readonly load: ClosedLoad;
}

export const endToEnd = row.scenario({
  command: 'end-to-end',
  description: 'closed loops against the server and its peers',
  options,
  steps(wanted) {
    const loads = wanted.names.reduce((sum, name) => sum + connectionsOf(wanted, name).length, 0);
    return wanted.players.length * Math.max(1, wanted.transports.length) * loads * wanted.rounds;
  },
  async measure(run, wanted) {
    const { durability } = wanted;
    for (const players of wanted.players) {
      for (const pace of PACES) {
        const mixes = wanted.names.filter((name) => MIXES[name].pace === pace);
        if (mixes.length === 0) continue;
        for (const flags of transportFlags(wanted)) {
          const world = { size: sizeOfWorld(players), pace, durability, flags };
          await inGalaxydWorld(world, run.say, (served) => measureWorld(run, wanted, mixes, served));
        }
      }
    }
  },
});

function connectionsOf({ connections }: Wanted, name: MixName): readonly number[] {
  return connections ?? [MIXES[name].connections];
}

/** Flags of each server. */
function transportFlags({ transports }: Wanted): readonly (readonly string[])[] {
  return transports.length === 0 ? [[]] : transports.map((transport) => ['--transport', transport]);
}

async function measureWorld(run: Run, wanted: Wanted, mixes: readonly MixName[], world: GalaxydWorld): Promise<void> {
  const needsSqlPeer = wanted.peers.includes('sql') && mixes.some((name) => MIXES[name].isOfferedBySqlPeer);
  const sqlPeer = needsSqlPeer ? await startFilledSqlPeer(world) : undefined;
  try {
    for (const mix of mixes) {
      const numbers = connectionsOf(wanted, mix);
      for (const [part, connections] of numbers.entries()) {
        const load = loadOf(mix, world, wanted.seed, connections);
        const requests = portionOf(load, part, numbers.length);
        await measureMix(run, wanted, mix, { ...load, requests, seconds: wanted.seconds }, { world, sqlPeer });
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
  run: Run,
  { rounds, peers }: Wanted,
  mix: MixName,
  load: ClosedLoad,
  { world, sqlPeer }: Arena,
): Promise<void> {
  const { players } = world.options.size;
  const { connections } = load;
  const transport = await transportOf(world.client);
  const { rows } = run.table('end to end');
  const head = { mix, transport, players, connections };
  const label = `${mix}, ${transport}, ${players} players, ${connections} connections`;
  if (load.cancelsWhatItBegins && Math.floor(load.requests.length / rounds) <= connections) {
    const server = 'the world has too few planets for it';
    rows.push({ ...head, server });
    run.step(`${label}: ${server}`, rounds);
    return;
  }
  const replies = await sampleReplies(world.client, load);
  const bare = peers.includes('bare') ? await startBareServer(transport, replies) : undefined;
  try {
    const known = { ...load, replyBytes: Math.min(...replies.map(({ body }) => Buffer.byteLength(body))) };
    const contestants: Contestant[] = [{ name: TESTED, load: known }];
    if (bare !== undefined) {
      const toBare = { ...known, url: bare.url };
      const contestant = await peerContestant(BARE[transport], toBare);
      contestants.push({ ...contestant, load: prepared(contestant.load, replies) });
      // Sent by a loader that reads each reply, as it must for galaxyd: what the loader can do.
      if (load.cancelsWhatItBegins) contestants.push({ ...contestant, name: `${BARE[transport]}, replies read` });
    }
    if (sqlPeer !== undefined && MIXES[mix].isOfferedBySqlPeer) {
      const requests = known.requests.filter((request) => sqlPeer.knows(request));
      contestants.push(await peerContestant(SQL, { ...known, requests, url: sqlPeer.server.url }));
    }
    await requireWholeBatches(mix, load, world);
    await run.contest(label, contestants, {
      rounds,
      measure: ({ load: own }, round) => run.loop.measure({ ...own, requests: portionOf(own, round, rounds) }),
      conclude: (measured) => {
        for (const [index, samples] of measured.entries()) {
          const { name } = contestants[index] as Contestant;
          const cells = {
            ...{ ...head, server: name, 'a second': samples.median('requestsPerSecond') * MIXES[mix].operations },
            'galaxyd : it': index === 0 ? null : (measured[0]?.ratio('requestsPerSecond', samples) ?? null),
            ...latencyCells(samples.rounds, ALL_LATENCIES),
          };
          run.table('end to end').add(cells, `${mix} over ${connections} connections to ${name}`, failuresIn(samples));
        }
      },
    });
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

/** Before and after a load, no command of a batch may be refused. */
async function requireWholeBatches(mix: MixName, { requests }: LoadPlan, { client }: GalaxydWorld): Promise<void> {
  const [first] = requests;
  if (MIXES[mix].operations > 1 && first !== undefined) await client.sendBatch(first);
}
