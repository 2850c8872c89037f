// A server at its limit of connections accepts no more, and accepts them again when some have left.
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { RawConnection, requestBytes } from '../support/raw-connection.js';
import { begin } from '../support/serving.js';

/** The native server counts the files of its process, and so both ends of a connection of this test. */
const CONNECTIONS_MAX = 40;
const { port } = await begin(t, { server: { connectionsMax: CONNECTIONS_MAX } });
const HEALTH = requestBytes('GET', '/healthz');

t.test('it accepts connections again when all but one have left', async (t) => {
  const connections: RawConnection[] = [];
  for (let next = await visitor(); next !== null; next = await visitor()) connections.push(next);
  t.ok(connections.length >= CONNECTIONS_MAX / 2 - 1, `${connections.length} connections`);
  const [first, ...others] = connections;
  for (const connection of others) connection.leave();
  let newcomer = await visitor();
  while (newcomer === null) newcomer = await visitor();
  first?.send(HEALTH);
  t.equal((await first?.reply())?.status, 200);
  first?.close();
  newcomer.close();
});

/** A connection on which a request was answered; null if the server took none. */
async function visitor(): Promise<RawConnection | null> {
  // The time that the server needs to count.
  await delay(20);
  try {
    const connection = await RawConnection.open(port);
    connection.send(HEALTH);
    await connection.reply();
    return connection;
  } catch {
    return null;
  }
}
