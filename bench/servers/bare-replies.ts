// What the bare server is to answer: for each kind of request in a load, the reply that the server under test gave to one.
import type { GameClient } from './game-client.js';
import { cancelOf, type LoadRequest } from './load-request.js';

export interface BareReply {
  readonly method: 'GET' | 'POST';
  /** A path of uWebSockets.js, which may end in an asterisk. */
  readonly pattern: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Headers that the bare server sends by itself. */
const SENT_BY_THE_SERVER = new Set(['content-length', 'date', 'uwebsockets', 'connection', 'keep-alive']);

/**
 * Asks the server under test for one reply of each kind in a load.
 *
 * @param requests of the load
 * @param cancelsWhatItBegins whether the load also cancels the upgrades that it begins
 */
export async function bareReplies(
  client: GameClient,
  requests: readonly LoadRequest[],
  cancelsWhatItBegins: boolean,
): Promise<BareReply[]> {
  const samples = new Map<string, LoadRequest>();
  for (const request of requests) if (!samples.has(kindOf(request))) samples.set(kindOf(request), request);
  const replies: BareReply[] = [];
  // In their order in the load: one may rest on the one before.
  for (const sample of samples.values()) {
    const reply = await replyTo(client, sample);
    replies.push(reply);
    const cancel = cancelsWhatItBegins ? cancelOf(reply.body) : undefined;
    if (cancel !== undefined) replies.push(await replyTo(client, cancel));
  }
  return replies;
}

async function replyTo(client: GameClient, request: LoadRequest): Promise<BareReply> {
  const response = await client.send(request);
  const headers = [...response.headers].filter(([name]) => !SENT_BY_THE_SERVER.has(name));
  return { method: request.method, pattern: patternOf(request.path), headers, body: await response.text() };
}

function kindOf({ method, path }: LoadRequest): string {
  return `${method} ${patternOf(path)}`;
}

/** Every path of the same kind: what follows the first three segments names something. */
function patternOf(path: string): string {
  const segments = path.split('/');
  return segments.length > 4 ? `${segments.slice(0, 4).join('/')}/*` : path;
}
