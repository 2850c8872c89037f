// The figures that persistence keeps for metrics: buckets, commands, records and the lag of timers. Counting never
// changes what is counted.
import t from 'tap';
import { refuse } from '../../../engine/terms/rejections.js';
import { DiskSpace } from '../../../persistence/files/disk-space.js';
import { BucketCounts, CommandCounts } from '../../../persistence/writer/figures.js';

t.test('a value counts in the first bucket whose bound is not below it, and in all above', async (t) => {
  const counts = new BucketCounts([1, 2.5, 10]);
  t.same(counts.cumulated(), [0, 0, 0, 0]);
  for (const value of [0, 1, 1.5, 2.5, 2.6, 10, 11, 1e9]) counts.add(value);
  t.same(counts.cumulated(), [2, 4, 6, 8]);
  t.equal(counts.count, 8);
  t.equal(counts.sum, 0 + 1 + 1.5 + 2.5 + 2.6 + 10 + 11 + 1e9);
});

t.test('commands are counted by type and outcome; a refusal that never happened is not listed', async (t) => {
  const counts = new CommandCounts();
  const told = (): Record<string, number> => {
    const numbers: Record<string, number> = {};
    counts.visit((type, outcome, count) => {
      numbers[`${type} ${outcome}`] = count;
    });
    return numbers;
  };
  t.match(told(), { 'upgrade_building accepted': 0, 'advance_time accepted': 0 });
  t.ok(Object.keys(told()).every((name) => name.endsWith(' accepted')));
  counts.accept('upgrade_building');
  counts.accept('upgrade_building');
  counts.refuse('upgrade_building', refuse('insufficient_resources').code);
  counts.refuse('launch_fleet', 'mission_not_possible');
  t.match(told(), {
    'upgrade_building accepted': 2,
    'upgrade_building insufficient_resources': 1,
    'launch_fleet mission_not_possible': 1,
    'launch_fleet accepted': 0,
  });
});

t.test('free space is the result of the last check, and unknown if it failed', async (t) => {
  let looks = 0;
  const freeBytes = async (): Promise<number> => {
    looks += 1;
    if (looks === 2) throw new Error('the disk is gone');
    return 4_096;
  };
  const space = new DiskSpace('anywhere', { floorBytes: 1, pollMs: 1_000_000, freeBytes });
  t.equal(space.freeBytes, undefined, 'before the first check');
  await space.watch();
  t.equal(space.freeBytes, 4_096);
  await space.watch();
  t.equal(space.freeBytes, undefined);
  space.stop();
});
