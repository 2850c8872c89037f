// Lets bots play in a world with a manual clock: wakes each at the instant of its wish, one after the other, and moves the clock in
// between. Unlike in a world of turns, events wake no bot. Each bot reads them when it is woken.
import type { BotKind, Wish } from '../../../arena/bot.js';
import {
  earliest,
  GalaxydClient,
  type GameEvent,
  type Operation,
  operation,
  type Result,
} from '../../../arena/galaxyd-client.js';
import { type Caller, type CallerOptions, PlayingBot } from '../../../arena/player-port.js';

const START = '2000-01-01T00:00:00.000Z';
const HOUR_MS = 3_600_000;

/** A bot of a game, and what it did. */
export interface Entrant {
  readonly kind: BotKind;
  readonly name: string;
  readonly points: number;
  readonly wakes: number;
  /** Requests to the server; those that were sent together are one. */
  readonly requests: number;
  /** Each command with its result, as text. */
  readonly commands: readonly string[];
  readonly refusals: Readonly<Record<string, number>>;
}

export interface GameOptions {
  readonly baseUrl: string;
  readonly kinds: readonly BotKind[];
  readonly seed: number;
  /** When the game ends. */
  readonly hours: number;
  /** Moves the clock of the world. Resolves once all events until then can be read. */
  readonly advance: (to: string) => Promise<void>;
}

class Seat implements Caller {
  readonly commands: string[] = [];
  readonly refusals: Record<string, number> = {};
  requests = 0;
  wakes = 0;
  points = 0;
  worldTime = START;
  wish: Wish = { at: START, on: [] };
  lastEventSeq = 0;
  bot: PlayingBot | null = null;

  constructor(
    readonly galaxyd: GalaxydClient,
    readonly kind: BotKind,
    readonly name: string,
  ) {}

  async call<Body>(operation: Operation<Body>, options?: CallerOptions): Promise<Result<Body>> {
    this.requests += 1;
    const result = await this.galaxyd.socket.call(operation, options);
    this.#note(operation, result);
    return result;
  }

  /** The server handles the frames of a connection in order. */
  async callAll(operations: readonly Operation[]): Promise<readonly Result<unknown>[]> {
    this.requests += 1;
    const results = await Promise.all(operations.map((operation) => this.galaxyd.socket.call(operation)));
    for (const [index, operation] of operations.entries()) this.#note(operation, results[index] as Result<unknown>);
    return results;
  }

  #note({ method, path, body }: Operation, result: Result<unknown>): void {
    const outcome = result.ok ? 'ok' : result.code;
    if (!result.ok)
      this.refusals[`${result.status} ${outcome} ${path}`] =
        (this.refusals[`${result.status} ${outcome} ${path}`] ?? 0) + 1;
    if (method !== 'GET' && path !== '/api/fleet/simulate') {
      this.commands.push(`${this.worldTime} ${path} ${JSON.stringify(body ?? null)} ${outcome}`);
    }
  }
}

/** Plays a game in a new world. @returns the bots in the given order */
export async function playBots({ baseUrl, kinds, seed, hours, advance }: GameOptions): Promise<readonly Entrant[]> {
  const galaxyd = new GalaxydClient({ baseUrl });
  const { body: catalog } = await galaxyd.get('/api/catalog');
  const seats: Seat[] = [];
  for (const [index, kind] of kinds.entries()) {
    const seat = new Seat(galaxyd, kind, `${kind.name}-${index}`);
    const { body: player } = await galaxyd.post('/api/game/player', { body: { name: seat.name, isBot: true } });
    seat.bot = new PlayingBot({ kind, playerId: player.id, playerName: seat.name, seed, catalog, caller: seat });
    seats.push(seat);
  }
  const end = new Date(Date.parse(START) + hours * HOUR_MS).toISOString();
  for (let now = START; now < end; ) {
    for (const seat of seats) await wakeIfDue(galaxyd, seat, now);
    const to = earliest([end, ...seats.map(({ wish }) => wish.at)]) ?? end;
    if (to > now) await advance(to);
    now = to;
  }
  for (const seat of seats) seat.points = await pointsOf(galaxyd, seat);
  return seats;
}

async function wakeIfDue(galaxyd: GalaxydClient, seat: Seat, now: string): Promise<void> {
  const { wish, bot } = seat;
  if (bot === null || wish.at === null || wish.at > now) return;
  const events: GameEvent[] = [];
  for (;;) {
    const read = operation.get('/api/event/player/{playerId}', {
      params: { path: { playerId: bot.playerId }, query: { since: seat.lastEventSeq } },
    });
    const result = await galaxyd.socket.call(read);
    if (!result.ok || result.body === null) throw new Error(`the events of ${seat.name} were refused`);
    events.push(...result.body.events);
    seat.lastEventSeq = events.at(-1)?.seq ?? seat.lastEventSeq;
    if (seat.lastEventSeq >= result.body.lastSeq) break;
  }
  seat.worldTime = now;
  seat.wakes += 1;
  seat.wish = await bot.wake(events);
}

async function pointsOf(galaxyd: GalaxydClient, { bot, name }: Seat): Promise<number> {
  const { body } = await galaxyd.get('/api/leaderboard');
  const row = body.players.find(({ id }) => id === bot?.playerId);
  if (row === undefined) throw new Error(`${name} is not on the leaderboard`);
  return row.points;
}
