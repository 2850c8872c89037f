// Chooses a player: a page with the search.
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { formatCount } from '../../parts/format.js';
import { Page } from '../../parts/page.js';
import { useLeaderboard } from '../../world/documents.js';
import { PlayerSearch } from './player-search.js';

const SHORTCUTS: readonly Shortcut[] = [
  {
    key: '/',
    label: 'Search for a player',
    action: () => document.querySelector<HTMLInputElement>('.player-search-field')?.focus(),
  },
];

export function PlayerChooser() {
  useShortcuts(SHORTCUTS);
  const { body } = useLeaderboard().value;
  return (
    <Page title="Players" subtitle={body === null ? ' ' : `${formatCount(body.playerCount)} in this world`}>
      <PlayerSearch />
    </Page>
  );
}
