// The page: the table of its views, the frame around them, and its start. A view is one row of VIEWS and one row of routes.ts.
import { computed } from '@preact/signals';
import { type ComponentChildren, render } from 'preact';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { goTo, route } from './address.js';
import { Banner } from './banner.js';
import { followTheme, toggleTheme } from './colours.js';
import { Header, type NavigationEntry } from './header.js';
import { HelpDialog, isHelpOpen, openHelp, type Shortcut, useShortcuts } from './keyboard.js';
import { Button, type IconName } from './parts/button.js';
import { formatViewerTime, formatWorldTime } from './parts/format.js';
import { isKeyDialogOpen, KeyDialog, NoSuchPlace, Notice, openKeyDialog } from './parts/notice.js';
import type { Route, RouteOf, Target, ViewName } from './routes.js';
import { FeedView } from './views/feed/feed-view.js';
import { GalaxyView } from './views/galaxy/galaxy-view.js';
import { openWherePlayersAre } from './views/galaxy/opening.js';
import { LeaderboardView } from './views/leaderboard-view.js';
import { OperatorView } from './views/operator/operator-view.js';
import { isSearchOpen, openSearch, SearchDialog } from './views/player/player-search.js';
import { PlayerView } from './views/player/player-view.js';
import { Scrubber } from './views/scrubber.js';
import { EntrantColours } from './views/tournament/entrants.js';
import { TournamentView } from './views/tournament/tournament-view.js';
import { useCatalog, useLeaders, watchOrigin } from './world/documents.js';
import { watchMap } from './world/map-reader.js';
import { watchNames } from './world/name-reader.js';
import { isOfTournament } from './world/replay.js';
import { answeredAtMs, connection, isReplay, status, watchStatus } from './world/status.js';
import { startClock } from './world/world-clock.js';

/** A view, and its entry in the navigation; null if it has none. */
interface View<Shown> {
  readonly entry: NavigationEntry | null;
  readonly show: (route: Shown) => ComponentChildren;
}

const entry = (key: string, title: string, icon: IconName, target: () => Target): NavigationEntry => ({
  key,
  title,
  icon,
  target,
});

const MAP: View<RouteOf<'universe' | 'galaxy' | 'system' | 'planet'>> = {
  entry: entry('1', 'Map', 'map', () => ({ view: 'universe' })),
  show: (shown) => <GalaxyView route={shown} />,
};

/** The player who was shown last, so that the entry leads back to it. */
let lastPlayerId: string | null = null;
route.subscribe((shown) => {
  if (shown.view === 'player' && shown.playerId !== null) lastPlayerId = shown.playerId;
});

/** The views, in the order of the navigation. */
const VIEWS: { readonly [Name in ViewName]: View<RouteOf<Name>> } = {
  universe: MAP,
  galaxy: MAP,
  system: MAP,
  planet: MAP,
  leaderboard: {
    entry: entry('2', 'Leaderboard', 'leaderboard', () => ({ view: 'leaderboard' })),
    show: () => <LeaderboardView />,
  },
  player: {
    entry: entry('3', 'Player', 'player', () => ({ view: 'player', playerId: lastPlayerId })),
    show: (shown) => <PlayerView route={shown} />,
  },
  feed: {
    entry: entry('4', 'Feed', 'feed', () => ({ view: 'feed', types: [], place: null })),
    show: (shown) => <FeedView route={shown} />,
  },
  operator: {
    entry: entry('5', 'Server', 'operator', () => ({ view: 'operator' })),
    show: () => <OperatorView />,
  },
  tournament: {
    entry: entry('6', 'Tournament', 'tournament', () => ({ view: 'tournament', number: null })),
    show: (shown) => <TournamentView route={shown} />,
  },
  unknown: { entry: null, show: () => <NoSuchPlace title="There is no such page" back="Back to the map" /> },
};

/** The entries that lead anywhere: there is a tournament only where one is replayed. */
const navigation = computed(() =>
  Array.from(new Set(Object.values(VIEWS).flatMap(({ entry }) => entry ?? []))).filter(
    (entry) => isOfTournament.value || entry !== VIEWS.tournament.entry,
  ),
);

const shortcuts = computed((): readonly Shortcut[] => [
  ...navigation.value.map(({ key, title, target }) => ({ key, label: title, action: () => goTo(target()) })),
  { key: '/', label: 'Search for a player', action: openSearch },
  { key: 'k', label: 'Enter a key, if the world has keys', action: openKeyDialog },
  { key: 't', label: 'Change between dark and light', action: toggleTheme },
  { key: '?', label: 'Show this help', action: openHelp },
]);

function Page() {
  useShortcuts(shortcuts.value);
  useLeaders();
  // Any view may show the names of types.
  useCatalog();
  const shown = route.value;
  return (
    <>
      <Header entries={navigation.value} current={VIEWS[shown.view].entry} />
      <Banner />
      {isReplay.value && <Scrubber />}
      {isOfTournament.value && <EntrantColours />}
      <PageNote />
      <Main route={shown} />
      {isKeyDialogOpen.value && <KeyDialog />}
      {isHelpOpen.value && <HelpDialog />}
      {isSearchOpen.value && <SearchDialog />}
    </>
  );
}

/** The view. It takes the focus if another one is shown, so that a screen reader begins there. */
function Main({ route: shown }: { readonly route: Route }) {
  const main = useRef<HTMLElement>(null);
  const title = VIEWS[shown.view].entry?.title ?? 'No such page';
  const shownTitle = useRef(title);
  const world = status.value?.name ?? 'galaxyd';
  useEffect(() => {
    document.title = `${title} · ${world}`;
    if (shownTitle.current !== title) main.current?.focus({ preventScroll: true });
    shownTitle.current = title;
  }, [title, world]);
  return (
    <main class="main" ref={main} tabIndex={-1}>
      {/* The map stays the same one from universe to planet. */}
      <Boundary key={title}>{viewOf(shown)}</Boundary>
    </main>
  );
}

function viewOf<Name extends ViewName>(shown: RouteOf<Name>): ComponentChildren {
  return VIEWS[shown.view as Name].show(shown);
}

/** A note over the view while the server does not answer, or the world is paused: since when, and what that means. It moves nothing. */
function PageNote() {
  const text = noteText();
  // The place is always there, so that screen readers announce what appears in it.
  return <div role="status">{text !== null && <p class={`page-note is-${connection.value}`}>{text}</p>}</div>;
}

function noteText(): string | null {
  const state = connection.value;
  const sinceMs = answeredAtMs.value;
  if (state === 'paused') {
    const pausedAt = status.value?.pausedAt ?? null;
    const since = pausedAt === null ? '' : ` at ${formatWorldTime(Date.parse(pausedAt))}`;
    return `The operator has paused the world${since}. Until it goes on, nothing happens in it.`;
  }
  if (state !== 'offline' && (state !== 'reconnecting' || sinceMs === null)) return null;
  return sinceMs === null
    ? 'The server does not answer. The page keeps trying.'
    : `No answer since ${formatViewerTime(sinceMs)} here. What you see is from then; the page keeps trying.`;
}

/** Keeps a fault in one view from taking the whole page along. */
function Boundary({ children }: { readonly children: ComponentChildren }) {
  const [fault, tryAgain] = useErrorBoundary((error) => console.error(error));
  if (fault === undefined) return <>{children}</>;
  return (
    <Notice kind="error" title="This view has failed">
      <p>{fault instanceof Error ? fault.message : String(fault)}</p>
      <Button onClick={tryAgain}>Try again</Button>
    </Notice>
  );
}

const place = document.querySelector('#dashboard');
if (place === null) throw new Error('the page has no place for the dashboard');

followTheme();
startClock();
watchStatus();
watchOrigin();
watchMap();
watchNames();
openWherePlayersAre();
render(<Page />, place);
