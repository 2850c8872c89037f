// The scrubber of a replay: where in the past the world is, and how it goes on. It is shown only in a replay.
import { signal } from '@preact/signals';
import type { Shortcut } from '../../keyboard.js';
import { useShortcuts } from '../../keyboard.js';
import { formatCount, formatWorldTime } from '../../parts/format.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { BattleList } from './battle-list.js';
import { isMoving, movementFailure, moveReplay, type Position, position, togglePlaying, useReplay } from './replay.js';
import { SPEEDS, speedBeside } from './speeds.js';
import { Track } from './track.js';

const isBattleListOpen = signal(false);

const step = (kind: 'event' | 'battle' | 'day', direction: 1 | -1) => (): void =>
  void moveReplay({ step: kind, direction });

function changeSpeed(direction: 1 | -1): void {
  const known = position.peek();
  if (known === null) return;
  void moveReplay({ isPlaying: known.isPlaying, speed: speedBeside(known.speed, direction) });
}

const SHORTCUTS: readonly Shortcut[] = [
  { key: ' ', label: 'Play or pause the replay', action: togglePlaying },
  { key: '.', label: 'Next public event', action: step('event', 1) },
  { key: ',', label: 'Previous public event', action: step('event', -1) },
  { key: 'b', label: 'Next battle', action: step('battle', 1) },
  { key: 'B', label: 'Previous battle', action: step('battle', -1) },
  { key: 'd', label: 'A day on', action: step('day', 1) },
  { key: 'D', label: 'A day back', action: step('day', -1) },
  { key: 's', label: 'Faster replay', action: () => changeSpeed(1) },
  { key: 'S', label: 'Slower replay', action: () => changeSpeed(-1) },
];

export default function Scrubber() {
  useShortcuts(SHORTCUTS);
  const { timeline } = useReplay();
  const known = position.value;
  if (known === null) return <section class="scrubber" aria-label="Replay" aria-busy />;
  const jump = (seq: number): void => {
    isBattleListOpen.value = false;
    void moveReplay({ seq });
  };
  return (
    <section class="scrubber" aria-label="Replay" aria-busy={isMoving.value}>
      <Controls position={known} />
      <div class="scrubber-track">
        <Track position={known} timeline={timeline} onMove={(to) => void moveReplay({ to })} />
        <Ends position={known} />
      </div>
      {isBattleListOpen.value && (
        <BattleList
          timeline={timeline}
          onJump={jump}
          onClose={() => {
            isBattleListOpen.value = false;
          }}
        />
      )}
    </section>
  );
}

function Controls({ position: { isPlaying, speed } }: { readonly position: Position }) {
  const factors = SPEEDS.some(({ factor }) => factor === speed)
    ? SPEEDS
    : [{ factor: speed, label: `${speed} ×` }, ...SPEEDS];
  return (
    <div class="scrubber-controls">
      <Control icon="backward" label="Previous battle (B)" onClick={step('battle', -1)} />
      <Control icon="previous" label="Previous event (,)" onClick={step('event', -1)} />
      <Control
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause (Space)' : 'Play (Space)'}
        onClick={togglePlaying}
        isMain
      />
      <Control icon="next" label="Next event (.)" onClick={step('event', 1)} />
      <Control icon="forward" label="Next battle (b)" onClick={step('battle', 1)} />
      <select
        class="scrubber-speed"
        aria-label="Speed"
        title="Speed (s, S)"
        value={speed}
        onChange={({ currentTarget }) => void moveReplay({ isPlaying, speed: Number(currentTarget.value) })}
      >
        {factors.map(({ factor, label }) => (
          <option key={factor} value={factor}>
            {label}
          </option>
        ))}
      </select>
      <button
        type="button"
        class="button scrubber-battles"
        onClick={() => {
          isBattleListOpen.value = true;
        }}
      >
        Battles
      </button>
    </div>
  );
}

interface ControlProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly isMain?: boolean;
}

function Control({ icon, label, onClick, isMain = false }: ControlProps) {
  return (
    <button
      type="button"
      class={`button ${isMain ? 'is-primary' : 'is-quiet'}`}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Where the past begins and ends, and where the replay stands. */
function Ends({ position }: { readonly position: Position }) {
  const { first, last, isHistoryKept } = position;
  const failure = movementFailure.value;
  const begins = formatWorldTime(Date.parse(first.worldTime)).slice(0, 16);
  return (
    <p class="scrubber-ends">
      <span
        title={
          isHistoryKept
            ? 'The world began here.'
            : `What was before seq ${formatCount(first.seq)} was deleted. A server with --keep-history keeps all.`
        }
      >
        {isHistoryKept ? 'World begins' : 'Kept from'} {begins}
      </span>
      <span class={`scrubber-present${failure === null ? '' : ' is-failed'}`} role="status">
        {failure === null ? presentText(position) : failure.message}
      </span>
      <span title={`seq ${formatCount(last.seq)}`}>{formatWorldTime(Date.parse(last.worldTime)).slice(0, 16)}</span>
    </p>
  );
}

function presentText({ seq, indexedShare, game }: Position): string {
  if (isMoving.value) return 'Moving…';
  const text = `${game === null ? '' : `Game ${game} · `}Entry ${formatCount(seq)}`;
  return indexedShare < 1 ? `${text} · ${Math.floor(100 * indexedShare)} % of the past read` : text;
}
