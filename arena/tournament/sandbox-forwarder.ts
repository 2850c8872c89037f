// Runs inside the sandbox of an entrant, in a network namespace of its own: listens on its loopback interface, passes connections on
// to the relay's Unix socket, and runs the entrant. It is bundled into one file, since the sandbox has no other of galaxyd.
//
//   node sandbox-forwarder.mjs SOCKET PORT PROGRAM [ARGUMENT...]
import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { constants, setPriority } from 'node:os';
import { joinSockets } from './joined-sockets.js';

/** Niceness of entrants: servers and the tournament come first. */
const NICENESS = 10;
/** Exit codes, as shells have them: of a program that cannot be started, and of one that a signal ends, to which its number is added. */
const NOT_STARTED_CODE = 127;
const SIGNAL_CODE = 128;

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
  // Node would survive some of the signals, if it sent them to itself.
  entrant.once('exit', (code, signal) =>
    process.exit(code ?? SIGNAL_CODE + constants.signals[signal as NodeJS.Signals]),
  );
});
