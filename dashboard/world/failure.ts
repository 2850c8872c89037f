// Why a read failed, in the few kinds that the page treats differently.
import { GalaxydProblem, NoReply } from 'galaxyd-client';

export interface Failure {
  /**
   * `key`: a key is needed, or another one. `missing`: there is no such thing. `offline`: the server does not answer.
   * `refused`: anything else that the server says.
   */
  readonly kind: 'key' | 'missing' | 'offline' | 'refused';
  /** A sentence for people. */
  readonly message: string;
}

const KEY_STATUSES = new Set([401, 403]);

/** Describes what a call has thrown. @throws it again if it is a fault of the page */
export function failureOf(error: unknown): Failure {
  if (error instanceof NoReply) return { kind: 'offline', message: 'The server does not answer.' };
  if (!(error instanceof GalaxydProblem)) throw error;
  const message = error.problem.detail;
  if (KEY_STATUSES.has(error.status)) return { kind: 'key', message };
  return { kind: error.status === 404 ? 'missing' : 'refused', message };
}
