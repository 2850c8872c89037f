// How the players of a world are read: by a few connections with many players each, by one connection each, and beside
// connections that never read.
import { UNREAD_READER_PLAYERS, UNREAD_READERS_PER_CONNECTION } from '../limits.js';
import type { Subscription } from './event-readers.js';

export interface ReaderForm {
  readonly title: string;
  /** Connections, each with its share of the players. @param shared number of connections that share all players */
  connections(players: readonly Subscription[], shared: number): Subscription[][];
  /** Further connections, which subscribe to everything that is kept of their players and never read. */
  unread(players: readonly Subscription[], shared: number): Subscription[][];
}

const nobody = (): Subscription[][] => [];

export const READER_FORMS = {
  shared: {
    title: 'few connections with many players each',
    connections: dealt,
    unread: nobody,
  },
  single: {
    title: 'one connection for each player',
    connections: (players) => dealt(players, players.length),
    unread: nobody,
  },
  unread: {
    title: 'few connections, beside ten times as many that never read',
    connections: dealt,
    unread: (players, shared) => {
      const fromTheBeginning = players.map((player) => ({ ...player, since: 0 }));
      const count = shared * UNREAD_READERS_PER_CONNECTION;
      return Array.from({ length: count }, (_, connection) =>
        Array.from({ length: Math.min(UNREAD_READER_PLAYERS, players.length) }, (_, place) => {
          return fromTheBeginning[(connection * UNREAD_READER_PLAYERS + place) % players.length] as Subscription;
        }),
      );
    },
  },
} as const satisfies Record<string, ReaderForm>;

export type ReaderFormName = keyof typeof READER_FORMS;
export const READER_FORM_NAMES = Object.keys(READER_FORMS) as ReaderFormName[];

/** Deals players out to connections. */
function dealt(players: readonly Subscription[], connections: number): Subscription[][] {
  const hands = Array.from({ length: Math.min(connections, players.length) }, (): Subscription[] => []);
  players.forEach((player, index) => {
    hands[index % hands.length]?.push(player);
  });
  return hands;
}
