// When a served world is verified in the background, and what is reported: the scrubber on a clock of the test, with outcomes that the
// test chooses.
import t from 'tap';
import { SCRUB_FIRST_MS, SCRUB_RETRY_MS } from '../../../persistence/limits.js';
import { LogUnreadable } from '../../../persistence/log/log.js';
import { RecoveryRefused } from '../../../persistence/recovery/replay.js';
import { Scrubber, type ScrubEvent, type ScrubOutcome } from '../../../persistence/upkeep/scrubber.js';
import { isDamage } from '../../../persistence/upkeep/verify.js';

const EVERY_MS = 24 * 3_600_000;
const SOUND: ScrubOutcome = { type: 'sound', lastSeq: 10, byteCount: 1_000 };
const ROT: ScrubOutcome = { type: 'damaged', message: 'a record is not sound' };

function begin() {
  const outcomes: ScrubOutcome[] = [];
  const events: ScrubEvent[] = [];
  const delays: number[] = [];
  let wake = (): void => {};
  let nowMs = 0;
  let isDue = true;
  let passes = 0;
  let finish = (_: ScrubOutcome): void => {};
  const scrubber = new Scrubber({
    everyMs: EVERY_MS,
    isDue: () => isDue,
    worker: {
      run() {
        passes += 1;
        const outcome = outcomes.shift();
        if (outcome !== undefined) return Promise.resolve(outcome);
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      stop: () => finish({ type: 'unread', message: 'killed' }),
    },
    onEvent: (event) => void events.push(event),
    elapsedMs: () => nowMs,
    scheduler: {
      soon: setImmediate,
      nextTurn: async () => {},
      cancel: () => {},
      after(delayMs, callback, ...given) {
        delays.push(delayMs);
        wake = () => callback(...given);
        return {};
      },
    },
  });
  scrubber.start();
  /** Lets the time until the next pass go by, and the pass end. */
  const pass = async (outcome?: ScrubOutcome): Promise<void> => {
    if (outcome !== undefined) outcomes.push(outcome);
    nowMs += delays.at(-1) ?? 0;
    wake();
    await new Promise(setImmediate);
  };
  return {
    scrubber,
    events,
    delays,
    pass,
    passes: () => passes,
    sleep: (ms: number) => {
      nowMs += ms;
    },
    setDue: (value: boolean) => {
      isDue = value;
    },
  };
}

t.test('a sound world is verified again and again', async (t) => {
  const { scrubber, events, delays, pass, sleep } = begin();
  t.same(delays, [SCRUB_FIRST_MS]);
  t.match(scrubber.report, { ageMs: null, isLate: false, byteCount: 0 });
  await pass(SOUND);
  await pass(SOUND);
  t.same(delays, [SCRUB_FIRST_MS, EVERY_MS, EVERY_MS]);
  t.match(events, [{ type: 'world_verified', lastSeq: 10, byteCount: 1_000 }, { type: 'world_verified' }]);
  sleep(5);
  t.match(scrubber.report, { ageMs: 5, byteCount: 2_000, isDamaged: false, faultCount: 0, isLate: false });
  sleep(2 * EVERY_MS);
  t.equal(scrubber.report.isLate, true);
});

t.test('what is found counts once it was found twice', async (t) => {
  const { scrubber, events, delays, pass } = begin();
  await pass(ROT);
  t.same(events, []);
  t.equal(delays.at(-1), SCRUB_RETRY_MS);
  await pass({ ...ROT, message: 'a snapshot was removed' });
  t.same(events, [], 'another one than before');
  await pass(SOUND);
  t.equal(scrubber.report.isDamaged, false);
  await pass(ROT);
  await pass(ROT);
  t.match(events.at(-1), { type: 'damage_found', message: 'a record is not sound' });
  t.match(scrubber.report, { isDamaged: true, faultCount: 1 });
  t.equal(delays.at(-1), EVERY_MS);
  await pass(ROT);
  t.match(scrubber.report, { isDamaged: true, faultCount: 2 });
  await pass(SOUND);
  t.match(scrubber.report, { isDamaged: false, faultCount: 2 });
});

t.test('a world that cannot be read is tried again, and a standby leaves it to its leader', async (t) => {
  const { scrubber, events, delays, pass, passes, setDue } = begin();
  await pass({ type: 'unread', message: 'no answer' });
  t.same(events, [{ type: 'verify_failed', message: 'no answer' }]);
  t.equal(delays.at(-1), SCRUB_RETRY_MS);
  setDue(false);
  await pass();
  t.equal(passes(), 1);
  t.equal(delays.at(-1), SCRUB_RETRY_MS);
  t.equal(scrubber.report.isLate, false);
});

t.test('stop() ends the pass, and reports nothing', async (t) => {
  const { scrubber, events, delays, pass } = begin();
  await pass();
  await scrubber.stop();
  t.same(events, []);
  t.equal(delays.length, 1);
});

t.test('damage is told from trouble of the process', async (t) => {
  const noFile = (code: string) => new LogUnreadable('unreadable', { cause: Object.assign(new Error(code), { code }) });
  t.ok(isDamage(new RecoveryRefused(1, 'rot')));
  t.ok(isDamage(noFile('EIO')));
  t.notOk(isDamage(noFile('EMFILE')));
  t.notOk(isDamage(new Error('rot')));
});
