// The tournament whose games the replay shows: its standings, or one of its games.
import { ExportButton } from '../../parts/export-button.js';
import { formatCount } from '../../parts/format.js';
import { FailureNotice, Loaded, Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import type { Target } from '../../routes.js';
import { connection, isReplay, statusFailure } from '../../world/status.js';
import { type Tournament, useTournament } from '../../world/tournament.js';
import { isOfTournament, position } from '../replay/replay.js';
import { About } from './about-panel.js';
import { DuelsPanel } from './duels-panel.js';
import { GamePage } from './game-page.js';
import { GamesPanel } from './games-panel.js';
import { RatingsPanel } from './ratings-panel.js';

interface TournamentViewProps {
  readonly route: Extract<Target, { view: 'tournament' }>;
}

/** Asks for the tournament only where there is one: elsewhere the server refuses, which browsers log. */
export default function TournamentView({ route }: TournamentViewProps) {
  if (isOfTournament.value) return <Shown number={route.number} />;
  if (connection.value === 'locked' && statusFailure.value !== null)
    return <FailureNotice failure={statusFailure.value} />;
  if (connection.value === 'connecting' || (isReplay.value && position.value === null))
    return <Notice kind="loading" title="Loading…" />;
  return (
    <Notice title="There is no tournament here">
      <p>
        <code>galaxyd replay FOLDER</code> shows the folder that <code>galaxyd tournament</code> has written.
      </p>
    </Notice>
  );
}

function Shown({ number }: { readonly number: number | null }) {
  const tournament = useTournament();
  return (
    <Loaded document={tournament}>
      {(body) => (number === null ? <Standings tournament={body} /> : <GamePage tournament={body} number={number} />)}
    </Loaded>
  );
}

function Standings({ tournament }: { readonly tournament: Tournament }) {
  return (
    <Page
      title="Tournament"
      subtitle={<Summary tournament={tournament} />}
      actions={
        <ExportButton
          label="Result"
          fileName="result.json"
          contents={() => new Blob([`${JSON.stringify(tournament, null, 2)}\n`], { type: 'application/json' })}
        />
      }
    >
      <RatingsPanel tournament={tournament} />
      <DuelsPanel tournament={tournament} />
      <GamesPanel tournament={tournament} />
      <About tournament={tournament} />
    </Page>
  );
}

function Summary({ tournament: { entrants, games, settings, isFinished } }: { readonly tournament: Tournament }) {
  const planned = settings.seeds.length * settings.rounds;
  const played = isFinished ? formatCount(games.length) : `${formatCount(games.length)} of ${formatCount(planned)}`;
  return (
    <>
      {formatCount(entrants.length)} entrants · {played} {games.length === 1 && isFinished ? 'game' : 'games'} of{' '}
      {formatCount(settings.days)} world days · {settings.rules.name}{' '}
      <span class={`badge${isFinished ? '' : ' is-running'}`}>{isFinished ? 'over' : 'running'}</span>
    </>
  );
}
