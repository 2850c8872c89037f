// Adds up the counters of runs, and formats them as lines.

export type Counts = Record<string, number>;

export function addCounts(sum: Counts, counts: Readonly<Counts>): void {
  for (const [what, count] of Object.entries(counts)) sum[what] = (sum[what] ?? 0) + count;
}

/** One line for each counter, by name. */
export function countLines(counts: Readonly<Counts>): string[] {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, count]) => `${what}: ${count}`);
}
