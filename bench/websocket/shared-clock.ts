// A clock that all processes of the machine share: process.hrtime() counts from one instant for all of them, while
// performance.now() counts from the start of each.

const US_PER_MS = 1_000;
const NS_PER_US = 1_000n;
const offsetMs = Number(process.hrtime.bigint() / NS_PER_US) / US_PER_MS - performance.now();

/** Milliseconds, with fractions; comparable between processes that run now. */
export function sharedNowMs(): number {
  return performance.now() + offsetMs;
}
