// What a start recovered the world from, and how long each part took, in one line.
import type { OpenWorld } from '../persistence/open-world.js';

type RecoveredWorld = Pick<OpenWorld, 'recovery' | 'isNew' | 'engine'>;

/** @param data the folder as the operator named it */
export function recoverySentence({ recovery, isNew, engine }: RecoveredWorld, data: string): string {
  if (isNew) return `made a new world in ${data}`;
  const { snapshot, snapshotDurationMs, entryCount, durationMs } = recovery;
  const replayMs = Math.round(durationMs - snapshotDurationMs);
  const entries = `${entryCount} ${entryCount === 1 ? 'entry' : 'entries'} of the log in ${replayMs} ms`;
  const parts =
    snapshot === null
      ? entries
      : `the snapshot at seq ${snapshot.seq} (${snapshot.rowCount} rows) in ${Math.round(snapshotDurationMs)} ms, then ${entries}`;
  return `recovered ${data}: ${parts}; seq ${engine.seq}`;
}
