// What the operator announces, below the header of every view, until it is over or the viewer hides it.
import { signal } from '@preact/signals';
import { Button } from './parts/button.js';
import { status } from './world/status.js';

/** Instant of the announcement that the viewer has hidden. */
const hiddenAt = signal('');

export function Banner() {
  const announcement = status.value?.announcement ?? null;
  const isShown = announcement !== null && announcement.at !== hiddenAt.value;
  // The place is always there, so that screen readers announce what appears in it.
  return (
    <div class="banner-place" role="status">
      {isShown && (
        <p class="banner">
          <bdi class="banner-text">{announcement.text}</bdi>
          <Button
            look="is-quiet"
            label="Hide the announcement"
            onClick={() => {
              hiddenAt.value = announcement.at;
            }}
          >
            ✕
          </Button>
        </p>
      )}
    </div>
  );
}
