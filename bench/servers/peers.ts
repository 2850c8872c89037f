// The servers that are measured beside the one under test: how they are started, and what the bare server answers.
import { BenchFailed } from '../bench-failed.js';
import { FAILURE_LENGTH_MAX, PEER_PLAYERS_MAX } from '../limits.js';
import { type ChildServer, startServer } from '../processes/child-server.js';
import { type BareReply, patternOf } from './bare-replies.js';
import {
  cancelOf,
  entityAskedFor,
  entityShownBy,
  forEachAtOnce,
  type GameClient,
  type LoadRequest,
  planetAskedFor,
  postRequest,
  type RequestList,
} from './game-client.js';
import type { Catalog, PeerFilling, StateBody } from './sql-peer/peer-database.js';

/** How a server under test may handle HTTP. */
export const TRANSPORT_KINDS = ['native', 'javascript'] as const;
export type TransportKind = (typeof TRANSPORT_KINDS)[number];

const BARE_PROGRAM = new URL('./bare-server.js', import.meta.url);
/** The programs of the bare servers. */
const BARE_PROGRAMS: Readonly<Record<TransportKind, URL>> = {
  native: BARE_PROGRAM,
  javascript: new URL('./bare-node-server.js', import.meta.url),
};
const SQL_PROGRAM = new URL('./sql-peer/peer-server.js', import.meta.url);

/** Their names in results; of bare servers by what they are the limit of. */
export const BARE: Readonly<Record<TransportKind, string>> = {
  native: 'bare uWebSockets.js',
  javascript: 'bare node:http',
};
export const SQL = 'Fastify with SQLite';

/** How a server under test handles HTTP. */
export async function transportOf(client: GameClient): Promise<TransportKind> {
  const { http } = await client.get<{ http: TransportKind }>('/api/status');
  return http;
}

export interface SqlPeer {
  readonly server: ChildServer;
  /** Whether it knows the player or planet that a request names. */
  knows(request: LoadRequest): boolean;
}

/** Asks the server under test for the states of players; at most PEER_PLAYERS_MAX of them. */
export async function readFilling(client: GameClient, playerIds: readonly string[]): Promise<PeerFilling> {
  const catalog = await client.get<Catalog>('/api/catalog');
  const { components } = await client.get<{ components: Pick<PeerFilling, 'schemas'> }>('/openapi.json');
  const wanted = playerIds.slice(0, PEER_PLAYERS_MAX);
  const states = await forEachAtOnce(wanted, (playerId) => client.get<StateBody>(`/api/game/state/${playerId}`));
  return { catalog, schemas: components.schemas, states };
}

/** @param folder for its database */
export async function startSqlPeer(folder: string, filling: PeerFilling): Promise<SqlPeer> {
  const server = await startServer(SQL_PROGRAM, [folder], JSON.stringify(filling));
  const players = new Set(filling.states.map(({ id }) => id));
  const planets = new Set(filling.states.flatMap((state) => state.planets.map(({ id }) => id)));
  return {
    server,
    knows(request) {
      const planetId = planetAskedFor(request);
      return planetId === undefined ? players.has(request.path.split('/').at(-1) ?? '') : planets.has(planetId);
    },
  };
}

/** The limit of a transport. */
export function startBareServer(transport: TransportKind, replies: readonly BareReply[]): Promise<ChildServer> {
  return startServer(BARE_PROGRAMS[transport], ['replies'], JSON.stringify(replies));
}

/** What the echo server answers to the calls of a load. */
export interface EchoTask {
  /** Offset of the id in a request and in a reply, and its length. */
  readonly idAt: number;
  readonly replyIdAt: number;
  readonly idLength: number;
  /** Offset of the byte that distinguishes the two kinds of requests. */
  readonly markAt: number;
  readonly replies: readonly { readonly mark: string; readonly reply: string }[];
}

export function startEchoServer(task: EchoTask): Promise<ChildServer> {
  return startServer(BARE_PROGRAM, ['echo'], JSON.stringify(task));
}

/** Headers that the bare servers send by themselves. */
const SENT_BY_THE_SERVER = new Set(['content-length', 'date', 'uwebsockets', 'connection', 'keep-alive']);

/**
 * Asks a server for one reply of each kind in a load. What is begun to be cancelled is cancelled.
 *
 * @throws BenchFailed if one is not a success, is not complete or is about something else
 */
export async function sampleReplies(
  client: GameClient,
  { requests, cancelsWhatItBegins }: RequestList,
): Promise<BareReply[]> {
  const samples = new Map<string, LoadRequest>();
  for (const request of requests) if (!samples.has(kindOf(request))) samples.set(kindOf(request), request);
  const replies: BareReply[] = [];
  // In their order in the load: one may rest on the one before.
  for (const sample of samples.values()) {
    const reply = await replyTo(client, sample);
    replies.push(reply);
    if (!cancelsWhatItBegins) continue;
    const cancel = cancelOf(reply.body, sample.headers);
    if (cancel === undefined)
      throw new BenchFailed(`${client.server} shows no upgrade after it was begun: ${reply.body}`);
    replies.push(await replyTo(client, cancel));
  }
  return replies;
}

/**
 * The same bytes as a list, for a server that takes any queue id: it shows what the server can do if the loader need not read
 * replies to know what it cancels.
 *
 * @param replies that sampleReplies() got for the load
 */
export function prepared<Load extends RequestList>(load: Load, replies: readonly BareReply[]): Load {
  if (!load.cancelsWhatItBegins) return load;
  const sample = replies.map(({ body }) => cancelOf(body)).find((cancel) => cancel !== undefined);
  if (sample === undefined) throw new BenchFailed('no reply shows an upgrade that could be cancelled');
  const { queueId } = JSON.parse(sample.body ?? '') as { queueId: string };
  const requests = load.requests.flatMap((upgrade) => {
    const cancel = postRequest(sample.path, { planetId: planetAskedFor(upgrade), queueId });
    return [upgrade, upgrade.headers === undefined ? cancel : { ...cancel, headers: upgrade.headers }];
  });
  return { ...load, requests, cancelsWhatItBegins: false };
}

async function replyTo(client: GameClient, request: LoadRequest): Promise<BareReply> {
  const { headers, text } = await client.send(request);
  const asked = entityAskedFor(request);
  if (asked !== undefined && entityShownBy(text) !== asked) {
    throw new BenchFailed(
      `${client.server} answered ${request.method} ${request.path} for ${asked} with ${text.slice(0, FAILURE_LENGTH_MAX) || 'nothing'}`,
    );
  }
  const sent = [...headers].filter(([name]) => !SENT_BY_THE_SERVER.has(name));
  return { method: request.method, pattern: patternOf(request.path), headers: sent, body: text };
}

function kindOf({ method, path }: LoadRequest): string {
  return `${method} ${patternOf(path)}`;
}
