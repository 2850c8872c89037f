// The filters of the feed. They live in the address, so that a link shows the same.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { replaceRoute } from '../../address.js';
import { PlayerName } from '../../parts/player-name.js';
import { useLeaderboard } from '../../world/leaderboard.js';
import { EVENT_KINDS, type EventKind, type Filter } from './event-kinds.js';

export function FeedFilters({ filter }: { readonly filter: Filter }) {
  return (
    <div class="feed-filters">
      <fieldset class="feed-kinds">
        <legend class="for-readers">Kinds of events</legend>
        {EVENT_KINDS.map((kind) => (
          <KindButton key={kind.name} kind={kind} filter={filter} />
        ))}
      </fieldset>
      {filter.player === null ? (
        <PlayerField filter={filter} />
      ) : (
        <Chip label="player" onRemove={() => show({ ...filter, player: null })}>
          <PlayerName playerId={filter.player} />
        </Chip>
      )}
      {filter.place === null ? (
        <PlaceField filter={filter} />
      ) : (
        <Chip label="place" onRemove={() => show({ ...filter, place: null })}>
          {filter.place}
        </Chip>
      )}
    </div>
  );
}

function KindButton({ kind, filter }: { readonly kind: EventKind; readonly filter: Filter }) {
  const chosen = kind.types.filter((type) => filter.types.includes(type));
  const isOn = chosen.length === kind.types.length;
  const others = filter.types.filter((type) => !chosen.some((own) => own === type));
  return (
    <button
      type="button"
      class={`button feed-kind is-${kind.name}`}
      aria-pressed={isOn ? 'true' : chosen.length > 0 ? 'mixed' : 'false'}
      onClick={() => show({ ...filter, types: isOn ? others : [...others, ...kind.types] })}
    >
      <span class="feed-mark" aria-hidden="true" />
      {kind.title}
    </button>
  );
}

function PlayerField({ filter }: { readonly filter: Filter }) {
  const leaderboard = useLeaderboard();
  const players = leaderboard.value.body?.players ?? [];
  const choose = (text: string): boolean => {
    const player =
      /^(?:player-)?(\d{1,15})$/.exec(text)?.[1] ??
      players.find(({ name }) => name === text)?.id.replace('player-', '');
    if (player !== undefined) show({ ...filter, player: `player-${player}` });
    return player !== undefined;
  };
  return <Field label="Player" hint="name or id" choose={choose} choices={players.map(({ name }) => name)} />;
}

function PlaceField({ filter }: { readonly filter: Filter }) {
  const choose = (text: string): boolean => {
    const isPlace = /^\d{1,9}(:\d{1,9}){0,2}$/.test(text);
    if (isPlace) show({ ...filter, place: text });
    return isPlace;
  };
  return <Field label="Place" hint="7, 7:12 or 7:12:5" choose={choose} choices={[]} />;
}

interface FieldProps {
  readonly label: string;
  readonly hint: string;
  /** @returns whether it understands the text */
  readonly choose: (text: string) => boolean;
  readonly choices: readonly string[];
}

/** A filter that is typed, and set with Enter or by leaving the field. */
function Field({ label, hint, choose, choices }: FieldProps) {
  const [isUnknown, setUnknown] = useState(false);
  const listId = useId();
  return (
    <label class="feed-field">
      <span>{label}</span>
      <input
        type="text"
        autoComplete="off"
        spellcheck={false}
        placeholder={hint}
        list={choices.length > 0 ? listId : undefined}
        aria-invalid={isUnknown}
        title={isUnknown ? `Write ${hint}.` : undefined}
        onChange={({ currentTarget }) => {
          const text = currentTarget.value.trim();
          setUnknown(text !== '' && !choose(text));
        }}
      />
      {choices.length > 0 && (
        <datalist id={listId}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </label>
  );
}

interface ChipProps {
  readonly label: string;
  readonly onRemove: () => void;
  readonly children: ComponentChildren;
}

function Chip({ label, onRemove, children }: ChipProps) {
  return (
    <span class="feed-chip">
      {children}
      <button type="button" class="button is-quiet" aria-label={`Remove the filter by ${label}`} onClick={onRemove}>
        ✕
      </button>
    </span>
  );
}

function show(filter: Filter): void {
  replaceRoute({ view: 'feed', ...filter });
}
