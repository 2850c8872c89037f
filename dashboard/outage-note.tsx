// A note over the view while the server does not answer: what is shown is old, and since when. It moves nothing.
import { formatViewerTime } from './parts/format.js';
import { answeredAtMs, connection } from './world/status.js';

export function OutageNote() {
  const state = connection.value;
  const sinceMs = answeredAtMs.value;
  // The place is always there, so that screen readers announce what appears in it.
  return (
    <div class="outage" role="status">
      {(state === 'offline' || (state === 'reconnecting' && sinceMs !== null)) && (
        <p class="outage-note">
          {sinceMs === null
            ? 'The server does not answer. The page keeps trying.'
            : `No answer since ${formatViewerTime(sinceMs)} here. What you see is from then; the page keeps trying.`}
        </p>
      )}
    </div>
  );
}
