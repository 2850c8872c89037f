// How the clients of a failover test reach the processes of one world: commands go to its leader, reads to any of them.
// They follow 421, turn to another process if one is gone, and keep count of everything that was not answered at once.
import { setTimeout as delay } from 'node:timers/promises';
import { Client, NoReply, type Reply } from '../process/client.js';
import type { BotClient } from '../process/swarm.js';

export interface RouteFigures {
  /** 421: the client went on to the leader. */
  followed: number;
  /** 503, or 409 because the same request is still under way: the client tried again. */
  unavailable: number;
  /** Requests that were sent and not answered. */
  broken: number;
  /** Connections that were refused: nothing was sent. */
  unreachable: number;
  /** Commands that were sent and not executed at once: those of `unavailable` and `broken` that were not reads. */
  failedCommands: number;
  /** Reads that were answered. */
  reads: number;
}

interface Waiter {
  readonly sentAfterMs: number;
  readonly resolve: (answeredMs: number) => void;
}

const PAUSE_MS = 20;
/** A request that is not answered by any process in this time never will be. */
const ANSWER_DEADLINE_MS = 60_000;
/** What a test prints at most. */
const INCIDENTS_MAX = 20;

/** What all clients know together. */
export class Routes {
  readonly urls: readonly string[];
  readonly figures: RouteFigures = {
    followed: 0,
    unavailable: 0,
    broken: 0,
    unreachable: 0,
    failedCommands: 0,
    reads: 0,
  };
  readonly incidents: string[] = [];
  /** How long a client waits for a reply before it turns to another process. */
  patienceMs: number;
  leaderUrl: string;
  readonly #faults: string[] = [];
  #waiters: Waiter[] = [];

  constructor(urls: readonly string[], patienceMs: number) {
    this.urls = urls;
    this.patienceMs = patienceMs;
    this.leaderUrl = urls[0] ?? '';
  }

  /** Settles with the time when the first command is acknowledged that was sent after a moment of performance.now(). */
  firstAcknowledged(sentAfterMs: number): Promise<number> {
    return new Promise((resolve) => {
      this.#waiters.push({ sentAfterMs, resolve });
    });
  }

  acknowledged(sentMs: number): void {
    const answeredMs = performance.now();
    for (const waiter of this.#waiters) if (waiter.sentAfterMs < sentMs) waiter.resolve(answeredMs);
    this.#waiters = this.#waiters.filter(({ sentAfterMs }) => sentAfterMs >= sentMs);
  }

  /** The process after this one becomes the one to try, unless a client has found another meanwhile. */
  turnFrom(url: string): void {
    if (this.leaderUrl === url) this.leaderUrl = this.after(url);
  }

  after(url: string): string {
    return this.urls[(this.urls.indexOf(url) + 1) % this.urls.length] ?? url;
  }

  note(kind: keyof RouteFigures, incident: string): void {
    this.figures[kind] += 1;
    if (kind !== 'followed' && this.incidents.length < INCIDENTS_MAX) this.incidents.push(`${kind}: ${incident}`);
  }

  fault(sentence: string): void {
    this.#faults.push(sentence);
  }

  /** The faults since the last call, a sentence each. */
  takeFaults(): string[] {
    this.incidents.length = 0;
    return this.#faults.splice(0);
  }
}

export class RoutedClient implements BotClient {
  readonly #routes: Routes;
  readonly #key: string;
  readonly #clients = new Map<string, { readonly patienceMs: number; readonly client: Client }>();
  /** The newest seq that it was shown: no later read may be older. */
  #seenSeq = 0;
  #readUrl: string;

  constructor(routes: Routes, key: string, readUrl: string) {
    this.#routes = routes;
    this.#key = key;
    this.#readUrl = readUrl;
  }

  close(): void {
    for (const { client } of this.#clients.values()) client.close();
    this.#clients.clear();
  }

  /** Reads from the processes in turn what is not older than anything that it was shown before. */
  async get<T>(path: string): Promise<Reply<T>> {
    const routes = this.#routes;
    for (const isLate = deadline(`GET ${path}`); ; isLate()) {
      const url = this.#readUrl;
      this.#readUrl = routes.after(url);
      const reply = await this.#sent(url, (client) => client.get<T>(path, { 'x-min-seq': String(this.#seenSeq) }));
      if (reply === null || isUnavailable(reply)) {
        if (reply !== null) routes.note('unavailable', `GET ${url}${path}: ${words(reply)}`);
        await delay(PAUSE_MS);
        continue;
      }
      routes.figures.reads += 1;
      this.#saw(reply, `GET ${url}${path}`);
      return reply;
    }
  }

  /**
   * Sends a command to the leader, again and again as long as it is certain that nothing was done.
   *
   * @throws NoReply if it was sent and not answered
   */
  async post<T>(path: string, body?: unknown, idempotencyKey = ''): Promise<Reply<T>> {
    const routes = this.#routes;
    for (const isLate = deadline(`POST ${path}`); ; isLate()) {
      const url = routes.leaderUrl;
      const sentMs = performance.now();
      const reply = await this.#sent(url, (client) => client.post<T>(path, body, idempotencyKey), true);
      if (reply !== null && reply.status === 421) {
        routes.note('followed', url);
        routes.leaderUrl = originOf(reply, url, routes);
        continue;
      }
      if (reply !== null && !isUnavailable(reply)) {
        if (reply.status < 300) routes.acknowledged(sentMs);
        this.#saw(reply, `POST ${url}${path}`);
        return reply;
      }
      if (reply !== null) routes.note('unavailable', `POST ${url}${path}: ${words(reply)}`);
      if (reply !== null) routes.figures.failedCommands += 1;
      routes.turnFrom(url);
      await delay(PAUSE_MS);
    }
  }

  /** @returns null if nothing was sent, or if a read was not answered */
  async #sent<T>(
    url: string,
    send: (client: Client) => Promise<Reply<T>>,
    isCommand = false,
  ): Promise<Reply<T> | null> {
    try {
      return await send(this.#client(url));
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      this.#routes.note(error.isSent ? 'broken' : 'unreachable', `${url}: ${error.message}`);
      if (isCommand && error.isSent) {
        this.#routes.figures.failedCommands += 1;
        this.#routes.turnFrom(url);
        throw error;
      }
      return null;
    }
  }

  #client(url: string): Client {
    const { patienceMs } = this.#routes;
    const known = this.#clients.get(url);
    if (known?.patienceMs === patienceMs) return known.client;
    known?.client.close();
    const client = new Client(url, this.#key, patienceMs);
    this.#clients.set(url, { patienceMs, client });
    return client;
  }

  /** A reply that depends on the world says which state it was made from. */
  #saw({ headers, status }: Reply<unknown>, request: string): void {
    const seq = Number(headers['x-world-seq'] ?? Number.NaN);
    if (Number.isNaN(seq)) {
      if (status < 300) this.#routes.fault(`no x-world-seq in the reply ${status} to ${request}`);
    } else if (seq < this.#seenSeq) this.#routes.fault(`stale: seq ${seq} after ${this.#seenSeq} in ${request}`);
    else this.#seenSeq = seq;
  }
}

function isUnavailable({ status, body }: Reply<unknown>): boolean {
  if (status === 503) return true;
  return status === 409 && (body as { code?: string }).code === 'idempotency_key_in_flight';
}

function originOf({ headers }: Reply<unknown>, url: string, routes: Routes): string {
  const { location } = headers;
  if (location !== undefined && URL.canParse(location)) {
    const { origin } = new URL(location);
    if (routes.urls.includes(origin)) return origin;
  }
  routes.fault(`421 of ${url} names ${location ?? 'nobody'}`);
  return routes.after(url);
}

const words = ({ status, body }: Reply<unknown>): string => `${status} ${JSON.stringify(body)}`;

/** @returns a function that throws once it is too late */
function deadline(request: string): () => void {
  const untilMs = performance.now() + ANSWER_DEADLINE_MS;
  return () => {
    if (performance.now() > untilMs) throw new Error(`${request} is not answered in ${ANSWER_DEADLINE_MS} ms`);
  };
}
