// What rivals that only send scouts cost a bot: each game is played twice, and in one of them the rivals keep their scouts at home.
// INSTANCES=20 plays the games of docs/arena.md, three days each, and prints their figures.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import type { Settings } from '../../../arena/tournament/result.js';
import { STANDARD_2_RULES } from '../../../engine/rules/shipped.js';
import { rulesIdentity } from '../../../persistence/rules/stored-rules.js';
import { temporaryFolder } from '../../persistence/support/temporary-folder.js';
import { root } from '../../tidy/repository.js';
import { played } from '../support/tournament-run.js';

const INSTANCES = Number(process.env['INSTANCES'] ?? 2);
const IS_SHORT = INSTANCES < 20;
const DAYS = IS_SHORT ? 1 : 3;
const WAKERS = 3;
/** Victims, and their turns per day. */
const VICTIMS: readonly (readonly [bot: string, wakeupsPerDay: number])[] = IS_SHORT
  ? [['planner', 6]]
  : [
      ['planner', 24],
      ['planner', 6],
      ['raider', 24],
      ['greedy', 24],
      ['turtle', 24],
    ];
/** The largest share of its points that scouts of rivals may change, on average. If they took turns of its own, it would be 0.13 and more. */
const CHANGE_MAX = 0.05;

const WAKER = pathToFileURL(join(root, 'dist/test/arena/support/waker.js')).href;

interface Outcome {
  readonly points: readonly number[];
  readonly wakeups: number;
  readonly wakeupsByOthers: number;
}

/** Plays a victim against wakers. The program has the same path in its folder each time, so the games are the same but for it. */
async function playAgainst(
  t: Test,
  victim: string,
  sendsScouts: boolean,
  settings: Partial<Settings>,
): Promise<Outcome> {
  const folder = await temporaryFolder(t);
  await writeFile(
    join(folder, 'waker.mjs'),
    `import { playWaker } from '${WAKER}';\nawait playWaker(${sendsScouts});\n`,
  );
  const wakers = Array.from({ length: WAKERS }, (_, index) => `waker-${index + 1}=${process.execPath} waker.mjs`);
  const { result } = await played(
    t,
    [victim, ...wakers].join(','),
    settings,
    {},
    { programs: folder, rulesSource: 'standard-2' },
  );
  const rows = result.games.flatMap(({ players }) => players.filter(({ label }) => label === victim));
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const days = INSTANCES * DAYS;
  return {
    points: rows.map(({ points }) => points),
    wakeups: sum(({ wakeups }) => wakeups) / days,
    wakeupsByOthers: sum(({ wakeupsByOthers }) => wakeupsByOthers) / days,
  };
}

for (const [victim, wakeupsPerDay] of VICTIMS) {
  t.test(`scouts of rivals hardly change the points of ${victim} with ${wakeupsPerDay} turns a day`, async (t) => {
    const settings: Partial<Settings> = {
      rules: rulesIdentity(STANDARD_2_RULES),
      variation: 'each',
      days: DAYS,
      seeds: Array.from({ length: INSTANCES }, (_, index) => index + 1),
      wakeupsPerDay,
      systemsPerGalaxy: 20,
    };
    const without = await playAgainst(t, victim, false, settings);
    const woken = await playAgainst(t, victim, true, settings);
    const changes = woken.points.map((points, index) => points / (without.points[index] ?? 0) - 1);
    const change = changes.reduce((total, each) => total + each, 0) / changes.length;
    t.comment(JSON.stringify({ victim, wakeupsPerDay, change, changes, without, woken }));
    t.equal(without.wakeupsByOthers, 0);
    t.ok(woken.wakeupsByOthers >= 1, `others woke it ${woken.wakeupsByOthers} times a day`);
    t.ok(Math.abs(change) <= CHANGE_MAX, `its points change by ${(change * 100).toFixed(1)} %`);
  });
}
