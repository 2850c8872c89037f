// Swarms in the process of the test, against a real server: how players get keys, a full universe, and play without WebSockets.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { SwarmSummary } from '../../../arena/swarm/measures.js';
import { derivedKeys, keyFile, mixOf } from '../../../arena/swarm/players.js';
import { Swarm, type SwarmOptions } from '../../../arena/swarm/swarm.js';
import { beginWithClient } from '../../clients/support/serving-client.js';
import { ADMIN_KEY } from '../../http/support/serving.js';

const REAL = { clock: 'real', settings: { speed: 600 } } as const;

/**
 * Plays for a moment.
 *
 * @param isEnough ends the swarm once it returns true; by default the swarm plays for its seconds
 * @returns the summary and the notices
 */
async function played(
  serverUrl: string,
  options: Partial<SwarmOptions>,
  isEnough?: (summary: SwarmSummary) => boolean,
) {
  const notices: string[] = [];
  const swarm = await Swarm.open({
    serverUrl,
    bots: 6,
    mix: mixOf('greedy'),
    seed: 1,
    prefix: 'swarm',
    adminKey: '',
    keys: null,
    seconds: isEnough === undefined ? 0.3 : null,
    onNotice: (sentence) => notices.push(sentence),
    ...options,
  });
  const look = setInterval(() => {
    if (isEnough?.(swarm.summary)) swarm.stop();
  }, 20);
  try {
    await swarm.play();
  } finally {
    clearInterval(look);
  }
  return { notices, summary: swarm.summary };
}

t.test('keys that follow from a secret need neither a file nor, later, the operator', async (t) => {
  const { url } = await beginWithClient(t, {}, { ...REAL, auth: 'key' });
  const keys = derivedKeys('a secret of sixteen');
  for (const adminKey of [ADMIN_KEY, '']) {
    const { summary } = await played(url, { keys, adminKey });
    t.match(summary, { bots: 6, errors: 0 });
    t.ok(summary.reads >= 6);
  }
});

t.test('keys that are lost are replaced by the operator; nobody else can play these players', async (t) => {
  const { url, galaxyd } = await beginWithClient(t, {}, { ...REAL, auth: 'key' });
  const file = (name: string) => keyFile(join(t.testdirName, name));
  t.testdir();
  await played(url, { keys: file('one') });
  await t.rejects(played(url, { keys: file('two') }), { name: 'CannotPlay', message: /their keys are not known/ });
  t.match((await played(url, { keys: file('two'), adminKey: ADMIN_KEY })).summary, { bots: 6, errors: 0 });
  t.match((await played(url, { keys: file('two') })).summary, { bots: 6, errors: 0 }, 'the new keys are kept');
  t.equal((await galaxyd.get('/api/status')).body.players, 6);
  const wrong = { keys: { of: () => 'gxd_wrong', keep: () => {} }, adminKey: ADMIN_KEY };
  await t.rejects(played(url, wrong), { name: 'CannotPlay', message: /not accept the key of swarm-greedy-1: unauth/ });
});

t.test('registration waits as the server wants it', async (t) => {
  const server = { registrationsPerMinute: 120 };
  const { url } = await beginWithClient(t, {}, { ...REAL, auth: 'key', server });
  const keys = derivedKeys('of no use without the operator');
  const { summary } = await played(url, { bots: 122, keys: { ...keys, of: () => undefined } });
  t.match(summary, { bots: 122, errors: 0 });
});

t.test('a full universe has as many bots as it has places for', async (t) => {
  const { url } = await beginWithClient(t, {}, { clock: 'real', settings: { speed: 1, systemsPerGalaxy: 1 } });
  const crowd = { bots: 3_000, mix: mixOf('idler'), seconds: 0.01, adminKey: ADMIN_KEY };
  const { notices, summary } = await played(url, crowd);
  t.ok(summary.bots < 3_000, `${summary.bots} places`);
  t.match(notices[0], new RegExp(`universe_full.* ${summary.bots} of 3000 bots`));
  await t.rejects(played(url, { ...crowd, prefix: 'late' }), { name: 'CannotPlay', message: /universe_full/ });
});

/** A proxy that passes requests but no WebSockets. */
async function withoutSockets(t: Test, port: number): Promise<string> {
  const proxy = createServer((incoming, reply) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request({ port, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    forwarded.on('error', () => reply.destroy());
    reply.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  proxy.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 501 Not Implemented\r\n\r\n'));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

t.test('without WebSockets the bots play over HTTP', async (t) => {
  const { port } = await beginWithClient(t, {}, REAL);
  const url = await withoutSockets(t, port);
  const options = { mix: mixOf('greedy,expander,raider'), trialMs: 500 };
  const { notices, summary } = await played(url, options, ({ commands, events }) => commands > 6 && events > 6);
  t.match(notices, [/no WebSocket, so the bots play over HTTP: .*501/, '6 bots play over http']);
  t.match(summary, { transport: 'http', bots: 6, errors: 0 });
});

t.test('in a world whose clock an operator moves, bots act as soon as it has moved', async (t) => {
  const { url, operator } = await beginWithClient(t, {}, { settings: { speed: 60 } });
  let wakes = 0;
  let wakesBefore = Number.POSITIVE_INFINITY;
  const advance = setTimeout(() => {
    wakesBefore = wakes;
    operator
      .post('/api/admin/clock/advance', { body: { seconds: 3_600 } })
      .catch((error: unknown) => t.fail(String(error)));
  }, 500);
  // The bots act at the beginning, and then only if world time passes.
  const { summary } = await played(url, {}, (now) => {
    wakes = now.wakes;
    return wakes >= wakesBefore + 6;
  });
  clearTimeout(advance);
  t.match(summary, { errors: 0, bots: 6 });
});

t.test('a server that is not there is reported', async (t) => {
  const missing = played('http://127.0.0.1:1', { trialMs: 200 });
  await t.rejects(missing, { name: 'CannotPlay', message: /no galaxyd answers at http:\/\/127\.0\.0\.1:1/ });
});

t.test('a world of turns is not for swarms', async (t) => {
  const { url } = await beginWithClient(t, {}, { auth: 'key', server: { turns: {} } });
  await t.rejects(played(url, {}), { name: 'CannotPlay', message: /played in turns/ });
});
