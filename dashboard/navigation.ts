// The five entries of the navigation, with their keys.
import { route } from './address.js';
import type { IconName } from './parts/icon.js';
import type { Target, ViewName } from './routes.js';

export interface NavigationEntry {
  readonly key: string;
  readonly title: string;
  readonly icon: IconName;
  /** The views that belong to it. */
  readonly views: readonly ViewName[];
  readonly target: () => Target;
}

/** The player who was shown last, so that the entry leads back to it. */
let lastPlayerId: string | null = null;
route.subscribe((shown) => {
  if (shown.view === 'player' && shown.playerId !== null) lastPlayerId = shown.playerId;
});

export const NAVIGATION: readonly NavigationEntry[] = [
  {
    key: '1',
    title: 'Map',
    icon: 'map',
    views: ['universe', 'galaxy', 'system', 'planet'],
    target: () => ({ view: 'universe' }),
  },
  {
    key: '2',
    title: 'Leaderboard',
    icon: 'leaderboard',
    views: ['leaderboard'],
    target: () => ({ view: 'leaderboard' }),
  },
  {
    key: '3',
    title: 'Player',
    icon: 'player',
    views: ['player'],
    target: () => ({ view: 'player', playerId: lastPlayerId }),
  },
  {
    key: '4',
    title: 'Feed',
    icon: 'feed',
    views: ['feed'],
    target: () => ({ view: 'feed', types: [], player: null, place: null }),
  },
  { key: '5', title: 'Server', icon: 'operator', views: ['operator'], target: () => ({ view: 'operator' }) },
];
