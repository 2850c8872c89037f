// A document that is read again and again, with its entity tag, as a signal. Readers of the same document share one poll. It pauses
// while the page is hidden, and reads at once if the page is shown, the key changes or the server is back.
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { GalaxydClient, Reply } from 'galaxyd-client';
import { useEffect, useMemo } from 'preact/hooks';
import { FAST_WORLD_PERIOD_MS } from '../limits.js';
import { api, type Failure, failureOf } from './api.js';
import { returns } from './status.js';
import { rate } from './world-clock.js';

/** `stale`: the last reads have failed, and `body` is the one of before. */
export type Polled<Body> =
  | { readonly state: 'loading'; readonly body: null; readonly failure: null }
  | { readonly state: 'ready'; readonly body: Body; readonly failure: null }
  | { readonly state: 'stale'; readonly body: Body; readonly failure: Failure }
  | { readonly state: 'error'; readonly body: null; readonly failure: Failure };

type Read<Body> = (client: GalaxydClient, signal: AbortSignal) => Promise<Pick<Reply<Body>, 'body' | 'isCached'>>;

const LOADING = { state: 'loading', body: null, failure: null } as const;

class Poll<Body> {
  readonly result = signal<Polled<Body>>(LOADING);
  #readers = 0;
  #stop: (() => void) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading = new AbortController();

  constructor(
    private readonly read: Read<Body>,
    private readonly periodMs: number,
  ) {}

  /** Adds a reader. @returns a function that removes it and returns whether it was the last one */
  join(): () => boolean {
    this.#readers += 1;
    if (this.#readers === 1) this.#start();
    return () => {
      this.#readers -= 1;
      if (this.#readers === 0) this.#stop?.();
      return this.#readers === 0;
    };
  }

  /** Reads now, not only after the period. */
  readNow(): void {
    if (this.#readers > 0) this.#again(api.peek());
  }

  #start(): void {
    const shown = (): void => {
      if (!document.hidden) this.#again(api.peek());
    };
    document.addEventListener('visibilitychange', shown);
    let known = api.peek();
    const dispose = effect(() => {
      const client = api.value;
      returns.value;
      // A replay plays, stops, or plays at another speed.
      rate.value;
      // What another key was shown must not stay on the page.
      if (client !== known) this.result.value = LOADING;
      known = client;
      untracked(() => this.#again(client));
    });
    this.#stop = () => {
      document.removeEventListener('visibilitychange', shown);
      dispose();
      clearTimeout(this.#timer);
      this.#reading.abort();
    };
  }

  #again(client: GalaxydClient): void {
    clearTimeout(this.#timer);
    this.#reading.abort();
    this.#reading = new AbortController();
    void this.#once(client, this.#reading.signal);
  }

  async #once(client: GalaxydClient, ended: AbortSignal): Promise<void> {
    try {
      const { body, isCached } = await this.read(client, ended);
      if (ended.aborted) return;
      if (!isCached || this.result.peek().state !== 'ready')
        this.result.value = { state: 'ready', body, failure: null };
    } catch (error) {
      if (ended.aborted) return;
      const failure = failureOf(error);
      const { body } = this.result.peek();
      this.result.value =
        body === null || failure.kind === 'key' || failure.kind === 'missing'
          ? { state: 'error', body: null, failure }
          : { state: 'stale', body, failure };
      // Asking again would only fill the console of the browser. Another key or a jump of a replay changes that.
      if (failure.kind === 'key' || failure.kind === 'missing') return;
    }
    const periodMs = rate.peek() > 1 ? Math.min(this.periodMs, FAST_WORLD_PERIOD_MS) : this.periodMs;
    this.#timer = setTimeout(() => {
      if (!document.hidden) this.#again(client);
    }, periodMs);
  }
}

const polls = new Map<string, Poll<unknown>>();

/**
 * Reads a document while the component is shown.
 *
 * @param name of the document; two reads with the same name must read the same. A new name reads a new document
 * @param read with the client, such as `(client, signal) => client.get('/api/leaderboard', { signal })`
 * @param periodMs time between two reads
 */
export function usePolled<Body>(name: string, read: Read<Body>, periodMs: number): ReadonlySignal<Polled<Body>> {
  // The name stands for the read, which is a new function with each render.
  const poll = useMemo(() => pollOf(name, read, periodMs), [name, periodMs]);
  useEffect(() => {
    // Its last reader may have left since this render.
    if (!polls.has(name)) polls.set(name, poll);
    const leave = poll.join();
    return () => {
      if (leave() && polls.get(name) === poll) polls.delete(name);
    };
  }, [poll, name]);
  return poll.result;
}

/** Reads a document now, because something has happened that changes it. Nothing happens if it is not shown. */
export function readNow(name: string): void {
  polls.get(name)?.readNow();
}

function pollOf<Body>(name: string, read: Read<Body>, periodMs: number): Poll<Body> {
  // The name determines the type of the body.
  const known = polls.get(name) as Poll<Body> | undefined;
  if (known !== undefined) return known;
  const poll = new Poll(read, periodMs);
  polls.set(name, poll as Poll<unknown>);
  return poll;
}
