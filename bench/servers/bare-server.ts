// The limit of the native transport: uWebSockets.js with nothing behind it. It reads what to answer from standard input. `bare-server.js replies` reads the
// whole body of a POST, and answers each path with the same bytes as the server under test, headers included; of a request that names its
// planet first, only the id is copied. `bare-server.js echo` answers each WebSocket frame of a load with the bytes that the server under
// test sent for one like it, and copies only the id.

import uws from 'uWebSockets.js';
import { text } from 'node:stream/consumers';
import { type BareReply, bodyMaker } from './bare-replies.js';
import type { EchoTask } from './peers.js';

// Without a build for this Node the package of npm gives a server in JavaScript instead, which is no limit of anything.
if (!String(uws.App).includes('[native code]')) {
  console.error('bare uWebSockets.js does not run: the installed package has no native build for this Node');
  process.exit(1);
}
const app = uws.App();
const answers = JSON.parse(await text(process.stdin));
if (process.argv[2] === 'echo') echo(answers);
else reply(answers);
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) process.exit(1);
  console.log(`bare uWebSockets.js serves http://127.0.0.1:${uws.us_socket_local_port(socket)}`);
});

function reply(replies: readonly BareReply[]): void {
  for (const sample of replies) {
    const { method, pattern, headers, body } = sample;
    const answer = (response: uws.HttpResponse, bytes: Buffer) => {
      for (const [name, value] of headers) response.writeHeader(name, value);
      response.end(bytes);
    };
    // Bytes are taken a little faster than text.
    const bytes = Buffer.from(body);
    if (method === 'GET') app.get(pattern, (response) => answer(response, bytes));
    else {
      const bodyFor = bodyMaker(sample);
      app.post(pattern, (response) => {
        response.onAborted(() => {});
        // A body in several pieces is a large one, which names no planet first.
        response.onData((piece, isLast) => {
          if (isLast) answer(response, bodyFor(Buffer.from(piece)));
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
