// The documents that several views read: leaderboard, catalogue, tournament. Colours and names follow from them, and are forgotten if
// the page is shown another world.
import { effect, type ReadonlySignal, signal, untracked, useSignalEffect } from '@preact/signals';
import { numberOfPlayer, setLeaders } from '../colours.js';
import { CATALOG_PERIOD_MS, PLAYER_PERIOD_MS, SLOW_PERIOD_MS } from '../limits.js';
import { forgetReplies, type Shapes } from './api.js';
import { forgetNames, rememberNames, rememberTypeNames } from './names.js';
import { type Polled, usePolled } from './poll.js';
import { status } from './status.js';

export type Leaderboard = Shapes['Leaderboard'];
export type LeaderboardPlayer = Leaderboard['players'][number];
export type LeaderboardCourses = Shapes['LeaderboardCourses'];
export type Catalog = Shapes['Catalog'];
export type Tournament = Shapes['Tournament'];
export type TournamentGame = Shapes['TournamentGame'];
export type TournamentTrace = Shapes['TournamentTrace'];

/** The leaderboard. The page uses it as well, so it is always read. */
export function useLeaderboard(): ReadonlySignal<Polled<Leaderboard>> {
  return usePolled('leaderboard', (client, signal) => client.get('/api/leaderboard', { signal }), SLOW_PERIOD_MS);
}

/** The ranks after an offset. */
export function useRanks(offset: number): ReadonlySignal<Polled<Leaderboard>> {
  return usePolled(
    `ranks after ${offset}`,
    (client, signal) => client.get('/api/leaderboard', { params: { query: { offset } }, signal }),
    SLOW_PERIOD_MS,
  );
}

/** What everybody may know of a player, with its rank however far down, and the world time at which it is so. */
export interface PlayerFacts extends FoundPlayer {
  readonly atMs: number;
}
export type FoundPlayer = Shapes['FoundPlayers']['players'][number];

/** @returns a body of null if there is no such player */
export function usePlayerFacts(playerId: string): ReadonlySignal<Polled<PlayerFacts | null>> {
  return usePolled(
    `facts of ${playerId}`,
    async (client, signal) => {
      const reply = await client.get('/api/player', { params: { query: { ids: playerId } }, signal });
      const [player] = reply.body.players;
      if (player === undefined) return { ...reply, body: null };
      rememberNames([player]);
      return { ...reply, body: { ...player, atMs: Date.parse(reply.worldTime) } };
    },
    PLAYER_PERIOD_MS,
  );
}

/** The course of a player's points over world time. */
export function usePlayerCourse(playerId: string): ReadonlySignal<Polled<LeaderboardCourses>> {
  return usePolled(
    `course of ${playerId}`,
    (client, signal) => client.get('/api/leaderboard/history', { params: { query: { playerId } }, signal }),
    SLOW_PERIOD_MS,
  );
}

/** The course of the leaders' points over world time. */
export function useLeaderboardCourses(): ReadonlySignal<Polled<LeaderboardCourses>> {
  const path = '/api/leaderboard/history';
  return usePolled(path, (client, signal) => client.get(path, { signal }), SLOW_PERIOD_MS);
}

/** The tournament whose games a replay shows; it may still run. Only a replay of one answers. */
export function useTournament(): ReadonlySignal<Polled<Tournament>> {
  const path = '/api/tournament';
  return usePolled(path, (client, signal) => client.get(path, { signal }), SLOW_PERIOD_MS);
}

interface TraceQuery {
  readonly game: number;
  readonly entrant: string;
  /** How many of the first lines are left out. */
  readonly offset: number;
  /** Refused requests alone; all by default. */
  readonly only?: 'refused';
}

/** What an entrant did in a game of the tournament. */
export function useTrace(query: TraceQuery): ReadonlySignal<Polled<TournamentTrace>> {
  const path = '/api/tournament/trace';
  return usePolled(
    `trace ${JSON.stringify(query)}`,
    (client, signal) => client.get(path, { params: { query }, signal }),
    SLOW_PERIOD_MS,
  );
}

/** The rules of the world as data. They change only if the operator switches the rules, or a replay shows another world. */
export function useCatalog(): ReadonlySignal<Polled<Catalog>> {
  return usePolled(
    'catalog',
    async (client, signal) => {
      const reply = await client.get('/api/catalog', { signal });
      const { buildings, ships, drives, research } = reply.body;
      rememberTypeNames([...buildings, ...ships, ...drives, ...research]);
      return reply;
    },
    CATALOG_PERIOD_MS,
  );
}

/** Ranks of the players when the page first read the leaderboard; null before. */
export const firstRanks = signal<ReadonlyMap<string, number> | null>(null);

/** Keeps colours and names up to date. The page calls it once, when it starts. */
export function useLeaders(): void {
  const leaderboard = useLeaderboard();
  useSignalEffect(() => {
    const { body } = leaderboard.value;
    if (body === null) return;
    setLeaders(body.players.map(({ id }) => numberOfPlayer(id)));
    rememberNames(body.players);
    if (firstRanks.peek() === null) firstRanks.value = new Map(body.players.map(({ id, rank }) => [id, rank]));
  });
}

/** Forgets what was known of another world: its ids may be those of nobody. A replay shows another game, for example. */
export function forgetWorld(): void {
  forgetNames();
  firstRanks.value = null;
  forgetReplies();
}

/** Notices that a server came back with a world that was restored to an earlier instant. The page calls it once, when it starts. */
export function watchOrigin(): void {
  let known: number | null = null;
  effect(() => {
    if (status.value === null) return;
    const base = status.value.origin?.base ?? 0;
    if (known !== null && known !== base) untracked(forgetWorld);
    known = base;
  });
}
