// A player: what everybody may know of it, and if the server allows it, its planets, fleets, research, reports and events.
import type { ComponentChildren } from 'preact';
import { follow, goTo, linkTo, route } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { Button } from '../../parts/button.js';
import { formatCount, placeOfPlanet } from '../../parts/format.js';
import { FailureNotice, KeyNotice, Loading, Notice } from '../../parts/notice.js';
import { type Fact, Facts, Page } from '../../parts/page.js';
import { Count, Countdown, PlanetLink, PlayerName, Unknown } from '../../parts/values.js';
import type { RouteOf, Target } from '../../routes.js';
import { hasKey, type Shapes } from '../../world/api.js';
import { type PlayerFacts, usePlayerFacts } from '../../world/documents.js';
import { canRead, isReplay, needsKey } from '../../world/status.js';
import { worldNowMs } from '../../world/world-clock.js';
import { CoursePanel } from './course-panel.js';
import { EventsPanel } from './events-panel.js';
import { FleetsPanel, IncomingPanel } from './fleets-panel.js';
import { PlanetsPanel } from './planets-panel.js';
import { PlayerChooser } from './player-chooser.js';
import { type PlayerState, usePlayerEvents, usePlayerState } from './player-reads.js';
import { ReportsPanel } from './reports-panel.js';
import { ResearchPanel } from './research-panel.js';

type Player = Shapes['Player'];

/** The panels of both columns, from top to bottom. */
const COLUMNS = [
  [IncomingPanel, PlanetsPanel, ReportsPanel],
  [FleetsPanel, ResearchPanel, EventsPanel],
] as const;

const choose = (): void => goTo({ view: 'player', playerId: null });
const SHORTCUTS: readonly Shortcut[] = [{ key: 'c', label: 'Choose another player', action: choose }];

export function PlayerView({ route: { playerId } }: { readonly route: RouteOf<'player'> }) {
  useShortcuts(SHORTCUTS);
  if (playerId === null) return <PlayerChooser />;
  if (canRead.value) return <ReadPlayer key={playerId} playerId={playerId} />;
  return (
    <Framed playerId={playerId} player={null}>
      {needsKey.value && !hasKey.value && <WithoutKey />}
    </Framed>
  );
}

/** A player whose state may be requested. */
function ReadPlayer({ playerId }: { readonly playerId: string }) {
  const { state, body, failure } = usePlayerState(playerId).value;
  if (failure?.kind === 'missing') return <Missing playerId={playerId} />;
  return (
    <Framed playerId={playerId} player={body?.player ?? null}>
      {state === 'loading' && <Loading />}
      {state === 'error' && (failure.kind === 'key' ? <WithoutKey /> : <FailureNotice failure={failure} />)}
      {body !== null && <Panels state={body} />}
    </Framed>
  );
}

interface FramedProps {
  readonly playerId: string;
  /** Null if it is not known. */
  readonly player: Player | null;
  readonly children?: ComponentChildren;
}

/** What everybody may know, and below it the rest. */
function Framed({ playerId, player, children }: FramedProps) {
  const facts = usePlayerFacts(playerId).value;
  const known = player ?? facts.body;
  if (known === null && facts.state === 'ready') return <Missing playerId={playerId} />;
  return (
    <Page
      title={<PlayerName playerId={playerId} />}
      subtitle={known === null ? playerId : `${known.isBot ? 'Bot' : 'Human'} · ${playerId}`}
      actions={
        <>
          <FollowLink playerId={playerId} homeId={facts.body?.home?.planetId} />
          <a class="button" href={linkTo({ view: 'player', playerId: null })}>
            Choose another player
          </a>
        </>
      }
    >
      <Facts look="facts" facts={factsOf(facts.body, player)} />
      {facts.body !== null && <CoursePanel facts={facts.body} />}
      {children}
    </Page>
  );
}

/** Leads to the galaxy of a player, where it is followed; or ends that. */
function FollowLink({ playerId, homeId }: { readonly playerId: string; readonly homeId: string | undefined }) {
  if (route.value.player === playerId) return <Button onClick={() => follow(null)}>Follow no longer</Button>;
  const place = homeId === undefined ? null : placeOfPlanet(homeId);
  const target: Target = place === null ? { view: 'universe' } : { view: 'galaxy', galaxy: place.galaxy };
  return (
    <a class="button" href={linkTo({ ...target, player: playerId })}>
      Follow on the map
    </a>
  );
}

/**
 * What everybody may know.
 *
 * @param facts null if they are not yet read
 */
function factsOf(facts: PlayerFacts | null, player: Player | null): Fact[] {
  const homeId = facts?.home?.planetId ?? player?.planets[0]?.id;
  const planetsMax = player?.planetsMax;
  return [
    ['Rank', <Count value={facts?.rank ?? null} />],
    ['Points', <Count value={facts?.points ?? null} />],
    [
      'Planets',
      <>
        <Count value={player?.planets.length ?? facts?.planets ?? null} />
        {planetsMax !== undefined && <small class="unit"> (fleets colonize up to {formatCount(planetsMax)})</small>}
      </>,
    ],
    ['Fleets', <Count value={player?.fleets.length ?? null} />],
    ['Home', homeId === undefined ? <Unknown /> : <PlanetLink planetId={homeId} />],
    ['Next change', <TimeLeft until={player?.nextTimerAt ?? null} />],
    ...(player?.battlePoints === undefined
      ? []
      : [['Points from battles', <Count value={player.battlePoints} />] as const]),
    // Time in which attacks on the player turn round.
    ...(player?.protectedUntil === undefined
      ? []
      : [['Protected for', <Protection until={player.protectedUntil} />] as const]),
  ];
}

function TimeLeft({ until }: { readonly until: string | null }) {
  return until === null ? <Unknown /> : <Countdown until={until} />;
}

function Protection({ until }: { readonly until: string | null }) {
  const nowMs = worldNowMs.value;
  const isOver = until !== null && nowMs !== null && Date.parse(until) <= nowMs;
  return <TimeLeft until={isOver ? null : until} />;
}

/** What the key of the player shows. */
function Panels({ state }: { readonly state: PlayerState }) {
  const events = usePlayerEvents(state.player.id).value;
  return (
    <div class="player-columns">
      {COLUMNS.map((panels, column) => (
        <div key={column === 0 ? 'left' : 'right'}>
          {panels.map((Panel) => (
            <Panel key={Panel.name} {...state} events={events} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Says what a key would show. */
function WithoutKey() {
  const owner = isReplay.value ? 'The operator’s key' : 'This player’s own key, or the operator’s,';
  const shown = `${owner} shows the planets with their stocks and queues, fleets, research, reports and events.`;
  const text = hasKey.value ? `${shown} The key in use does not.` : shown;
  return <KeyNotice title="This is all that everybody may see" text={text} />;
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
