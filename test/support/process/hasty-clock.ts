// Loaded into a real galaxyd before its own program (node --import), it makes each look at the monotonic clock a second later than
// the one before, so that progress is due each time.
const SECOND_MS = 1_000;
let nowMs = 0;

performance.now = () => {
  nowMs += SECOND_MS;
  return nowMs;
};
