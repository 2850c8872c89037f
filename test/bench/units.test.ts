// Every unit that is measured does what it says, at least once; its speed does not matter here.
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { measureUnits, UNIT_GROUP_NAMES, UNIT_GROUP_SIZES } from '../../bench/units/groups.js';
import { unitGroup } from '../../bench/units/program.js';
import type { UnitCase } from '../../bench/units/unit-case.js';
import { ONLY_LONG } from '../support/process/lengths.js';

/** Small worlds; groups that are about a heap or a log of their own ignore it. */
const PLAYERS = 50;
const SIZES = { players: PLAYERS, isFull: false, seed: 1, rules: 'standard-1' } as const;

for (const group of UNIT_GROUP_NAMES) {
  t.test(`the units of ${group} run`, async (t) => {
    const isSized = UNIT_GROUP_SIZES[group].short[0] !== 0;
    const names: string[] = [];
    for (const measured of unitGroup(group)({ ...SIZES, players: isSized ? PLAYERS : 0 })) {
      names.push(measured.name);
      await runOnce(measured);
    }
    t.ok(names.length > 0);
    t.equal(new Set(names).size, names.length, 'each has a name of its own');
  });
}

t.test('worlds of other rules are measured under another id', async (t) => {
  const sizes = { ...SIZES, rules: 'standard-2' } as const;
  for (const group of ['ticks', 'replay']) {
    for (const measured of unitGroup(group)(sizes)) await runOnce(measured);
  }
  const readings = await measureUnits({ group: 'memory', only: 'starter', ...sizes }, () => {});
  t.ok(readings.every(({ id }) => id.includes(', standard-2')));
});

/** Runs a case often enough to go round its world and begin again. */
async function runOnce(measured: UnitCase): Promise<void> {
  if (measured.kind === 'steady') {
    const run = await measured.prepare();
    for (let count = 0; count < 3 * PLAYERS; count += 1) await run();
    await measured.close?.();
  } else if (measured.kind === 'one-shot') {
    for (let count = 0; count < 2; count += 1) await (await measured.prepare()).run();
    await measured.close?.();
  }
}

t.test('no unit leaves a file of its log open', { skip: process.platform !== 'linux' && 'no /proc' }, async (t) => {
  for (const measured of unitGroup('replay')({ ...SIZES, players: 2 })) await runOnce(measured);
  const open = readdirSync('/proc/self/fd').map((name) => {
    // The one that lists the folder is closed by now.
    const link = join('/proc/self/fd', name);
    return existsSync(link) ? readlinkSync(link) : '';
  });
  t.same(
    open.filter((path) => path.includes('galaxyd-bench-log-')),
    [],
  );
});

t.test(
  'units that measure in their own way give readings that lie between their quartiles',
  { skip: ONLY_LONG },
  async (t) => {
    for (const [group, only] of [
      ['replay', 'from LMDB'],
      ['mix', ''],
      ['memory', 'starter'],
      ['plans', 'stored'],
    ] as const) {
      const readings = await measureUnits({ ...SIZES, group, only, players: 500 }, () => {});
      t.ok(readings.length > 0, group);
      for (const { id, lower, median, upper } of readings) t.ok(lower <= median && median <= upper, id);
    }
  },
);

t.test('the bytes of a player are reported by purpose', async (t) => {
  const task = { ...SIZES, group: 'memory', only: 'parts', players: 500 };
  const readings = await measureUnits(task, () => {});
  const [all, ...parts] = readings.map(({ median }) => median);
  const sum = parts.reduce((total, part) => total + part, 0);
  t.ok(Math.abs(sum - (all ?? 0)) < 1, `the parts are the whole: ${sum} of ${all}`);
  t.ok(parts.length > 5);
  t.ok(
    readings.some(({ id }) => /planets\.#pages\.#pages\[\]/.test(id)),
    'the rows of planets are among them',
  );
});

t.test('a group is measured in a process of its own, and tells how far it is', async (t) => {
  const told: string[] = [];
  const task = { ...SIZES, group: 'codec', only: 'encodeCommand', players: 0 };
  const readings = await measureUnits(task, (text) => void told.push(text));
  t.same(told, ['codec: encodeCommand']);
  t.match(readings, [{ id: 'codec: encodeCommand', unit: 'ns per entry', isLowerBetter: true }]);
  t.ok((readings[0]?.samples ?? 0) >= 5);
});

t.test('a group that does not exist is an error', async (t) => {
  const task = { ...SIZES, group: 'dreams', only: '', players: 0 };
  await t.rejects(
    measureUnits(task, () => {}),
    { message: /there is no group of units dreams/ },
  );
});
