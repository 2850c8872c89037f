// An instant of the world: world time, with the viewer's own time beside it if the world runs with a clock.
import { viewerMsOf, worldNowMs } from '../world/world-clock.js';
import { formatDistance, formatDuration, formatViewerTime, formatWorldTime } from './format.js';

interface TimeTextProps {
  /** World time as the API writes it, or in ms since 1970. Null is shown as a dash. */
  readonly at: string | number | null;
  /**
   * `both`: world time, and below it the viewer's time; `short`: world time only, the viewer's time in the tooltip;
   * `distance`: how long ago or how soon, both times in the tooltip.
   */
  readonly form?: 'both' | 'short' | 'distance';
}

export function TimeText({ at, form = 'short' }: TimeTextProps) {
  if (at === null) return <span class="time is-unknown">–</span>;
  const worldMs = typeof at === 'number' ? at : Date.parse(at);
  const world = formatWorldTime(worldMs);
  const viewerMs = viewerMsOf(worldMs);
  const viewer = viewerMs === null ? null : formatViewerTime(viewerMs);
  const iso = new Date(worldMs).toISOString();
  if (form === 'both')
    return (
      <time class="time" dateTime={iso}>
        {world}
        {viewer !== null && <span class="time-viewer">{viewer} here</span>}
      </time>
    );
  const nowMs = worldNowMs.value;
  const both = viewer === null ? `${world} in the world` : `${world} in the world, ${viewer} here`;
  return (
    <time class="time" dateTime={iso} title={both}>
      {form === 'distance' && nowMs !== null ? formatDistance(nowMs, worldMs) : world}
    </time>
  );
}

/** Time left until an instant of the world, counting down. */
export function Countdown({ until }: { readonly until: string | number }) {
  const untilMs = typeof until === 'number' ? until : Date.parse(until);
  const nowMs = worldNowMs.value;
  return <span class="time">{nowMs === null ? '–' : formatDuration(untilMs - nowMs)}</span>;
}
