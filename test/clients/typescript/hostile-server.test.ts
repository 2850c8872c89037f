// The TypeScript client against a server that is not galaxyd: whatever it sends, calls end with NoReply or GalaxydProblem, in
// bounded memory, and nothing ends the program.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { GalaxydClient, NoReply, operation } from 'galaxyd-client';
import t from 'tap';
import { WebSocketServer } from 'ws';
import { hostileServer, REPLY_HEADERS } from '../../support/process/hostile-server.js';

const SPACES = Buffer.alloc(1024 * 1024, ' ');

/** Writes spaces for as long as they are read. @param count how often, a MiB each */
async function writeSpaces(to: NodeJS.WritableStream, count: number): Promise<void> {
  // The client hangs up in the middle.
  await pipeline(Array(count).fill(SPACES), to).catch(() => {});
}

const ENDLESS: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
  'a body without an end': (response) => writeSpaces(response.writeHead(200, REPLY_HEADERS), 200),
  'a compressed body that is much longer than its length': (response) => {
    const zipped = createGzip();
    zipped.pipe(response.writeHead(200, { ...REPLY_HEADERS, 'content-encoding': 'gzip' }));
    return writeSpaces(zipped, 200);
  },
};

for (const [what, answer] of Object.entries(ENDLESS)) {
  t.test(`${what} is read only as far as a reply may go, and once`, async (t) => {
    let requests = 0;
    const baseUrl = await hostileServer(t, (response) => {
      requests += 1;
      void answer(response);
    });
    await t.rejects(new GalaxydClient({ baseUrl }).get('/api/status'), {
      name: 'NoReply',
      message: 'GET /api/status: the reply has more than 67108864 bytes',
    });
    t.equal(requests, 1);
  });
}

t.test('a body that is not JSON, and a malformed world time, are not taken for replies', async (t) => {
  const bodies = { '{"name"': REPLY_HEADERS, '{}': { ...REPLY_HEADERS, 'x-world-time': 'yesterday' } };
  for (const [body, head] of Object.entries(bodies)) {
    const baseUrl = await hostileServer(t, (response) => response.writeHead(200, head).end(body));
    await t.rejects(new GalaxydClient({ baseUrl }).post('/api/game/player', { body: { name: 'Ada' } }), {
      name: 'NoReply',
      message: /^POST \/api\/game\/player: the reply \(200\) is /,
      idempotencyKey: /^[0-9a-f-]{36}$/,
    });
  }
});

t.test('a batch whose results are missing, too few or strange has no reply', async (t) => {
  for (const body of [
    'null',
    '{}',
    '{"results":{}}',
    '{"results":[]}',
    '{"results":[null]}',
    '{"results":[{"status":"200"}]}',
  ]) {
    const baseUrl = await hostileServer(t, (response) => response.writeHead(200, REPLY_HEADERS).end(body));
    const batch = new GalaxydClient({ baseUrl }).batch([operation.get('/api/status')], { idempotencyKey: 'one' });
    await t.rejects(batch, {
      name: 'NoReply',
      message: 'POST /api/batch: the reply (200) is not that of a galaxyd',
      idempotencyKey: 'one',
    });
  }
});

t.test('a redirect is not followed, so the key stays with its server', async (t) => {
  const seen: string[] = [];
  const elsewhere = await hostileServer(t, (response) => {
    seen.push('elsewhere');
    response.writeHead(200, REPLY_HEADERS).end('{}');
  });
  const baseUrl = await hostileServer(t, (response) => {
    seen.push('here');
    response.writeHead(307, { location: `${elsewhere}/api/status` }).end();
  });
  const galaxyd = new GalaxydClient({ baseUrl, apiKey: 'secret' });
  await t.rejects(galaxyd.get('/api/status'), { name: 'NoReply', message: /the reply \(307\) is not of a galaxyd/ });
  t.same(seen, ['here']);
});

t.test('no wait that a server asks for is longer than a timer can be set to, or shorter than nothing', async (t) => {
  const warnings: string[] = [];
  const note = ({ name }: Error): number => warnings.push(name);
  process.on('warning', note);
  t.teardown(() => process.off('warning', note));
  const quota = { 'ratelimit-policy': '"requests";q=1;w=1e300', ratelimit: '"requests";r=-1e300' };
  let requests = 0;
  const baseUrl = await hostileServer(t, (response) => {
    requests += 1;
    const problem = { code: 'no_leader', status: 503, detail: '', retryAfterMs: -1e9 };
    if (requests === 1) response.writeHead(200, { ...REPLY_HEADERS, ...quota }).end('{}');
    else response.writeHead(503, REPLY_HEADERS).end(JSON.stringify(problem));
  });
  const limited = new GalaxydClient({ baseUrl, deadlineMs: 200 });
  await limited.get('/api/status');
  await t.rejects(limited.get('/api/status'), NoReply);
  t.equal(requests, 1, 'the limit of the server holds');
  await t.rejects(new GalaxydClient({ baseUrl, deadlineMs: 1_000 }).get('/api/status'), {
    name: /NoReply|GalaxydProblem/,
  });
  t.ok(requests < 200, 'it does not send as fast as it can');
  t.same(warnings, []);
});

const FRAMES: Readonly<Record<string, object>> = {
  'an error without a problem': { op: 'error', id: 1, problem: null },
  'a leader that is not a text': { op: 'reply', id: 1, status: 421, code: 'not_leader', location: 5 },
};

for (const [what, frame] of Object.entries(FRAMES)) {
  t.test(`a WebSocket that sends ${what} is lost, and the program goes on`, async (t) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    t.teardown(() => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    });
    server.on('connection', (socket) => {
      socket.send('{"op":"welcome","callsMax":8}');
      socket.on('message', () => socket.send(JSON.stringify(frame)));
    });
    const { socket } = new GalaxydClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      deadlineMs: 2_000,
      attempts: 2,
    });
    await t.rejects(socket.call(operation.get('/api/status')), {
      name: 'NoReply',
      message: /the server sent a frame that galaxyd does not send/,
    });
  });
}
