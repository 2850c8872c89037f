// A served world whose players are read: who they are, up to where each has been read, the calls that are sent to it, and how long
// their events took.
import { CALL_CONNECTIONS, CALLS_IN_FLIGHT, UNREAD_READER_PLAYERS, UNREAD_READERS_PER_CONNECTION } from '../limits.js';
import { type Stay, startStay } from '../processes/child-measurement.js';
import type { ChildServer } from '../processes/child-server.js';
import { quantile } from '../runner/statistics.js';
import { ADMIN_KEY, serveAgain, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { forEachAtOnce, GameClient } from '../servers/game-client.js';
import type { WorldNames } from '../servers/world-set-up.js';
import type { CallTask } from './call-client.js';
import type { OfferedCallResult, PlanetInstants } from './call-loops.js';
import type { ReadersResult, ReadersTask, Subscription } from './event-readers.js';

type ReaderStay = Stay<ReadersResult>;

const READERS = new URL('./event-readers.js', import.meta.url);

export class ReadWorld {
  server: ChildServer;
  readonly #options: WorldOptions;
  readonly #names: WorldNames;
  /** Seq of the last event that a reader has, by player. */
  readonly #positions: number[];

  private constructor(server: ChildServer, options: WorldOptions, names: WorldNames) {
    this.server = server;
    this.#options = options;
    this.#names = names;
    this.#positions = names.bots.map(() => 0);
  }

  /**
   * Sets up a world in which each player has a planet with a shipyard.
   *
   * @param folder for its data
   * @param store its URL, if it is not a folder; then other processes can join
   */
  static async start(
    folder: string,
    {
      players,
      durability,
      store,
    }: {
      readonly players: number;
      readonly durability: WorldOptions['durability'];
      readonly store?: string | undefined;
    },
  ): Promise<ReadWorld> {
    const size = { players, workedPlanets: players, grownPlayers: 0 };
    const options: WorldOptions = { size, pace: 'calm', durability, folder, store };
    const { server, names } = await startGalaxydWorld(options);
    return new ReadWorld(server, options, names);
  }

  /** Calls on the planets of all players in turn. */
  get calls(): CallTask {
    return callTaskOf(this.server.url, this.#names);
  }

  /** All players, and up to where each has been read. */
  players(): Subscription[] {
    return this.#names.bots.map(({ playerId }, index) => {
      return { index, playerId, since: this.#positions[index] as number };
    });
  }

  /** @param url of another process that serves the world */
  read(
    connections: readonly (readonly Subscription[])[],
    keptOneIn = 1,
    url: string = this.server.url,
  ): Promise<ReaderStay> {
    return this.#startReaders({ url, connections, isReading: true, keptOneIn });
  }

  /** Starts another process on the same shared store, which follows the first. Stopping it is the caller's part. */
  join(): Promise<ChildServer> {
    return serveAgain(this.#options);
  }

  /** Connections that subscribe and never read. */
  async readNothing(connections: readonly (readonly Subscription[])[]): Promise<ReaderStay | undefined> {
    if (connections.length === 0) return undefined;
    return this.#startReaders({ url: this.server.url, connections, isReading: false, keptOneIn: 1 });
  }

  /** Lets readers leave as soon as they have all events. */
  async leave(readers: ReaderStay): Promise<ReadersResult> {
    const result = await readers.leave();
    for (const [index, seq] of result.positions) this.#positions[index] = seq;
    return result;
  }

  /** The next readers begin after the events that there are now. */
  async skip(): Promise<void> {
    const client = new GameClient(this.server.url, ADMIN_KEY);
    await forEachAtOnce(this.players(), async ({ index, playerId }) => {
      this.#positions[index] = await client.lastEventSeq(playerId);
    });
  }

  async restart(): Promise<void> {
    await this.server.stop();
    this.server = await serveAgain(this.#options);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Settles when all readers have subscribed and have caught up. */
  #startReaders(task: Omit<ReadersTask, 'leaderUrl'>): Promise<ReaderStay> {
    return startStay<ReadersTask, ReadersResult>(READERS, { ...task, leaderUrl: this.server.url });
  }
}

/** Calls that order ships and cancel them, on all worked planets in turn. */
export function callTaskOf(url: string, { workedPlanetIds: planetIds }: WorldNames): CallTask {
  const connections = Math.min(CALL_CONNECTIONS, planetIds.length);
  const inFlight = Math.min(CALLS_IN_FLIGHT, Math.floor(planetIds.length / connections));
  return { url, mix: 'ships', connections, inFlight, planetIds };
}

/** How the players of a world are read. */
export interface ReaderForm {
  /** Connections, each with its share of the players. @param shared number of connections that share all players */
  connections(players: readonly Subscription[], shared: number): Subscription[][];
  /** Further connections, which subscribe to everything that is kept of their players and never read. */
  unread(players: readonly Subscription[], shared: number): Subscription[][];
}

const nobody = (): Subscription[][] => [];

const READER_FORMS_TABLE = {
  /** A few connections read, with many players each. */
  shared: {
    connections: dealt,
    unread: nobody,
  },
  /** Each player is read by a connection of its own. */
  single: {
    connections: (players) => dealt(players, players.length),
    unread: nobody,
  },
  /** A few connections read, beside ten times as many that never read. */
  unread: {
    connections: dealt,
    unread: (players, shared) => {
      const fromTheBeginning = players.map((player) => ({ ...player, since: 0 }));
      const count = shared * UNREAD_READERS_PER_CONNECTION;
      return Array.from({ length: count }, (_, connection) =>
        Array.from({ length: Math.min(UNREAD_READER_PLAYERS, players.length) }, (_, place) => {
          return fromTheBeginning[(connection * UNREAD_READER_PLAYERS + place) % players.length] as Subscription;
        }),
      );
    },
  },
} as const satisfies Record<string, ReaderForm>;

export type ReaderFormName = keyof typeof READER_FORMS_TABLE;
export const READER_FORMS: Readonly<Record<ReaderFormName, ReaderForm>> = READER_FORMS_TABLE;
export const READER_FORM_NAMES = Object.keys(READER_FORMS) as ReaderFormName[];

/** Deals players out to connections. */
function dealt(players: readonly Subscription[], connections: number): Subscription[][] {
  const hands = Array.from({ length: Math.min(connections, players.length) }, (): Subscription[] => []);
  players.forEach((player, index) => {
    hands[index % hands.length]?.push(player);
  });
  return hands;
}

export interface EventLatencies {
  /** Time from when the command was due until the client read its event. */
  readonly dueP50Ms: number;
  readonly dueP99Ms: number;
  /** Time from the reply to the command, in one process, to its event, in another one; below 0 if the event came first. */
  readonly replyP50Ms: number;
  readonly replyP99Ms: number;
}

/**
 * Each command causes one event of the planet's owner, so the n-th accepted command of a planet belongs to the n-th event. Planets
 * of which an event is missing are left out.
 */
export function eventLatencies(
  { dues, replies }: Pick<OfferedCallResult, 'dues' | 'replies'>,
  arrivals: readonly PlanetInstants[],
): EventLatencies {
  const byPlanet = new Map(arrivals.map(({ planetIndex, atMs }) => [planetIndex, atMs]));
  const since = (instants: readonly PlanetInstants[]) =>
    instants.flatMap(({ planetIndex, atMs }) => {
      const arrived = byPlanet.get(planetIndex);
      return arrived?.length === atMs.length ? arrived.map((ms, index) => ms - (atMs[index] as number)) : [];
    });
  const sinceDue = since(dues);
  const sinceReply = since(replies);
  return {
    dueP50Ms: quantile(sinceDue, 0.5),
    dueP99Ms: quantile(sinceDue, 0.99),
    replyP50Ms: quantile(sinceReply, 0.5),
    replyP99Ms: quantile(sinceReply, 0.99),
  };
}
