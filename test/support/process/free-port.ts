// Ports for a server whose port must be known before it starts.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems assign to servers on port 0 and to connections. */
const LOWEST_PORT = 10_000;
const PORTS = 20_000;
/** Test files run concurrently, so each process begins at another port. */
const PORTS_A_PROCESS = 8;

let next = (process.pid * PORTS_A_PROCESS) % PORTS;

/** A port of the loopback address without a listener, which no other test gets meanwhile. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + next;
    next = (next + 1) % PORTS;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
