// A whole server inside the test's own process: a real world with a clock that stands still, the real HTTP server on a
// free loopback port, and clients for it. Whatever a test leaves open is closed at its end.
import type { Test } from 'tap';
import { Engine } from '../../../engine/engine.js';
import { RULES_VERSION } from '../../../engine/rules/shipped.js';
import { ReplayedTournament } from '../../../http/replay/replayed-tournament.js';
import { TournamentFolder } from '../../../http/replay/tournament-folder.js';
import {
  defaultTransport,
  RecoveryMeter,
  type TransportKind,
  type WorldListenerOptions,
  WorldServer,
  type WorldServerOptions,
} from '../../../http/world-server.js';
import { AMPLE_SPACE, type FreeSpace } from '../../../persistence/files/disk-space.js';
import { MadeSnapshots } from '../../../persistence/history/made-snapshots.js';
import { Past } from '../../../persistence/history/past.js';
import { ReplayedWorld, type ReplaySource } from '../../../persistence/history/replayed-world.js';
import { LmdbStore, type LmdbStoreOptions } from '../../../persistence/log/lmdb/lmdb-store.js';
import { type OpenWorldOptions, openWorld } from '../../../persistence/open-world.js';
import { beginWorld, type ChosenSettings } from '../../../persistence/recovery/genesis.js';
import type { WorldStore } from '../../../persistence/stores/world-store.js';
import { MANUAL_START_MS, ManualClock } from '../../../persistence/time/clock.js';
import { GroupCommit } from '../../../persistence/writer/group-commit.js';
import { Sequencer } from '../../../persistence/writer/sequencer.js';
import { indexed } from '../../persistence/history/indexed-history.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { FaultyLog } from '../../support/faulty-log.js';
import { MemoryStore } from '../../support/stores/memory-store.js';
import { testSettings } from '../../support/test-rules.js';
import { FakeReplica } from './fake-replica.js';
import { GameClient } from './game-client.js';
import { Play } from './play.js';

/** TEST_TRANSPORT chooses: the tests of test/http/server run over both. */
export const transport: TransportKind = chosenTransport();
export const isNative: boolean = transport === 'native';

function chosenTransport(): TransportKind {
  const { TEST_TRANSPORT: chosen } = process.env;
  if (chosen === 'native' || chosen === 'javascript') return chosen;
  return defaultTransport();
}

export const ADMIN_KEY = 'the-operator-of-this-test';

/**
 * A store in a temporary folder. `diskFloorBytes: 1` lets snapshots be taken on a disk that is nearly full.
 */
export async function storeOnDisk(t: Test, options: LmdbStoreOptions = {}): Promise<LmdbStore> {
  return new LmdbStore(await temporaryFolder(t), options);
}

export interface ServingOptions extends Partial<Omit<OpenWorldOptions, 'onFatal'>> {
  readonly auth?: 'none' | 'key';
  /** ADMIN_KEY by default; null for none. */
  readonly adminKey?: string | null;
  /** Options of the server. By default registrations are not limited, and /metrics is rendered anew for each request. */
  readonly server?: Partial<WorldServerOptions>;
  /** Serves the past of a small world instead; false by default. */
  readonly isReplay?: boolean;
  /** A replay serves the games of the tournament in this folder instead. */
  readonly tournament?: string;
}

export interface Serving {
  readonly server: WorldServer;
  readonly port: number;
  readonly client: GameClient;
  /** A client that sends the admin key. */
  readonly admin: GameClient;
  readonly play: Play;
  readonly world: WorldServerOptions['world'];
  /** Exceptions from handlers; a test that does not expect them fails at its end. */
  readonly bugs: unknown[];
  /** Stops the server and closes the world; the end of the test does it otherwise. */
  close(): Promise<void>;
}

/**
 * Serves the past of a world: a world in memory, in which a few bots have played, unless a store is named.
 *
 * @param at seq at which it begins
 * @param tournament folder of a tournament, whose games are served instead
 */
export async function beginReplay(
  t: Test,
  { store, at, adminKey = null, tournament, onFailure = (error) => t.fail(String(error)) }: BegunReplay = {},
): Promise<Serving & { readonly replay: ReplayedWorld }> {
  const openPast = async (played: WorldStore): Promise<ReplaySource> => {
    const made = new MadeSnapshots(await temporaryFolder(t));
    const timeline = { latest: await indexed(played, made), stop: async () => {} };
    return { past: await Past.open(played, made), timeline, origin: null };
  };
  const openReplay = (source: ReplaySource): Promise<ReplayedWorld> =>
    ReplayedWorld.open({
      ...source,
      ...(at === undefined ? {} : { at }),
      areKeysPublic: tournament !== undefined,
      onFailure,
    });
  const shown =
    tournament === undefined
      ? null
      : await ReplayedTournament.open({
          folder: await TournamentFolder.open(tournament, onFailure),
          openPast: (folder) => openPast(new LmdbStore(folder)),
          openReplay,
          onFailure,
        });
  const replay = shown?.replay ?? (await openReplay(await openPast(store ?? (await playedStore(t)))));
  const serving = await serve(t, { world: replay, tournament: shown, adminKey }, () => replay.close());
  return { ...serving, replay };
}

interface BegunReplay {
  readonly store?: WorldStore;
  readonly at?: number;
  readonly adminKey?: string | null;
  readonly tournament?: string;
  /** Lets the test fail by default. */
  readonly onFailure?: (error: unknown) => void;
}

/** A world in which a bot has colonized nothing yet and waits for its mine. */
async function playedStore(t: Test): Promise<MemoryStore> {
  const store = new MemoryStore();
  const { play, close } = await begin(t, { store });
  const planetId = (await play.rich('ada')).planetId;
  await play.construct(planetId, 'shipyard');
  await close();
  return store;
}

/** Opens a world, in memory unless a store is named, and serves it. */
export async function begin(t: Test, options: ServingOptions = {}): Promise<Serving> {
  if (options.isReplay === true) {
    const { tournament } = options;
    return beginReplay(t, { ...keysOf(options), ...(tournament === undefined ? {} : { tournament }) });
  }
  const onFatal = (error: Error): void => void t.fail(`the world died: ${error.message}`);
  const world = await openWorld({
    store: new MemoryStore(),
    clock: 'manual',
    ...options,
    settings: await settingsFor(options),
    onFatal,
  });
  return serve(t, { world, ...keysOf(options), ...options.server }, () => world.close());
}

/** Names the rules of a new world only: those of another one may have been switched. */
export async function settingsFor({ store, settings }: Partial<OpenWorldOptions>): Promise<ChosenSettings> {
  const isNew =
    store === undefined ||
    (await store.requireWorld().then(
      () => false,
      () => true,
    ));
  return isNew ? testSettings(settings) : { ...settings };
}

export interface HeldOptions {
  readonly clock?: ManualClock;
  /** Ample by default. */
  readonly freeSpace?: FreeSpace;
  /** Whether the world is served as one of several processes, of which this one leads. */
  readonly isReplicated?: boolean;
}

export interface HeldServing extends Serving {
  readonly log: FaultyLog;
}

/** A held log looks like a disk that is stuck, for as long as a slow machine takes to fill the queue. */
const STALL_MS = 120_000;

/** The same over a log that reaches the disk only when the test lets it. */
export async function beginHeld(
  t: Test,
  options: Pick<ServingOptions, 'auth' | 'adminKey' | 'durability' | 'server'> & HeldOptions = {},
): Promise<HeldServing> {
  const { durability = 'durable' } = options;
  const onFatal = (error: Error): void => void t.fail(`the world died: ${error.message}`);
  const log = new FaultyLog();
  const engine = Engine.create();
  const { epoch } = log;
  const tail = await beginWorld(engine, log, epoch, testSettings(), MANUAL_START_MS);
  const commit = new GroupCommit({
    log,
    epoch,
    tail,
    rulesVersion: () => RULES_VERSION,
    durability,
    onFatal,
    flushStallMs: STALL_MS,
  });
  const { clock = new ManualClock(engine.nowMs), freeSpace = AMPLE_SPACE } = options;
  const sequencer = new Sequencer({ engine, clock, log, commit, freeSpace });
  await sequencer.start();
  const replica = options.isReplicated === true ? new FakeReplica() : null;
  const world = { engine, sequencer, clockKind: 'manual', durability, snapshots: null, origin: null, replica } as const;
  const serving = await serve(t, { world, ...keysOf(options), ...options.server }, () => {
    log.release();
    return sequencer.stop();
  });
  return { ...serving, log };
}

/** A port that is bound while a world is recovered. */
export interface Recovering {
  readonly client: GameClient;
  readonly port: number;
  /** Serves a world in memory from now on. */
  serve(): Promise<void>;
}

/** Listens for a world that is not there yet. @param options of the listener */
export async function beginRecovering(
  t: Test,
  meter: Pick<RecoveryMeter, 'body'> = new RecoveryMeter(),
  options: Partial<WorldListenerOptions> = {},
): Promise<Recovering> {
  const listener = await WorldServer.listen({ host: '127.0.0.1', port: 0, transport, ...options }, meter);
  const port = Number(new URL(listener.url).port);
  const client = new GameClient(port);
  let close = async (): Promise<void> => {
    client.close();
    await listener.close();
  };
  t.teardown(() => close());
  const serveWorld = async (): Promise<void> => {
    const onFatal = (error: Error): void => void t.fail(`the world died: ${error.message}`);
    const world = await openWorld({ store: new MemoryStore(), clock: 'manual', settings: testSettings(), onFatal });
    const server = listener.serve(world);
    close = async () => {
      const stopped = server.stop();
      client.close();
      await stopped;
      await world.close();
    };
  };
  return { client, port, serve: serveWorld };
}

/** Serves a world that is open. */
export async function serve(
  t: Test,
  options: Omit<WorldServerOptions, 'host' | 'port' | 'onBug'>,
  closeWorld: () => Promise<void>,
): Promise<Serving> {
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const server = await WorldServer.start({
    host: '127.0.0.1',
    port: 0,
    transport,
    registrationsPerMinute: 0,
    metricsMaxAgeMs: 0,
    ...options,
    onBug,
  });
  const client = new GameClient(server.port);
  const { adminKey = null } = options;
  // Keys of operators in a list have that of the option as well.
  const admin = client.as(adminKey === null ? '' : typeof adminKey === 'string' ? adminKey : ADMIN_KEY);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const stopped = server.stop();
    client.close();
    await stopped;
    await closeWorld();
  };
  const closeOnce = (): Promise<void> => {
    closing ??= close();
    return closing;
  };
  t.teardown(async () => {
    await closeOnce();
    if (bugs.length > 0) throw new Error(`handlers threw: ${bugs.map(String).join(', ')}`);
  });
  const { world } = options;
  return { server, port: server.port, client, admin, play: new Play(client, admin), world, bugs, close: closeOnce };
}

function keysOf({ auth = 'none', adminKey = ADMIN_KEY }: Pick<ServingOptions, 'auth' | 'adminKey'>) {
  return { auth, adminKey };
}
