// Plays the turns of a shipped bot, in this process and with the key of its player alone: waits for its turn, reads what has
// happened, lets the bot act, and ends the turn with the bot's wish.
import type { BotKind, Catalog, Wish } from '../bot.js';
import {
  EventsExpired,
  GalaxydClient,
  GalaxydProblem,
  type GameEvent,
  type Operation,
  type Result,
} from '../galaxyd-client.js';
import { type Caller, SeatedBot } from '../hand.js';
import { TURN_WAIT_SECONDS } from '../limits.js';

export interface BotPlayerOptions {
  readonly kind: BotKind;
  readonly server: string;
  readonly playerId: string;
  readonly playerName: string;
  readonly apiKey: string;
  /** Of the choices that the bot draws. */
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
  // A cached reply shows the world as it was then, which no bot asks about.
  const client = new GalaxydClient({ baseUrl: server, apiKey, cacheCharactersMax: 0 });
  const caller = new ClientCaller(client);
  let since: number | null = null;
  let bot: SeatedBot | null = null;
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
    bot ??= new SeatedBot({ kind, playerId, playerName, seed, catalog: await catalogOf(client), caller });
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
    // The server has ended the turn, which took too long.
    if (error instanceof GalaxydProblem && error.code === 'not_your_turn') return false;
    throw error;
  }
}

interface NewEvents {
  readonly events: readonly GameEvent[];
  readonly lastSeq: number;
}

/** @param since null before the first turn: nothing has happened yet that the bot did not see */
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
      // So much has happened since its last turn that the oldest events are no longer kept.
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

/** Calls of one player over HTTP: one operation as a request, several as a batch. */
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

  async callAll(operations: readonly Operation[]): Promise<readonly Result<unknown>[]> {
    const { body, worldTime } = await this.#client.batch(operations);
    this.worldTime = worldTime;
    return body;
  }
}
