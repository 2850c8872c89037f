// The tournament whose games the replay shows: its standings, or one of its games.
import type { ComponentChildren } from 'preact';
import { ExportButton } from '../../parts/button.js';
import { formatCount, formatPlural } from '../../parts/format.js';
import { FailureNotice, Loaded, Loading, Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { say } from '../../parts/values.js';
import type { RouteOf } from '../../routes.js';
import { type Tournament, useTournament } from '../../world/documents.js';
import { isOfTournament, position } from '../../world/replay.js';
import { connection, isReplay, statusFailure } from '../../world/status.js';
import { AboutPanel } from './about-panel.js';
import { DuelsPanel } from './duels-panel.js';
import { GamePage } from './game-page.js';
import { GamesPanel } from './games-panel.js';
import { PairsPanel } from './pairs-panel.js';
import { RatingsPanel } from './ratings-panel.js';

/** The panels of the standings, from top to bottom. */
const PANELS = [RatingsPanel, PairsPanel, DuelsPanel, GamesPanel, AboutPanel] as const;

/** Asks for the tournament only if there is one: elsewhere the server refuses, which browsers log. */
export function TournamentView({ route }: { readonly route: RouteOf<'tournament'> }) {
  if (isOfTournament.value) return <Shown number={route.number} />;
  if (connection.value === 'locked' && statusFailure.value !== null)
    return <FailureNotice failure={statusFailure.value} />;
  if (connection.value === 'connecting' || (isReplay.value && position.value === null)) return <Loading />;
  return (
    <Notice title="There is no tournament here">
      <p>
        <code>galaxyd replay FOLDER</code> shows the folder that <code>galaxyd tournament</code> has written.
      </p>
    </Notice>
  );
}

function Shown({ number }: { readonly number: number | null }) {
  const tournament = useTournament().value;
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
      subtitle={summaryOf(tournament)}
      actions={
        <ExportButton
          label="Result"
          fileName="result.json"
          contents={() => new Blob([`${JSON.stringify(tournament, null, 2)}\n`], { type: 'application/json' })}
        />
      }
    >
      {PANELS.map((Panel) => (
        <Panel key={Panel.name} tournament={tournament} />
      ))}
    </Page>
  );
}

function summaryOf({ entrants, games, settings, isFinished }: Tournament): ComponentChildren {
  // With fewer players per game, a round has several games.
  const planned = settings.playersPerGame === undefined ? settings.seeds.length * settings.rounds : null;
  const played =
    isFinished || planned === null
      ? formatPlural(games.length, 'game')
      : `${formatCount(games.length)} of ${formatCount(planned)} games`;
  const state = <span class={`badge${isFinished ? '' : ' is-running'}`}>{isFinished ? 'over' : 'running'}</span>;
  const days = formatPlural(settings.days, 'world day');
  return say`${formatCount(entrants.length)} entrants · ${played} of ${days} · ${settings.rules.name} ${state}`;
}
