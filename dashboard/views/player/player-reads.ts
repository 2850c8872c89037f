// What is read of a player: its state with the instant it is true for, its reports, and its events as they happen. All of it needs
// the player's own key if the world has keys; each part fails for itself.
import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { EventsExpired, type GalaxydClient, type GameEvent } from 'galaxyd-client';
import { useEffect, useMemo } from 'preact/hooks';
import {
  FOLLOW_RETRY_MS,
  PLAYER_EVENTS_MAX,
  PLAYER_PERIOD_MS,
  PLAYER_READ_DELAY_MS,
  SLOW_PERIOD_MS,
} from '../../limits.js';
import { api, failureOf, pause, type Shapes } from '../../world/api.js';
import { rememberNames } from '../../world/names.js';
import { type Polled, readNow, usePolled } from '../../world/poll.js';

/** What a panel of a player gets. */
export interface PlayerPanelProps extends PlayerState {
  /** The last events of the player, the newest first; null until they are read. */
  readonly events: readonly GameEvent[] | null;
}

export interface PlayerState {
  readonly player: Shapes['Player'];
  /** World time at which the stocks are those shown. */
  readonly asOf: string;
}

type Reports = Shapes['Report'][];
/** The newest first; null until they are read. */
type Events = Signal<readonly GameEvent[] | null>;

/** Names of the documents, for usePolled() and readNow(). */
export const NAMES = {
  state: (playerId: string) => `state of ${playerId}`,
  reports: (playerId: string) => `reports of ${playerId}`,
  plan: (planetId: string) => `plan of ${planetId}`,
} as const;

/** Events that bring a report. */
const REPORTING: ReadonlySet<string> = new Set(['combat_report', 'espionage_report', 'espionage_detected']);

export function usePlayerState(playerId: string): ReadonlySignal<Polled<PlayerState>> {
  return usePolled(
    NAMES.state(playerId),
    async (client, signal) => {
      const reply = await client.get('/api/game/state/{playerId}', { params: { path: { playerId } }, signal });
      rememberNames([reply.body]);
      return { ...reply, body: { player: reply.body, asOf: reply.asOf } };
    },
    PLAYER_PERIOD_MS,
  );
}

export function useReports(playerId: string): ReadonlySignal<Polled<Reports>> {
  return usePolled(
    NAMES.reports(playerId),
    (client, signal) =>
      client.get('/api/report/player/{playerId}', { params: { path: { playerId }, query: {} }, signal }),
    SLOW_PERIOD_MS,
  );
}

/** The last events of a player, the newest first; null until they are read. State and reports are read again as they arrive. */
export function usePlayerEvents(playerId: string): ReadonlySignal<readonly GameEvent[] | null> {
  const events = useMemo(() => signal<readonly GameEvent[] | null>(null), [playerId]);
  useEffect(() => {
    let following = new AbortController();
    const dispose = effect(() => {
      const client = api.value;
      following.abort();
      following = new AbortController();
      void follow(client, playerId, events, following.signal);
    });
    return () => {
      following.abort();
      dispose();
    };
  }, [playerId, events]);
  return events;
}

/** Follows the events until it is ended, or until the server refuses: then the state says why. */
async function follow(client: GalaxydClient, playerId: string, events: Events, ended: AbortSignal): Promise<void> {
  events.value = null;
  let since: number | null = null;
  while (!ended.aborted) {
    try {
      since ??= await pastOf(client, playerId, events, ended);
      for await (const event of client.events(playerId, { since, signal: ended })) {
        since = event.seq;
        events.value = [event, ...(events.peek() ?? [])].slice(0, PLAYER_EVENTS_MAX);
        readSoon(playerId, event);
      }
    } catch (error) {
      if (ended.aborted) return;
      // The world was restored, or a replay has jumped.
      if (error instanceof EventsExpired) since = null;
      else if (failureOf(error).kind !== 'offline') return;
    }
    await pause(FOLLOW_RETRY_MS, ended);
  }
}

/** Reads the last events of a player. @returns the seq of the last one */
async function pastOf(client: GalaxydClient, playerId: string, events: Events, ended: AbortSignal): Promise<number> {
  const read = (query: { readonly since?: number }) =>
    client.get('/api/event/player/{playerId}', { params: { path: { playerId }, query }, signal: ended });
  const { lastSeq, oldestSeq } = (await read({})).body;
  const { body } = await read({ since: Math.max(oldestSeq - 1, lastSeq - PLAYER_EVENTS_MAX) });
  events.value = body.events.toReversed();
  return body.events.at(-1)?.seq ?? lastSeq;
}

const waiting = new Set<string>();

/** Reads what an event has changed, once for all events of a moment. */
function readSoon(playerId: string, { type, data }: GameEvent): void {
  const names = [
    NAMES.state(playerId),
    ...(REPORTING.has(type) ? [NAMES.reports(playerId)] : []),
    ...('planetId' in data ? [NAMES.plan(data.planetId)] : []),
  ];
  for (const name of names) {
    if (waiting.has(name)) continue;
    waiting.add(name);
    setTimeout(() => {
      waiting.delete(name);
      readNow(name);
    }, PLAYER_READ_DELAY_MS);
  }
}
