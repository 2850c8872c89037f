// World time as the contract shows it: ISO 8601, UTC, with milliseconds.

export function isoText(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function isoTextOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoText(atMs);
}
