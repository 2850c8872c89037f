// Ends the servers of a test that was killed: a process that waits for the end of its standard input, which is the end of
// the test, and then ends every server under a folder and removes the folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server's first line in postmaster.pid is its process; its command line names its folder. */
const SCRIPT = `
trap '' INT TERM HUP
read -r word
[ "$word" = over ] && exit
for file in "$1"/*/postmaster.pid; do
  [ -f "$file" ] || continue
  pid=$(head -n 1 "$file")
  tr '\\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null | grep -qF "$1" || continue
  kill -CONT "$pid"
  kill -QUIT "$pid"
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
done
rm -rf "$1"
`;

/** @returns a function that calls it off */
export function watchServersUnder(folder: string): () => Promise<void> {
  // In a session of its own, so that a signal to the test's process group does not reach it.
  const watchdog = spawn('sh', ['-c', SCRIPT, 'sh', folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = once(watchdog, 'exit');
  watchdog.stdin.on('error', () => {});
  watchdog.unref();
  return async () => {
    watchdog.ref();
    watchdog.stdin.end('over\n');
    await ended;
  };
}
