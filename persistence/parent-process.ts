// The process that has started this one with a channel to it, as fork() does.

/** Ends this process at once. Whatever it does is safe at any moment, since a crash may come at any moment, too. */
export function killSelf(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Calls `end` once that process has ended. The channel may have closed before anybody listened, while modules were loaded: then it calls
 * `end` at once. Without a channel it never does.
 *
 * @returns stops listening
 */
export function onParentEnd(end: () => void): () => void {
  if (process.send !== undefined && !process.connected) end();
  else process.once('disconnect', end);
  return () => void process.removeListener('disconnect', end);
}
