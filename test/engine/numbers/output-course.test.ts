// The area under an output that shocks change, and the first instant at which it has a size, against a sum over each millisecond.

import t from 'tap';
import { OutputCourse } from '../../../engine/numbers/output-course.js';
import fc from '../../support/properties.js';

const END_MS = 200;

const periods = fc
  .array(
    fc.record({
      gapMs: fc.nat(20),
      durationMs: fc.integer({ min: 1, max: 30 }),
      percent: fc.integer({ min: 1, max: 400 }),
    }),
    {
      maxLength: 5,
    },
  )
  .map((drawn) => {
    let atMs = 0;
    return drawn.map(({ gapMs, durationMs, percent }) => {
      const startsAtMs = atMs + gapMs;
      atMs = startsAtMs + durationMs;
      return { startsAtMs, endsAtMs: atMs, percent };
    });
  });

t.test('it is the sum of what each millisecond adds', async () => {
  fc.assert(
    fc.property(periods, fc.nat(END_MS), fc.nat(END_MS), fc.nat(40_000), (drawn, one, other, area) => {
      const course = new OutputCourse();
      for (const { startsAtMs, endsAtMs, percent } of drawn) course.add(startsAtMs, endsAtMs, percent);
      const percentAt = (atMs: number): number =>
        drawn.find(({ startsAtMs, endsAtMs }) => startsAtMs <= atMs && atMs < endsAtMs)?.percent ?? 100;
      const [fromMs, toMs] = [Math.min(one, other), Math.max(one, other)];
      let sum = 0;
      for (let atMs = fromMs; atMs < toMs; atMs += 1) sum += percentAt(atMs);
      let reachedMs = fromMs;
      for (let reached = 0; reached < area; reachedMs += 1) reached += percentAt(reachedMs);
      return (
        course.percentAt(one) === percentAt(one) &&
        course.addedBetween(fromMs, toMs) + 100 * (toMs - fromMs) === sum &&
        course.reachedMs(fromMs, area) === reachedMs
      );
    }),
  );
});

t.test('what is forgotten changes nothing after its end', async () => {
  fc.assert(
    fc.property(
      periods,
      fc.nat(5),
      fc.nat(END_MS),
      fc.nat(END_MS),
      fc.nat(40_000),
      (drawn, count, one, other, area) => {
        const [whole, shorter] = [new OutputCourse(), new OutputCourse()];
        for (const { startsAtMs, endsAtMs, percent } of drawn)
          for (const course of [whole, shorter]) course.add(startsAtMs, endsAtMs, percent);
        const forgotten = drawn.slice(0, count);
        for (const _ of forgotten) shorter.forgetFirst();
        const sinceMs = forgotten.at(-1)?.endsAtMs ?? 0;
        const [fromMs, toMs] = [sinceMs + Math.min(one, other), sinceMs + Math.max(one, other)];
        shorter.add(1_000, 1_010, 300);
        whole.add(1_000, 1_010, 300);
        return (
          shorter.addedBetween(fromMs, toMs) === whole.addedBetween(fromMs, toMs) &&
          shorter.addedBetween(fromMs, 1_005) === whole.addedBetween(fromMs, 1_005) &&
          shorter.reachedMs(fromMs, area) === whole.reachedMs(fromMs, area)
        );
      },
    ),
  );
});
