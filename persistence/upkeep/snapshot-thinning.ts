// Which snapshots a world with history can remove: those that a short replay can make again.
import { HISTORY_SNAPSHOT_ENTRIES } from '../limits.js';

/**
 * Visits the older snapshots from the oldest on and keeps each one that is at least HISTORY_SNAPSHOT_ENTRIES entries
 * after the previously kept one. A snapshot that it has kept once, it keeps as the world grows.
 *
 * @param olderSeqs snapshots other than the two newest, ascending
 * @param coveredFromSeq first seq that can be restored. No replay can make the snapshots up to there again, so they are
 *   kept
 * @returns seqs of the snapshots that can be removed, ascending
 */
export function superfluousSnapshots(olderSeqs: readonly number[], coveredFromSeq: number): number[] {
  let keptSeq = coveredFromSeq;
  return olderSeqs.filter((seq) => {
    if (seq <= coveredFromSeq) return false;
    if (seq - keptSeq < HISTORY_SNAPSHOT_ENTRIES) return true;
    keptSeq = seq;
    return false;
  });
}
