// Connections of the tests' clients that stay open between requests.
import { Agent } from 'node:http';
import { CLIENT_SILENCE_MS } from '../../http/limits.js';

/**
 * An agent that closes a connection which has been idle for half the time after which the server closes it. Without that a request
 * may go out just as the server closes its connection: the client sees ECONNRESET.
 *
 * @param maxSockets connections to a server at a time
 */
export function keptAliveAgent(maxSockets: number): Agent {
  return new Agent({ keepAlive: true, maxSockets, timeout: CLIENT_SILENCE_MS / 2 });
}
