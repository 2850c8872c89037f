// What must be gone when the bench ends, however it ends: child processes and temporary folders.

const undone = new Set<() => void>();
let isRegistered = false;

/**
 * Has something undone when this process exits.
 *
 * @param undo synchronous
 * @returns takes it off the list, for what is gone already
 */
export function atExit(undo: () => void): () => void {
  if (!isRegistered) process.once('exit', undoAll);
  isRegistered = true;
  undone.add(undo);
  return () => undone.delete(undo);
}

/** Lets the signals that end a bench end it in order. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

function undoAll(): void {
  for (const undo of undone) {
    try {
      undo();
    } catch (error) {
      console.error(`bench: not everything could be cleaned up: ${String(error)}`);
    }
  }
}
