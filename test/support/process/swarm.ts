// Bots that play concurrently, each on its own connection, until their server is gone, and then on the next server. All
// their requests go through one ledger.
import { setTimeout as delay } from 'node:timers/promises';
import { BotChoices, type PlayerState, queueIdsOf } from './bot-choices.js';
import { Client, NoReply } from './client.js';
import type { Attempt, DeedLedger } from './deed-ledger.js';
import { createBot, type Deed } from './deeds.js';
import type { Draws } from './draws.js';

interface Bot {
  readonly name: string;
  /** Known after its creation was answered. */
  state: PlayerState | null;
  /** An unanswered request that it can repeat; it does nothing else before. */
  unanswered: Attempt | null;
}

/** What a bot needs of a client. */
export type BotClient = Pick<Client, 'get' | 'post' | 'close'>;

/** Maximum rest of a bot between two turns, if it may rest. */
const REST_MS = 400;
/** One in this many requests has no Idempotency-Key: its client never learns the outcome. */
const WITHOUT_KEY_ONE_IN = 4;

export class Swarm {
  readonly #ledger: DeedLedger;
  readonly #draws: Draws;
  readonly #choices: BotChoices;
  readonly #adminKey: string;
  readonly #bots: readonly Bot[];
  /** Whether bots rest between turns, so that the tested process gets a core and the log stays short. */
  isResting = false;
  #playing: Promise<void>[] = [];
  #isEnding = false;
  #isLasting = false;
  #goal: { readonly acknowledgedCount: number; readonly reached: () => void } | null = null;

  constructor(ledger: DeedLedger, draws: Draws, botCount: number, adminKey: string) {
    this.#ledger = ledger;
    this.#draws = draws;
    this.#choices = new BotChoices(draws);
    this.#adminKey = adminKey;
    this.#bots = Array.from({ length: botCount }, (_, index) => ({
      name: `bot-${index + 1}`,
      state: null,
      unanswered: null,
    }));
  }

  /** Lets every bot play on a server until it is gone or end() is called. */
  begin(url: string): void {
    this.#isLasting = false;
    this.#beginWith(() => new Client(url, this.#adminKey));
  }

  /**
   * Lets every bot play until end() is called, over clients that find another server themselves. A request with a key
   * is repeated until it is answered, also after end().
   */
  beginOver(connect: () => BotClient): void {
    this.#isLasting = true;
    this.#beginWith(connect);
  }

  /** Settles when a number of further deeds were acknowledged, or no bot plays any more. */
  async acknowledged(count: number): Promise<void> {
    const goal = new Promise<void>((resolve) => {
      this.#goal = { acknowledgedCount: this.#ledger.acknowledgedCount + count, reached: resolve };
    });
    await Promise.race([goal, this.settled()]);
    this.#goal = null;
  }

  /** Asks the bots to finish what they are doing; settled() settles when they have. */
  end(): void {
    this.#isEnding = true;
  }

  /** Settles when no bot plays any more. @throws the unexpected error of a bot */
  async settled(): Promise<void> {
    await Promise.all(this.#playing);
  }

  #beginWith(connect: () => BotClient): void {
    this.#isEnding = false;
    this.#playing = this.#bots.map((bot) => this.#play(bot, connect()));
  }

  async #play(bot: Bot, client: BotClient): Promise<void> {
    const isOver = (): boolean => this.#isEnding && !(this.#isLasting && bot.unanswered !== null);
    try {
      while (!isOver() && ((await this.#turn(bot, client)) || this.#isLasting)) {
        if (this.isResting) await delay(this.#draws.below(REST_MS));
      }
    } finally {
      client.close();
    }
  }

  /** Reads its own state and that of another bot, and does one deed. @returns false if the server is gone */
  async #turn(bot: Bot, client: BotClient): Promise<boolean> {
    if (bot.unanswered !== null) return await this.#ask(bot, client, bot.unanswered, true);
    const rival = this.#draws.pick(this.#bots);
    try {
      if (bot.state !== null) bot.state = await this.#look(client, bot.state.id);
      if (rival.state !== null) await this.#look(client, rival.state.id);
    } catch (error) {
      if (error instanceof NoReply) return false;
      throw error;
    }
    const attempt = this.#ledger.begin(this.#nextDeed(bot), !this.#draws.oneIn(WITHOUT_KEY_ONE_IN));
    return await this.#ask(bot, client, attempt, false);
  }

  async #ask(bot: Bot, client: BotClient, attempt: Attempt, isAgain: boolean): Promise<boolean> {
    const reply = await this.#ledger.send(client, attempt, isAgain);
    bot.unanswered = reply === null && attempt.idempotencyKey !== '' ? attempt : null;
    if (bot.state === null && reply !== null && reply.status < 300) bot.state = reply.body as PlayerState;
    if (this.#goal !== null && this.#ledger.acknowledgedCount >= this.#goal.acknowledgedCount) this.#goal.reached();
    return reply !== null;
  }

  async #look(client: BotClient, playerId: string): Promise<PlayerState> {
    const { status, body } = await client.get<PlayerState>(`/api/game/state/${playerId}`);
    if (status !== 200) throw new Error(`${playerId} was acknowledged, and now its state is answered with ${status}`);
    for (const fleet of body.fleets) this.#ledger.saw(fleet.id);
    for (const id of body.planets.flatMap(queueIdsOf)) this.#ledger.saw(id);
    return body;
  }

  #nextDeed({ name, state }: Bot): Deed {
    if (state === null) return createBot(name);
    const planet = this.#draws.pick(state.planets);
    const chances: readonly [chances: number, deed: () => Deed | null][] = [
      [2, () => this.#choices.grant(planet.id)],
      [2, () => this.#choices.research(state)],
      [1, () => this.#choices.settle(state, planet)],
      [3, () => this.#choices.shipyard(planet)],
      [4, () => this.#choices.fleet(state, planet, this.#homes())],
      [3, () => this.#choices.changeOfMind(state)],
      [4, () => this.#choices.building(planet)],
    ];
    const drawn = this.#draws.pick(chances.flatMap(([times, deed]) => Array.from({ length: times }, () => deed)));
    return drawn() ?? this.#choices.building(planet);
  }

  #homes(): string[] {
    return this.#bots.flatMap(({ state }) => state?.planets.map(({ id }) => id) ?? []);
  }
}
