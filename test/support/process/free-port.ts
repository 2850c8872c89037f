// Ports for a server whose port has to be known before it starts.
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what systems hand out by themselves, to servers on port 0 and to connections. */
const LOWEST_PORT = 10_000;
const PORTS = 20_000;
/** Test files run at once: each process begins elsewhere. */
const PORTS_A_PROCESS = 8;

let next = (process.pid * PORTS_A_PROCESS) % PORTS;

/** A port of the loopback that nobody listens on, and that no other test is given meanwhile. */
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
