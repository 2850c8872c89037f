// The scrubber of a replay: where in the past the world is, how it goes on, and what happened when. It is shown only in a replay.
import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type Shortcut, useShortcuts } from '../keyboard.js';
import { BATTLES_LISTED_MAX, TRACK_HEIGHT } from '../limits.js';
import { Button } from '../parts/button.js';
import { formatCount, formatShort, formatWorldTime } from '../parts/format.js';
import { Dialog } from '../parts/notice.js';
import { counts, Table } from '../parts/table.js';
import { PlanetLink, PlayerName } from '../parts/values.js';
import {
  isMoving,
  movementFailure,
  moveReplay,
  type Position,
  position,
  type Timeline,
  togglePlaying,
  useReplay,
} from '../world/replay.js';

/** The speeds that the viewer can choose, in world seconds per second. */
const SPEEDS = { 1: 'Real time', 60: '1 min/s', 600: '10 min/s', 3600: '1 h/s', 21600: '6 h/s', 86400: '1 day/s' };

const isBattleListOpen = signal(false);

function showBattles(isOpen: boolean): void {
  isBattleListOpen.value = isOpen;
}

const step = (kind: 'event' | 'battle' | 'day', direction: 1 | -1) => (): void =>
  void moveReplay({ step: kind, direction });

/** Takes the next faster or slower speed; the same at the end of the list. */
const changeSpeed = (direction: 1 | -1) => (): void => {
  const known = position.peek();
  if (known === null) return;
  const others = Object.keys(SPEEDS)
    .map(Number)
    .filter((factor) => Math.sign(factor - known.speed) === direction);
  const speed = (direction === 1 ? others[0] : others.at(-1)) ?? known.speed;
  void moveReplay({ isPlaying: known.isPlaying, speed });
};

const SHORTCUTS: readonly Shortcut[] = [
  { key: ' ', label: 'Play or pause the replay', action: togglePlaying },
  { key: '.', label: 'Next public event', action: step('event', 1) },
  { key: ',', label: 'Previous public event', action: step('event', -1) },
  { key: 'b', label: 'Next battle', action: step('battle', 1) },
  { key: 'B', label: 'Previous battle', action: step('battle', -1) },
  { key: 'd', label: 'A day on', action: step('day', 1) },
  { key: 'D', label: 'A day back', action: step('day', -1) },
  { key: 's', label: 'Faster replay', action: changeSpeed(1) },
  { key: 'S', label: 'Slower replay', action: changeSpeed(-1) },
];

export function Scrubber() {
  useShortcuts(SHORTCUTS);
  const timeline = useReplay();
  const known = position.value;
  if (known === null) return <section class="scrubber" aria-label="Replay" aria-busy />;
  return (
    <section class="scrubber" aria-label="Replay" aria-busy={isMoving.value}>
      <Controls position={known} />
      <div class="scrubber-track">
        <Track position={known} timeline={timeline} />
        <Ends position={known} />
      </div>
      {isBattleListOpen.value && <BattleList timeline={timeline} />}
    </section>
  );
}

function Controls({ position: { isPlaying, speed } }: { readonly position: Position }) {
  const speeds = { [speed]: `${speed} ×`, ...SPEEDS };
  const [playLabel, playIcon] = isPlaying ? (['Pause (Space)', 'pause'] as const) : (['Play (Space)', 'play'] as const);
  return (
    <div class="scrubber-controls">
      <Button look="is-quiet" icon="backward" label="Previous battle (B)" onClick={step('battle', -1)} />
      <Button look="is-quiet" icon="previous" label="Previous event (,)" onClick={step('event', -1)} />
      <Button look="is-primary" icon={playIcon} label={playLabel} onClick={togglePlaying} />
      <Button look="is-quiet" icon="next" label="Next event (.)" onClick={step('event', 1)} />
      <Button look="is-quiet" icon="forward" label="Next battle (b)" onClick={step('battle', 1)} />
      <select
        class="scrubber-speed"
        aria-label="Speed"
        title="Speed (s, S)"
        value={speed}
        onChange={({ currentTarget }) => void moveReplay({ isPlaying, speed: Number(currentTarget.value) })}
      >
        {Object.entries(speeds).map(([factor, label]) => (
          <option key={factor} value={factor}>
            {label}
          </option>
        ))}
      </select>
      <Button look="scrubber-battles" onClick={() => showBattles(true)}>
        Battles
      </Button>
    </div>
  );
}

/** Where the past begins and ends, and where the replay stands. */
function Ends({ position }: { readonly position: Position }) {
  const { first, last, isHistoryKept } = position;
  const failure = movementFailure.value;
  const [title, words] = isHistoryKept
    ? ['The world began here.', 'World begins']
    : [
        `What was before seq ${formatCount(first.seq)} was deleted. A server with --keep-history keeps all.`,
        'Kept from',
      ];
  return (
    <p class="scrubber-ends">
      <span title={title}>
        {words} {minuteOf(first.worldTime)}
      </span>
      <span class={`scrubber-present${failure === null ? '' : ' is-failed'}`} role="status">
        {failure === null ? presentText(position) : failure.message}
      </span>
      <span title={`seq ${formatCount(last.seq)}`}>{minuteOf(last.worldTime)}</span>
    </p>
  );
}

const minuteOf = (worldTime: string): string => formatWorldTime(Date.parse(worldTime)).slice(0, 16);

function presentText({ seq, indexedShare, game }: Position): string {
  if (isMoving.value) return 'Moving…';
  const text = `${game === null ? '' : `Game ${game} · `}Entry ${formatCount(seq)}`;
  return indexedShare < 1 ? `${text} · ${Math.floor(100 * indexedShare)} % of the past read` : text;
}

/** The track: how much happened when, where the replay stands, and a slider over the whole past. */
function Track({ position, timeline }: { readonly position: Position; readonly timeline: Timeline | null }) {
  // Where the viewer drags the slider to, until the release.
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
          void moveReplay({ to: new Date(toMs).toISOString() });
        }}
      />
      {hintMs !== null && <Hint atMs={hintMs} left={shareOf(hintMs)} timeline={timeline} />}
    </div>
  );
}

interface DensityProps {
  readonly timeline: Timeline | null;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Bars for the public events of each part of the past, and marks for its battles. */
function Density({ timeline, firstMs, lastMs }: DensityProps) {
  if (timeline === null || timeline.buckets.length === 0) return <span class="track-ground" />;
  const { buckets } = timeline;
  const starts = buckets.map(({ from }) => Date.parse(from));
  const widthMs = (starts[1] ?? lastMs) - (starts[0] ?? firstMs);
  const bars = (name: 'events' | 'battles', share: number): string => {
    const most = Math.max(1, ...buckets.map((bucket) => bucket[name]));
    return buckets
      .map(({ [name]: value }, index) => {
        // A few busy hours must not hide all others.
        const height = value === 0 ? 0 : share * Math.max(1, (TRACK_HEIGHT * Math.sqrt(value)) / Math.sqrt(most));
        return `M${(starts[index] ?? 0) - firstMs} ${TRACK_HEIGHT}v${-height}h${widthMs}v${height}z`;
      })
      .join('');
  };
  return (
    <svg
      class="track-ground"
      viewBox={`0 0 ${lastMs - firstMs} ${TRACK_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <path class="track-events" d={bars('events', 1)} />
      <path class="track-battles" d={bars('battles', 0.5)} />
    </svg>
  );
}

interface HintProps {
  readonly atMs: number;
  readonly left: string;
  readonly timeline: Timeline | null;
}

/** World time of an instant, and what happened around it. */
function Hint({ atMs, left, timeline }: HintProps) {
  const { buckets = [] } = timeline ?? {};
  const widthMs = Date.parse(buckets[1]?.from ?? '') - Date.parse(buckets[0]?.from ?? '');
  const bucket = buckets.findLast(({ from }) => Date.parse(from) <= atMs);
  // What is after the last bucket is not read yet.
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

/** The largest battles of the past: a list to jump from. */
function BattleList({ timeline }: { readonly timeline: Timeline | null }) {
  const battles = (timeline?.battles ?? []).toSorted((a, b) => b.lostCount - a.lostCount).slice(0, BATTLES_LISTED_MAX);
  const share = timeline?.indexedShare ?? 0;
  const jump = (seq: number): void => {
    showBattles(false);
    void moveReplay({ seq });
  };
  return (
    <Dialog title="The largest battles" onClose={() => showBattles(false)}>
      {share < 1 && <p>The past is still being read: {Math.floor(100 * share)} %.</p>}
      <Table
        caption="Battles by lost ships"
        rows={battles}
        keyOf={({ seq, planetId }) => `${seq}-${planetId}`}
        empty="Nobody has fought yet."
        columns={[
          {
            title: 'When',
            isHeading: true,
            cell: ({ seq, at }) => (
              <button type="button" class="battle-jump" onClick={() => jump(seq)}>
                {formatWorldTime(Date.parse(at))}
              </button>
            ),
          },
          counts<Timeline['battles'][number]>('Ships lost', ({ lostCount }) => lostCount),
          { title: 'Attacker', cell: ({ attackerId }) => <PlayerName playerId={attackerId} /> },
          { title: 'Defender', isMinor: true, cell: ({ defenderId }) => <PlayerName playerId={defenderId} /> },
          { title: 'Where', isMinor: true, cell: ({ planetId }) => <PlanetLink planetId={planetId} /> },
        ]}
      />
    </Dialog>
  );
}
