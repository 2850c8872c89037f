// Reads public events for the feed and other panels: the last ones and older pages over HTTP, new ones from the frames of the map or, with a key that
// is not shown the fleets, from the topic `world`.
import { computed, effect, signal, untracked } from '@preact/signals';
import type { GalaxydClient, GameEvent } from 'galaxyd-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { FEED_PAGE_EVENTS, FEED_PAGES_AT_ONCE, FOLLOW_RETRY_MS } from '../../limits.js';
import { api, type Failure, failureOf, pause } from '../../world/api.js';
import { mapState, onFrame, recentEvents } from '../../world/map-state.js';
import { rememberNames } from '../../world/names.js';
import { canRead, isReplay } from '../../world/status.js';
import { FeedLog, type Filter, passes } from './feed-log.js';

type FeedState =
  | { readonly name: 'loading' | 'ready'; readonly failure: null }
  | { readonly name: 'failed'; readonly failure: Failure };

/** Seqs between which the server has events. */
type Span = Readonly<Record<'oldestSeq' | 'lastSeq', number>>;

export class FeedReader {
  readonly #log = new FeedLog();
  readonly state = signal<FeedState>({ name: 'loading', failure: null });
  /** Whether the server may have older events. */
  readonly hasOlder = signal(false);
  /** Seq up to which older events are unread. */
  #oldestReadSeq = 0;
  #isReadingOlder = false;
  #reading = new AbortController();

  readonly events = this.#log.events;

  /** Begins to read. @returns what ends it, and forgets what was read: otherwise old lines would show for a moment at the next start */
  start(): () => void {
    const ends = [
      effect(() => {
        const client = api.value;
        const isReadable = canRead.value;
        // Another key may be shown less.
        untracked(() => this.#forget());
        if (isReadable) this.#again(client);
        else this.#reading.abort();
      }),
      effect(() => this.#take(recentEvents.value)),
      onFrame(({ isReset }) => {
        if (isReset) this.#reset();
      }),
    ];
    return () => {
      for (const end of ends) end();
      this.#reading.abort();
      this.#forget();
      this.state.value = { name: 'loading', failure: null };
    };
  }

  /** Reads the page before the oldest event that is known. */
  async readOlder(): Promise<void> {
    if (this.#isReadingOlder || !this.hasOlder.peek()) return;
    this.#isReadingOlder = true;
    // A reset replaces it.
    const { signal: ended } = this.#reading;
    try {
      const client = api.peek();
      const { oldestSeq } = await spanOf(client, ended);
      await this.#readPage(client, { oldestSeq, lastSeq: this.#oldestReadSeq - 1 }, ended);
    } catch (error) {
      if (!ended.aborted && failureOf(error).kind !== 'offline') this.hasOlder.value = false;
    } finally {
      this.#isReadingOlder = false;
    }
  }

  /** The map was read again: events may be missing, and in a replay known events may be undone. */
  #reset(): void {
    if (!canRead.peek()) return;
    if (isReplay.peek()) this.#forget();
    this.#again(api.peek());
  }

  #forget(): void {
    this.#log.clear();
    // What is older is known once the last page is read.
    this.hasOlder.value = false;
  }

  #again(client: GalaxydClient): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    void this.#read(client, this.#reading.signal);
  }

  /** Reads the last page, again until it succeeds or a key is needed; then new events if no frames bring them. */
  async #read(client: GalaxydClient, ended: AbortSignal): Promise<void> {
    while (!ended.aborted) {
      try {
        const span = await spanOf(client, ended);
        await this.#readPage(client, span, ended);
        this.state.value = { name: 'ready', failure: null };
        if (mapState.peek() !== 'owners') return;
        for await (const event of client.worldEvents({ since: span.lastSeq, signal: ended, resync: true }))
          if (event.type !== 'resync') this.#take([event]);
      } catch (error) {
        if (ended.aborted) return;
        const failure = failureOf(error);
        if (this.events.peek().length === 0) this.state.value = { name: 'failed', failure };
        if (failure.kind === 'key') return;
      }
      await pause(FOLLOW_RETRY_MS, ended);
    }
  }

  /** Reads the last page of a span. */
  async #readPage(client: GalaxydClient, { oldestSeq, lastSeq }: Span, ended: AbortSignal): Promise<void> {
    const since = Math.max(oldestSeq - 1, lastSeq - FEED_PAGE_EVENTS);
    const limit = Math.max(1, Math.min(FEED_PAGE_EVENTS, lastSeq - since));
    const query = { since, limit };
    const { events } = (await client.get('/api/event/world', { params: { query }, signal: ended })).body;
    if (ended.aborted) return;
    this.#oldestReadSeq = since + 1;
    this.hasOlder.value = since >= oldestSeq;
    this.#take(events);
  }

  #take(events: Parameters<FeedLog['add']>[0]): void {
    rememberNames(
      events.flatMap((event) =>
        event.type === 'player_joined' || event.type === 'player_renamed' || event.type === 'player_retired'
          ? [{ id: event.playerId, name: event.data.name }]
          : [],
      ),
    );
    this.#log.add(events);
  }
}

const shared = new FeedReader();
let users = 0;
let stop = (): void => {};

/** The reader that all panels share, which reads while one of them is shown. */
export function useFeedReader(): FeedReader {
  useEffect(() => {
    users += 1;
    if (users === 1) stop = shared.start();
    return () => {
      users -= 1;
      if (users === 0) stop();
    };
  }, []);
  return shared;
}

/** The newest events that pass a filter. Older ones are read while fewer are known than wanted, some pages at most. */
export function useFeed(
  filter: Filter,
  wanted: number,
): { readonly events: readonly GameEvent[]; readonly isLooking: boolean } {
  const reader = useFeedReader();
  const key = JSON.stringify(filter);
  const events = useMemo(
    () => computed(() => reader.events.value.filter((event) => passes(event, filter))),
    [reader, key],
  ).value;
  return { events, isLooking: useOlder(reader, `${key} ${wanted}`, events.length < wanted) };
}

/**
 * Reads older events.
 *
 * @param wish what is wanted: another wish may read further pages
 * @returns whether it goes on
 */
function useOlder(reader: FeedReader, wish: string, needsMore: boolean): boolean {
  const [pages, setPages] = useState(0);
  const isLooking = needsMore && pages < FEED_PAGES_AT_ONCE && reader.hasOlder.value;
  useEffect(() => setPages(0), [wish]);
  useEffect(() => {
    if (isLooking) void reader.readOlder().then(() => setPages((count) => count + 1));
  }, [reader, isLooking, pages]);
  return isLooking;
}

/** The span of all events that the server keeps. */
async function spanOf(client: GalaxydClient, ended: AbortSignal): Promise<Span> {
  return (await client.get('/api/event/world', { params: { query: {} }, signal: ended })).body;
}
