// What thousands of bots would otherwise read one after the other: the overviews of galaxies are the same for all, large, and costly to
// the server. A reply is used for all other bots for a while, so they see it a little late.
import type { Operation, Result } from '../galaxyd-client.js';
import { SHARED_READ_MS } from '../limits.js';

interface Kept {
  readonly result: Promise<Result<unknown>>;
  readonly untilMs: number;
}

const GALAXY = /^\/api\/game\/galaxy\/\d+$/;

export class SharedReads {
  readonly #kept = new Map<string, Kept>();

  /** @param nowMs of any clock that runs evenly */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * The reply to a read, perhaps an earlier one.
   *
   * @param send makes the call
   * @returns undefined if it is not shared
   */
  reply({ method, path }: Operation, send: () => Promise<Result<unknown>>): Promise<Result<unknown>> | undefined {
    if (method !== 'GET' || !GALAXY.test(path)) return undefined;
    const kept = this.#kept.get(path);
    if (kept !== undefined && this.nowMs() < kept.untilMs) return kept.result;
    const result = send();
    this.#kept.set(path, { result, untilMs: this.nowMs() + SHARED_READ_MS });
    // What has failed is asked for again.
    const forget = (): void => void (this.#kept.get(path)?.result === result && this.#kept.delete(path));
    result.then(({ ok }) => ok || forget(), forget);
    return result;
  }
}
