// The entries of the navigation, with their keys.
import { computed } from '@preact/signals';
import { route } from './address.js';
import type { IconName } from './parts/icon.js';
import type { Target, ViewName } from './routes.js';
import { isOfTournament } from './views/replay/replay.js';

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

const ENTRIES: readonly NavigationEntry[] = [
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
  {
    key: '6',
    title: 'Tournament',
    icon: 'tournament',
    views: ['tournament'],
    target: () => ({ view: 'tournament', number: null }),
  },
];

/** Those that lead anywhere: there is a tournament only where one is replayed. */
export const navigation = computed(() =>
  ENTRIES.filter(({ views }) => isOfTournament.value || !views.includes('tournament')),
);

/** Title of the entry that a view belongs to. */
export function titleOf(view: ViewName): string {
  return ENTRIES.find(({ views }) => views.includes(view))?.title ?? 'No such page';
}
