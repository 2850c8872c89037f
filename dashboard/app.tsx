// The page: header, view of the route, dialogs. Each view is one component, named in one place here.
import { computed } from '@preact/signals';
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { goTo, linkTo, route } from './address.js';
import { Header } from './header.js';
import { HelpDialog, isHelpOpen } from './help-dialog.js';
import { type Shortcut, useShortcuts } from './keyboard.js';
import { navigation, titleOf } from './navigation.js';
import { OutageNote } from './outage-note.js';
import { isKeyDialogOpen, KeyDialog, openKeyDialog } from './parts/key-dialog.js';
import { Notice } from './parts/notice.js';
import type { Route } from './routes.js';
import { toggleTheme } from './theme.js';
import FeedView from './views/feed/feed-view.js';
import GalaxyView from './views/galaxy/galaxy-view.js';
import LeaderboardView from './views/leaderboard/leaderboard-view.js';
import OperatorView from './views/operator/operator-view.js';
import PlayerView from './views/player/player-view.js';
import { isOfTournament } from './views/replay/replay.js';
import Scrubber from './views/replay/scrubber.js';
import { EntrantColours } from './views/tournament/entrant-colours.js';
import TournamentView from './views/tournament/tournament-view.js';
import { useCatalog } from './world/catalog.js';
import { useLeaders } from './world/leaderboard.js';
import { isReplay, status } from './world/status.js';

const shortcuts = computed((): readonly Shortcut[] => [
  ...navigation.value.map(({ key, title, target }) => ({ key, label: title, action: () => goTo(target()) })),
  { key: 'k', label: 'Enter a key, if the world has keys', action: openKeyDialog },
  { key: 't', label: 'Change between dark and light', action: toggleTheme },
  {
    key: '?',
    label: 'Show this help',
    action: () => {
      isHelpOpen.value = true;
    },
  },
]);

export function App() {
  useShortcuts(shortcuts.value);
  useLeaders();
  // For the names of types, which any view may show.
  useCatalog();
  const shown = route.value;
  return (
    <>
      <Header />
      {isReplay.value && <Scrubber />}
      {isOfTournament.value && <EntrantColours />}
      <OutageNote />
      <Main route={shown} />
      {isKeyDialogOpen.value && <KeyDialog />}
      {isHelpOpen.value && <HelpDialog />}
    </>
  );
}

/** The view. It takes the focus if another one is shown, so that a screen reader begins there. */
function Main({ route: shown }: { readonly route: Route }) {
  const main = useRef<HTMLElement>(null);
  const title = titleOf(shown.view);
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
      <Boundary key={title}>
        <View route={shown} />
      </Boundary>
    </main>
  );
}

function View({ route: shown }: { readonly route: Route }) {
  switch (shown.view) {
    case 'universe':
    case 'galaxy':
    case 'system':
    case 'planet':
      return <GalaxyView route={shown} />;
    case 'leaderboard':
      return <LeaderboardView />;
    case 'player':
      return <PlayerView route={shown} />;
    case 'feed':
      return <FeedView route={shown} />;
    case 'operator':
      return <OperatorView />;
    case 'tournament':
      return <TournamentView route={shown} />;
    case 'unknown':
      return (
        <Notice title="There is no such page">
          <a href={linkTo({ view: 'universe' })}>Back to the map</a>
        </Notice>
      );
  }
}

interface BoundaryState {
  readonly message: string | null;
}

/** Keeps a fault in one view from taking the whole page along. */
class Boundary extends Component<{ readonly children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = { message: null };

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    const { message } = this.state;
    if (message === null) return this.props.children;
    return (
      <Notice kind="error" title="This view has failed">
        <p>{message}</p>
        <button type="button" class="button" onClick={() => this.setState({ message: null })}>
          Try again
        </button>
      </Notice>
    );
  }
}
