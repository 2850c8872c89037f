// Which outcomes of an attempt are worth another one, and after what pause.
import { FIRST_PAUSE_MS, PAUSE_MS_MAX } from './limits.js';

/** What a retry depends on in a reply. */
export interface Refusal {
  readonly status: number;
  /** Code of the problem in the body; undefined if the body is not a problem. */
  readonly code: string | undefined;
  /** Pause that the server asks for; undefined for none. */
  readonly retryAfterMs: number | undefined;
}

/** Statuses of the server, and of a proxy in front of it that does not reach it. */
const TEMPORARY = new Set([429, 502, 503, 504]);

export function isTemporary({ status, code }: Pick<Refusal, 'status' | 'code'>): boolean {
  return TEMPORARY.has(status) || code === 'idempotency_key_in_flight' || code === 'not_leader';
}

/**
 * Codes of refusals that pass by themselves: a leader is found, a standby catches up, a world is recovered, an operator ends a pause. Only
 * the deadline ends the attempts.
 */
const PASSING = new Set<string | undefined>(['no_leader', 'replica_behind', 'recovering', 'world_paused']);

export function isPassing({ code }: Pick<Refusal, 'code'>): boolean {
  return PASSING.has(code);
}

/** Codes of failures before a server has accepted the connection. Only Node says them. */
const UNREACHABLE = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND']);

/** Whether nobody listens where the server should be, as far as the platform says so. */
export function isUnreachable(failure: unknown): boolean {
  return UNREACHABLE.has(causeOf(failure).code);
}

/** Why an attempt has failed, for a message. */
export function reasonOf(failure: unknown): string {
  const { message, code } = causeOf(failure);
  // The failure of a name with several addresses has a code and no message.
  return String(message || code || failure);
}

/** fetch() and `ws` report the reason as the cause, or the error, of what they report. */
function causeOf(failure: unknown): { readonly message?: unknown; readonly code?: unknown } {
  const reported = (failure ?? {}) as {
    readonly cause?: unknown;
    readonly error?: unknown;
    readonly message?: unknown;
  };
  return (reported.cause ?? reported.error ?? reported) as object;
}

/** @param text of the body @param headers of the reply */
export function refusalOf(status: number, headers: Headers, text: string): Refusal {
  const { code, retryAfterMs } = membersOf(text);
  return {
    status,
    code: typeof code === 'string' ? code : undefined,
    retryAfterMs:
      typeof retryAfterMs === 'number' ? Math.max(0, retryAfterMs) : retryAfterMsOf(headers.get('retry-after')),
  };
}

/**
 * Full jitter: a random time below a bound that doubles with each attempt. Clients that were refused together do not
 * come back together. What the server asks for is waited for in full, before the random time.
 *
 * @param attempt number of attempts made, from 1
 * @param random from 0 to below 1
 */
export function pauseMsBefore(attempt: number, retryAfterMs: number | undefined, random = Math.random()): number {
  return (retryAfterMs ?? 0) + random * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempt - 1));
}

/** Retry-After is a number of seconds; proxies may send a date (RFC 9110, section 10.2.3). */
function retryAfterMsOf(value: string | null): number | undefined {
  if (value === null) return undefined;
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

function membersOf(text: string): Partial<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { ...body } : {};
  } catch {
    return {};
  }
}
