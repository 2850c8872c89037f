// What has happened to a player, the newest first.
import { linkTo } from '../../address.js';
import { EventSentence } from '../../parts/event-sentence.js';
import { Entries, Panel } from '../../parts/page.js';
import { TimeText } from '../../parts/values.js';
import type { PlayerPanelProps } from './player-reads.js';

export function EventsPanel({ player, events }: PlayerPanelProps) {
  const target = { view: 'feed', types: [], place: null, player: player.id } as const;
  return (
    <Panel title="Events" actions={<a href={linkTo(target)}>In the feed</a>}>
      {events === null ? (
        <p class="panel-empty">Loading…</p>
      ) : (
        <Entries entries={events} noun="events" empty="Nothing has happened yet.">
          {(event) => (
            <li key={event.seq} class="entry event">
              <EventSentence event={event} />
              <TimeText at={event.at} form="distance" />
            </li>
          )}
        </Entries>
      )}
    </Panel>
  );
}
