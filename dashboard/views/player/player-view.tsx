// A player: planets, queues, fleets and reports.
import { Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { PlayerName } from '../../parts/player-name.js';
import type { Route } from '../../routes.js';

export interface PlayerViewProps {
  readonly route: Extract<Route, { readonly view: 'player' }>;
}

export default function PlayerView({ route: { playerId } }: PlayerViewProps) {
  return (
    <Page title={playerId === null ? 'Players' : <PlayerName playerId={playerId} />}>
      <Notice kind="loading" title="Loading…" />
    </Page>
  );
}
