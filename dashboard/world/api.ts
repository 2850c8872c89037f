// The client of the API, one for each key. The key lives in the memory of this module and nowhere else: no storage, no address,
// no log. A reload of the page forgets it.
import { computed, signal } from '@preact/signals';
import { type components, GalaxydClient, GalaxydProblem, NoReply } from 'galaxyd-client';
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

/** Why a read failed, in the few kinds that the page treats differently. */
export interface Failure {
  /**
   * `key`: a key is needed, or another one. `missing`: there is no such thing. `offline`: the server does not answer.
   * `refused`: anything else that the server says.
   */
  readonly kind: 'key' | 'missing' | 'offline' | 'refused';
  /** A sentence for people. */
  readonly message: string;
}

const KINDS: Readonly<Record<number, Failure['kind']>> = { 401: 'key', 403: 'key', 404: 'missing' };

/** Describes what a call has thrown. @throws it again if it is a fault of the page */
export function failureOf(error: unknown): Failure {
  if (error instanceof NoReply) return { kind: 'offline', message: 'The server does not answer.' };
  if (!(error instanceof GalaxydProblem)) throw error;
  return { kind: KINDS[error.status] ?? 'refused', message: error.problem.detail };
}

/** Waits before something is read again. It resolves at once if the signal is aborted meanwhile. */
export function pause(lengthMs: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      ended.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, lengthMs);
    ended.addEventListener('abort', end);
  });
}
