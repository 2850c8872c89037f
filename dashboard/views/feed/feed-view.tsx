// The live feed of public events: the newest first, with filters that are in the address, so that a link shows the same. It pauses
// while the pointer or the focus is on it, and if the viewer pauses it.
import { computed, signal } from '@preact/signals';
import type { GameEvent } from 'galaxyd-client';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { replaceRoute } from '../../address.js';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { FEED_LINES } from '../../limits.js';
import { Button } from '../../parts/button.js';
import { EventSentence } from '../../parts/event-sentence.js';
import { formatCount, playerIdOf } from '../../parts/format.js';
import { FailureNotice, Loading, Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import { PlayerName, TimeText } from '../../parts/values.js';
import type { RouteOf } from '../../routes.js';
import { hasKey } from '../../world/api.js';
import { useLeaderboard } from '../../world/documents.js';
import { mapState, omittedEvents } from '../../world/map-state.js';
import { needsKey } from '../../world/status.js';
import { EVENT_KINDS, type EventKind, type Filter, keyOf, kindOf } from './feed-log.js';
import { type FeedReader, useFeed, useFeedReader } from './feed-reader.js';

/** Whether the viewer has paused the feed. */
const isPaused = signal(false);
/** Whether the pointer or the focus is on the lines. */
const isHeld = signal(false);
const stands = computed(() => isPaused.value || isHeld.value);

const WITH_KEY = 'A spectator’s or the operator’s key shows the fleets as well.';

function togglePause(): void {
  isPaused.value = !isPaused.peek();
}

function hold(isOn: boolean): void {
  isHeld.value = isOn;
}

const SHORTCUTS: readonly Shortcut[] = [{ key: 'p', label: 'Pause the feed, or go on', action: togglePause }];

export function FeedView({ route: { types, player, place } }: { readonly route: RouteOf<'feed'> }) {
  useShortcuts(SHORTCUTS);
  const reader = useFeedReader();
  const filter: Filter = { types, player, place };
  if (needsKey.value && !hasKey.value)
    return (
      <Page title="Feed">
        <FailureNotice
          failure={{ kind: 'key', message: `Any player’s key shows battles, colonies and players. ${WITH_KEY}` }}
        />
      </Page>
    );
  const { name, failure } = reader.state.value;
  const pause = (
    <Button look="feed-pause" aria-pressed={isPaused.value} title="p" onClick={togglePause}>
      {isPaused.value ? 'Go on' : 'Pause'}
    </Button>
  );
  return (
    <Page title="Feed" subtitle={omissionText()} actions={pause}>
      <Filters filter={filter} />
      {name === 'loading' && <Loading />}
      {name === 'failed' && <FailureNotice failure={failure} />}
      {name === 'ready' && <Lines key={JSON.stringify(filter)} reader={reader} filter={filter} />}
    </Page>
  );
}

/** Says how much is not shown. */
function omissionText(): string {
  if (mapState.value === 'owners') return `Battles, colonies and players. ${WITH_KEY}`;
  const omitted = omittedEvents.value;
  if (omitted === 0) return 'Everything public that happens, the newest first';
  const text = `${formatCount(omitted)} ${omitted === 1 ? 'event was' : 'events were'} left out since this page was opened`;
  return `The newest first. ${text}: the server sends the most notable ones.`;
}

function Lines({ reader, filter }: { readonly reader: FeedReader; readonly filter: Filter }) {
  const [lineCount, setLineCount] = useState(FEED_LINES);
  const { events: all, isLooking } = useFeed(filter, lineCount);
  // A removed element reports no pointerleave.
  useEffect(() => () => hold(false), []);
  const shown = useStanding(all);
  const waiting = countNewer(all, shown[0]);
  const lines = shown.slice(0, lineCount);
  return (
    <>
      <p class="feed-state" role="status">
        {stands.value && `Paused${waiting > 0 ? `: ${formatCount(waiting)} new` : ''}`}
      </p>
      {lines.length === 0 && isLooking && <Notice kind="loading" title="Looking for older events…" />}
      {lines.length === 0 && !isLooking && (
        <Notice
          title={isFiltered(filter) ? 'There is nothing like this among the events so far' : 'Nothing has happened yet'}
        >
          New ones appear here as they happen.
        </Notice>
      )}
      <ol
        class="feed-lines"
        aria-label="Events, the newest first"
        onPointerEnter={({ pointerType }) => hold(pointerType === 'mouse')}
        onPointerLeave={() => hold(false)}
        onFocusIn={() => hold(true)}
        onFocusOut={() => hold(false)}
      >
        {lines.map((event) => (
          <li key={keyOf(event)} class={`feed-line is-${kindOf(event.type)}`}>
            <span class="feed-mark" aria-hidden="true" />
            <EventSentence event={event} />
            <TimeText at={event.at} form="both" />
          </li>
        ))}
      </ol>
      {(shown.length > lineCount || (reader.hasOlder.value && !isLooking)) && (
        <Button look="more" onClick={() => setLineCount(lineCount + FEED_LINES)}>
          Show older events
        </Button>
      )}
    </>
  );
}

const isFiltered = ({ types, player, place }: Filter): boolean => types.length > 0 || player !== null || place !== null;

/** The events at the time of the pause; the present events if the feed is not paused. Older events are added either way. */
function useStanding(events: readonly GameEvent[]): readonly GameEvent[] {
  const [newest, setNewest] = useState<GameEvent | undefined>(events[0]);
  const isStanding = stands.value;
  useEffect(() => {
    if (!isStanding) setNewest(events[0]);
  }, [isStanding, events]);
  if (!isStanding) return events;
  return events.slice(countNewer(events, newest));
}

function countNewer(events: readonly GameEvent[], newest: GameEvent | undefined): number {
  return newest === undefined ? 0 : Math.max(0, events.indexOf(newest));
}

function Filters({ filter }: { readonly filter: Filter }) {
  const players = useLeaderboard().value.body?.players ?? [];
  const byPlayer = (text: string): boolean => {
    const player = playerIdOf(text) ?? players.find(({ name }) => name === text)?.id;
    if (player !== undefined) show({ ...filter, player });
    return player !== undefined;
  };
  const byPlace = (place: string): boolean => {
    const isPlace = /^\d{1,9}(:\d{1,9}){0,2}$/.test(place);
    if (isPlace) show({ ...filter, place });
    return isPlace;
  };
  return (
    <div class="feed-filters">
      <fieldset class="feed-kinds">
        <legend class="for-readers">Kinds of events</legend>
        {EVENT_KINDS.map((kind) => (
          <KindButton key={kind.name} kind={kind} filter={filter} />
        ))}
      </fieldset>
      {filter.player === null ? (
        <Field label="Player" hint="name or id" choose={byPlayer} choices={players.map(({ name }) => name)} />
      ) : (
        <Chosen label="player" onRemove={() => show({ ...filter, player: null })}>
          <PlayerName playerId={filter.player} />
        </Chosen>
      )}
      {filter.place === null ? (
        <Field label="Place" hint="7, 7:12 or 7:12:5" choose={byPlace} choices={[]} />
      ) : (
        <Chosen label="place" onRemove={() => show({ ...filter, place: null })}>
          {filter.place}
        </Chosen>
      )}
    </div>
  );
}

function KindButton({ kind, filter }: { readonly kind: EventKind; readonly filter: Filter }) {
  const chosen = kind.types.filter((type) => filter.types.includes(type));
  const isOn = chosen.length === kind.types.length;
  const others = filter.types.filter((type) => !chosen.some((own) => own === type));
  return (
    <Button
      look={`feed-kind is-${kind.name}`}
      aria-pressed={isOn ? 'true' : chosen.length > 0 ? 'mixed' : 'false'}
      onClick={() => show({ ...filter, types: isOn ? others : [...others, ...kind.types] })}
    >
      <span class="feed-mark" aria-hidden="true" />
      {kind.title}
    </Button>
  );
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

interface ChosenProps {
  readonly label: string;
  readonly onRemove: () => void;
  readonly children: ComponentChildren;
}

/** A filter that is set. */
function Chosen({ label, onRemove, children }: ChosenProps) {
  return (
    <span class="feed-chip">
      {children}
      <Button look="is-quiet" aria-label={`Remove the filter by ${label}`} onClick={onRemove}>
        ✕
      </Button>
    </span>
  );
}

function show(filter: Filter): void {
  replaceRoute({ view: 'feed', ...filter });
}
