// The map of the world: universe, galaxy, system and planet. It is a picture that moves, or a table that says the same.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { follow, goTo, linkTo } from '../../address.js';
import { numberOfPlayer } from '../../colours.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { PALETTE_LEADERS } from '../../limits.js';
import { Button, ExportButton } from '../../parts/button.js';
import { FailureNotice, NoSuchPlace, Notice, openKeyDialog } from '../../parts/notice.js';
import { useLeaderboard } from '../../world/documents.js';
import { fleetTotal, galaxies, goods, mapFailure, mapState, pacts, systemsPerGalaxy } from '../../world/map-state.js';
import { status } from '../../world/status.js';
import { worldMsAt } from '../../world/world-clock.js';
import { pngOf } from './drawing/overlay.js';
import { Stage, type StageState } from './drawing/stage.js';
import { GALAXY_COUNT, partsOf, SLOT_COUNT, type Target } from './map/geometry.js';
import { GalaxyFollower, SystemFollower } from './map/shown.js';
import { MapPanel, Tip } from './map-panel.js';
import { MapTable } from './map-table.js';
import { pathTo, tiesText, titleOf } from './summary.js';

const MOVE_SHARE = 0.15;
const ZOOM_STEP = 1.6;

/** What is shown now, for keys and buttons that stay the same while it changes. */
interface Shown {
  readonly stage: { current: Stage | null };
  readonly target: { current: Target };
  readonly isTable: Signal<boolean>;
}

export function GalaxyView({ route }: { readonly route: Target }) {
  const stage = useRef<Stage | null>(null);
  const target = useRef<Target>(route);
  target.current = route;
  const isTableWanted = useSignal(false);
  const drawing = useSignal<StageState>('ready');
  const actions = useMemo(() => actionsOf({ stage, target, isTable: isTableWanted }), [isTableWanted]);
  const picture = usePicture(stage, route);
  useShortcuts(actions.shortcuts);
  if (!isThere(route)) return <NoSuchPlace title="There is no such place" back="Back to the universe" />;
  const isMissing = drawing.value === 'missing';
  const isTable = isTableWanted.value || isMissing;
  return (
    <div class="map">
      <h1 class="for-readers">Map: {titleOf(route)}</h1>
      <Followers target={route} />
      <div class="map-main">
        <div class="map-bar">
          <Path target={route} />
          <MapNote />
          <div class="map-buttons">
            {!isTable && (
              <ExportButton
                label="PNG"
                fileName={`galaxyd-${titleOf(route).toLowerCase().replace(' ', '-')}.png`}
                contents={picture}
              />
            )}
            <Button aria-pressed={isTable} title="Map or table (m)" onClick={actions.toggleTable}>
              {isTable ? 'Map' : 'Table'}
            </Button>
          </div>
        </div>
        {isMissing && <p class="map-missing">This browser offers no WebGL, so the map is shown as a table.</p>}
        {isTable ? (
          <MapTable target={route} />
        ) : (
          <>
            <Canvas label={labelOf(route)} stage={stage} drawing={drawing} />
            <Zoom actions={actions} />
          </>
        )}
        <MapNotice />
      </div>
      <MapPanel target={route} />
    </div>
  );
}

/** What buttons and keys do. */
function actionsOf({ stage, target, isTable }: Shown) {
  const zoom = (factor: number) => (): void => stage.current?.zoom(factor);
  const move = (x: number, y: number) => (): void => stage.current?.move(x * MOVE_SHARE, y * MOVE_SHARE);
  const frame = (): void => stage.current?.frame();
  const toggleTable = (): void => {
    isTable.value = !isTable.value;
  };
  const step = (by: number) => (): void => goTo(neighbourOf(target.current, by));
  const out = (): void => {
    const next = pathTo(target.current).at(-2);
    if (next !== undefined) goTo(next);
  };
  const everybody = (): void => follow(null);
  const [zoomIn, zoomOut] = [zoom(ZOOM_STEP), zoom(1 / ZOOM_STEP)];
  const shortcuts: readonly Shortcut[] = [
    { key: '+', label: 'Zoom in', action: zoomIn },
    { key: '-', label: 'Zoom out', action: zoomOut },
    { key: 'ArrowLeft', label: 'Move left', action: move(-1, 0) },
    { key: 'ArrowRight', label: 'Move right', action: move(1, 0) },
    { key: 'ArrowUp', label: 'Move up', action: move(0, -1) },
    { key: 'ArrowDown', label: 'Move down', action: move(0, 1) },
    { key: 'f', label: 'Show it whole; of the universe, in turn where players are', action: frame },
    { key: 'Escape', label: 'Back to the next larger view', action: out },
    { key: '[', label: 'Previous galaxy, system or slot', action: step(-1) },
    { key: ']', label: 'Next galaxy, system or slot', action: step(1) },
    { key: 'm', label: 'Map or table', action: toggleTable },
    { key: 'x', label: 'Follow nobody', action: everybody },
  ];
  return { zoomIn, zoomOut, frame, toggleTable, shortcuts };
}

/** The one before or after; the first galaxy if everything is shown. */
function neighbourOf(target: Target, by: number): Target {
  const turned = (value: number, first: number, count: number): number =>
    ((value - first + by + count) % count) + first;
  switch (target.view) {
    case 'universe':
      return { view: 'galaxy', galaxy: by > 0 ? 1 : GALAXY_COUNT };
    case 'galaxy':
      return { view: 'galaxy', galaxy: turned(target.galaxy, 1, GALAXY_COUNT) };
    case 'system':
      return { ...target, system: turned(target.system, 0, Math.max(1, systemsPerGalaxy.peek())) };
    case 'planet':
      return { ...target, slot: turned(target.slot, 1, SLOT_COUNT) };
  }
}

/** Reads what is shown in detail. */
function Followers({ target }: { readonly target: Target }) {
  const [galaxy, system] = partsOf(target);
  return (
    <>
      {galaxy !== undefined && <GalaxyFollower key={galaxy} galaxy={galaxy} />}
      {galaxy !== undefined && system !== undefined && (
        <SystemFollower key={`${galaxy}-${system}`} galaxy={galaxy} system={system} />
      )}
    </>
  );
}

/** The map as a file. */
function usePicture(stage: Shown['stage'], target: Target): () => Promise<Blob> {
  const { body } = useLeaderboard().value;
  return () => {
    const shown = stage.current;
    if (shown === null) throw new Error('there is no map to save');
    const leaders = body?.players.slice(0, PALETTE_LEADERS) ?? [];
    return pngOf(shown.picture(), shown.pixelRatio, {
      title: `${status.peek()?.name ?? 'galaxyd'}: ${titleOf(target)}`,
      worldMs: worldMsAt(performance.now()),
      leaders: leaders.map(({ id, name }) => ({ player: numberOfPlayer(id), name })),
    });
  };
}

function Path({ target }: { readonly target: Target }) {
  const path = pathTo(target);
  return (
    <nav class="map-path" aria-label="Place on the map">
      <ol>
        {path.map((part) => (
          <li key={part.view}>
            <a href={linkTo(part)} aria-current={part === path.at(-1) ? 'page' : undefined}>
              {titleOf(part)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Why the map does not show all that it could. */
function MapNote() {
  if (mapState.value === 'owners')
    return (
      <Button look="map-note" onClick={openKeyDialog}>
        Fleets, pacts and goods need a spectator’s key
      </Button>
    );
  if (mapState.value !== 'stale') return null;
  return (
    <p class="map-note" role="status">
      Not live: the map stands as it was last seen
    </p>
  );
}

interface CanvasProps {
  /** What the map shows, in a sentence: for those who do not see it. */
  readonly label: string;
  readonly stage: Shown['stage'];
  readonly drawing: Signal<StageState>;
}

/** The two canvases of the map with what lies above them: the tip beside the pointer, and a notice if there is nothing to see. */
function Canvas({ label, stage, drawing }: CanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLCanvasElement>(null);
  const lines = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (host.current === null || picture.current === null || lines.current === null) return;
    drawing.value = 'ready';
    const shown = new Stage(host.current, picture.current, lines.current, (state) => {
      drawing.value = state;
    });
    stage.current = shown;
    return () => {
      shown.dispose();
      stage.current = null;
    };
  }, [stage, drawing]);
  return (
    <div class="map-canvas" ref={host} role="img" aria-label={label}>
      <canvas ref={picture} />
      <canvas ref={lines} />
      <Tip />
      {drawing.value === 'lost' && (
        <p class="map-note is-middle" role="status">
          The graphics card has lost the map. It comes back by itself.
        </p>
      )}
    </div>
  );
}

/** Buttons for what wheel and pinch do. */
function Zoom({ actions: { zoomIn, zoomOut, frame } }: { readonly actions: ReturnType<typeof actionsOf> }) {
  const buttons = [
    ['Zoom in', '+', '+', zoomIn],
    ['Zoom out', '-', '−', zoomOut],
    ['Show it whole', 'f', '⤢', frame],
  ] as const;
  return (
    <div class="map-zoom">
      {buttons.map(([label, shortcut, sign, action]) => (
        <Button key={label} label={label} shortcut={shortcut} onClick={action}>
          {sign}
        </Button>
      ))}
    </div>
  );
}

/** Shown instead of the map if there is nothing to see. */
function MapNotice() {
  const state = mapState.value;
  const failure = mapFailure.value;
  if (state === 'loading') return <p class="map-middle map-note">Loading the map…</p>;
  if (state === 'error' && failure !== null)
    return (
      <div class="map-middle">
        <FailureNotice failure={failure} />
      </div>
    );
  if (galaxies.value.size > 0) return null;
  return (
    <div class="map-middle">
      <Notice title="Nobody has settled yet">
        <p>
          A world begins empty. The first player gets a planet in galaxy 1: <a href="/docs">the interface</a> says how
          to join.
        </p>
      </Notice>
    </div>
  );
}

/** Whether the world has the place. How many systems there are is known only with the map. */
function isThere(target: Target): boolean {
  const [galaxy = 1, system = 0, slot = 1] = partsOf(target);
  if (galaxy < 1 || galaxy > GALAXY_COUNT) return false;
  if (systemsPerGalaxy.value === 0) return true;
  return system < systemsPerGalaxy.value && slot >= 1 && slot <= SLOT_COUNT;
}

function labelOf(target: Target): string {
  const planets = Array.from(galaxies.value.values()).reduce((sum, galaxy) => sum + galaxy.planets, 0);
  const what = `Map of ${titleOf(target).toLowerCase()}`;
  return `${what}: ${planets} planets with an owner, ${fleetTotal.value} fleets in flight${tiesText(pacts.value.length, goods.value.length)}. Press m for a table.`;
}
