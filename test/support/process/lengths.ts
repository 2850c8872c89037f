// Tests that repeat themselves have two lengths: `npm test` runs the short one, LONG=1 the long one.

/** @returns the second where the long form is asked for with LONG=1 */
export function shortOrLong<T>(short: T, long: T): T {
  return process.env['LONG'] === '1' ? long : short;
}
