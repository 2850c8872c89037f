// A world in which many players build, research, fly, fight, spy and colonize through the public API, for tests of the dashboard,
// its pictures and measures of replays. The clock is a manual one, so days take seconds; all choices come from a seed, so the
// same options give the same world.
import { forEachAtOnce, GameClient } from '../../../bench/servers/game-client.js';
import type { PlayerState } from '../process/bot-choices.js';
import { Draws } from '../process/draws.js';
import { Atlas, systemPathOf } from './atlas.js';
import { Choices, type Operation, post } from './choices.js';
import { nameOf } from './names.js';

export interface LivingWorldOptions {
  /** URL of a server without keys, with a manual clock and an admin key. */
  readonly url: string;
  readonly adminKey: string;
  readonly seed?: number;
  /** Players who act. */
  readonly actors: number;
  /** Players who only live there, between one actor and the next; none by default. */
  readonly idlersPerActor?: number;
  /** World time between two rounds in which the actors act; ten minutes by default. */
  readonly roundSeconds?: number;
}

/** States of players in one batch: the reply to a batch is bounded. */
const STATES_PER_BATCH = 100;
const OPERATIONS_PER_BATCH = 1_000;
/** Every actor acts in some of the rounds only, so that some get ahead: one in this many is the laziest. */
const LAZIEST_ONE_IN = 6;
/** Only one part in this many of the last round passes. */
const SHARE_OF_LAST_ROUND = 4;

const OFFERED = { give: { resource: 'iron', units: 200 }, want: { resource: 'silver', units: 100 } };

interface Actor {
  readonly id: string;
  readonly laziness: number;
}

/** The outcomes of the operations that the actors have sent. */
export interface Tally {
  accepted: number;
  refused: number;
}

export class LivingWorld {
  readonly tally: Tally = { accepted: 0, refused: 0 };
  readonly atlas = new Atlas();
  readonly #client: GameClient;
  readonly #draws: Draws;
  readonly #choices: Choices;
  readonly #actors: Actor[] = [];
  readonly #options: Required<LivingWorldOptions>;

  constructor(options: LivingWorldOptions) {
    this.#options = { seed: 1, idlersPerActor: 0, roundSeconds: 600, ...options };
    const { url, adminKey, seed } = this.#options;
    this.#client = new GameClient(url, adminKey);
    this.#draws = new Draws(seed);
    this.#choices = new Choices(this.#draws, this.atlas);
  }

  /** Ids of the players who act. */
  get actorIds(): readonly string[] {
    return this.#actors.map(({ id }) => id);
  }

  /** Creates the players, and gives each actor something to begin with. */
  async settle(): Promise<void> {
    const { actors, idlersPerActor } = this.#options;
    for (let number = 1; number <= actors; number += 1) {
      const player = await this.#client.post<PlayerState>('/api/game/player', { name: nameOf(number), isBot: true });
      this.#actors.push({ id: player.id, laziness: this.#draws.between(1, LAZIEST_ONE_IN) });
      this.atlas.see(player);
      if (idlersPerActor > 0) await this.#createIdlers(number, idlersPerActor);
    }
    await forEachAtOnce(this.#actors, ({ id }) => this.#endow(id));
  }

  /** Lets the players live for a while. It ends with their fleets in flight. */
  async live({ rounds }: { readonly rounds: number }): Promise<void> {
    const { roundSeconds } = this.#options;
    for (let round = 0; round < rounds; round += 1) {
      await this.act();
      await this.pass(round === rounds - 1 ? Math.ceil(roundSeconds / SHARE_OF_LAST_ROUND) : roundSeconds);
    }
  }

  /** One round, without any time passing. */
  async act(): Promise<void> {
    const acting = this.#actors.filter(({ laziness }) => this.#draws.oneIn(laziness));
    const states = await this.#read<PlayerState>(acting.map(({ id }) => `/api/game/state/${id}`));
    for (const state of states) this.atlas.see(state);
    const settlers = states.filter((state) => this.#choices.wantsColony(state));
    const systems = settlers.map((state) => this.#choices.systemToSettle(state));
    const views = await this.#read<SystemView>(systems.map(systemPathOf));
    // A system beyond the edge of a galaxy has no planets.
    const free = views.map(({ planets = [] }) => planets.filter(({ owner }) => owner === null).map(({ id }) => id));
    const freeOf = new Map(settlers.map(({ id }, index) => [id, free[index] ?? []]));
    await this.send(states.flatMap((state) => this.#choices.of(state, freeOf.get(state.id) ?? [])));
  }

  /** Actors make peace with a neighbour, and goods of a trade set out to it: what the public hears of both are lines on the map. */
  async deal(): Promise<void> {
    const pairs = this.#actors.flatMap(({ id: playerId }) => {
      const [planetId] = this.atlas.planetsOf(playerId);
      const neighbour = planetId === undefined ? undefined : this.atlas.neighbours(playerId, planetId, 1)[0];
      return planetId === undefined || neighbour === undefined ? [] : [{ playerId, planetId, neighbour }];
    });
    await this.send(
      pairs.flatMap(({ playerId, planetId, neighbour: { playerId: partnerId } }) => [
        post('/api/pact', { playerId, partnerId, kind: 'non_aggression', durationSeconds: 86_400 }),
        post('/api/market/offer', { ...{ playerId, planetId, toPlayerId: partnerId, h2Max: 1_000 }, ...OFFERED }),
      ]),
    );
    const partners = [...new Set(pairs.map(({ neighbour }) => neighbour.playerId))];
    const pacts = await this.#read<readonly ReceivedPact[]>(partners.map((id) => `/api/game/pacts/${id}`));
    const markets = await this.#read<ReceivedOffers>(partners.map((id) => `/api/market/player/${id}`));
    await this.send(
      partners.flatMap((playerId, index) => [
        ...(pacts[index] ?? [])
          .filter(({ partnerId, state }) => partnerId === playerId && state === 'proposed')
          .map(({ id }) => post(`/api/pact/${id}/accept`, { playerId })),
        ...(markets[index]?.offersToPlayer ?? []).map(({ id }) =>
          post(`/api/market/offer/${id}/take`, { playerId, planetId: this.atlas.planetsOf(playerId)[0] }),
        ),
      ]),
    );
  }

  /** Lets world time pass. */
  async pass(seconds: number): Promise<void> {
    await this.#client.post('/api/admin/clock/advance', { seconds });
  }

  /** Sends operations of players. Some are refused, as with real agents. */
  async send(operations: readonly Operation[]): Promise<void> {
    for (let first = 0; first < operations.length; first += OPERATIONS_PER_BATCH) {
      const part = operations.slice(first, first + OPERATIONS_PER_BATCH);
      for (const { status } of await this.#batch(part, true)) {
        if (status < 300) this.tally.accepted += 1;
        else this.tally.refused += 1;
      }
    }
  }

  async #createIdlers(number: number, count: number): Promise<void> {
    const { players } = await this.#client.post<{ players: { id: string; planetId: string }[] }>('/api/admin/players', {
      count,
      namePrefix: `${nameOf(number)}-friend`,
    });
    for (const { id, planetId } of players) this.atlas.see({ id, planets: [{ id: planetId }] });
  }

  /** An inheritance, not the same for all: the first ships are built within hours instead of days. */
  async #endow(playerId: string): Promise<void> {
    const [home] = this.atlas.planetsOf(playerId);
    const number = Number(playerId.split('-')[1]);
    const share = 1 + (number % 7);
    const amounts = { iron: 6_000 * share, silver: 3_500 * share, ember: 400 * share, h2: 900 * share, energy: 600 };
    await this.#client.post(`/api/admin/planet/${home}/grant`, amounts);
  }

  async #read<Body>(paths: readonly string[]): Promise<Body[]> {
    const bodies: Body[] = [];
    for (let first = 0; first < paths.length; first += STATES_PER_BATCH) {
      const part = paths.slice(first, first + STATES_PER_BATCH).map((path) => ({ method: 'GET', path }));
      for (const { body } of await this.#batch(part, false)) bodies.push(body as Body);
    }
    return bodies;
  }

  async #batch(operations: readonly object[], isMinimal: boolean): Promise<BatchResult[]> {
    const reply = await this.#client.send({
      method: 'POST',
      path: '/api/batch',
      body: JSON.stringify({ operations }),
      headers: isMinimal ? { prefer: 'return=minimal' } : {},
    });
    return (JSON.parse(reply.text) as { results: BatchResult[] }).results;
  }
}

interface ReceivedPact {
  readonly id: string;
  readonly partnerId: string;
  readonly state: string;
}

interface ReceivedOffers {
  readonly offersToPlayer?: readonly { readonly id: string }[];
}

interface BatchResult {
  readonly status: number;
  readonly body?: unknown;
}

interface SystemView {
  readonly planets?: readonly { readonly id: string; readonly owner: object | null }[];
}
