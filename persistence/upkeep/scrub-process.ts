// The program of the process that verifies a world beside its server, as `galaxyd verify` does: it receives the URL of the store in its
// environment, and reports the outcome in a message. It sleeps so much that it takes no more than SCRUB_CORE_SHARE of a core.
import { asError } from '../fatal.js';
import { SCRUB_CORE_SHARE, SCRUB_NAP_MS_MAX, SCRUB_NAP_MS_MIN } from '../limits.js';
import { killSelf, onParentEnd } from '../parent-process.js';
import { storeOfParent } from '../store-url.js';
import type { ScrubOutcome } from './scrubber.js';
import { isDamage, verifyWorld } from './verify.js';

// The server is gone: nobody wants to know.
onParentEnd(killSelf);

const bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Sleeps if the process has taken more than its share of a core since it began. */
function rest(): void {
  const { user, system } = process.cpuUsage();
  const aheadMs = (user + system) / 1_000 / SCRUB_CORE_SHARE - process.uptime() * 1_000;
  if (aheadMs >= SCRUB_NAP_MS_MIN) Atomics.wait(bell, 0, 0, Math.min(aheadMs, SCRUB_NAP_MS_MAX));
}

try {
  const { lastSeq, byteCount } = await verifyWorld(storeOfParent(), rest);
  report({ type: 'sound', lastSeq, byteCount });
} catch (error) {
  report({ type: isDamage(error) ? 'damaged' : 'unread', message: asError(error).message });
}

function report(outcome: ScrubOutcome): void {
  // The server may disappear at this moment.
  process.send?.(outcome, undefined, undefined, () => process.connected && process.disconnect());
}
