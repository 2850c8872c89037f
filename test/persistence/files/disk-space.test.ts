// The watch of free space, with numbers from the test.
import t from 'tap';
import { type DiskEvent, DiskSpace, type LostFile } from '../../../persistence/files/disk-space.js';

/** Settles when the disk has been checked once for each number of free bytes; 'error' is a failed check. */
function watched(looks: readonly (number | 'error')[]) {
  const remaining = [...looks];
  let seenAll: () => void;
  const allSeen = new Promise<void>((resolve) => {
    seenAll = resolve;
  });
  const lows: boolean[] = [];
  const events: DiskEvent[] = [];
  const onDiskEvent = (event: DiskEvent): void => {
    events.push(event);
  };
  const freeBytes = async (): Promise<number> => {
    lows.push(space.isLow);
    const free = remaining.shift();
    if (free === undefined) seenAll();
    if (free === undefined || free === 'error') throw new Error('stat failed');
    return free;
  };
  const space: DiskSpace = new DiskSpace('/anywhere', { floorBytes: 1_000, pollMs: 1, freeBytes, onDiskEvent });
  return { space, lows, events, allSeen };
}

t.test('it is low before the first check', async (t) => {
  t.ok(new DiskSpace('/anywhere').isLow);
});

t.test('it is low under the floor, and whenever the check fails, and reports each change', async (t) => {
  const { space, lows, events, allSeen } = watched([1_000, 999, 998, 5_000, 'error', 1_000]);
  await space.watch();
  const keepAlive = setInterval(() => {}, 1_000);
  await allSeen;
  clearInterval(keepAlive);
  space.stop();
  t.same(lows, [true, false, true, true, false, true, false]);
  const reported = events.map((event) => [event.type, 'freeBytes' in event ? event.freeBytes : null]);
  t.same(reported.slice(0, 4), [
    ['disk_low', 999],
    ['disk_has_room', 5_000],
    ['disk_low', undefined],
    ['disk_has_room', 1_000],
  ]);
});

t.test('a real folder has some space, and not an infinite amount', async (t) => {
  for (const [floorBytes, isLow] of [
    [1, false],
    [Number.MAX_SAFE_INTEGER, true],
  ] as const) {
    const space = new DiskSpace(process.cwd(), { floorBytes });
    await space.watch();
    space.stop();
    t.equal(space.isLow, isLow);
  }
});

t.test('a missing folder is low', async (t) => {
  const space = new DiskSpace('/no/such/folder', { floorBytes: 0 });
  await space.watch();
  space.stop();
  t.ok(space.isLow);
});

t.test('a stopped watch checks no more, and a check under way does not start it again', async (t) => {
  let looks = 0;
  const freeBytes = async (): Promise<number> => {
    looks += 1;
    return 1;
  };
  const space = new DiskSpace('/anywhere', { floorBytes: 1, pollMs: 1, freeBytes });
  const watching = space.watch();
  space.stop();
  await watching;
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.equal(looks, 1);
});

t.test('a file that is not in its place is reported once, and once when it is there again', async (t) => {
  const moved: LostFile = { path: '/anywhere/data.mdb', descriptor: 21, isRemoved: false };
  const removed: LostFile = { ...moved, isRemoved: true };
  const looks = [null, moved, moved, removed, null, null];
  const reported: DiskEvent[] = [];
  let lookCount = 0;
  const isDone = new Promise<void>((resolve) => {
    const findLostFile = async (): Promise<LostFile | null> => {
      lookCount += 1;
      if (lookCount === looks.length) resolve();
      return looks[lookCount - 1] ?? null;
    };
    const onDiskEvent = (event: DiskEvent): void => {
      t.equal(space.lostFile, 'lost' in event ? event.lost : undefined);
      reported.push(event);
    };
    const space: DiskSpace = new DiskSpace(process.cwd(), { floorBytes: 0, pollMs: 1, findLostFile, onDiskEvent });
    t.teardown(() => space.stop());
    void space.watch();
  });
  // The watch alone keeps no process alive.
  const keepAlive = setInterval(() => {}, 1_000);
  await isDone;
  clearInterval(keepAlive);
  t.same(reported, [
    { type: 'log_file_lost', lost: moved },
    { type: 'log_file_lost', lost: removed },
    { type: 'log_files_found' },
  ]);
});
