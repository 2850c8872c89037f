// Replies as they come off a socket, in whatever pieces.
import t from 'tap';
import { renderRequest } from '../../bench/end-to-end/load-connection.js';
import { ReplyReader } from '../../bench/end-to-end/reply-reader.js';
import { postRequest } from '../../bench/servers/load-request.js';

const REPLY = 'HTTP/1.1 200 OK\r\nDate: today\r\nContent-Length: 11\r\n\r\n{"iron":12}';

t.test('a reply is complete with its last byte, however it is cut', async (t) => {
  for (let cut = 0; cut < REPLY.length; cut += 1) {
    const reader = new ReplyReader();
    const early = cut === 0 ? undefined : reader.take(Buffer.from(REPLY.slice(0, cut)));
    const reply = reader.take(Buffer.from(REPLY.slice(cut)));
    if (early !== undefined || reply?.body.toString() !== '{"iron":12}') t.fail(`cut after ${cut} bytes`);
  }
  t.pass('cut everywhere');
});

t.test('one reader reads one reply after the other', async (t) => {
  const reader = new ReplyReader();
  t.equal(reader.take(Buffer.from(REPLY))?.status, 200);
  t.equal(reader.take(Buffer.from(REPLY.replace('200 OK', '409 Conflict')))?.status, 409);
  t.equal(reader.take(Buffer.from('HTTP/1.1 304 Not Modified\r\netag: W/"1"\r\n\r\n'))?.body.length, 0);
});

t.test('what cannot be measured rightly is refused', async (t) => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  t.throws(() => new ReplyReader().take(Buffer.from(chunked)), { message: /does not tell its length/ });
  t.throws(() => new ReplyReader().take(Buffer.from(`${REPLY}${REPLY}`)), { message: /longer than it says/ });
  t.throws(() => new ReplyReader().take(Buffer.alloc(20_000, 'a')), { message: /too long/ });
});

t.test('a request is rendered with the length of its body in bytes', async (t) => {
  const request = { ...postRequest('/api/batch', { name: 'ä' }), headers: { prefer: 'return=minimal' } };
  t.equal(
    renderRequest(request, '127.0.0.1:1').toString(),
    'POST /api/batch HTTP/1.1\r\nhost: 127.0.0.1:1\r\nprefer: return=minimal\r\n' +
      'content-type: application/json\r\ncontent-length: 13\r\n\r\n{"name":"ä"}',
  );
});
