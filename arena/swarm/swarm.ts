// A swarm: thousands of bots that play in a world over the API, until they are told to stop. It writes nothing; the command line shows
// what it is doing.
import { setInterval } from 'node:timers';
import { type ClientOptions, GalaxydClient, GalaxydProblem, NoReply, type Shapes } from '../galaxyd-client.js';
import { CLOCK_LOOK_MS, SOCKET_TRIAL_MS } from '../limits.js';
import { Crew } from './crew.js';
import { CannotPlay } from './failures.js';
import type { Lines } from './lines.js';
import { Measures, type SwarmSummary } from './measures.js';
import type { Share } from './mix.js';
import { NO_KEYS, type PlayerKeys } from './player-keys.js';
import { PollingLines } from './polling-lines.js';
import { type Registered, registered } from './registration.js';
import { SocketLines } from './socket-lines.js';
import { WorldClock } from './world-clock.js';

export interface SwarmOptions {
  readonly serverUrl: string;
  readonly bots: number;
  readonly mix: readonly Share[];
  /** Of the choices of the bots. */
  readonly seed: number;
  /** How the names of the players begin. */
  readonly prefix: string;
  /** '' for none. */
  readonly adminKey: string;
  /** Null if there is no place for keys: then the world must have none. */
  readonly keys: PlayerKeys | null;
  /** How long it plays once all bots are registered; null until it is stopped. */
  readonly seconds: number | null;
  /** SOCKET_TRIAL_MS by default. */
  readonly trialMs?: number;
  /** What the user should know, in a sentence. */
  readonly onNotice: (sentence: string) => void;
}

type Status = Shapes['Status'];

export class Swarm {
  readonly measures = new Measures();
  readonly #options: SwarmOptions;
  readonly #status: Status;
  readonly #client: GalaxydClient;
  readonly #clock: WorldClock;
  readonly #crew: Crew;
  readonly #kinds = new Map<string, number>();
  #lines: Lines | null = null;
  #isLooking = false;
  #failure: { readonly error: unknown } | null = null;
  readonly #stopped = new AbortController();

  private constructor(options: SwarmOptions, client: GalaxydClient, status: Status, catalog: Shapes['Catalog']) {
    this.#options = options;
    this.#client = client;
    this.#status = status;
    this.#clock = new WorldClock(status.clock !== 'real');
    this.#clock.observe(status.worldTime);
    this.#crew = new Crew({
      seed: options.seed,
      catalog,
      clock: this.#clock,
      measures: this.measures,
      onFailure: (error) => this.#fail(error),
    });
  }

  /** @throws CannotPlay if the world cannot be played */
  static async open(options: SwarmOptions): Promise<Swarm> {
    // Nothing that it asks is worth waiting for: the next look follows soon.
    const client = new GalaxydClient({ baseUrl: options.serverUrl, deadlineMs: options.trialMs ?? SOCKET_TRIAL_MS });
    const { body: status } = await firstLook(client, options.serverUrl);
    if (status.isReplay) throw new CannotPlay(`${options.serverUrl} shows the past of a world, and takes no commands`);
    if (status.clock === 'turns') throw new CannotPlay('this world is played in turns, by those who were invited');
    if (status.auth === 'key' && options.keys === null) {
      throw new CannotPlay(
        'the players of this world have keys: name --keys or --key-secret, so that the bots keep theirs',
      );
    }
    const { body: catalog } = await client.get('/api/catalog');
    return new Swarm(options, client, status, catalog);
  }

  /** Bots that are registered, by kind. */
  get kinds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#kinds);
  }

  get registered(): number {
    return [...this.#kinds.values()].reduce((sum, count) => sum + count, 0);
  }

  get crew(): Pick<Crew, 'alive' | 'awake' | 'waiting'> {
    return this.#crew;
  }

  /** The first players of the leaderboard. */
  async leaders(count: number): Promise<Shapes['Leaderboard']['players']> {
    const { body } = await this.#client.get('/api/leaderboard');
    return body.players.slice(0, count);
  }

  /**
   * Plays until it is stopped.
   *
   * @throws CannotPlay if players cannot be registered; NoReply if the server is gone for long
   */
  async play(): Promise<void> {
    const look = setInterval(() => void this.#look(), CLOCK_LOOK_MS);
    const { seconds } = this.#options;
    let end: NodeJS.Timeout | undefined;
    try {
      await this.#register();
      if (seconds !== null) end = setTimeout(() => this.stop(), seconds * 1_000);
      await this.#untilStopped();
    } finally {
      clearInterval(look);
      clearTimeout(end);
      await this.#crew.end();
    }
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Ends it: no bot is woken any more. */
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
      transport: this.#lines?.transport ?? 'websocket',
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
    for await (const part of registered({ baseUrl, bots, mix, prefix, adminKey, keys: holder, signal })) {
      for (const player of part) {
        if (signal.aborted) return;
        this.#lines ??= await this.#begin({ baseUrl }, player);
        this.#crew.add(player, this.#lines.open(player));
        this.#kinds.set(player.kind.name, (this.#kinds.get(player.kind.name) ?? 0) + 1);
      }
    }
    if (signal.aborted) return;
    if (this.registered === 0) throw new CannotPlay('the universe is full (universe_full): it has no place for a bot');
    if (this.registered < bots) {
      onNotice(`the universe is full (universe_full): it has places for ${this.registered} of ${bots} bots`);
    }
    onNotice(`${this.registered} bots play over ${this.summary.transport}`);
  }

  /** Chooses WebSockets, if the server accepts them. */
  async #begin(options: ClientOptions, player: Registered): Promise<Lines> {
    this.measures.begin();
    const { trialMs: deadlineMs = SOCKET_TRIAL_MS } = this.#options;
    const fault = await SocketLines.fault({ ...options, deadlineMs }, player).catch((error: unknown) => {
      if (!(error instanceof GalaxydProblem)) throw error;
      throw new CannotPlay(`the server does not accept the key of ${player.name}: ${error.message}`);
    });
    if (fault === null) return new SocketLines(options, this.#options.bots, this.measures);
    this.#options.onNotice(`no WebSocket, so the bots play over HTTP: ${fault}`);
    return new PollingLines(options, this.measures);
  }

  /** The server may be gone; then nothing is learned. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { body, isCached, worldTime } = await this.#client.get('/api/status');
      this.#clock.observe(isCached ? worldTime : body.worldTime);
      this.#crew.look();
    } catch (error) {
      if (!(error instanceof NoReply || error instanceof GalaxydProblem)) this.#fail(error);
    } finally {
      this.#isLooking = false;
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

/** Asks whether there is a galaxyd. */
async function firstLook(client: GalaxydClient, baseUrl: string) {
  try {
    return await client.get('/api/status');
  } catch (error) {
    if (error instanceof NoReply) throw new CannotPlay(`no galaxyd answers at ${baseUrl}: ${error.message}`);
    throw error;
  }
}
