// `galaxyd worlds` as a program uses it: orders in, answers out, worlds in between, and nothing left at the end.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { FILES_PER_WORLD, WORLDS_MAX } from '../../../cli/limits.js';
import { HeldWorlds } from '../../../cli/serve/held-worlds.js';
import { CONNECTIONS_MAX, RESERVED_FILES } from '../../../http/limits.js';
import { Client } from '../../support/process/client.js';
import { ADMIN_KEY } from '../../support/process/operator.js';

const MAIN = fileURLToPath(new URL('../../../cli/main.js', import.meta.url));

interface Answer {
  readonly id: number | null;
  readonly world: number;
  readonly url: string;
  readonly error?: string;
}

class Worlds {
  readonly #lines: AsyncIterator<string>;

  private constructor(
    readonly process: ChildProcessWithoutNullStreams,
    lines: Interface,
  ) {
    this.#lines = lines[Symbol.asyncIterator]();
  }

  static start(t: Test): Worlds {
    const child = spawn(process.execPath, [MAIN, 'worlds'], { env: { ...process.env, GALAXYD_ADMIN_KEY: ADMIN_KEY } });
    t.teardown(() => child.kill());
    return new Worlds(child, createInterface({ input: child.stdout }));
  }

  async order(line: object | string): Promise<Answer> {
    this.process.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    const { value } = await this.#lines.next();
    return JSON.parse(value ?? '{}');
  }
}

function clientOf(t: Test, { url }: Answer): Client {
  const client = new Client(url, ADMIN_KEY);
  t.teardown(() => client.close());
  return client;
}

const hashOf = async (client: Client): Promise<string> =>
  (await client.get<{ hash: string }>('/api/admin/state-hash')).body.hash;

async function play(client: Client, name: string): Promise<void> {
  await client.post('/api/admin/players', { count: 2, namePrefix: name });
  await client.post('/api/admin/clock/advance', { seconds: 600 });
}

t.test('worlds are opened, forked and closed, and end with standard input', async (t) => {
  const worlds = Worlds.start(t);
  const first = await worlds.order({ id: 7, action: 'open', seed: 3, speed: 2 });
  t.match(first, { id: 7, world: 1, url: /^http:\/\/127\.0\.0\.1:\d+$/ });
  const one = clientOf(t, first);
  const other = clientOf(t, await worlds.order({ id: 8, action: 'open', seed: 3, speed: 2 }));
  for (const client of [one, other]) await play(client, 'early');
  const before = await hashOf(one);
  t.equal(await hashOf(other), before, 'the same seed and commands give the same world');

  const forked = await worlds.order({ id: 9, action: 'fork', world: 1 });
  const fork = clientOf(t, forked);
  t.equal(await hashOf(fork), before);
  t.match((await fork.get('/api/status')).body, { clock: 'manual', origin: null });
  await play(fork, 'late');
  t.equal(await hashOf(one), before, 'a fork has its own future');
  await play(one, 'late');
  t.equal(await hashOf(one), await hashOf(fork), 'which is the same if the same is done');

  // The replies to earlier requests have closed nothing: a world is closed with idle connections.
  t.same(await worlds.order({ id: 10, action: 'close', world: forked.world }), { id: 10, world: forked.world });
  t.match(await worlds.order({ id: 11, action: 'fork', world: forked.world }), {
    id: 11,
    error: 'there is no world 3',
  });

  worlds.process.stdin.end();
  t.same(await once(worlds.process, 'exit'), [0, null]);
  await t.rejects(one.get('/api/status'), 'nobody serves it any more');
});

t.test('an order that cannot be carried out is answered, and the next one is', async (t) => {
  const worlds = Worlds.start(t);
  t.match(await worlds.order('nonsense'), { id: null, error: 'the line is not JSON' });
  t.match(await worlds.order({ id: 1, action: 'dance' }), { id: 1, error: /^the line is not an order/ });
  t.match(await worlds.order({ id: 2, action: 'open', speed: -1 }), { id: 2, error: /\/speed must be >= / });
  t.match(await worlds.order({ id: 3, action: 'open', rules: 'no-such-rules' }), { id: 3, error: /no-such-rules/ });
  t.match(await worlds.order('"'.repeat(70_000)), { id: null, error: 'the line is too long' });
  t.match(await worlds.order({ id: 4, action: 'open' }), { id: 4, world: 1 });
  const instance = await worlds.order({ id: 5, action: 'open', rules: 'standard-1', vary: 7 });
  t.match(instance, { id: 5, rules: { name: 'standard-1-vary-7', digest: /^[0-9a-f]{16}$/ } });
  const { body } = await clientOf(t, instance).get<{ ships: object[] }>('/api/catalog');
  t.match(body.ships[0], { type: 'scout', displayName: /^[A-Z][a-z]+$/ });
});

t.test('the connections of a world end with it', async (t) => {
  const held = new HeldWorlds(ADMIN_KEY);
  const served = await held.carryOut({ id: 1, action: 'open' });
  const socket = connect(Number(new URL('url' in served ? served.url : '').port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.write('GET /api/status HTTP/1.1\r\nhost: x\r\n\r\n');
  t.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200/);
  const ended = once(socket, 'close');
  await held.carryOut({ id: 2, action: 'close', world: served.world });
  // Without it, the connection and what its handlers know of the world would stay.
  await ended;
});

t.test('the number of worlds is limited', async (t) => {
  const held = new HeldWorlds(ADMIN_KEY, RESERVED_FILES + FILES_PER_WORLD);
  const { world } = await held.carryOut({ id: 1, action: 'open' });
  await t.rejects(held.carryOut({ id: 2, action: 'open' }), {
    message: /^there are 1 worlds already, and the limit of open files/,
  });
  await t.rejects(held.carryOut({ id: 3, action: 'fork', world }), {
    message: /^there are 1 worlds already, and the limit of open files/,
  });
  await held.carryOut({ id: 4, action: 'close', world });
  t.ok(WORLDS_MAX * FILES_PER_WORLD < CONNECTIONS_MAX, 'the files of many worlds never look like too many connections');
});
