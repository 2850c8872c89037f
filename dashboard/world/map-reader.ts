// Follows the map: reads its two documents, then the frames of topic `map`, and applies them to the model in map-state.ts.
import { effect, untracked } from '@preact/signals';
import { EventsExpired, type GalaxydClient } from 'galaxyd-client';
import { FOLLOW_RETRY_MS, SLOW_PERIOD_MS } from '../limits.js';
import { api, failureOf, pause } from './api.js';
import {
  dropArrived,
  forgetMap,
  galaxies,
  mapFailure,
  mapState,
  moveTo,
  stride,
  takeFleets,
  takeFrame,
  takeMap,
} from './map-state.js';
import { canRead, needsKey, returns } from './status.js';
import { worldNowMs } from './world-clock.js';

/** Begins to follow the map. The page calls it once. It begins again if the key changes or the server was away. */
export function watchMap(): void {
  effect(() => dropArrived(worldNowMs.value ?? 0));
  let following = new AbortController();
  let known = api.peek();
  effect(() => {
    const client = api.value;
    returns.value;
    const isReadable = canRead.value;
    const isLocked = needsKey.value;
    following.abort();
    following = new AbortController();
    const { signal: ended } = following;
    untracked(() => {
      if (client !== known) forgetMap();
      known = client;
      if (isReadable) void follow(client, ended);
      else if (isLocked) refuse();
    });
  });
}

/** Reads the documents, then frames; again from the start if frames are missing, and after a pause if it fails. */
async function follow(client: GalaxydClient, ended: AbortSignal): Promise<void> {
  // If the key does not allow it, asking again would only fill the console of the browser.
  const access = { showsFleets: true };
  while (!ended.aborted) {
    try {
      await followOnce(client, ended, access);
    } catch (error) {
      if (ended.aborted) return;
      if (!(error instanceof EventsExpired)) {
        mapFailure.value = failureOf(error);
        mapState.value = galaxies.peek().size > 0 ? 'stale' : 'error';
      }
    }
    await pause(FOLLOW_RETRY_MS, ended);
  }
}

async function followOnce(client: GalaxydClient, ended: AbortSignal, access: { showsFleets: boolean }): Promise<void> {
  const [map, flights] = await Promise.all([
    client.get('/api/map', { signal: ended }),
    access.showsFleets ? client.get('/api/map/fleets', { signal: ended }).catch(refusedForKey) : null,
  ]);
  if (ended.aborted) return;
  takeMap(map.body);
  // Without fleets nothing is reset again, except after a failure: readers may have started.
  if (flights !== null || mapState.peek() !== 'owners') takeFleets(flights?.body ?? null);
  mapFailure.value = null;
  if (flights === null) {
    access.showsFleets = false;
    mapState.value = 'owners';
    await pause(SLOW_PERIOD_MS, ended);
    return;
  }
  mapState.value = 'live';
  const since = Math.min(map.body.feedSeq, flights.body.feedSeq);
  moveTo(since);
  for await (const frame of client.mapFrames({ since, signal: ended })) {
    if (ended.aborted) return;
    // More fleets are shown from now on: those left out so far are in no frame.
    const isMore = frame.stride < stride.peek();
    takeFrame(frame);
    if (isMore) return;
  }
}

/** Without a key nothing is shown. */
function refuse(): void {
  mapFailure.value = {
    kind: 'key',
    message: 'The map of this world is shown to players, spectators and the operator.',
  };
  mapState.value = 'error';
}

/** Without the right key there is the map without fleets. */
function refusedForKey(error: unknown): null {
  if (failureOf(error).kind !== 'key') throw error;
  return null;
}
