// A player: what everybody may know of it, and if the server allows it, its planets, fleets, research, reports and events.
import type { ComponentChildren } from 'preact';
import { goTo, linkTo } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { Count } from '../../parts/count.js';
import { formatCount } from '../../parts/format.js';
import { isKeyDialogOpen } from '../../parts/key-dialog.js';
import { FailureNotice, Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { PlanetLink } from '../../parts/planet-link.js';
import { PlayerName } from '../../parts/player-name.js';
import { Countdown } from '../../parts/time-text.js';
import type { Route } from '../../routes.js';
import { hasKey, type Shapes } from '../../world/api.js';
import { useLeaderboard } from '../../world/leaderboard.js';
import { canRead, isReplay, needsKey } from '../../world/status.js';
import { worldNowMs } from '../../world/world-clock.js';
import { EventsPanel } from './events-panel.js';
import { FleetsPanel, IncomingPanel } from './fleets-panel.js';
import { PlanetsPanel } from './planets-panel.js';
import { PlayerChooser } from './player-chooser.js';
import { type PlayerState, usePlayerEvents, usePlayerState } from './player-reads.js';
import { ReportsPanel } from './reports-panel.js';
import { ResearchPanel } from './research-panel.js';

export interface PlayerViewProps {
  readonly route: Extract<Route, { readonly view: 'player' }>;
}

type Place = Shapes['Leaderboard']['players'][number];

const SHORTCUTS: readonly Shortcut[] = [
  { key: 'c', label: 'Choose another player', action: () => goTo({ view: 'player', playerId: null }) },
];

export default function PlayerView({ route: { playerId } }: PlayerViewProps) {
  useShortcuts(SHORTCUTS);
  if (playerId === null) return <PlayerChooser />;
  if (needsKey.value && !hasKey.value)
    return (
      <Framed playerId={playerId} player={null}>
        <KeyNotice />
      </Framed>
    );
  if (!canRead.value) return <Framed playerId={playerId} player={null} />;
  return <Player key={playerId} playerId={playerId} />;
}

/** A player about whom the server may be asked. */
function Player({ playerId }: { readonly playerId: string }) {
  const { state, body, failure } = usePlayerState(playerId).value;
  if (failure?.kind === 'missing') return <Missing playerId={playerId} />;
  return (
    <Framed playerId={playerId} player={body?.player ?? null}>
      {state === 'loading' && <Notice kind="loading" title="Loading…" />}
      {state === 'error' && (failure.kind === 'key' ? <KeyNotice /> : <FailureNotice failure={failure} />)}
      {body !== null && <Own state={body} />}
    </Framed>
  );
}

interface FramedProps {
  readonly playerId: string;
  /** Null if it is not known. */
  readonly player: Shapes['Player'] | null;
  readonly children?: ComponentChildren;
}

/** What everybody may know, and below it the rest. */
function Framed({ playerId, player, children }: FramedProps) {
  const place = useLeaderboard().value.body?.players.find(({ id }) => id === playerId) ?? null;
  return (
    <Page
      title={<PlayerName playerId={playerId} />}
      subtitle={subtitleOf(playerId, player ?? place)}
      actions={
        <a class="button" href={linkTo({ view: 'player', playerId: null })}>
          Choose another player
        </a>
      }
    >
      <Facts place={place} player={player} />
      {children}
    </Page>
  );
}

function subtitleOf(playerId: string, player: { readonly isBot: boolean } | null): string {
  if (player === null) return playerId;
  return `${player.isBot ? 'Bot' : 'Human'} · ${playerId}`;
}

interface FactsProps {
  /** On the leaderboard; null if it is not there, or not yet read. */
  readonly place: Place | null;
  readonly player: Shapes['Player'] | null;
}

/** What everybody may know. */
function Facts({ place, player }: FactsProps) {
  const nextTimerAt = player?.nextTimerAt ?? null;
  const homeId = place?.home?.planetId ?? player?.planets[0]?.id;
  return (
    <dl class="facts">
      <div>
        <dt>Rank</dt>
        <dd>{place === null ? <span class="is-unknown">below 100</span> : <Count value={place.rank} />}</dd>
      </div>
      <div>
        <dt>Points</dt>
        <dd>
          <Count value={place?.points ?? null} />
        </dd>
      </div>
      <div>
        <dt>Planets</dt>
        <dd>
          <Count value={player?.planets.length ?? place?.planets ?? null} />
          {player?.planetsMax !== undefined && (
            <span class="is-unknown"> (fleets colonize up to {formatCount(player.planetsMax)})</span>
          )}
        </dd>
      </div>
      <div>
        <dt>Fleets</dt>
        <dd>
          <Count value={player?.fleets.length ?? null} />
        </dd>
      </div>
      <div>
        <dt>Home</dt>
        <dd>{homeId === undefined ? <span class="is-unknown">–</span> : <PlanetLink planetId={homeId} />}</dd>
      </div>
      <div>
        <dt>Next change</dt>
        <dd>{nextTimerAt === null ? <span class="is-unknown">–</span> : <Countdown until={nextTimerAt} />}</dd>
      </div>
      {player?.battlePoints !== undefined && (
        <div>
          <dt>Points from battles</dt>
          <dd>
            <Count value={player.battlePoints} />
          </dd>
        </div>
      )}
      {player?.protectedUntil !== undefined && (
        <div>
          <dt>Protected for</dt>
          <dd>
            <Protection until={player.protectedUntil} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Time in which attacks on the player turn round. */
function Protection({ until }: { readonly until: string | null }) {
  const nowMs = worldNowMs.value;
  if (until === null || (nowMs !== null && Date.parse(until) <= nowMs)) return <span class="is-unknown">–</span>;
  return <Countdown until={until} />;
}

/** What the key of the player shows. */
function Own({ state: { player, asOf } }: { readonly state: PlayerState }) {
  const events = usePlayerEvents(player.id);
  const known = events.value ?? [];
  return (
    <div class="player-columns">
      <div>
        <IncomingPanel playerId={player.id} planetIds={new Set(player.planets.map(({ id }) => id))} events={known} />
        <PlanetsPanel planets={player.planets} asOf={asOf} events={known} />
        <ReportsPanel playerId={player.id} />
      </div>
      <div>
        <FleetsPanel fleets={player.fleets} />
        <ResearchPanel research={player.research} />
        <EventsPanel playerId={player.id} events={events.value} />
      </div>
    </div>
  );
}

/** Says what a key would show. */
function KeyNotice() {
  const owner = isReplay.value ? 'The operator’s key' : 'This player’s own key';
  return (
    <Notice title="This is all that everybody may see">
      <p>
        {owner} shows the planets with their stocks and queues, fleets, research, reports and events.
        {hasKey.value && ' The key in use does not.'}
      </p>
      <button
        type="button"
        class="button is-primary"
        onClick={() => {
          isKeyDialogOpen.value = true;
        }}
      >
        Enter a key
      </button>
    </Notice>
  );
}

function Missing({ playerId }: { readonly playerId: string }) {
  return (
    <Notice title={`There is no ${playerId}`}>
      <p>It was never created, or the operator has retired it.</p>
      <a class="button is-primary" href={linkTo({ view: 'player', playerId: null })}>
        Choose a player
      </a>
    </Notice>
  );
}
