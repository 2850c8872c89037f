// The tables of a tournament: the points of each day, the results of each game, and the standings in each format.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { courseDigestOf } from '../../../arena/tournament/course.js';
import type { FinishedPlayer } from '../../../arena/tournament/result.js';
import { pointsRows } from '../../../arena/tournament/tables.js';
import { NO_DEALS } from '../../../cli/play/deal-counts.js';
import { tableLines } from '../../../cli/play/standings-table.js';
import { done, galaxyd } from '../../support/process/operator.js';
import { madeResult } from '../../support/tournament/made-result.js';
import { played } from '../support/tournament-run.js';

const finished = (name: string, points: number, pointsByDay: number[]): FinishedPlayer => ({
  name,
  points,
  pointsByDay,
  playerId: name,
  keyHash: '',
  acceptedCommands: 0,
  acceptedCommandsInADay: 0,
  income: { deliveredUnits: 0, lootUnits: 0, harvestedUnits: 0 },
  deals: NO_DEALS,
});

t.test('points are those at the end of each day, and at last those of the end', async (t) => {
  const players = [finished('a', 9, [3, 5]), finished('b', 4, [4])];
  t.equal(
    pointsRows({ number: 7, seed: 2 }, { players }, 2.5),
    ['7,2,a,1,3,2', '7,2,b,1,4,1', '7,2,a,2,5,1', '7,2,b,2,4,2', '7,2,a,2.5,9,1', '7,2,b,2.5,4,2', ''].join('\n'),
  );
  const course = courseDigestOf({ players }, 2.5);
  t.equal(courseDigestOf({ players: players.toReversed() }, 2.5), course, 'starts do not matter');
  t.not(courseDigestOf({ players: [finished('a', 9, [3, 6]), finished('b', 4, [4])] }, 2.5), course);
});

t.test('the tables of a folder say what its worlds and its result say', async (t) => {
  const { out, result } = await played(t, 'idler,greedy,gone=/bin/sh -c "exit 7"', { days: 1.2 });
  const rowsIn = async (name: string) =>
    (await readFile(join(out, name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  const [heading, ...points] = await rowsIn('points.csv');
  t.same(heading, ['game', 'instance', 'entrant', 'day', 'points', 'rank']);
  t.equal(points.length, 2 * 2 * 3);
  const [, ...results] = await rowsIn('results.csv');
  const players = result.games.flatMap(({ number, players: each }) => each.map((player) => ({ number, ...player })));
  t.same(
    results.map(([game, , , , entrant, own, rank]) => [game, entrant, own, rank]),
    players.map(({ number, label, points: own, rank }) => [`${number}`, label, `${own}`, `${rank}`]),
  );
  t.same(
    points.filter(([, , , day]) => day === '1.2').map(([game, , entrant, , own, rank]) => [game, entrant, own, rank]),
    results.map(([game, , , , entrant, own, rank]) => [game, entrant, own, rank]),
  );
  const greedy = points.filter(([, , entrant]) => entrant === 'greedy').map(([, , , , own]) => Number(own));
  t.ok(
    (greedy[0] ?? 0) > 0 && (greedy[0] ?? 0) < (greedy[1] ?? 0),
    'the points of the first day are not those of the end',
  );

  const table = async (format: string): Promise<string> =>
    done(t, await galaxyd(t, 'tournament', 'table', out, '--format', format));
  t.match(await table('text'), /^entrant .*faults\n(greedy|idler) .*\n.*\ngone +withheld/);
  t.match(await table('csv'), /^label,rating,low,.*,faults\ngreedy,\d+,.*\nidler,\d+.*\ngone,,,,,,,,2,2\n$/);
  t.match(
    await table('markdown'),
    /^\| entrant \| rating .*\n\| --- .*\n\| greedy .*\n.*\n\| gone \| withheld \| {2}.* 2 \| 2 \|\n\nGames: 2; instances: 2;/,
  );
  t.match(
    await table('latex'),
    /^% Games: 2.*\n\\begin\{tabular\}\{lrrrrrrr\}\n[\s\S]*\ngreedy & \d+ & \d+--\d+ [\s\S]*\\end\{tabular\}\n$/,
  );
});

t.test('no label becomes a part of the markup', async (t) => {
  const made = madeResult({ labels: ['a_b|c', 'd"e,f', '\\x{}$&#%~^'], games: 2 });
  const lines = (format: 'csv' | 'markdown' | 'latex') => tableLines(made, './cup', null, format).join('\n');
  t.match(lines('csv'), /^"d""e,f",/m);
  t.match(lines('markdown'), /^\| a\\_b\\\|c \|/m);
  t.match(lines('latex'), /^a\\_b\|c &/m);
  t.ok(lines('latex').includes('\\textbackslash{}x\\{\\}\\$\\&\\#\\%\\textasciitilde{}\\textasciicircum{} &'));
  const unfinished = tableLines({ ...made, isFinished: false }, './cup', null, 'text');
  t.ok(unfinished.some((line) => /^2 of \d+ games are over\.$/.test(line)));
});
