// Lines over HTTP alone, for servers behind something that passes no WebSockets: batches, and a long poll for each player. Each of them
// occupies a connection, so there are few.

import {
  type ClientOptions,
  EventsExpired,
  GalaxydClient,
  type GameEvent,
  type Operation,
  type Result,
} from '../galaxyd-client.js';
import { POLL_SECONDS, POLLING_BOTS_MAX, SWARM_CALL_MS } from '../limits.js';
import type { Line, LineListener, Lines } from './lines.js';
import type { Measures } from './measures.js';
import type { Registered } from './registration.js';

export class PollingLines implements Lines {
  readonly transport = 'http';
  #count = 0;

  constructor(
    private readonly options: ClientOptions,
    private readonly measures: Measures,
  ) {}

  open({ playerId, apiKey }: Registered): Line {
    if (this.#count >= POLLING_BOTS_MAX) {
      throw new RangeError(`without WebSockets a swarm has ${POLLING_BOTS_MAX} bots at most`);
    }
    this.#count += 1;
    const client = new GalaxydClient({ ...this.options, apiKey, deadlineMs: SWARM_CALL_MS, cacheCharactersMax: 0 });
    return new PollingLine(client, playerId, this.measures);
  }
}

class PollingLine implements Line {
  readonly #ended = new AbortController();

  constructor(
    private readonly client: GalaxydClient,
    private readonly playerId: string,
    private readonly measures: Measures,
  ) {}

  async call<Body>(operation: Operation<Body>): Promise<Result<Body>> {
    const [result] = await this.callAll([operation]);
    return result as Result<Body>;
  }

  async callAll(operations: readonly Operation[]): Promise<readonly Result<unknown>[]> {
    const sentAtMs = performance.now();
    const { body: results } = await this.client.batch(operations);
    const durationMs = performance.now() - sentAtMs;
    for (const [index, operation] of operations.entries()) {
      const result = results[index];
      if (result !== undefined) this.measures.answered(operation, result, durationMs);
    }
    return results;
  }

  follow(since: number | null, listener: LineListener): void {
    void this.#follow(since, listener).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) listener.failed(error);
    });
  }

  async #follow(since: number | null, listener: LineListener): Promise<void> {
    let position = since;
    while (!this.#ended.signal.aborted) {
      try {
        const { events, lastSeq } = await this.#poll(position);
        for (const event of events) listener.happened(event);
        position = events.at(-1)?.seq ?? position ?? lastSeq;
      } catch (error) {
        if (!(error instanceof EventsExpired)) throw error;
        position = null;
        listener.missed();
      }
    }
  }

  /** @param since null asks only for the seq of the last event */
  async #poll(since: number | null): Promise<{ events: readonly GameEvent[]; lastSeq: number }> {
    const query = since === null ? {} : { since, wait: POLL_SECONDS };
    const params = { path: { playerId: this.playerId }, query };
    const { signal } = this.#ended;
    return (await this.client.get('/api/event/player/{playerId}', { params, signal })).body;
  }

  end(): void {
    this.#ended.abort();
  }
}
