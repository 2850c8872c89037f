// Tests that repeat themselves have two lengths: `npm test` runs the short one, LONG=1 the long one.

/** @returns the second value if LONG=1 requests the long form */
export function shortOrLong<T>(short: T, long: T): T {
  return process.env['LONG'] === '1' ? long : short;
}

/** The reason for which a test is skipped unless LONG=1 requests the long form. */
export const ONLY_LONG: string | false = shortOrLong<string | false>('only with LONG=1', false);
