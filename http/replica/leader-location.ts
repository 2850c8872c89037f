// Where the leader takes a request that came to another process.
import type { Exchange } from '../exchange/exchange.js';

/**
 * @param leaderUrl as the leader reports it: a path in it precedes that of the request
 * @param request with the path of its route; its parameters are decoded
 * @returns a URL of visible ASCII
 */
export function leaderLocation(
  leaderUrl: string,
  { routePath, parameters, query }: Pick<Exchange, 'routePath' | 'parameters' | 'query'>,
): string {
  let index = 0;
  const path = routePath.replace(/:\w+/g, () => {
    const parameter = parameters[index] ?? '';
    index += 1;
    return escaped(encodeURIComponent(wellFormed(parameter)));
  });
  return leaderUrl.replace(/\/+$/, '') + path + (query === '' ? '' : `?${escaped(query)}`);
}

/** Percent-encodes what may not be in a header field. */
function escaped(text: string): string {
  return text.replace(/[^!-~]/gu, (character) => encodeURIComponent(wellFormed(character)));
}

/** Frames of a WebSocket may have halves of surrogate pairs, which encodeURIComponent refuses. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
