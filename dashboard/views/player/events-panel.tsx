// What has happened to a player, the newest first.
import type { GameEvent } from 'galaxyd-client';
import { linkTo } from '../../address.js';
import { EventSentence } from '../../parts/event-sentence.js';
import { More } from '../../parts/more.js';
import { Panel } from '../../parts/page.js';
import { TimeText } from '../../parts/time-text.js';

interface EventsPanelProps {
  readonly playerId: string;
  readonly events: readonly GameEvent[] | null;
}

export function EventsPanel({ playerId, events }: EventsPanelProps) {
  const target = { view: 'feed', types: [], player: playerId, place: null } as const;
  return (
    <Panel title="Events" actions={<a href={linkTo(target)}>In the feed</a>}>
      {events === null && <p class="panel-empty">Loading…</p>}
      {events?.length === 0 && <p class="panel-empty">Nothing has happened yet.</p>}
      <More entries={events ?? []} noun="events">
        {(shown) => (
          <ol class="entries">
            {shown.map((event) => (
              <li key={event.seq} class="entry event">
                <EventSentence event={event} />
                <TimeText at={event.at} form="distance" />
              </li>
            ))}
          </ol>
        )}
      </More>
    </Panel>
  );
}
