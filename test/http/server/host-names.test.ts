// The names in Host: which are accepted, and that a server refuses others, for requests and for WebSockets.
import t from 'tap';
import { WebSocket } from 'ws';
import { defaultHostNames, HostNames, hostNameList } from '../../../http/server/host-names.js';
import { exchange, requestBytes } from '../support/raw-connection.js';
import { begin } from '../support/serving.js';

t.test('a name is compared without its port, in any case; a malformed one is never accepted', async (t) => {
  const names = new HostNames(['localhost', '[::1]', 'play.example']);
  for (const host of ['localhost', 'LocalHost:3000', '[::1]', '[::1]:3000', 'play.example:', 'play.example']) {
    t.equal(names.faultOf(host), null, host);
    t.equal(names.faultOf(host), null, `${host} again`);
  }
  for (const host of ['evil.example', 'localhost.evil.example', '[::2]', '127.0.0.1'])
    t.match(names.faultOf(host), /--allowed-hosts/, host);
  const any = new HostNames(null);
  t.equal(any.faultOf('evil.example:80'), null);
  for (const host of ['', ':80', 'a b', 'a/b', 'a@b', '::1', 'a:80:80', 'a:x', '[::1', 'é'])
    t.match(any.faultOf(host), /is not a name/, host);
});

t.test('only a world without keys that nothing else can reach has names by default', async (t) => {
  t.strictSame(defaultHostNames('127.0.0.1', 'none'), ['localhost', '127.0.0.1', '[::1]', '127.0.0.1']);
  t.ok(defaultHostNames('::1', 'none')?.includes('[::1]'));
  t.ok(defaultHostNames('127.0.0.7', 'none')?.includes('127.0.0.7'));
  for (const [host, auth] of [
    ['127.0.0.1', 'key'],
    ['0.0.0.0', 'none'],
    ['192.0.2.1', 'none'],
  ] as const)
    t.equal(defaultHostNames(host, auth), null, `${host} ${auth}`);
  t.equal(hostNameList(['*']), null);
  t.strictSame(hostNameList(['Play.Example', '[::1]']), ['play.example', '[::1]']);
  for (const name of ['a:80', '', 'http://a']) t.throws(() => hostNameList([name]), RangeError, name);
});

t.test('a server answers to its names alone', async (t) => {
  const { port } = await begin(t, { server: { allowedHosts: ['localhost', '127.0.0.1'] } });
  const statusOf = async (host: string) => {
    const bytes = requestBytes('GET', '/api/status')
      .toString()
      .replace(/^Host: .*$/im, `Host: ${host}`);
    return (await exchange(port, bytes)).status;
  };
  t.equal(await statusOf(`localhost:${port}`), 200);
  t.equal(await statusOf('evil.example'), 400);
  t.equal(await statusOf('a b'), 400);
  const opened = (host: string): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'galaxyd.v1', { headers: { host } });
      socket.on('open', () => {
        socket.close();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode));
      socket.on('error', () => {});
    });
  t.equal(await opened(`127.0.0.1:${port}`), 101);
  t.equal(await opened('evil.example'), 400);
});
