// `galaxyd replay`: opens the past of a world or of the games of a tournament, and serves it until a signal.
import { isLoopback } from '../../http/admission/addresses.js';
import { NoSuchGame, ReplayedTournament } from '../../http/replay/replayed-tournament.js';
import { TournamentFolder, TournamentUnreadable } from '../../http/replay/tournament-folder.js';
import { BUILD } from '../../http/version.js';
import { CannotListen, NativeServerMissing, WorldServer } from '../../http/world-server.js';
import { killOnUncaughtException } from '../../persistence/fatal.js';
import { IndexWorker } from '../../persistence/history/index-worker.js';
import { Past } from '../../persistence/history/past.js';
import {
  closeSource,
  OutsideHistory,
  ReplayedWorld,
  type ReplaySource,
} from '../../persistence/history/replayed-world.js';
import { killSelf, onParentEnd } from '../../persistence/parent-process.js';
import { shownStoreUrl, storeAt } from '../../persistence/store-url.js';
import type { WorldStore } from '../../persistence/stores/world-store.js';
import type { ReplayOptions } from '../commands/replay.js';
import { type CountingLog, type Log, openLog } from '../output/log.js';
import { logFailedRequest, stopOnSignal } from './announcements.js';
import { reportFailure } from './process.js';

/** Serves until SIGTERM or SIGINT. If it cannot start, it prints a sentence and sets the exit code. */
export async function replay(options: ReplayOptions): Promise<void> {
  killOnUncaughtException();
  const log = openLog(options.logFormat);
  const dataFolder = shownStoreUrl(options.data);
  const facts = { version: BUILD, node: process.version, processId: process.pid, dataFolder };
  log.tell('starting', `galaxyd ${BUILD} replays ${dataFolder}`, facts);
  let shown: Shown | null = null;
  const stopListening = onParentEnd(killSelf);
  try {
    shown = await open(log, options);
    await serve(shown, log, options);
  } catch (error) {
    await shown?.world.close();
    reportFailure('replay', error, REFUSALS);
  } finally {
    stopListening();
  }
}

interface Shown {
  readonly world: ReplayedWorld;
  /** Null for the past of a single world. */
  readonly tournament: ReplayedTournament | null;
}

async function open(log: Log, options: ReplayOptions): Promise<Shown> {
  const store = storeAt(options.data);
  if (await TournamentFolder.isAt(store.label)) {
    const tournament = await openTournament(store.label, log, options);
    return { world: tournament.replay, tournament };
  }
  if (options.game !== undefined) throw new NoSuchGame(`${store.label} is not the folder of a tournament`);
  const source = await openPast(store, log);
  return { world: await openWorld(source, false, log, options), tournament: null };
}

async function openTournament(path: string, log: Log, options: ReplayOptions): Promise<ReplayedTournament> {
  const { host, adminKey, game } = options;
  const onFailure = (error: unknown): void =>
    log.tell('tournament_failed', 'galaxyd cannot read a part of the tournament', { err: error });
  const folder = await TournamentFolder.open(path, onFailure);
  const { isFinished } = (await folder.result()).body;
  const isLocal = host === 'localhost' || isLoopback(host);
  if (adminKey === undefined && !isFinished)
    throw new KeyNeeded('the tournament is not over, and a replay shows its games to everybody');
  if (adminKey === undefined && !isLocal)
    throw new KeyNeeded('the replay of a tournament shows the keys of its players, also to other machines');
  return ReplayedTournament.open({
    folder,
    ...(game === undefined ? {} : { game }),
    openPast: (worldFolder) => openPast(storeAt(worldFolder), log),
    openReplay: (source) => openWorld(source, true, log, options),
    onFailure,
  });
}

/** Opens the past of a world, and starts to index it. */
async function openPast(store: WorldStore, log: Log): Promise<ReplaySource> {
  const worker = await IndexWorker.make((reason) =>
    log.tell('timeline_failed', `galaxyd cannot complete the timeline: ${reason}`, { reason }),
  );
  try {
    const past = await Past.open(store, worker.made);
    const origin = await store.origin();
    if (store.url !== null) worker.start(store.url);
    return { past, timeline: worker, origin };
  } catch (error) {
    await worker.stop();
    throw error;
  }
}

/** @param areKeysPublic whether the keys of the players need no protection */
async function openWorld(
  source: ReplaySource,
  areKeysPublic: boolean,
  log: Log,
  { at, adminKey }: ReplayOptions,
): Promise<ReplayedWorld> {
  try {
    if (adminKey === undefined && !areKeysPublic && (await source.past.hasKeys()))
      throw new KeyNeeded('the players of the world have API keys, and a replay shows everything');
    return await ReplayedWorld.open({
      ...source,
      areKeysPublic,
      ...(at === undefined ? {} : { at }),
      onFailure: (error) => log.tell('replay_failed', 'galaxyd cannot play on, and stands still', { err: error }),
    });
  } catch (error) {
    await closeSource(source);
    throw error;
  }
}

async function serve({ world, tournament }: Shown, log: CountingLog, options: ReplayOptions): Promise<void> {
  const { adminKey = null, host, port, transport, speed } = options;
  const server = await WorldServer.start({
    world,
    tournament,
    host,
    port,
    adminKey,
    registration: 'closed',
    development: 'off',
    ...(transport === undefined ? {} : { transport }),
    onBug: (error, requestId) => logFailedRequest(log, error, requestId),
    log,
  });
  if (speed !== undefined) world.play(speed);
  stopOnSignal(world, server, log);
  const { seq, first, last, game } = await world.state();
  const whose = game === null ? '' : ` of game ${game}`;
  const sentence = `galaxyd serves ${server.url} (the past${whose} from seq ${first.seq} to ${last.seq}, at seq ${seq})`;
  const positions = { firstSeq: first.seq, lastSeq: last.seq, seq };
  log.tell('serving', sentence, { url: server.url, ...positions, ...(game === null ? {} : { game }) });
}

class KeyNeeded extends Error {
  /** @param reason why a key is needed */
  constructor(reason: string) {
    super(`${reason}: name a key with --admin-key`);
  }
}

const REFUSALS = [
  [CannotListen, 'failed'],
  [NativeServerMissing, 'unfit'],
  [OutsideHistory, 'failed'],
  [KeyNeeded, 'failed'],
  [NoSuchGame, 'failed'],
  [TournamentUnreadable, 'damaged'],
] as const;
