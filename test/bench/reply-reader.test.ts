// Replies as they come off a socket, in whatever pieces.
import t from 'tap';
import { type Reply, ReplyReader, renderRequest } from '../../bench/loads/load-connection.js';
import { postRequest } from '../../bench/servers/game-client.js';

const REPLY = 'HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 11\r\n\r\n{"iron":12}';

/** Hands bytes to a reader. @returns the reply that they complete */
function take(reader: ReplyReader, bytes: string): Reply | undefined {
  const replies: Reply[] = [];
  reader.take(Buffer.from(bytes), (reply) => replies.push(reply));
  return replies[0];
}

t.test('a reply is complete with its last byte, however it is cut', async (t) => {
  for (let cut = 0; cut < REPLY.length; cut += 1) {
    const reader = new ReplyReader();
    const early = cut === 0 ? undefined : take(reader, REPLY.slice(0, cut));
    const reply = take(reader, REPLY.slice(cut));
    if (early !== undefined || reply?.body.toString() !== '{"iron":12}') t.fail(`cut after ${cut} bytes`);
  }
  t.pass('cut everywhere');
});

t.test('one reader reads one reply after the other', async (t) => {
  const reader = new ReplyReader();
  t.equal(take(reader, REPLY)?.status, 200);
  t.equal(take(reader, REPLY.replace('200 OK', '409 Conflict'))?.status, 409);
  t.equal(take(reader, 'HTTP/1.1 304 Not Modified\r\netag: W/"1"\r\n\r\n')?.body.length, 0);
});

t.test('what cannot be measured rightly is refused', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  t.throws(() => take(new ReplyReader(), chunked), { message: /does not state its length/ });
  t.throws(() => take(new ReplyReader(), `${REPLY}${REPLY}`), { message: /longer than it says/ });
  t.throws(() => take(new ReplyReader(), 'a'.repeat(20_000)), { message: /too long/ });
});

t.test('a request is rendered with the length of its body in bytes', async (t) => {
  const request = { ...postRequest('/api/batch', { name: 'ä' }), headers: { prefer: 'return=minimal' } };
  t.equal(
    renderRequest(request, '127.0.0.1:1').toString(),
    'POST /api/batch HTTP/1.1\r\nhost: 127.0.0.1:1\r\nprefer: return=minimal\r\n' +
      'content-type: application/json\r\ncontent-length: 13\r\n\r\n{"name":"ä"}',
  );
});
