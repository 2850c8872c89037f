// A served world whose players are read: who they are, up to where each has been read, and the calls that are sent to it.
import { CALL_CONNECTIONS, CALLS_IN_FLIGHT } from '../limits.js';
import type { ChildServer } from '../processes/child-server.js';
import { type Stay, startStay } from '../processes/child-stay.js';
import { ADMIN_KEY, serveAgain, startGalaxydWorld, type WorldOptions } from '../servers/galaxyd-world.js';
import { forEachAtOnce, GameClient } from '../servers/game-client.js';
import type { WorldNames } from '../servers/world-set-up.js';
import type { CallTask } from './call-client.js';
import type { ReadersResult, ReadersTask, Subscription } from './event-readers.js';

export interface ReadingsOfStay extends ReadersResult {
  readonly check: {
    readonly misplaced: number;
    /** Events by which readers are behind what the server reports. */
    readonly behind: number;
    readonly cutOff: number;
  };
}

type ReaderStay = Stay<ReadersResult>;

const READERS = new URL('./event-readers.js', import.meta.url);

export class ReadWorld {
  server: ChildServer;
  readonly #options: WorldOptions;
  readonly #names: WorldNames;
  /** By player: seq of the last event that a reader has. */
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
    return startReaders({ url, connections, isReading: true, keptOneIn });
  }

  /** Starts another process on the same shared store, which follows the first. Stopping it is the caller's part. */
  join(): Promise<ChildServer> {
    return serveAgain(this.#options);
  }

  get names(): WorldNames {
    return this.#names;
  }

  /** Connections that subscribe and never read. */
  async readNothing(connections: readonly (readonly Subscription[])[]): Promise<ReaderStay | undefined> {
    if (connections.length === 0) return undefined;
    return startReaders({ url: this.server.url, connections, isReading: false, keptOneIn: 1 });
  }

  /** Lets readers leave, and compares what they have with what the server says. */
  async leave(readers: ReaderStay): Promise<ReadingsOfStay> {
    const result = await readers.leave();
    for (const [index, seq] of result.positions) this.#positions[index] = seq;
    const { misplaced, cutOff } = result;
    return { ...result, check: { misplaced, behind: await this.#behind(), cutOff } };
  }

  /** The next readers begin after the events that there are now. */
  async skip(): Promise<void> {
    const client = new GameClient(this.server.url, ADMIN_KEY);
    await forEachAtOnce(this.players(), async ({ index, playerId }) => {
      const { lastEventSeq } = await client.get<{ lastEventSeq: number }>(`/api/game/state/${playerId}`);
      this.#positions[index] = lastEventSeq;
    });
  }

  async restart(): Promise<void> {
    await this.server.stop();
    this.server = await serveAgain(this.#options);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  async #behind(): Promise<number> {
    const client = new GameClient(this.server.url, ADMIN_KEY);
    const behind = await forEachAtOnce(this.players(), async ({ playerId, since }) => {
      const { lastEventSeq } = await client.get<{ lastEventSeq: number }>(`/api/game/state/${playerId}`);
      return Math.abs(lastEventSeq - since);
    });
    return behind.reduce((sum, count) => sum + count, 0);
  }
}

/** Calls that order ships and cancel them, on all worked planets in turn. */
export function callTaskOf(url: string, { workedPlanetIds: planetIds }: WorldNames): CallTask {
  const connections = Math.min(CALL_CONNECTIONS, planetIds.length);
  const inFlight = Math.min(CALLS_IN_FLIGHT, Math.floor(planetIds.length / connections));
  return { url, mix: 'ships', connections, inFlight, planetIds };
}

/** Settles when all readers have subscribed and have caught up. They leave once no more events come. */
function startReaders(task: ReadersTask): Promise<ReaderStay> {
  return startStay<ReadersTask, ReadersResult>(READERS, task);
}
