// Node's server bounds the unsent bytes of all clients together, and the client with the most gives way.
import { Socket } from 'node:net';
import t from 'tap';
import { ByteBudget } from '../../../http/transport/byte-budget.js';
import { NodeConnection } from '../../../http/transport/node-connection.js';
import { type NodeResponse, NodeWire } from '../../../http/transport/node-wire.js';
import type { ReplyHead } from '../../../http/transport/wire.js';

const BUDGET_BYTES = 100_000;
const HEAD: ReplyHead = {
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
  const largest = () => connections.reduce((most, other) => (other.unsentBytes > most.unsentBytes ? other : most));
  const connect = () => {
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
      wire.end(HEAD, text, false);
    };
    return { connection, written, reply };
  };
  return { budget, connect };
}

t.test('a reply has room although other clients fill the budget', async (t) => {
  const { budget, connect } = clients();
  const hoarders = [connect(), connect(), connect()];
  for (const { reply } of hoarders) reply('a'.repeat(32_000));
  const reader = connect();
  reader.reply('b'.repeat(10_000));
  t.same(reader.written, ['b'.repeat(10_000)]);
  t.equal(hoarders.filter(({ connection }) => connection.isCut).length, 1, 'one hoarder is closed');
  t.ok(budget.usedBytes < BUDGET_BYTES);
});

t.test('a client that would have the most unsent bytes is closed itself', async (t) => {
  const { connect } = clients();
  const readers = Array.from({ length: 9 }, connect);
  for (const { reply } of readers) reply('b'.repeat(10_000));
  const hoarder = connect();
  hoarder.reply('a'.repeat(32_000));
  t.same(hoarder.written, []);
  t.ok(hoarder.connection.isCut);
  t.equal(readers.filter(({ connection }) => connection.isCut).length, 0);
});
