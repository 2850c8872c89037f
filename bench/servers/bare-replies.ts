// What the bare servers answer, of whatever library they are: the bytes that the server under test answered to a request like it.

export interface BareReply {
  readonly method: 'GET' | 'POST';
  /** A path, which may end in an asterisk. */
  readonly pattern: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Every path of the same kind: what follows the first three segments names something. */
export function patternOf(path: string): string {
  const segments = path.split('/');
  return segments.length > 4 ? `${segments.slice(0, 4).join('/')}/*` : path;
}

const QUOTE = '"'.charCodeAt(0);
const REQUEST_HEAD = '{"planetId":"';
const REPLY_HEAD = '{"id":"';

/** @returns makes the body of the reply to the body of a request: with the id of the request's own planet, if it names one first */
export function bodyMaker({ body }: BareReply): (request: Buffer) => Buffer {
  const whole = Buffer.from(body);
  if (!body.startsWith(REPLY_HEAD)) return () => whole;
  const rest = body.slice(body.indexOf('"', REPLY_HEAD.length));
  /** Frames, indexed by the length of the id. Each is sent before it is written to again. */
  const byLength = new Map<number, Buffer>();
  return (request) => {
    const end = request.indexOf(QUOTE, REQUEST_HEAD.length);
    if (end < 0 || request.toString('latin1', 0, REQUEST_HEAD.length) !== REQUEST_HEAD) return whole;
    const length = end - REQUEST_HEAD.length;
    let reply = byLength.get(length);
    if (reply === undefined) {
      reply = Buffer.from(`${REPLY_HEAD}${'-'.repeat(length)}${rest}`);
      byLength.set(length, reply);
    }
    request.copy(reply, REPLY_HEAD.length, REQUEST_HEAD.length, end);
    return reply;
  };
}
