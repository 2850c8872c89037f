// The bar above the map: where the viewer is, and buttons for what can be done.
import { linkTo } from '../../address.js';
import { ExportButton } from '../../parts/export-button.js';
import { isKeyDialogOpen } from '../../parts/key-dialog.js';
import { mapState } from '../../world/map-state.js';
import type { Target } from './geometry.js';
import { pathTo, titleOf } from './summary.js';

interface MapBarProps {
  readonly target: Target;
  readonly isTable: boolean;
  readonly onTable: () => void;
  readonly picture: () => Promise<Blob>;
}

export const ZOOM_STEP = 1.6;

export function MapBar({ target, isTable, onTable, picture }: MapBarProps) {
  return (
    <div class="map-bar">
      <Path target={target} />
      <MapNote />
      <div class="map-buttons">
        {!isTable && (
          <ExportButton
            label="PNG"
            fileName={`galaxyd-${titleOf(target).toLowerCase().replace(' ', '-')}.png`}
            contents={picture}
          />
        )}
        <button type="button" class="button" aria-pressed={isTable} title="Map or table (m)" onClick={onTable}>
          {isTable ? 'Map' : 'Table'}
        </button>
      </div>
    </div>
  );
}

interface MapZoomProps {
  readonly onZoom: (factor: number) => void;
  readonly onFrame: () => void;
}

/** The same as wheel and pinch, for those who press buttons. */
export function MapZoom({ onZoom, onFrame }: MapZoomProps) {
  return (
    <div class="map-zoom">
      <button type="button" class="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => onZoom(ZOOM_STEP)}>
        +
      </button>
      <button
        type="button"
        class="button"
        aria-label="Zoom out"
        title="Zoom out (-)"
        onClick={() => onZoom(1 / ZOOM_STEP)}
      >
        −
      </button>
      <button type="button" class="button" aria-label="Show it whole" title="Show it whole (f)" onClick={onFrame}>
        ⤢
      </button>
    </div>
  );
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
  switch (mapState.value) {
    case 'owners':
      return (
        <button
          type="button"
          class="button map-note"
          onClick={() => {
            isKeyDialogOpen.value = true;
          }}
        >
          Fleets need a spectator’s key
        </button>
      );
    case 'stale':
      return (
        <p class="map-note" role="status">
          Not live: the map stands as it was last seen
        </p>
      );
    default:
      return null;
  }
}
