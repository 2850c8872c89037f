// A swarm: thousands of bots in one process that play in a world over the API until they are stopped. It prints nothing; the command
// line shows what it does.
import { setInterval } from 'node:timers';
import { type ClientOptions, GalaxydClient, GalaxydProblem, NoReply, type Shapes } from '../galaxyd-client.js';
import { CLOCK_LOOK_MS, SOCKET_TRIAL_MS } from '../limits.js';
import { type Connections, PollingConnections, SocketConnections } from './connections.js';
import { Measures, type SwarmSummary } from './measures.js';
import { CannotPlay, NO_KEYS, type PlayerKeys, registerPlayers, type Share, type SwarmPlayer } from './players.js';
import { Scheduler } from './scheduler.js';
import { WorldClock } from './wakes.js';

export interface SwarmOptions {
  readonly serverUrl: string;
  readonly bots: number;
  readonly mix: readonly Share[];
  /** Seed of the choices of the bots. */
  readonly seed: number;
  /** Prefix of the names of the players. */
  readonly prefix: string;
  /** Empty without one. */
  readonly adminKey: string;
  /** Null if keys cannot be stored. The world must then have none. */
  readonly keys: PlayerKeys | null;
  /** How long the swarm plays once all bots are registered; null to play until it is stopped. */
  readonly seconds: number | null;
  /** Defaults to SOCKET_TRIAL_MS. */
  readonly trialMs?: number;
  /** Receives sentences for the user. */
  readonly onNotice: (sentence: string) => void;
}

type Status = Shapes['Status'];

export class Swarm {
  readonly measures = new Measures();
  readonly #options: SwarmOptions;
  readonly #status: Status;
  readonly #client: GalaxydClient;
  readonly #clock: WorldClock;
  readonly #catalog: Shapes['Catalog'];
  readonly #scheduler: Scheduler;
  readonly #kinds = new Map<string, number>();
  #connections: Connections | null = null;
  #isReadingClock = false;
  #failure: { readonly error: unknown } | null = null;
  readonly #stopped = new AbortController();

  private constructor(options: SwarmOptions, client: GalaxydClient, status: Status, catalog: Shapes['Catalog']) {
    this.#options = options;
    this.#client = client;
    this.#status = status;
    this.#catalog = catalog;
    this.#clock = new WorldClock(status.clock !== 'real');
    this.#clock.observe(status.worldTime);
    this.#scheduler = new Scheduler({
      seed: options.seed,
      catalog,
      clock: this.#clock,
      measures: this.measures,
      onFailure: (error) => this.#fail(error),
    });
  }

  /** @throws CannotPlay if the world cannot be played */
  static async open(options: SwarmOptions): Promise<Swarm> {
    // Waiting long for a reading is useless, since the next one follows soon.
    const client = new GalaxydClient({ baseUrl: options.serverUrl, deadlineMs: options.trialMs ?? SOCKET_TRIAL_MS });
    const { body: status } = await readStatus(client, options.serverUrl);
    if (status.isReplay) throw new CannotPlay(`${options.serverUrl} shows the past of a world, and takes no commands`);
    if (status.clock === 'turns') throw new CannotPlay('this world is played in turns by its entrants');
    if (status.auth === 'key' && options.keys === null) {
      throw new CannotPlay(
        'the players of this world have keys: name --keys or --key-secret, so that the bots keep theirs',
      );
    }
    const { body: catalog } = await client.get('/api/catalog');
    return new Swarm(options, client, status, catalog);
  }

  /** Registered bots by kind. */
  get kinds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#kinds);
  }

  get registered(): number {
    return [...this.#kinds.values()].reduce((sum, count) => sum + count, 0);
  }

  get scheduler(): Pick<Scheduler, 'alive' | 'awake' | 'waiting'> {
    return this.#scheduler;
  }

  /** Reads the first players of the leaderboard. */
  async leaders(count: number): Promise<Shapes['Leaderboard']['players']> {
    const { body } = await this.#client.get('/api/leaderboard');
    return body.players.slice(0, count);
  }

  /**
   * Plays until it is stopped.
   *
   * @throws CannotPlay if players cannot be registered; NoReply if the server is unreachable for long
   */
  async play(): Promise<void> {
    const clockReading = setInterval(() => void this.#readClock(), CLOCK_LOOK_MS);
    const { seconds } = this.#options;
    let end: NodeJS.Timeout | undefined;
    try {
      await this.#register();
      if (seconds !== null) end = setTimeout(() => this.stop(), seconds * 1_000);
      await this.#untilStopped();
    } finally {
      clearInterval(clockReading);
      clearTimeout(end);
      await this.#scheduler.end();
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Ends the swarm. No bot is woken any more. */
  stop(): void {
    this.#stopped.abort();
  }

  get summary(): SwarmSummary {
    const { measures } = this;
    const { seconds, commands, reads, events, wakes, interruptions, errors } = measures;
    const perSecond = (count: number): number => Math.round((10 * count) / Math.max(seconds, 0.001)) / 10;
    const byCount = [...measures.refusals].sort(([, a], [, b]) => b - a);
    return {
      bots: this.registered,
      kinds: this.kinds,
      transport: this.#connections?.transport ?? 'websocket',
      seconds: Math.round(seconds * 10) / 10,
      commands,
      commandsPerSecond: perSecond(commands),
      reads,
      events,
      eventsPerSecond: perSecond(events),
      wakes,
      refusals: Object.fromEntries(byCount),
      latencyMs: measures.latencyMs,
      lateMs: measures.lateMs,
      interruptions,
      errors,
      errorWords: measures.errorWords,
    };
  }

  async #register(): Promise<void> {
    const { serverUrl: baseUrl, bots, mix, prefix, adminKey, keys, onNotice } = this.#options;
    const { signal } = this.#stopped;
    const holder = this.#status.auth === 'none' ? NO_KEYS : (keys ?? NO_KEYS);
    for await (const part of registerPlayers({ baseUrl, bots, mix, prefix, adminKey, keys: holder, signal })) {
      for (const player of part) {
        if (signal.aborted) return;
        this.#connections ??= await this.#begin({ baseUrl }, player);
        this.#scheduler.add(player, this.#connections.open(player));
        this.#kinds.set(player.kind.name, (this.#kinds.get(player.kind.name) ?? 0) + 1);
      }
    }
    if (signal.aborted) return;
    if (this.registered === 0) throw new CannotPlay('the universe is full (universe_full): it has no place for a bot');
    if (this.registered < bots) {
      onNotice(`the universe is full (universe_full): it has places for ${this.registered} of ${bots} bots`);
    }
    onNotice(`${this.registered} bots play over ${this.summary.transport}`);
    const { war, speed } = this.#catalog;
    if (war !== undefined)
      onNotice(`new players are protected for ${Math.ceil(war.protectionSeconds / speed)} s; then war begins`);
  }

  /** Chooses WebSockets if the server accepts them, else HTTP. */
  async #begin(options: ClientOptions, player: SwarmPlayer): Promise<Connections> {
    this.measures.begin();
    const { trialMs: deadlineMs = SOCKET_TRIAL_MS } = this.#options;
    const fault = await SocketConnections.fault({ ...options, deadlineMs }, player).catch((error: unknown) => {
      if (!(error instanceof GalaxydProblem)) throw error;
      throw new CannotPlay(`the server does not accept the key of ${player.name}: ${error.message}`);
    });
    if (fault === null) return new SocketConnections(options, this.#options.bots, this.measures);
    this.#options.onNotice(`no WebSocket, so the bots play over HTTP: ${fault}`);
    return new PollingConnections(options, this.measures);
  }

  /** Reads the clock of the world, unless the server is unreachable. */
  async #readClock(): Promise<void> {
    if (this.#isReadingClock) return;
    this.#isReadingClock = true;
    try {
      const { body, isCached, worldTime } = await this.#client.get('/api/status');
      this.#clock.observe(isCached ? worldTime : body.worldTime);
      this.#scheduler.wakeDue();
    } catch (error) {
      if (!(error instanceof NoReply || error instanceof GalaxydProblem)) this.#fail(error);
    } finally {
      this.#isReadingClock = false;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop();
  }

  async #untilStopped(): Promise<void> {
    const { signal } = this.#stopped;
    if (signal.aborted) return;
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  }
}

/** @throws CannotPlay if no galaxyd answers */
async function readStatus(client: GalaxydClient, baseUrl: string) {
  try {
    return await client.get('/api/status');
  } catch (error) {
    if (error instanceof NoReply) throw new CannotPlay(`no galaxyd answers at ${baseUrl}: ${error.message}`);
    throw error;
  }
}
