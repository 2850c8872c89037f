// The client of the API, one for each key. The key lives in the memory of this module and nowhere else: no storage, no address,
// no log. A reload of the page forgets it.
import { computed, signal } from '@preact/signals';
import { type components, GalaxydClient } from 'galaxyd-client';
import { CACHE_CHARACTERS_MAX, READ_ATTEMPT_DEADLINE_MS, READ_ATTEMPTS, READ_DEADLINE_MS } from '../limits.js';

/** The shapes of the API, by name. */
export type Shapes = components['schemas'];

const clients = signal({ client: clientWith(undefined), key: '' });

/** The client to use now. A new one takes its place if the key changes, so effects that read it run again. */
export const api = computed(() => clients.value.client);

/** Whether requests carry a key. */
export const hasKey = computed(() => clients.value.key !== '');

/**
 * Uses a key for all requests from now on.
 *
 * @param key of a player, a spectator or the operator; '' for none
 */
export function setKey(key: string): void {
  clients.value = { client: clientWith(key === '' ? undefined : key), key };
}

/** Forgets everything that was read, as another key does: the server shows another world. */
export function forgetReplies(): void {
  setKey(clients.peek().key);
}

/** A client that is not shared, to try a key before it is used. */
export function clientWith(apiKey: string | undefined): GalaxydClient {
  return new GalaxydClient({
    baseUrl: location.origin,
    apiKey,
    attempts: READ_ATTEMPTS,
    deadlineMs: READ_DEADLINE_MS,
    attemptDeadlineMs: READ_ATTEMPT_DEADLINE_MS,
    cacheCharactersMax: CACHE_CHARACTERS_MAX,
  });
}
