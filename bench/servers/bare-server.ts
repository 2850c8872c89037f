// The limits: uWebSockets.js with nothing behind it. It reads what to answer from standard input. `bare-server.js replies` reads the
// whole body of a POST, and answers each path with the same bytes as the server under test, headers included; of a request that names its
// planet first, only the id is copied. `bare-server.js echo` answers each WebSocket frame of a load with the bytes that the server under
// test sent for one like it, and copies only the id.

import uws from 'uWebSockets.js';
import { text } from 'node:stream/consumers';
import type { BareReply, EchoTask } from './peers.js';

const QUOTE = '"'.charCodeAt(0);
const REQUEST_HEAD = '{"planetId":"';
const REPLY_HEAD = '{"id":"';

const app = uws.App();
const answers = JSON.parse(await text(process.stdin));
if (process.argv[2] === 'echo') echo(answers);
else reply(answers);
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) process.exit(1);
  console.log(`bare uWebSockets.js serves http://127.0.0.1:${uws.us_socket_local_port(socket)}`);
});

function reply(replies: readonly BareReply[]): void {
  for (const { method, pattern, headers, body } of replies) {
    const answer = (response: uws.HttpResponse, bytes: Buffer) => {
      for (const [name, value] of headers) response.writeHeader(name, value);
      response.end(bytes);
    };
    // Bytes are taken a little faster than text.
    const bytes = Buffer.from(body);
    if (method === 'GET') app.get(pattern, (response) => answer(response, bytes));
    else {
      const bytesFor = body.startsWith(REPLY_HEAD) ? namingThePlanetOf(body) : () => bytes;
      app.post(pattern, (response) => {
        response.onAborted(() => {});
        // A body in several pieces is a large one, which names no planet first.
        response.onData((piece, isLast) => {
          if (isLast) answer(response, bytesFor(piece));
        });
      });
    }
  }
}

function echo({ idAt, idLength, replyIdAt, markAt, replies }: EchoTask): void {
  /** Replies, indexed by the byte at `markAt` of a request. */
  const byMark = new Map(replies.map(({ mark, reply }) => [mark.charCodeAt(0), Buffer.from(reply)]));
  app.ws('/ws', {
    // A client that does not read is dropped, not answered in part.
    maxBackpressure: 16 * 1024 * 1024,
    message: (socket, message) => {
      const request = Buffer.from(message);
      const reply = byMark.get(request[markAt] as number);
      if (reply === undefined) return;
      request.copy(reply, replyIdAt, idAt, idAt + idLength);
      socket.send(reply, false);
    },
  });
}

/** @returns makes the reply to a request: the body with the id of the request's own planet, if it names one first */
function namingThePlanetOf(body: string): (request: ArrayBuffer) => Buffer {
  const whole = Buffer.from(body);
  const rest = body.slice(body.indexOf('"', REPLY_HEAD.length));
  /** Frames, indexed by the length of the id. Each is sent before it is written to again. */
  const byLength = new Map<number, Buffer>();
  return (request) => {
    const bytes = Buffer.from(request);
    const end = bytes.indexOf(QUOTE, REQUEST_HEAD.length);
    if (end < 0 || bytes.toString('latin1', 0, REQUEST_HEAD.length) !== REQUEST_HEAD) return whole;
    const length = end - REQUEST_HEAD.length;
    let reply = byLength.get(length);
    if (reply === undefined) {
      reply = Buffer.from(`${REPLY_HEAD}${'-'.repeat(length)}${rest}`);
      byLength.set(length, reply);
    }
    bytes.copy(reply, REPLY_HEAD.length, REQUEST_HEAD.length, end);
    return reply;
  };
}
