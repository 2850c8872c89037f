// The limit of the JavaScript transport: Node's own HTTP server with nothing behind it, used as its documentation shows. It reads what to
// answer from standard input, reads the whole body of a POST, and answers each path with the same bytes as the server under test.

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type BareReply, bodyMaker, patternOf } from './bare-replies.js';

/** As long as that of galaxyd, so that Node sends the same field. */
const KEEP_ALIVE_MS = 10_000;
const NOTHING = Buffer.alloc(0);

const answers = new Map(
  (JSON.parse(await text(process.stdin)) as BareReply[]).map((reply) => [
    `${reply.method} ${reply.pattern}`,
    answererOf(reply),
  ]),
);
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  const answer = answers.get(`${request.method} ${patternOf(request.url ?? '')}`);
  if (answer === undefined) throw new Error(`nothing to answer to ${request.method} ${request.url}`);
  if (request.method === 'GET') {
    answer(response, NOTHING);
    return;
  }
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => answer(response, pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`bare node:http serves http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function answererOf(reply: BareReply): (response: ServerResponse, body: Buffer) => void {
  const bodyFor = bodyMaker(reply);
  /** Alternating names and values, indexed by the length of the body. */
  const fieldsByLength = new Map<number, string[]>();
  return (response, body) => {
    const bytes = bodyFor(body);
    let fields = fieldsByLength.get(bytes.length);
    if (fields === undefined) {
      fields = [...reply.headers.flat(), 'content-length', String(bytes.length)];
      fieldsByLength.set(bytes.length, fields);
    }
    response.writeHead(200, fields);
    response.end(bytes);
  };
}
