// One game of a tournament, from an empty folder to its row in the result. The server owns turns and budgets; here its players are
// created, its entrants are started and watched, and what came of it is read.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { botNamed } from '../bots/index.js';
import type { Shapes } from '../galaxyd-client.js';
import { playBot } from './bot-player.js';
import { EntrantProcess } from './entrant-process.js';
import type { Entrant } from './entrants.js';
import { ServerFailed } from './failures.js';
import { ranksOf, type Settings, type TournamentEntrant, type TournamentGame } from './result.js';
import type { ScheduledGame } from './schedule.js';
import type { SealedPlayer, SealedWorld, SealWorld } from './sealed-world.js';
import { ServerProcess } from './server-process.js';

type Turns = Shapes['Turns'];

/** What all games of a tournament have in common. */
export interface GameTable {
  readonly settings: Settings;
  readonly entrants: readonly (Entrant & TournamentEntrant)[];
  /** Name of the rule set, or the path of its file. */
  readonly rulesSource: string;
  readonly program: readonly string[];
  readonly transport: string | null;
  readonly path: string;
  readonly sealWorld: SealWorld;
}

/** A game that is over. */
export interface PlayedGame {
  readonly row: TournamentGame;
  readonly wallMs: number;
  /** Why it is not repeatable; empty if it is. */
  readonly reasons: readonly string[];
  /** How each entrant ended, by label. */
  readonly endings: Readonly<Record<string, string>>;
}

export interface Watching {
  /** Receives the world days that have passed. */
  readonly onDays: (days: number) => void;
  readonly signal: AbortSignal;
}

export const MS_PER_DAY = 24 * 3_600_000;
/** Seconds between two looks at the progress of a game. */
const LOOK_SECONDS = 1;
/** Of the name of a game's folder. */
const DIGITS_OF_GAME = 4;

/** Name of the folder of a game, relative to that of the tournament. */
export function gameFolder(number: number): string {
  return join('games', String(number).padStart(DIGITS_OF_GAME, '0'));
}

/**
 * Plays a game.
 *
 * @param folder of the game; it must not exist
 * @throws ServerFailed, what sealWorld() throws, and the reason of the signal
 */
export async function playGame(
  game: ScheduledGame,
  table: GameTable,
  folder: string,
  watching: Watching,
): Promise<PlayedGame> {
  const begunMs = performance.now();
  const { seed, variation } = game;
  const { speed, systemsPerGalaxy } = table.settings;
  const { program, transport, rulesSource: rules } = table;
  const world = join(folder, 'world');
  await mkdir(join(folder, 'entrants'), { recursive: true });
  const server = await ServerProcess.start(
    { program, world, seed, speed, systemsPerGalaxy, rules, variation, transport },
    watching.signal,
  );
  let live: Live;
  const seats: Seat[] = [];
  try {
    const players = await beginTurns(game, table, server, watching.signal);
    for (const player of players) seats.push(await seated(player, table, server, folder, watching.signal));
    live = await playOut(server, seats, table.settings.days, watching);
    await server.stop();
  } catch (error) {
    await Promise.all(seats.map((seat) => seat.leave(0)));
    await server.kill();
    watching.signal.throwIfAborted();
    throw error;
  }
  const sealed = await table.sealWorld(world);
  const { seq, stateHash } = live;
  if (sealed.seq !== seq || sealed.stateHash !== stateHash) {
    throw new ServerFailed(
      `the replay of game ${game.number} gives seq ${sealed.seq} and state ${sealed.stateHash}, its server had ${seq} and ${stateHash}`,
    );
  }
  const row = rowOf(game, table.settings, live.turns, sealed);
  const endings = Object.fromEntries(seats.map(({ label, ending }) => [label, ending]));
  return { row, wallMs: performance.now() - begunMs, reasons: reasonsOf(row), endings };
}

/** What the server said at the end. */
interface Live {
  readonly turns: Turns;
  readonly seq: number;
  readonly stateHash: string;
}

/** Waits until the game is over, and the entrants are gone. */
async function playOut(
  server: ServerProcess,
  seats: readonly Seat[],
  days: number,
  { onDays, signal }: Watching,
): Promise<Live> {
  const failed = server.ended.then((output) => Promise.reject(new ServerFailed(`a server ended in a game: ${output}`)));
  const over = async (): Promise<Live> => {
    let turns: Turns;
    do {
      turns = await server.ask<Turns>('GET', `/api/admin/turns?wait=${LOOK_SECONDS}`, undefined, signal);
      onDays(Math.max(0, days - daysLeftIn(turns)));
    } while (turns.state !== 'over');
    await Promise.all(seats.map((seat) => seat.leave()));
    turns = await server.ask<Turns>('GET', '/api/admin/turns', undefined, signal);
    const { seq, hash } = await server.ask<Shapes['StateHash']>('GET', '/api/admin/state-hash', undefined, signal);
    return { turns, seq, stateHash: hash };
  };
  return await Promise.race([over(), failed]);
}

/** An entrant in a game. */
interface Seat {
  readonly label: string;
  /** How it ended, in words. */
  ending: string;
  /** Ends it. @param leavingMs what it has to end by itself */
  leave(leavingMs?: number): Promise<void>;
}

/** An entrant and its player. */
interface Place {
  readonly entrant: GameTable['entrants'][number];
  readonly playerId: string;
  readonly apiKey: string;
  /** Of a bot's choices. */
  readonly seed: string;
}

/** Creates the players and begins their turns. @returns them in the order of their starts */
async function beginTurns(
  game: ScheduledGame,
  { settings, entrants }: GameTable,
  server: ServerProcess,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const body = { names: game.starts, keySecret: game.keySecret };
  const { players } = await server.ask<Shapes['BulkPlayers']>('POST', '/api/admin/players', body, signal);
  const seed = `${game.seed}/${game.round}`;
  const places = players.map(({ id: playerId, name, apiKey = '' }): Place => {
    const entrant = entrants.find(({ label }) => label === name);
    if (entrant === undefined) throw new ServerFailed(`a server has created ${name}, who is no entrant`);
    return { entrant, playerId, apiKey, seed };
  });
  const { worldTime } = await server.ask<Shapes['Status']>('GET', '/api/status', undefined, signal);
  const until = new Date(Date.parse(worldTime) + settings.days * MS_PER_DAY).toISOString();
  const budgets = places.map(({ entrant, playerId }) => {
    const { commandsPerDay, wakeupsPerDay } = entrant;
    return { playerId, commandsPerDay, wakeupsPerDay };
  });
  const { orderSeed } = game;
  const { commandsPerDay, wakeupsPerDay, wallSecondsPerTurn } = settings;
  const beginning = { entrants: budgets, until, orderSeed, commandsPerDay, wakeupsPerDay, wallSecondsPerTurn };
  await server.ask('POST', '/api/admin/turns', beginning, signal);
  return places;
}

/** Starts an entrant. */
function seated(
  place: Place,
  table: GameTable,
  server: ServerProcess,
  folder: string,
  signal: AbortSignal,
): Seat | Promise<Seat> {
  const gone = (): void => withdraw(server, place.playerId, signal);
  return place.entrant.kind === 'bot' ? botSeat(place, server, gone) : commandSeat(place, table, server, folder, gone);
}

/** @param gone called if it ends before its game */
function botSeat({ entrant, playerId, apiKey, seed }: Place, server: ServerProcess, gone: () => void): Seat {
  const { label, source } = entrant;
  const kind = botNamed(source);
  if (kind === undefined) throw new Error(`there is no bot ${source}`);
  const end = new AbortController();
  const seat: Seat = {
    label,
    ending: 'played to the end',
    async leave() {
      end.abort();
      await playing;
    },
  };
  const options = { kind, server: server.url, playerId, playerName: label, apiKey, seed, signal: end.signal };
  const playing = playBot(options).catch((error: unknown) => {
    if (end.signal.aborted) return;
    seat.ending = `failed: ${error instanceof Error ? error.message : String(error)}`;
    gone();
  });
  return seat;
}

async function commandSeat(
  { entrant, playerId, apiKey }: Place,
  table: GameTable,
  server: ServerProcess,
  folder: string,
  gone: () => void,
): Promise<Seat> {
  const { label, words } = entrant;
  const logFile = join(folder, 'entrants', `${label}.log`);
  const running = await EntrantProcess.start({
    words,
    server: server.url,
    playerId,
    apiKey,
    path: table.path,
    logFile,
  });
  let isOver = false;
  void running.ended.then(() => {
    if (!isOver) gone();
  });
  const seat: Seat = {
    label,
    ending: '',
    async leave(leavingMs) {
      isOver = true;
      const { code, signal, failure } = await running.stop(leavingMs);
      seat.ending = failure ?? (signal === null ? `exit code ${code}` : `ended by ${signal}`);
    },
  };
  return seat;
}

/** An entrant that is gone plays no further turn. If the request fails, its turns run out of time instead. */
function withdraw(server: ServerProcess, playerId: string, signal: AbortSignal): void {
  server.ask('POST', '/api/admin/turns/withdraw', { playerId }, signal).catch(() => {});
}

function rowOf(
  { number, seed, round, orderSeed }: ScheduledGame,
  { variation }: Settings,
  turns: Turns,
  sealed: SealedWorld,
): TournamentGame {
  const ranks = ranksOf(sealed.players.map(({ points }) => points));
  const players = sealed.players.map(({ name, playerId, points }: SealedPlayer, index) => {
    const counts = turns.entrants.find((entrant) => entrant.playerId === playerId);
    if (counts === undefined) throw new ServerFailed(`the player ${name} is in the world and not in its turns`);
    const { commands, wakeups, overruns, isWithdrawn } = counts;
    const refusals = Object.fromEntries(
      Object.entries(counts.refusals).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    return {
      label: name,
      playerId,
      points,
      rank: ranks[index] as number,
      commands,
      wakeups,
      refusals,
      overruns,
      isWithdrawn,
    };
  });
  const isRepeatable = players.every(({ overruns }) => overruns === 0);
  const { seq, stateHash, logDigest } = sealed;
  const { worldTime } = turns;
  // Without an instance of its own, a game has the rules of the tournament.
  const own = variation === 'each' ? { rules: sealed.rules } : {};
  return { number, seed, ...own, round, orderSeed, isRepeatable, worldTime, seq, stateHash, logDigest, players };
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
