// Requests that any operation must answer in the same way: one that succeeds, and what is left of it after it is broken
// or meets a server that is in trouble. Nobody looks at the replies here: the contract test observes all of them.
import type { Test } from 'tap';
import { AdminKeys, newApiKey } from '../../../../http/admission/identity.js';
import { isWrite } from '../../../../http/exchange/exchange.js';
import type { ProblemCode } from '../../../../http/exchange/problems.js';
import { BODY_BYTES_MAX } from '../../../../http/limits.js';
import { errorsOf, type HandledRoute, isTakenInTurn, type Route } from '../../../../http/pipeline/route.js';
import type { BulkPlayersBody } from '../../../../http/schemas/world.js';
import { MAX_PENDING_ENTRIES } from '../../../../persistence/limits.js';
import { writtenTournament } from '../../../support/tournament/written-tournament.js';
import { checked, GameClient, type Reply, type RequestOptions } from '../game-client.js';
import { GET_REQUESTS } from '../get-requests.js';
import { Play } from '../play.js';
import { RawConnection, requestBytes } from '../raw-connection.js';
import { beginReplicated } from '../replicas.js';
import {
  ADMIN_KEY,
  begin,
  beginHeld,
  beginRecovering,
  beginReplay,
  type Serving,
  type ServingOptions,
  storeOnDisk,
} from '../serving.js';
import { beginGame, beginTurnWorld, type Seat, seats, turnOf } from '../turn-play.js';
import { until } from '../waiting.js';
import { NEED_KEYS, NEED_REAL_CLOCK, STANDING_MACHINE, WRITE_REQUESTS, type WriteRequest } from '../write-requests.js';

/** A request that succeeds in a world that was prepared for it. */
export interface Template {
  readonly route: Route;
  readonly path: string;
  readonly body: unknown;
  readonly isOperators: boolean;
  readonly apiKey: string;
}

/** A template with the replies it got, until one of a known status came again. */
export interface Answered extends Template {
  readonly replies: readonly Reply[];
  /** The reply with `Prefer: return=minimal`; null if it has no form of its own. */
  readonly minimal: Reply | null;
}

/** Sends a request of the route in a world of its own: broken in many ways, then as it should be, then once more. */
export async function inOpenWorld(t: Test, route: Route): Promise<Answered> {
  const { operationId } = route;
  const serving = await begin(t, { ...(await worldOf(t, route)), auth: NEED_KEYS.has(operationId) ? 'key' : 'none' });
  const template = await prepared(serving, route);
  const { client } = serving;
  const sender = senderOf(serving, template);
  for (const broken of brokenRequests(template)) await sender.request(route.method, broken.path, broken.options);
  if (route.access === 'admin') await send(client, template);
  await whileBroken(serving, route, () => send(sender, template));
  if (errorsOf(route).includes('player_suspended')) await whileSuspended(serving, () => send(sender, template));
  const reply = await send(sender, template);
  const tag = reply.headers['etag'];
  const again = await send(sender, template, tag === undefined ? {} : { 'if-none-match': tag });
  const isNews = again.status < 300 && again.status !== reply.status;
  return { ...template, replies: isNews ? [reply, again] : [reply], minimal: await minimalReply(t, route) };
}

/** Sends the request in another world, since most have changed the first one. */
async function minimalReply(t: Test, route: Route): Promise<Reply | null> {
  if (route.minimal === null || route.operationId === 'runBatch') return null;
  const serving = await begin(t);
  const template = await prepared(serving, route);
  return await send(senderOf(serving, template), template, { prefer: 'return=minimal' });
}

/** The same request where players have keys: without a key, with that of another player, in the name of another one, and as it should be. */
export async function inKeyWorld(t: Test, route: Route): Promise<void> {
  const { server, ...world } = await worldOf(t, route);
  const serving = await begin(t, { ...world, auth: 'key', server: { ...server, development: 'on' } });
  const { admin, port } = serving;
  const client = new NewcomersClient(port);
  t.teardown(() => client.close());
  const template = await prepared({ ...serving, client, play: new Play(client, admin) }, route);
  const nobody = serving.client;
  if (world.isReplay === true) {
    for (const sender of [nobody, admin]) await send(sender, template);
    return;
  }
  const body = { count: 1, namePrefix: 'intruder' };
  const { players } = await admin.command<BulkPlayersBody>('/api/admin/players', body, 201);
  const intruder = nobody.as(players[0]?.apiKey ?? '');
  if (route.access !== 'public') await send(nobody, template);
  if (route.access !== 'public') await send(intruder, template);
  const { body: own } = template;
  if (isWrite(route.method) && typeof own === 'object' && own !== null && 'playerId' in own)
    await send(client, { ...template, body: { ...own, playerId: players[0]?.id } });
  const isOperators = template.isOperators || ['development', 'observer'].includes(route.access);
  await send(isOperators ? admin : client, template);
  if (route.access === 'public') await send(nobody, template);
}

/** Requests while the world is recovered. */
export async function beforeTheWorld(t: Test, templates: readonly Template[]): Promise<void> {
  const { client } = await beginRecovering(t);
  for (const template of templates) await send(client, template);
}

/** The operator's requests where there is no operator, those for development where there is none, and those about keys. */
export async function withoutOperator(t: Test, templates: readonly Template[]): Promise<void> {
  const { client } = await begin(t, { adminKey: null, server: { development: 'off' } });
  for (const template of templates)
    if (['admin', 'development'].includes(template.route.access)) await send(client, template);
  const open = await begin(t);
  for (const template of templates)
    if (NEED_KEYS.has(template.route.operationId)) await send(senderOf(open, template), template);
}

/** The operator's commands with a key that may only read. */
export async function withReadKey(t: Test, templates: readonly Template[]): Promise<void> {
  const { key, hash } = newApiKey();
  const adminKey = new AdminKeys(null, [{ name: 'reader', kind: 'read', hash }]);
  const { client } = await begin(t, { auth: 'key', server: { adminKey, development: 'on' } });
  for (const template of templates)
    if (errorsOf(template.route).includes('admin_key_is_read_only')) await send(client.as(key), template);
}

/** Requests where the past of a world is shown. */
export async function inReplay(t: Test, templates: readonly Template[]): Promise<void> {
  const { admin } = await beginReplay(t, { adminKey: ADMIN_KEY });
  for (const template of templates) if (errorsOf(template.route).includes('read_only')) await send(admin, template);
}

/** Commands of a player before its turn, and in a turn without commands left. */
export async function outOfTurn(t: Test, templates: readonly Template[]): Promise<void> {
  const serving = await beginTurnWorld(t);
  const [ada] = (await seats(serving, 'ada')) as [Seat];
  const commands = templates.filter(({ route }) => isTakenInTurn(route));
  for (const template of commands) await send(ada.client, template);
  await beginGame(serving, [ada], { commandsPerDay: 0 });
  await turnOf(ada);
  for (const template of commands) await send(ada.client, template);
}

/** Requests of an address that is blocked. */
export async function fromBlockedAddress(t: Test, templates: readonly Template[]): Promise<void> {
  const { admin, client } = await begin(t, { server: { trustedProxies: ['127.0.0.1'] } });
  await admin.command('/api/admin/address/block', { address: '203.0.113.7', seconds: 3_600 });
  for (const template of templates) await send(client, template, { 'x-forwarded-for': '203.0.113.7' });
}

/** Requests of addresses that have used up their rate limits; each has its own, since a second refusal is delayed. */
export async function beyondTheLimit(t: Test, templates: readonly Template[]): Promise<void> {
  const rateLimits = { perSecond: 0.001, burst: 1 };
  const { client } = await begin(t, { server: { rateLimits, trustedProxies: ['127.0.0.1'] } });
  for (const [index, template] of templates.entries()) {
    if (template.route.cost === 0) continue;
    const headers = { 'x-forwarded-for': `198.51.100.${index}` };
    await client.request('GET', '/api/status', { headers });
    await send(client, template, headers);
  }
}

/**
 * Requests to a server whose disk is full, whose disk is slow, that has too much to do, and that is stopping.
 *
 * @param model an operation whose preparation makes what all the requests name
 */
export async function inTrouble(
  t: Test,
  requests: readonly Template[],
  { auth, model }: { readonly auth: 'none' | 'key'; readonly model: string },
): Promise<void> {
  const freeSpace = { isLow: false };
  const serving = await beginHeld(t, { freeSpace, auth });
  const { client, admin, log, world } = serving;
  const { apiKey = '' } = (await WRITE_REQUESTS[model]?.(serving)) ?? {};
  const templates = requests.map((template) => ({ ...template, apiKey }));
  const sendAll = async (code: ProblemCode, headers = {}): Promise<void> => {
    for (const template of templates)
      if (meets(template, code)) await send(senderOf(serving, template), template, headers);
  };
  freeSpace.isLow = true;
  await sendAll('storage_unavailable');
  freeSpace.isLow = false;

  world.sequencer.submit({ type: 'pause_clock' });
  await sendAll('world_paused');
  world.sequencer.submit({ type: 'resume_clock', lagMs: 0 });

  log.hold();
  const headers = { 'idempotency-key': 'one' };
  const research = { playerId: 'player-1', researchType: 'drive_ion' };
  const isOfPlayers = templates.some(({ route }) => route.access !== 'admin');
  const firsts = [
    ...(isOfPlayers ? [client.as(apiKey).request('POST', '/api/research/start', { body: research, headers })] : []),
    admin.request('POST', '/api/admin/players', { body: { count: 1, namePrefix: 'first' }, headers }),
    ...templates.filter(({ route }) => route.tag === 'batch').map((batch) => send(client, batch, headers)),
  ];
  await until(() => log.isWaiting);
  await sendAll('idempotency_key_in_flight', headers);
  log.release();
  await Promise.all(firsts);
  for (const template of templates)
    if (isWrite(template.route.method))
      await senderOf(serving, template).request(template.route.method, template.path, {
        body: `${JSON.stringify(template.body ?? {})} `,
        headers: { ...headers, 'content-type': 'application/json' },
      });

  log.hold();
  for (let entry = 0; entry < MAX_PENDING_ENTRIES; entry += 1) world.sequencer.advanceTo(world.sequencer.nowMs + 1);
  await sendAll('overloaded');
  log.release();
  const late = templates.filter((template) => meets(template, 'shutting_down'));
  await whileStopping(
    serving,
    late.map(({ route: { method }, ...request }) => ({ method, ...request })),
  );
}

/**
 * Whether the operation answers a template with this error in this world. A write that is not a command would wait for the
 * slow disk, and the player of createPlayer exists already.
 */
function meets({ route }: Template, code: ProblemCode): boolean {
  if (code === 'overloaded' && isWrite(route.method) && !route.isCommand) return false;
  return route.operationId !== 'createPlayer' && errorsOf(route).includes(code);
}

/** Requests to a standby, with a leader and without one, to a leader that is not sure, and for an entry that does not come. */
export async function inRoles(t: Test, templates: readonly Template[]): Promise<void> {
  const serving = await beginReplicated(t);
  const { replica } = serving;
  const sendAll = (headers = {}): Promise<unknown> =>
    Promise.all(templates.map((template) => send(senderOf(serving, template), template, headers)));
  // Each begins to wait before the first is answered.
  await sendAll({ 'x-min-seq': '1000000' });
  replica.becomes({ mayAnswer: false });
  await sendAll();
  replica.becomes({ role: 'standby', mayAnswer: true });
  await sendAll();
  await serving.client.request('GET', '/readyz?role=leader');
  replica.becomes({ lag: { entries: 100, ms: 60_000 } });
  await serving.client.request('GET', '/readyz');
  replica.becomes({ leaderUrl: null });
  await serving.client.request('GET', '/readyz?role=leader');
}

type Request = Omit<Template, 'route'> & { readonly method: Route['method'] };

/** The server stops while it receives requests. */
export async function whileStopping({ server, port }: Serving, late: readonly Request[]): Promise<void> {
  const requests = await Promise.all(
    late.map(async ({ method, path, body, isOperators, apiKey }) => {
      const connection = await RawConnection.open(port);
      const key = [`Authorization: Bearer ${isOperators ? ADMIN_KEY : apiKey}`];
      const bytes =
        method === 'GET'
          ? requestBytes(method, path, key)
          : requestBytes(method, path, key, JSON.stringify(body ?? {}));
      // The last byte is missing. A whole request arrives before, whose reply shows that the rest has arrived.
      connection.send(Buffer.concat([requestBytes('GET', '/healthz'), bytes.subarray(0, -1)]));
      await connection.reply();
      return { method, path, connection, rest: bytes.subarray(-1) };
    }),
  );
  const stopped = server.stop();
  for (const { method, path, connection, rest } of requests) {
    connection.send(rest);
    checked(method, path, await connection.reply());
  }
  await stopped;
}

/** A client that takes the key of the player it creates. */
export class NewcomersClient extends GameClient {
  override async send(method: string, path: string, options?: RequestOptions): Promise<Reply> {
    const reply = await super.send(method, path, options);
    const { apiKey } = (reply.body ?? {}) as { readonly apiKey?: string };
    if (apiKey !== undefined && this.key === '') this.key = apiKey;
    return reply;
  }
}

async function prepared(serving: Serving, route: Route): Promise<Template> {
  const requests = route.method === 'GET' ? GET_REQUESTS : WRITE_REQUESTS;
  const prepare = requests[route.operationId];
  if (prepare === undefined) throw new Error(`${route.operationId} has no request that succeeds: see table.ts`);
  const { path, body, isOperators = false, apiKey = '' }: WriteRequest = await prepare(serving);
  return { route, path, body, isOperators, apiKey };
}

function senderOf({ client, admin }: Serving, { isOperators, apiKey }: Template): GameClient {
  return isOperators ? admin : client.as(apiKey);
}

/** Only a world on disk has snapshots; only a text that is kept has the same tag again. */
async function worldOf(t: Test, { operationId, tag }: Route): Promise<ServingOptions> {
  if (operationId.startsWith('getTournament'))
    return { isReplay: true, tournament: (await writtenTournament(t, { games: 1 })).folder };
  if (tag === 'replay') return { isReplay: true };
  if (tag === 'turns') return { server: { turns: {} } };
  if (NEED_REAL_CLOCK.has(operationId)) return STANDING_MACHINE;
  if (operationId === 'getMetrics') return { server: { metricsMaxAgeMs: 60_000 } };
  if (operationId !== 'takeSnapshot') return {};
  return { store: await storeOnDisk(t, { diskFloorBytes: 1 }) };
}

function send(client: GameClient, { route, path, body }: Template, headers = {}): Promise<Reply> {
  return client.request(route.method, path, { ...(body === undefined ? {} : { body }), headers });
}

/** Meanwhile the handler of the route throws. */
/** Sends a request while all players are suspended. */
async function whileSuspended({ world }: Serving, ask: () => Promise<unknown>): Promise<void> {
  const numbers = [...world.engine.world.players.values()].map(({ number }) => number);
  for (const playerNumber of numbers) world.sequencer.submit({ type: 'suspend_player', playerNumber });
  await ask();
  for (const playerNumber of numbers) world.sequencer.submit({ type: 'resume_player', playerNumber });
}

async function whileBroken({ bugs }: Serving, route: Route, ask: () => Promise<unknown>): Promise<void> {
  const { handler } = route as HandledRoute<unknown>;
  const step = 'command' in handler ? 'command' : 'handle';
  const sound = Reflect.get(handler, step);
  Reflect.set(handler, step, () => {
    throw new Error('broken on purpose');
  });
  await ask();
  Reflect.set(handler, step, sound);
  bugs.length = 0;
}

interface BrokenRequest {
  readonly path: string;
  readonly options?: RequestOptions;
}

function brokenRequests({ route, path, body }: Template): BrokenRequest[] {
  if (route.method === 'GET') return [{ path, options: { body: '{}' } }, ...unknownNames(path, undefined)];
  const bytesMax = route.body?.bytesMax ?? BODY_BYTES_MAX;
  return [
    { path, options: { body: '{"' } },
    { path, options: { body: Object.assign({}, body, { surprise: 1 }) } },
    { path, options: { body: ' '.repeat(bytesMax + 1) } },
    { path, options: { body: '{}', headers: { 'content-type': 'text/plain' } } },
    ...unknownNames(path, body),
    ...(namesPlayer(route) ? unknownNames(path, Object.assign({ playerId: 'player-1' }, body)) : []),
  ];
}

function namesPlayer({ body }: Route): boolean {
  const { properties = {} } = (body?.schema ?? {}) as { readonly properties?: object };
  return 'playerId' in properties;
}

/** The same request with ids of nothing in place of those of players, planets and fleets. */
function unknownNames(path: string, body: unknown): BrokenRequest[] {
  const text = JSON.stringify({ path, body });
  return UNKNOWN.map(([known, unknown]) => text.replaceAll(known, unknown))
    .filter((changed) => changed !== text)
    .map((changed) => {
      const { path, ...options } = JSON.parse(changed) as { path: string; body?: unknown };
      return { path, options };
    });
}

const UNKNOWN: readonly (readonly [RegExp, string])[] = [
  [/player-\d+/g, 'player-999999'],
  [/(?<=\/|")planet-\d+-\d+-\d+/g, 'planet-1-0-99'],
  [/(?<=\/|")fleet-\d+/g, 'fleet-999999'],
];
