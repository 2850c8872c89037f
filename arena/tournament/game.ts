// Plays one game of a tournament, from an empty folder to its row in the result: creates the players, starts the entrants, waits for
// the end and reads the result. The server owns turns and budgets.
import { mkdir, readdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BotKind } from '../bot.js';
import type { Shapes } from '../galaxyd-client.js';
import { playBot } from './bot-player.js';
import { courseDigestOf } from './course.js';
import { type EntrantCommand, EntrantProcess, endingWords } from './entrant-process.js';
import { EntrantRelay } from './entrant-relay.js';
import type { Entrant } from './entrants.js';
import { GameServer } from './game-server.js';
import { filesOf } from './program.js';
import {
  type FinishedPlayer,
  type FinishedWorld,
  type ReadFinishedWorld,
  ranksOf,
  ServerFailed,
  type Settings,
  type TournamentEntrant,
  type TournamentGame,
  type TournamentPlayer,
} from './result.js';
import { SANDBOX_HOME, SANDBOX_SERVER, type Sandbox, sandboxed } from './sandbox.js';
import type { ScheduledGame } from './schedule.js';
import { pointsRows, TRANSCRIPT_FILE, transcriptText } from './tables.js';

type Turns = Shapes['Turns'];

/** What all games of a tournament have in common. */
export interface GameSetup {
  readonly settings: Settings;
  readonly entrants: readonly (Entrant & TournamentEntrant)[];
  /** Name of the rule set, or the path of its file. */
  readonly rulesSource: string;
  readonly program: readonly string[];
  readonly transport: string | null;
  readonly path: string;
  /** Open connections of each entrant that is a command. */
  readonly connectionsMax: number;
  /** Of each entrant that is a command; null for none. */
  readonly sandbox: Sandbox | null;
  readonly readFinishedWorld: ReadFinishedWorld;
  /** The bot of an entrant, by its source. */
  readonly botNamed: (source: string) => BotKind | undefined;
}

/** A game that is over. */
export interface PlayedGame {
  readonly row: TournamentGame;
  /** Its rows of `points.csv`. */
  readonly points: string;
  readonly wallMs: number;
  /** Why the game is not repeatable; empty if it is. */
  readonly reasons: readonly string[];
  /** How each entrant ended, by label. */
  readonly endings: Readonly<Record<string, string>>;
  /** Connections beyond the maximum, by label of those who tried. */
  readonly refusedConnections: Readonly<Record<string, number>>;
}

interface PlayOptions {
  /** Receives the number of world days that have passed. */
  readonly onDays: (days: number) => void;
  readonly signal: AbortSignal;
}

export const MS_PER_DAY = 24 * 3_600_000;
/** Seconds between two readings of the progress of a game. */
const LOOK_SECONDS = 1;
/** Digits in the name of the folder of a game. */
const DIGITS_OF_GAME = 4;

/** Name of the folder of a game, relative to that of the tournament. */
export function gameFolder(number: number): string {
  return join('games', String(number).padStart(DIGITS_OF_GAME, '0'));
}

/** File with the output of a command in a game, relative to the folder of the tournament. */
export function entrantLog(game: number, label: string): string {
  return join(gameFolder(game), 'entrants', `${label}.log`);
}

/** File with the trace of an entrant in a game, relative to the folder of the tournament. */
export function entrantTrace(game: number, label: string): string {
  return join(gameFolder(game), 'entrants', `${label}.jsonl`);
}

/**
 * Plays a game.
 *
 * @param folder of the game, which must not exist
 * @throws ServerFailed, what readFinishedWorld() throws, and the reason of the signal
 */
export async function playGame(
  game: ScheduledGame,
  setup: GameSetup,
  folder: string,
  options: PlayOptions,
): Promise<PlayedGame> {
  const begunMs = performance.now();
  const { seed, variation } = game;
  const { speed, systemsPerGalaxy } = setup.settings;
  const { program, transport, rulesSource: rules } = setup;
  const world = join(folder, 'world');
  const traces = join(folder, 'traces');
  await mkdir(join(folder, 'entrants'), { recursive: true });
  const server = await GameServer.start(
    { program, world, traces, seed, speed, systemsPerGalaxy, rules, variation, transport },
    options.signal,
  );
  let live: Live;
  const participants: Participant[] = [];
  try {
    const players = await beginTurns(game, setup, server, options.signal);
    for (const player of players)
      participants.push(await startEntrant(player, setup, server, join(folder, 'entrants'), options.signal));
    live = await playOut(server, participants, setup.settings.days, options);
    await server.stop();
  } catch (error) {
    await Promise.all(participants.map((participant) => participant.leave(0)));
    await server.kill();
    options.signal.throwIfAborted();
    throw error;
  }
  const finished = await setup.readFinishedWorld(world);
  await nameTraces(folder, finished);
  await writeTranscript(folder, finished);
  const { seq, stateHash } = live;
  if (finished.seq !== seq || finished.stateHash !== stateHash) {
    throw new ServerFailed(
      `the replay of game ${game.number} gives seq ${finished.seq} and state ${finished.stateHash}, its server had ${seq} and ${stateHash}`,
    );
  }
  const earlyEnds = new Map(participants.map(({ label, earlyEnd }) => [label, earlyEnd]));
  const row = rowOf(game, setup.settings, live.turns, earlyEnds, finished);
  const endings = Object.fromEntries(participants.map(({ label, ending }) => [label, ending]));
  const cut = participants.filter((participant) => participant.refusedConnections > 0);
  const refusedConnections = Object.fromEntries(
    cut.map((participant) => [participant.label, participant.refusedConnections]),
  );
  const points = pointsRows(row, finished, setup.settings.days);
  const wallMs = performance.now() - begunMs;
  return { row, points, wallMs, reasons: reasonsOf(row), endings, refusedConnections };
}

/** The server names traces by the ids of players. */
async function nameTraces(folder: string, { players }: FinishedWorld): Promise<void> {
  const traces = join(folder, 'traces');
  for (const file of await readdir(traces)) {
    const label = players.find(({ playerId }) => file === `${playerId}.jsonl`)?.name;
    if (label === undefined)
      throw new ServerFailed(`a server has written the trace ${file}, and no player of the game has that id`);
    await rename(join(traces, file), join(folder, 'entrants', `${label}.jsonl`));
  }
  await rmdir(traces);
}

async function writeTranscript(folder: string, finished: FinishedWorld): Promise<void> {
  if (finished.messages.length > 0) await writeFile(join(folder, TRANSCRIPT_FILE), transcriptText(finished));
}

/** What the server reported at the end. */
interface Live {
  readonly turns: Turns;
  readonly seq: number;
  readonly stateHash: string;
}

/** Waits until the game is over and the entrants have ended. */
async function playOut(
  server: GameServer,
  participants: readonly Participant[],
  days: number,
  { onDays, signal }: PlayOptions,
): Promise<Live> {
  const failed = server.ended.then((output) => Promise.reject(new ServerFailed(`a server ended in a game: ${output}`)));
  const over = async (): Promise<Live> => {
    let turns: Turns;
    do {
      turns = await server.request<Turns>('GET', `/api/admin/turns?wait=${LOOK_SECONDS}`, undefined, signal);
      onDays(Math.max(0, days - daysLeftIn(turns)));
    } while (turns.state !== 'over');
    await Promise.all(participants.map((participant) => participant.leave()));
    turns = await server.request<Turns>('GET', '/api/admin/turns', undefined, signal);
    const { seq, hash } = await server.request<Shapes['StateHash']>('GET', '/api/admin/state-hash', undefined, signal);
    return { turns, seq, stateHash: hash };
  };
  return await Promise.race([over(), failed]);
}

type EarlyEnd = NonNullable<TournamentPlayer['earlyEnd']>;

/** An entrant in a game. */
interface Participant {
  readonly label: string;
  /** How the entrant ended, in words. */
  ending: string;
  /** How it ended while it could still have turns; null if it did not. Known once it has left. */
  earlyEnd: EarlyEnd | null;
  /** Connections beyond its maximum so far. */
  readonly refusedConnections: number;
  /** Ends the entrant. @param leavingMs how long it may take to end by itself */
  leave(leavingMs?: number): Promise<void>;
}

/** An entrant and its player. */
interface EntrantPlayer {
  readonly entrant: GameSetup['entrants'][number];
  readonly playerId: string;
  readonly apiKey: string;
  /** Seed of the choices of a bot. */
  readonly seed: string;
}

/** Creates the players and begins their turns. @returns the players in the order of their starts */
async function beginTurns(
  game: ScheduledGame,
  { settings, entrants }: GameSetup,
  server: GameServer,
  signal: AbortSignal,
): Promise<readonly EntrantPlayer[]> {
  const body = { names: game.starts, keySecret: game.keySecret };
  const created = await server.request<Shapes['BulkPlayers']>('POST', '/api/admin/players', body, signal);
  const seed = `${game.seed}/${game.round}`;
  const players = created.players.map(({ id: playerId, name, apiKey = '' }): EntrantPlayer => {
    const entrant = entrants.find(({ label }) => label === name);
    if (entrant === undefined) throw new ServerFailed(`a server has created ${name}, who is not an entrant`);
    return { entrant, playerId, apiKey, seed };
  });
  const { worldTime } = await server.request<Shapes['Status']>('GET', '/api/status', undefined, signal);
  const until = new Date(Date.parse(worldTime) + settings.days * MS_PER_DAY).toISOString();
  const budgets = players.map(({ entrant, playerId }) => {
    const { commandsPerDay, wakeupsPerDay } = entrant;
    return { playerId, commandsPerDay, wakeupsPerDay };
  });
  const { orderSeed } = game;
  const { commandsPerDay, wakeupsPerDay, wakeupsByOthersPerDay, wallSecondsPerTurn } = settings;
  const limits = { commandsPerDay, wakeupsPerDay, wakeupsByOthersPerDay, wallSecondsPerTurn };
  const beginning = { entrants: budgets, until, orderSeed, ...limits };
  await server.request('POST', '/api/admin/turns', beginning, signal);
  return players;
}

/** Starts an entrant. */
function startEntrant(
  place: EntrantPlayer,
  setup: GameSetup,
  server: GameServer,
  logFolder: string,
  signal: AbortSignal,
): Participant | Promise<Participant> {
  const gone = (): Promise<boolean> => withdraw(server, place.playerId, signal);
  return place.entrant.kind === 'bot'
    ? startBot(place, setup, server, gone)
    : startCommand(place, setup, server, logFolder, gone);
}

/** Called if an entrant ends before its game. @returns whether it could still have turns */
type Gone = () => Promise<boolean>;

function startBot(
  { entrant, playerId, apiKey, seed }: EntrantPlayer,
  { botNamed }: GameSetup,
  server: GameServer,
  gone: Gone,
): Participant {
  const { label, source } = entrant;
  const kind = botNamed(source);
  if (kind === undefined) throw new Error(`there is no bot ${source}`);
  const end = new AbortController();
  const participant: Participant = {
    label,
    ending: 'played to the end',
    earlyEnd: null,
    // It is galaxyd's own, and connects to the server itself.
    refusedConnections: 0,
    async leave() {
      end.abort();
      await playing;
    },
  };
  const options = { kind, server: server.url, playerId, playerName: label, apiKey, seed, signal: end.signal };
  const playing = playBot(options).catch(async (error: unknown) => {
    if (end.signal.aborted) return;
    participant.ending = `failed: ${error instanceof Error ? error.message : String(error)}`;
    if (await gone()) participant.earlyEnd = { kind: 'crash', exitCode: null, signal: null };
  });
  return participant;
}

async function startCommand(
  { entrant, playerId, apiKey }: EntrantPlayer,
  setup: GameSetup,
  server: GameServer,
  logFolder: string,
  gone: Gone,
): Promise<Participant> {
  const { label } = entrant;
  const { path, connectionsMax, sandbox } = setup;
  const relay = await EntrantRelay.open({ server: server.url, connectionsMax, isUnixSocket: sandbox !== null });
  const own = { playerId, apiKey, path, logFile: join(logFolder, `${label}.log`) };
  const command = () => whatToRun(entrant, relay.address, sandbox);
  const running = await EntrantProcess.start({ ...own, command }).catch(async (error: unknown) => {
    await relay.close();
    throw error;
  });
  let isOver = false;
  const watched = running.ended.then(async ({ code, signal, failure }) => {
    if (isOver || !(await gone())) return;
    participant.earlyEnd = { kind: failure === null ? 'crash' : 'refused_start', exitCode: code, signal };
  });
  const participant: Participant = {
    label,
    ending: '',
    earlyEnd: null,
    get refusedConnections() {
      return relay.refusedConnections;
    },
    async leave(leavingMs) {
      isOver = true;
      participant.ending = endingWords(await running.stop(leavingMs));
      await relay.close();
      await watched;
    },
  };
  return participant;
}

/**
 * @param address of the relay
 * @throws Error if a sandbox is to show a file that cannot be read
 */
async function whatToRun({ words, files }: Entrant, address: string, sandbox: Sandbox | null): Promise<EntrantCommand> {
  if (sandbox === null) return { words, server: address };
  const paths = (await filesOf(files)).map((file) => file.path);
  const around = sandboxed({ words, files: paths, socket: address }, sandbox);
  return { words: around, server: SANDBOX_SERVER, home: SANDBOX_HOME };
}

/**
 * Withdraws an entrant that has ended, so it gets no further turn. If a request fails, its turns run out of time.
 *
 * @returns false if the server had withdrawn it before, since it overran its turns
 */
async function withdraw(server: GameServer, playerId: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { entrants } = await server.request<Turns>('GET', '/api/admin/turns', undefined, signal);
    await server.request('POST', '/api/admin/turns/withdraw', { playerId }, signal);
    return entrants.find((entrant) => entrant.playerId === playerId)?.isWithdrawn === false;
  } catch {
    return true;
  }
}

function rowOf(
  { number, seed, round, orderSeed }: ScheduledGame,
  { variation, days }: Settings,
  turns: Turns,
  earlyEnds: ReadonlyMap<string, EarlyEnd | null>,
  finished: FinishedWorld,
): TournamentGame {
  const ranks = ranksOf(finished.players.map(({ points }) => points));
  const players = finished.players.map(({ name, playerId, points, income, deals }: FinishedPlayer, index) => {
    const counts = turns.entrants.find((entrant) => entrant.playerId === playerId);
    if (counts === undefined) throw new ServerFailed(`the player ${name} is in the world and not in its turns`);
    const { commands, wakeups, wakeupsByOthers, overruns, isWithdrawn } = counts;
    const refusals = Object.fromEntries(
      Object.entries(counts.refusals).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    return {
      label: name,
      playerId,
      points,
      income,
      deals,
      rank: ranks[index] as number,
      commands,
      wakeups,
      wakeupsByOthers,
      refusals,
      overruns,
      isWithdrawn,
      // One that has ended after its last turn has missed nothing.
      earlyEnd: isWithdrawn ? (earlyEnds.get(name) ?? null) : null,
    };
  });
  const isRepeatable = players.every(({ overruns }) => overruns === 0);
  const { seq, stateHash, logDigest } = finished;
  const { worldTime } = turns;
  // A game whose rules are not varied has the rules of the tournament.
  const own = variation === 'each' ? { rules: finished.rules } : {};
  const digests = { stateHash, logDigest, courseDigest: courseDigestOf(finished, days) };
  return { number, seed, ...own, round, orderSeed, isRepeatable, worldTime, seq, ...digests, players };
}

function reasonsOf({ players }: TournamentGame): string[] {
  const late = players.filter(({ overruns }) => overruns > 0);
  return late.map(
    ({ label, overruns }) => `${label} ran out of time in ${overruns === 1 ? 'a turn' : `${overruns} turns`}`,
  );
}

function daysLeftIn({ worldTime, until }: Turns): number {
  return until === null ? 0 : (Date.parse(until) - Date.parse(worldTime)) / MS_PER_DAY;
}
