// Node's server bounds the unsent bytes of all clients together; a client leaves room to others, and of its connections the one with the
// most gives way.
import { Socket } from 'node:net';
import t from 'tap';
import { ByteBudget } from '../../../http/server/body-budget.js';
import { NodeConnection } from '../../../http/server/node/node-connection.js';
import { type NodeResponse, NodeWire } from '../../../http/server/node/node-wire.js';
import type { ReplyHead } from '../../../http/server/wire.js';

const BUDGET_BYTES = 100_000;
const HEAD: Omit<ReplyHead, 'owner'> = {
  status: 200,
  replyType: 'text/plain',
  requestId: 'a',
  worldTime: '',
  worldSeq: -1,
  entityTag: '',
  extraHeaders: [],
  rateLimitPolicy: '',
  rateLimit: '',
  originHeaders: [],
};

/** Clients that read nothing of what is written to them. */
function clients() {
  const budget = new ByteBudget(BUDGET_BYTES);
  const connections: NodeConnection[] = [];
  const largest = (owner: string | number) =>
    connections
      .filter((connection) => connection.owner === owner)
      .sort((one, other) => other.unsentBytes - one.unsentBytes)[0];
  const connect = (owner: string) => {
    const connection = new NodeConnection(new Socket());
    connections.push(connection);
    const written: string[] = [];
    const reply = (text: string): void => {
      const response: Pick<NodeResponse, 'writeHead' | 'end'> = {
        writeHead: (() => {}) as unknown as NodeResponse['writeHead'],
        end: ((body: string) => written.push(body)) as unknown as NodeResponse['end'],
      };
      const wire = new NodeWire(response as NodeResponse, connection, largest, budget);
      connection.open.add({ isHeldBack: false, awaitsEvents: false, abort: () => wire.gone() });
      wire.end({ ...HEAD, owner }, text, false);
    };
    return { connection, written, reply };
  };
  return { budget, connect };
}

t.test('a reply has room although another client has many unread ones, each of them shorter', async (t) => {
  const { budget, connect } = clients();
  const hoarders = Array.from({ length: 40 }, () => connect('hoarder'));
  for (const { reply } of hoarders) reply('a'.repeat(3_000));
  t.ok(budget.usedBytes <= BUDGET_BYTES / 2, `${budget.usedBytes}`);
  const reader = connect('reader');
  reader.reply('b'.repeat(10_000));
  t.same(reader.written, ['b'.repeat(10_000)]);
  t.ok(budget.usedBytes < BUDGET_BYTES);
});

t.test('of the connections of a client, the one with the most unsent bytes is closed', async (t) => {
  const { connect } = clients();
  const readers = Array.from({ length: 4 }, () => connect('one'));
  for (const { reply } of readers) reply('b'.repeat(10_000));
  const hoarder = connect('one');
  hoarder.reply('a'.repeat(32_000));
  t.same(hoarder.written, []);
  t.ok(hoarder.connection.isCut);
  t.equal(readers.filter(({ connection }) => connection.isCut).length, 0);
  const large = connect('other');
  large.reply('a'.repeat(25_000));
  const small = connect('other');
  small.reply('b'.repeat(10_000));
  t.ok(large.connection.isCut);
  t.same(small.written, ['b'.repeat(10_000)]);
});
