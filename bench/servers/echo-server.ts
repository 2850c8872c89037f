// The limit of calls: uWebSockets.js with nothing behind it. It answers each frame of a load with the bytes that the server
// under test sent for one like it, and copies only the id. It reads what to answer from standard input.

import uws from 'uWebSockets.js';
import { text } from 'node:stream/consumers';
import type { EchoTask } from './peers.js';

const { idAt, idLength, replyIdAt, markAt, replies }: EchoTask = JSON.parse(await text(process.stdin));
/** By the byte at `markAt` of a request. */
const byMark = new Map(replies.map(({ mark, reply }) => [mark.charCodeAt(0), Buffer.from(reply)]));

const app = uws.App();
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
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) process.exit(1);
  console.log(`bare uWebSockets.js serves http://127.0.0.1:${uws.us_socket_local_port(socket)}`);
});
