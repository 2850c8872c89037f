// The track of the scrubber: how much happened when, where the replay stands, and a slider over the whole past.
import { useState } from 'preact/hooks';
import { TRACK_HEIGHT } from '../../limits.js';
import { formatShort, formatWorldTime } from '../../parts/format.js';
import type { Position, Timeline } from './replay.js';

interface TrackProps {
  readonly position: Position;
  readonly timeline: Timeline | null;
  readonly onMove: (to: string) => void;
}

export function Track({ position, timeline, onMove }: TrackProps) {
  // Where the viewer drags the slider to, before it is let go.
  const [draggedMs, setDraggedMs] = useState<number | null>(null);
  const [pointedMs, setPointedMs] = useState<number | null>(null);
  const firstMs = Date.parse(position.first.worldTime);
  const lastMs = Math.max(Date.parse(position.last.worldTime), firstMs + 1);
  const presentMs = Math.min(Date.parse(position.worldTime), lastMs);
  const shownMs = draggedMs ?? presentMs;
  const shareOf = (atMs: number): string => `${(100 * (atMs - firstMs)) / (lastMs - firstMs)}%`;
  const hintMs = draggedMs ?? pointedMs;
  return (
    <div
      class="track"
      onPointerMove={({ currentTarget, clientX }) => {
        const { left, width } = currentTarget.getBoundingClientRect();
        setPointedMs(firstMs + Math.min(Math.max((clientX - left) / width, 0), 1) * (lastMs - firstMs));
      }}
      onPointerLeave={() => setPointedMs(null)}
    >
      <Density timeline={timeline} firstMs={firstMs} lastMs={lastMs} />
      <span class="track-past" style={{ width: shareOf(shownMs) }} />
      <span class="track-head" style={{ left: shareOf(shownMs) }} />
      <input
        class="track-slider"
        type="range"
        aria-label="Position in the past"
        aria-valuetext={formatWorldTime(shownMs)}
        min={firstMs}
        max={lastMs}
        step={Math.max(1, Math.round((lastMs - firstMs) / 1_000))}
        value={shownMs}
        onInput={({ currentTarget }) => setDraggedMs(Number(currentTarget.value))}
        onChange={({ currentTarget }) => {
          setDraggedMs(null);
          const toMs = Math.min(Math.max(Number(currentTarget.value), firstMs), lastMs);
          onMove(new Date(toMs).toISOString());
        }}
      />
      {hintMs !== null && <Hint atMs={hintMs} left={shareOf(hintMs)} timeline={timeline} />}
    </div>
  );
}

/** Bars for the public events of each part of the past, and marks for its battles. */
function Density({
  timeline,
  firstMs,
  lastMs,
}: {
  readonly timeline: Timeline | null;
  readonly firstMs: number;
  readonly lastMs: number;
}) {
  if (timeline === null || timeline.buckets.length === 0) return <span class="track-ground" />;
  const starts = timeline.buckets.map(({ from }) => Date.parse(from));
  const widthMs = (starts[1] ?? lastMs) - (starts[0] ?? firstMs);
  // A few busy hours must not make all others invisible.
  const heightOf = (value: number, most: number): number =>
    value === 0 ? 0 : Math.max(1, (TRACK_HEIGHT * Math.sqrt(value)) / Math.sqrt(most));
  const mostEvents = Math.max(1, ...timeline.buckets.map(({ events }) => events));
  const mostBattles = Math.max(1, ...timeline.buckets.map(({ battles }) => battles));
  const bars = (name: 'events' | 'battles', most: number, share: number): string =>
    timeline.buckets
      .map((bucket, index) => {
        const height = share * heightOf(bucket[name], most);
        return `M${(starts[index] ?? 0) - firstMs} ${TRACK_HEIGHT}v${-height}h${widthMs}v${height}z`;
      })
      .join('');
  return (
    <svg
      class="track-ground"
      viewBox={`0 0 ${lastMs - firstMs} ${TRACK_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path class="track-events" d={bars('events', mostEvents, 1)} />
      <path class="track-battles" d={bars('battles', mostBattles, 0.5)} />
    </svg>
  );
}

/** World time of an instant, and what happened around it. */
function Hint({
  atMs,
  left,
  timeline,
}: {
  readonly atMs: number;
  readonly left: string;
  readonly timeline: Timeline | null;
}) {
  const { buckets = [] } = timeline ?? {};
  const widthMs = Date.parse(buckets[1]?.from ?? '') - Date.parse(buckets[0]?.from ?? '');
  const bucket = buckets.findLast(({ from }) => Date.parse(from) <= atMs);
  // What lies beyond the last part is not read yet.
  const isKnown = bucket !== undefined && atMs < Date.parse(bucket.from) + widthMs;
  return (
    <span class="track-hint" style={{ left }}>
      {formatWorldTime(atMs)}
      <span class="track-hint-counts">
        {isKnown ? `events: ${formatShort(bucket.events)}, battles: ${formatShort(bucket.battles)}` : 'not read yet'}
      </span>
    </span>
  );
}
