// Runs inside the sandbox of an entrant, in a network namespace of its own: listens on its loopback interface, passes connections on
// to the relay's Unix socket, and runs the entrant. It is bundled into one file, since the sandbox has no other of galaxyd.
//
//   node sandbox-forwarder.mjs SOCKET PORT PROGRAM [ARGUMENT...]
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setPriority } from 'node:os';
import { joinSockets } from './joined-sockets.js';

/** Niceness of entrants: servers and the tournament come first. */
const NICENESS = 10;
/** As shells have it. */
const NOT_STARTED_CODE = 127;

const [path = '', port = '', program = '', ...rest] = process.argv.slice(2);
setPriority(NICENESS);
const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
  joinSockets(client, connect({ path, allowHalfOpen: true })),
);
listener.listen(Number(port), '127.0.0.1', () => {
  const entrant = spawn(program, rest, { stdio: 'inherit' });
  entrant.once('error', ({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exit(NOT_STARTED_CODE);
  });
  entrant.once('exit', (code, signal) => {
    if (code === null) process.kill(process.pid, signal ?? 'SIGKILL');
    else process.exit(code);
  });
});
