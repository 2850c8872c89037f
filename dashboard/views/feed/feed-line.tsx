// A line of the feed: what happened, as a sentence, and when, in world time and in the viewer's.
import type { GameEvent } from 'galaxyd-client';
import { EventSentence } from '../../parts/event-sentence.js';
import { TimeText } from '../../parts/time-text.js';
import { kindOf } from './event-kinds.js';

export function FeedLine({ event }: { readonly event: GameEvent }) {
  return (
    <li class={`feed-line is-${kindOf(event.type)}`}>
      <span class="feed-mark" aria-hidden="true" />
      <EventSentence event={event} />
      <TimeText at={event.at} form="both" />
    </li>
  );
}
