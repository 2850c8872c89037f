// A request that a load sends over and over.

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** Beside those that every client sends. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function postRequest(path: string, body: unknown): LoadRequest {
  return { method: 'POST', path, body: JSON.stringify(body) };
}

export function getRequest(path: string): LoadRequest {
  return { method: 'GET', path };
}

/**
 * The request that cancels the upgrade of which a reply tells.
 *
 * @param body of the reply to an upgrade: a planet
 * @returns undefined where it tells of none
 */
export function cancelOf(body: string): LoadRequest | undefined {
  const queueId = /"queueId":"([^"]+)"/.exec(body)?.[1];
  const planetId = /^\{"id":"([^"]+)"/.exec(body)?.[1];
  return queueId && planetId ? postRequest('/api/building/cancel', { planetId, queueId }) : undefined;
}
