// The map of the world: universe, galaxy, system and planet. It is a picture that moves, or a table that says the same.
import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { goTo, linkTo } from '../../address.js';
import { numberOfPlayer } from '../../colours.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { PALETTE_LEADERS } from '../../limits.js';
import { FailureNotice, Notice } from '../../parts/notice.js';
import type { Route } from '../../routes.js';
import { useLeaderboard } from '../../world/leaderboard.js';
import { fleetTotal, galaxies, mapFailure, mapState, systemsPerGalaxy } from '../../world/map-state.js';
import { status } from '../../world/status.js';
import { worldMsAt } from '../../world/world-clock.js';
import { GALAXY_COUNT, SLOT_COUNT, type Target } from './geometry.js';
import { MapBar, MapZoom, ZOOM_STEP } from './map-bar.js';
import { MapCanvas } from './map-canvas.js';
import { MapPanel } from './map-panel.js';
import { MapTable } from './map-table.js';
import { pngOf } from './picture.js';
import { chosenPlayer } from './selection.js';
import { GalaxyFollower, SystemFollower } from './shown.js';
import type { Stage, StageState } from './stage.js';
import { outwards, titleOf } from './summary.js';

export interface GalaxyViewProps {
  readonly route: Extract<Route, { readonly view: Target['view'] }>;
}

const MOVE_SHARE = 0.15;

export default function GalaxyView({ route }: GalaxyViewProps) {
  const stage = useRef<Stage | null>(null);
  const wantsTable = useSignal(false);
  const drawing = useSignal<StageState>('ready');
  const picture = usePicture(stage, route);
  const target = useRef<Target>(route);
  target.current = route;
  const actions = useMemo(() => actionsOf(stage, target, wantsTable), [wantsTable]);
  useShortcuts(actions.shortcuts);
  if (!isThere(route)) return <NoSuchPlace />;
  const isMissing = drawing.value === 'missing';
  const isTable = wantsTable.value || isMissing;
  return (
    <div class="map">
      <h1 class="for-readers">Map: {titleOf(route)}</h1>
      <Followers target={route} />
      <div class="map-main">
        <MapBar target={route} isTable={isTable} onTable={actions.table} picture={picture} />
        {isMissing && <p class="map-missing">This browser offers no WebGL, so the map is shown as a table.</p>}
        {isTable ? (
          <MapTable target={route} />
        ) : (
          <>
            <MapCanvas label={labelOf(route)} stage={stage} onState={actions.setDrawing(drawing)} />
            <MapZoom onZoom={actions.zoom} onFrame={actions.frame} />
          </>
        )}
        <MapNotice />
      </div>
      <MapPanel target={route} />
    </div>
  );
}

interface Current<Value> {
  readonly current: Value;
}

/** What buttons and keys do. */
function actionsOf(stage: Current<Stage | null>, target: Current<Target>, wantsTable: { value: boolean }) {
  const zoom = (factor: number): void => stage.current?.zoom(factor);
  const move = (x: number, y: number): void => stage.current?.move(x * MOVE_SHARE, y * MOVE_SHARE);
  const frame = (): void => stage.current?.frame();
  const table = (): void => {
    wantsTable.value = !wantsTable.value;
  };
  const step = (by: number): void => goTo(neighbourOf(target.current, by));
  const out = (): void => {
    const next = outwards(target.current);
    if (next !== null) goTo(next);
  };
  const everybody = (): void => {
    chosenPlayer.value = 0;
  };
  const setters = new WeakMap<object, (state: StageState) => void>();
  const setDrawing = (drawing: { value: StageState }): ((state: StageState) => void) => {
    const known = setters.get(drawing);
    if (known !== undefined) return known;
    const setter = (state: StageState): void => {
      drawing.value = state;
    };
    setters.set(drawing, setter);
    return setter;
  };
  const shortcuts: readonly Shortcut[] = [
    { key: '+', label: 'Zoom in', action: () => zoom(ZOOM_STEP) },
    { key: '-', label: 'Zoom out', action: () => zoom(1 / ZOOM_STEP) },
    { key: 'ArrowLeft', label: 'Move left', action: () => move(-1, 0) },
    { key: 'ArrowRight', label: 'Move right', action: () => move(1, 0) },
    { key: 'ArrowUp', label: 'Move up', action: () => move(0, -1) },
    { key: 'ArrowDown', label: 'Move down', action: () => move(0, 1) },
    { key: 'f', label: 'Show it whole; of the universe, in turn the settled part', action: frame },
    { key: 'Escape', label: 'Back to the next larger view', action: out },
    { key: '[', label: 'Previous galaxy, system or slot', action: () => step(-1) },
    { key: ']', label: 'Next galaxy, system or slot', action: () => step(1) },
    { key: 'm', label: 'Map or table', action: table },
    { key: 'x', label: 'Show everybody again', action: everybody },
  ];
  return { zoom, frame, table, setDrawing, shortcuts };
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

function Followers({ target }: { readonly target: Target }) {
  if (target.view === 'universe') return null;
  const { galaxy } = target;
  return (
    <>
      <GalaxyFollower key={galaxy} galaxy={galaxy} />
      {target.view !== 'galaxy' && (
        <SystemFollower key={`${galaxy}-${target.system}`} galaxy={galaxy} system={target.system} />
      )}
    </>
  );
}

/** The map as a file. */
function usePicture(stage: Current<Stage | null>, target: Target): () => Promise<Blob> {
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

/** Said in place of the map if there is nothing to see. */
function MapNotice() {
  const state = mapState.value;
  if (state === 'loading') return <p class="map-middle map-note">Loading the map…</p>;
  const failure = mapFailure.value;
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

function NoSuchPlace() {
  return (
    <Notice title="There is no such place">
      <a href={linkTo({ view: 'universe' })}>Back to the universe</a>
    </Notice>
  );
}

/** Whether the world has the place. How many systems there are is known only with the map. */
function isThere(target: Target): boolean {
  if (target.view === 'universe') return true;
  if (target.galaxy < 1 || target.galaxy > GALAXY_COUNT) return false;
  if (target.view === 'galaxy' || systemsPerGalaxy.value === 0) return true;
  if (target.system >= systemsPerGalaxy.value) return false;
  return target.view === 'system' || (target.slot >= 1 && target.slot <= SLOT_COUNT);
}

function labelOf(target: Target): string {
  const planets = Array.from(galaxies.value.values()).reduce((sum, galaxy) => sum + galaxy.planets, 0);
  const what = `Map of ${titleOf(target).toLowerCase()}`;
  return `${what}: ${planets} planets with an owner, ${fleetTotal.value} fleets in flight. Press m for a table.`;
}
