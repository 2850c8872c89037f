// The limit: uWebSockets.js with nothing behind it. It reads the whole body of a POST, and answers each path with the same
// bytes as the server under test, headers included. It reads its replies from standard input.

import uws from 'uWebSockets.js';
import { text } from 'node:stream/consumers';
import type { BareReply } from './peers.js';

const replies: readonly BareReply[] = JSON.parse(await text(process.stdin));

const app = uws.App();
for (const { method, pattern, headers, body } of replies) {
  // Bytes are taken a little faster than text.
  const bytes = Buffer.from(body);
  const answer = (response: uws.HttpResponse) => {
    for (const [name, value] of headers) response.writeHeader(name, value);
    response.end(bytes);
  };
  if (method === 'GET') app.get(pattern, answer);
  else {
    app.post(pattern, (response) => {
      response.onAborted(() => {});
      response.onData((_piece, isLast) => {
        if (isLast) answer(response);
      });
    });
  }
}
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) process.exit(1);
  console.log(`bare uWebSockets.js serves http://127.0.0.1:${uws.us_socket_local_port(socket)}`);
});
