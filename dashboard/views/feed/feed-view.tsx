// The live feed of public events: the newest first, with filters that are in the address. It stands still while the pointer or the
// focus is on it, and as long as the viewer wants.
import { computed, signal } from '@preact/signals';
import type { GameEvent } from 'galaxyd-client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { type Shortcut, useShortcuts } from '../../keyboard.js';
import { FEED_LINES, FEED_PAGES_AT_ONCE } from '../../limits.js';
import { formatCount } from '../../parts/format.js';
import { FailureNotice, Notice } from '../../parts/notice.js';
import { Page } from '../../parts/page.js';
import type { Route } from '../../routes.js';
import { hasKey } from '../../world/api.js';
import { mapState, omittedEvents } from '../../world/map-state.js';
import { needsKey } from '../../world/status.js';
import { type Filter, passes } from './event-kinds.js';
import { FeedFilters } from './feed-filters.js';
import { FeedLine } from './feed-line.js';
import { keyOf } from './feed-log.js';
import { FeedReader } from './feed-reader.js';

export interface FeedViewProps {
  readonly route: Extract<Route, { readonly view: 'feed' }>;
}

/** Whether the viewer has paused the feed. */
const isPaused = signal(false);
/** Whether the pointer or the focus is on the lines. */
const isHeld = signal(false);
const stands = computed(() => isPaused.value || isHeld.value);

const LOCKED_TEXT =
  'Any player’s key shows battles, colonies and players. A spectator’s or the operator’s key shows the fleets as well.';

const SHORTCUTS: readonly Shortcut[] = [
  {
    key: 'p',
    label: 'Pause the feed, or go on',
    action: () => {
      isPaused.value = !isPaused.peek();
    },
  },
];

export default function FeedView({ route: { types, player, place } }: FeedViewProps) {
  useShortcuts(SHORTCUTS);
  const reader = useMemo(() => new FeedReader(), []);
  useEffect(() => reader.start(), [reader]);
  const filter: Filter = { types, player, place };
  if (needsKey.value && !hasKey.value) return <Locked />;
  const { name, failure } = reader.state.value;
  return (
    <Page title="Feed" subtitle={<Omitted />} actions={<PauseButton />}>
      <FeedFilters filter={filter} />
      {name === 'loading' && <Notice kind="loading" title="Loading…" />}
      {name === 'failed' && <FailureNotice failure={failure} />}
      {name === 'ready' && <Lines key={JSON.stringify(filter)} reader={reader} filter={filter} />}
    </Page>
  );
}

function Locked() {
  return (
    <Page title="Feed">
      <FailureNotice failure={{ kind: 'key', message: LOCKED_TEXT }} />
    </Page>
  );
}

/** Says how much is not shown. */
function Omitted() {
  if (mapState.value === 'owners')
    return <>Battles, colonies and players. A spectator’s or the operator’s key shows the fleets as well.</>;
  const omitted = omittedEvents.value;
  if (omitted === 0) return <>Everything public that happens, the newest first</>;
  return (
    <>
      The newest first. {formatCount(omitted)} {omitted === 1 ? 'event was' : 'events were'} left out since this page
      was opened: the server sends the most notable ones.
    </>
  );
}

function PauseButton() {
  return (
    <button
      type="button"
      class="button feed-pause"
      aria-pressed={isPaused.value}
      title="p"
      onClick={() => {
        isPaused.value = !isPaused.peek();
      }}
    >
      {isPaused.value ? 'Go on' : 'Pause'}
    </button>
  );
}

interface LinesProps {
  readonly reader: FeedReader;
  readonly filter: Filter;
}

function Lines({ reader, filter }: LinesProps) {
  const all = useMemo(() => computed(() => reader.events.value.filter((event) => passes(event, filter))), [reader]);
  const [lineCount, setLineCount] = useState(FEED_LINES);
  // What is gone from under the pointer reports nothing.
  useEffect(() => () => hold(false), []);
  const shown = useStanding(all.value);
  const waiting = countNewer(all.value, shown[0]);
  const isLooking = useOlder(reader, all.value.length, lineCount);
  const lines = shown.slice(0, lineCount);
  return (
    <>
      <p class="feed-state" role="status">
        {stands.value && `Paused${waiting > 0 ? `: ${formatCount(waiting)} new` : ''}`}
      </p>
      {lines.length === 0 && <Empty isLooking={isLooking} />}
      <ol
        class="feed-lines"
        aria-label="Events, the newest first"
        onPointerEnter={({ pointerType }) => hold(pointerType === 'mouse')}
        onPointerLeave={() => hold(false)}
        onFocusIn={() => hold(true)}
        onFocusOut={() => hold(false)}
      >
        {lines.map((event) => (
          <FeedLine key={keyOf(event)} event={event} />
        ))}
      </ol>
      {(shown.length > lineCount || (reader.hasOlder.value && !isLooking)) && (
        <button type="button" class="button more" onClick={() => setLineCount(lineCount + FEED_LINES)}>
          Show older events
        </button>
      )}
    </>
  );
}

function Empty({ isLooking }: { readonly isLooking: boolean }) {
  if (isLooking) return <Notice kind="loading" title="Looking for older events…" />;
  return (
    <Notice title="There is nothing like this among the events so far">New ones appear here as they happen.</Notice>
  );
}

/** The events as they were when the feed came to a stand; the present ones if it does not stand. Older ones are added either way. */
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

/** Reads older events while fewer pass the filter than lines can be shown, some pages at most. @returns whether it goes on */
function useOlder(reader: FeedReader, found: number, wanted: number): boolean {
  const [pages, setPages] = useState(0);
  const isLooking = found < wanted && pages < FEED_PAGES_AT_ONCE && reader.hasOlder.value;
  useEffect(() => setPages(0), [wanted]);
  useEffect(() => {
    if (isLooking) void reader.readOlder().then(() => setPages((count) => count + 1));
  }, [reader, isLooking, pages]);
  return isLooking;
}

function hold(isOn: boolean): void {
  isHeld.value = isOn;
}
