// Schedules with fewer players per game than entrants: whatever the numbers are, all play equally often, and meetings and places are even.
import t from 'tap';
import { PLAYER_SWAPS_PER_ROUND } from '../../../arena/limits.js';
import { Random } from '../../../arena/random.js';
import { balancedGroups, gamesPerRound } from '../../../arena/tournament/balanced-groups.js';
import { contestsOf } from '../../../arena/tournament/contests.js';
import { repeatingGames } from '../../../arena/tournament/course.js';
import { estimatedSeconds } from '../../../arena/tournament/estimate.js';
import type { TournamentGame } from '../../../arena/tournament/result.js';

const SEED = Number(process.env['TEST_SEED'] ?? 1);

interface Spread {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

function spreadOf(counts: readonly number[]): Spread {
  const mean = counts.reduce((sum, one) => sum + one, 0) / counts.length;
  return { least: Math.min(...counts), mean, most: Math.max(...counts) };
}

/** Counts of a schedule: games of each entrant, meetings of each pair, and starts of each entrant in each place. */
function countsOf(labels: readonly string[], groups: readonly (readonly string[])[], size: number) {
  const count = (fits: (group: readonly string[]) => boolean): number => groups.filter(fits).length;
  return {
    games: spreadOf(labels.map((one) => count((group) => group.includes(one)))),
    meetings: spreadOf(
      labels.flatMap((one, index) =>
        labels.slice(index + 1).map((other) => count((group) => group.includes(one) && group.includes(other))),
      ),
    ),
    places: spreadOf(
      labels.flatMap((one) => Array.from({ length: size }, (_, place) => count((group) => group[place] === one))),
    ),
  };
}

const random = new Random(`balance/${SEED}`);
const drawn = Array.from({ length: 12 }, () => {
  const entrants = 3 + random.below(30);
  return [entrants, 2 + random.below(entrants - 2), 1 + random.below(6)] as const;
});

for (const [entrants, size, rounds] of [[50, 8, 5], [24, 8, 10], [64, 2, 4], [7, 4, 5], ...drawn] as const) {
  t.test(`${entrants} entrants, ${size} in a game, ${rounds} rounds (seed ${SEED})`, async (t) => {
    const labels = Array.from({ length: entrants }, (_, index) => `entrant-${index}`);
    const groups = balancedGroups(labels, size, rounds, `test/${SEED}`);
    t.equal(groups.length, rounds * gamesPerRound(entrants, size));
    t.ok(
      groups.every((group) => group.length === size && new Set(group).size === size),
      'nobody meets itself',
    );
    const { games, meetings, places } = countsOf(labels, groups, size);
    t.equal(games.least, games.most, 'all play equally many games');
    const ofRound = countsOf(labels, groups.slice(0, gamesPerRound(entrants, size)), size).games;
    t.equal(ofRound.least, ofRound.most, 'in each round');
    t.ok(meetings.most - meetings.mean <= 3.5 && meetings.mean - meetings.least <= 3.5, JSON.stringify(meetings));
    t.ok(places.most - places.mean < 1.5 && places.mean - places.least < 1.5, JSON.stringify(places));
    t.same(balancedGroups(labels, size, rounds, `test/${SEED}`), groups, 'anybody derives the same');
    t.strictNotSame(balancedGroups(labels, size, rounds, 'other'), groups);
  });
}

t.test('a round is as short as it can be, and the search for it is bounded', async (t) => {
  t.same([gamesPerRound(50, 8), gamesPerRound(64, 8), gamesPerRound(7, 4), gamesPerRound(9, 1)], [25, 8, 7, 9]);
  const labels = Array.from({ length: 64 }, (_, index) => `e${index}`);
  const startedMs = performance.now();
  balancedGroups(labels, 63, 15, 'largest');
  // It takes half a second; without a limit it would not end.
  t.ok(performance.now() - startedMs < 60_000, `${PLAYER_SWAPS_PER_ROUND} swaps a round`);
});

t.test('entrants that play alone are compared with those on the same instance and in the same round', async (t) => {
  const game = (seed: number, round: number, label: string, points: number) => {
    const player = { label, points, rank: 1, isWithdrawn: false, earlyEnd: null, overruns: 0 };
    return { seed, round, courseDigest: `${label}${points}`, players: [player] } as unknown as TournamentGame;
  };
  const alone = [game(1, 1, 'a', 5), game(1, 1, 'b', 9), game(2, 1, 'b', 1), game(2, 1, 'a', 1), game(1, 2, 'a', 7)];
  t.same(
    contestsOf(alone).map(({ seed, players }) => [seed, players.map(({ label, rank }) => `${label} ${rank}`)]),
    [
      [1, ['a 2', 'b 1']],
      [2, ['b 1.5', 'a 1.5']],
      [1, ['a 1']],
    ],
  );
  const again = [game(3, 1, 'b', 9), game(3, 1, 'a', 5)];
  t.equal(contestsOf([...alone, ...again]).at(-1)?.courseDigest, contestsOf(alone)[0]?.courseDigest, 'in any order');
  const together = [{ ...game(1, 1, 'a', 5), players: [...(alone[0]?.players ?? []), ...(alone[1]?.players ?? [])] }];
  t.equal(contestsOf(together), together);
  t.strictSame(
    contestsOf(alone).map(({ gameCount }) => gameCount),
    [2, 2, 1],
  );
  t.strictSame(repeatingGames([...alone, ...alone]), [], 'a game alone is compared with others, so it repeats none');
});

t.test('the estimate of a duration is that of measured tournaments', async (t) => {
  // 50 shipped bots took 52 s on two cores.
  const cup = { games: 25, players: 8, botShare: 1, days: 1, jobs: 2, processors: 2 };
  t.equal(estimatedSeconds(cup), 52.5);
  t.equal(estimatedSeconds({ ...cup, jobs: 8 }), 52.5, 'more jobs than processors are no faster');
  t.equal(estimatedSeconds({ ...cup, botShare: 0 }), 32.5, 'programs think beside each other');
  t.equal(estimatedSeconds({ ...cup, games: 1 }), 2.6);
});
