// The limit: uWebSockets.js with nothing behind it, answering every request of one path with the same bytes as the
// server under test, headers included, and reading the whole body of a POST first. It is told what to answer on stdin.

import uws from 'uWebSockets.js';
import { text } from 'node:stream/consumers';

/** What it answers to everything. */
export interface BareReply {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const reply: BareReply = JSON.parse(await text(process.stdin));

function answer(response: uws.HttpResponse): void {
  for (const [name, value] of reply.headers) response.writeHeader(name, value);
  response.end(reply.body);
}

const app = uws.App();
app.get('/*', (response) => answer(response));
app.post('/*', (response) => {
  response.onAborted(() => {});
  response.onData((_piece, isLast) => {
    if (isLast) answer(response);
  });
});
app.listen('127.0.0.1', 0, (socket) => {
  if (socket === false) process.exit(1);
  console.log(`bare uWebSockets.js serves http://127.0.0.1:${uws.us_socket_local_port(socket)}`);
});
