// Plays the turns of a shipped bot in this process, with nothing but the key of its player: waits for its turn, reads the events, lets
// the bot act, and ends the turn with the bot's wish.
import type { BotKind, Catalog, Wish } from '../bot.js';
import {
  EventsExpired,
  GalaxydClient,
  GalaxydProblem,
  type GameEvent,
  type Operation,
  type Result,
} from '../galaxyd-client.js';
import { TURN_WAIT_SECONDS } from '../limits.js';
import { type Caller, type CallerOptions, PlayingBot } from '../player-port.js';

interface BotPlayerOptions {
  readonly kind: BotKind;
  readonly server: string;
  readonly playerId: string;
  readonly playerName: string;
  readonly apiKey: string;
  /** Seed of the choices of the bot. */
  readonly seed: string;
  readonly signal: AbortSignal;
}

/**
 * Plays until the game is over.
 *
 * @throws what the bot throws, NoReply, and the reason of the signal
 */
export async function playBot({
  kind,
  server,
  playerId,
  playerName,
  apiKey,
  seed,
  signal,
}: BotPlayerOptions): Promise<void> {
  // A cached reply would show an earlier world, which no bot wants to see.
  const client = new GalaxydClient({ baseUrl: server, apiKey, cacheCharactersMax: 0 });
  const caller = new ClientCaller(client);
  let since: number | null = null;
  let bot: PlayingBot | null = null;
  for (;;) {
    const { body: turn, worldTime } = await client.get('/api/turn', {
      params: { query: { wait: TURN_WAIT_SECONDS } },
      signal,
    });
    if (turn.state === 'over') return;
    if (turn.state === 'waiting') continue;
    caller.worldTime = worldTime;
    const { events, lastSeq } = await eventsAfter(client, playerId, since);
    since = lastSeq;
    bot ??= new PlayingBot({ kind, playerId, playerName, seed, catalog: await catalogOf(client), caller });
    const { commandsLeft, wakeupsLeft, dayEndsAt } = turn;
    const wish = await bot.wake(events, dayEndsAt === null ? null : { commandsLeft, wakeupsLeft, dayEndsAt });
    signal.throwIfAborted();
    if (await isOverAfter(client, wish)) return;
  }
}

/** @returns whether the game is over */
async function isOverAfter(client: GalaxydClient, { at, on }: Wish): Promise<boolean> {
  try {
    const { body } = await client.post('/api/turn/end', { body: { wakeAt: at, wakeOn: [...on] } });
    return body.state === 'over';
  } catch (error) {
    // The turn took too long, so the server has ended it.
    if (error instanceof GalaxydProblem && error.code === 'not_your_turn') return false;
    throw error;
  }
}

interface NewEvents {
  readonly events: readonly GameEvent[];
  readonly lastSeq: number;
}

/** @param since seq of the last event that the bot has seen; null before its first turn */
async function eventsAfter(client: GalaxydClient, playerId: string, since: number | null): Promise<NewEvents> {
  const path = { playerId };
  const events: GameEvent[] = [];
  let position = since;
  for (;;) {
    const query = position === null ? {} : { since: position };
    const page = await client
      .get('/api/event/player/{playerId}', { params: { path, query } })
      .catch((error: unknown) => {
        if (error instanceof EventsExpired) return error;
        throw error;
      });
    if (page instanceof EventsExpired) {
      // The oldest events since the last turn are no longer kept.
      position = page.oldestSeq - 1;
      continue;
    }
    const { body } = page;
    events.push(...body.events);
    position = body.events.at(-1)?.seq ?? body.lastSeq;
    if (position >= body.lastSeq) return { events, lastSeq: body.lastSeq };
  }
}

async function catalogOf(client: GalaxydClient): Promise<Catalog> {
  return (await client.get('/api/catalog')).body;
}

/** Calls of one player over HTTP: a request for one operation, a batch for several. */
class ClientCaller implements Caller {
  worldTime = '';
  readonly #client: GalaxydClient;

  constructor(client: GalaxydClient) {
    this.#client = client;
  }

  async call<Body>(operation: Operation<Body>): Promise<Result<Body>> {
    try {
      const { status, body, worldTime } = await this.#client.perform(operation);
      this.worldTime = worldTime;
      return { ok: true, status, body };
    } catch (error) {
      if (!(error instanceof GalaxydProblem)) throw error;
      const { problem, status, code } = error;
      return { ok: false, status, code, problem };
    }
  }

  async callAll(operations: readonly Operation[], options: CallerOptions = {}): Promise<readonly Result<unknown>[]> {
    const { body, worldTime } = await this.#client.batch(operations, options);
    this.worldTime = worldTime;
    return body;
  }
}
