// The timeline of a whole history, as a replay makes it.
import { indexHistory } from '../../../persistence/history/history-index.js';
import type { MadeSnapshots } from '../../../persistence/history/made-snapshots.js';
import { Past } from '../../../persistence/history/past.js';
import type { Timeline } from '../../../persistence/history/timeline.js';
import type { WorldStore } from '../../../persistence/stores/world-store.js';

/** Indexes a history to its end. */
export async function indexed(store: WorldStore, made: MadeSnapshots): Promise<Timeline> {
  const past = await Past.open(store, made);
  const { seq: lastSeq } = past.last;
  await past.close();
  const ended = new AbortController();
  let latest: Timeline | null = null;
  await indexHistory({
    store,
    made,
    signal: ended.signal,
    onTimeline: (timeline) => {
      latest = timeline;
      if (timeline.indexedTo.seq === lastSeq) ended.abort();
    },
  });
  if (latest === null) throw new Error('nothing was reported');
  return latest;
}
