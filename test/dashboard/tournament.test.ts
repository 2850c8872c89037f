// What the dashboard derives from the result of a tournament: places that the intervals allow, duels, places in a game, refusals.
import t from 'tap';
import {
  duelsOf,
  rankedPlayers,
  refusalsOf,
  refusedCount,
  repeatsOf,
  shareOfDuel,
  standingsOf,
} from '../../dashboard/views/tournament/standings.js';
import type { Tournament, TournamentGame } from '../../dashboard/world/documents.js';
import { madeResult } from '../support/tournament/made-result.js';

const LABELS = ['one', 'two', '__proto__'];
const made: Tournament = madeResult({ labels: LABELS, games: 12 });

/** A result whose entrants are named 0, 1, 2, the best first. */
function withOpenPairs(count: number, pairs: readonly (readonly [one: string, other: string])[]): Tournament {
  const [rating] = made.ratings as [Tournament['ratings'][number]];
  const ratings = Array.from({ length: count }, (_, index) => ({ ...rating, label: String(index) }));
  return { ...made, ratings, unseparated: pairs.map(([one, other]) => ({ one, other, gamesNeeded: null })) };
}

t.test('entrants that the games do not separate share a range of places', async (t) => {
  const places = (tournament: Tournament): unknown =>
    standingsOf(tournament).map(({ place, best, worst }) => [place, best, worst]);
  const separated = [
    [1, 1, 1],
    [2, 2, 2],
    [3, 3, 3],
  ];
  t.same(places(withOpenPairs(3, [])), separated);
  t.same(places(withOpenPairs(3, [['1', '0']])), [
    [1, 1, 2],
    [2, 1, 2],
    [3, 3, 3],
  ]);
  t.same(
    places(
      withOpenPairs(3, [
        ['0', '1'],
        ['0', '2'],
      ]),
    ),
    [
      [1, 1, 3],
      [2, 1, 2],
      [3, 2, 3],
    ],
  );
  t.same(standingsOf({ ...made, ratings: [] }), []);
});

t.test('a game of a course that was there before names the first one', async (t) => {
  const [first] = made.games as [TournamentGame];
  const games = ['a', 'b', 'a', 'c', 'a'].map((courseDigest, index) => ({ ...first, number: index + 1, courseDigest }));
  t.strictSame(Array.from(repeatsOf(games)), [
    [3, 1],
    [5, 1],
  ]);
  t.equal(repeatsOf(made.games).size, 0);
});

const game = (ranks: Readonly<Record<string, number>>): TournamentGame => {
  const [first] = made.games as [TournamentGame];
  const [player] = first.players as [TournamentGame['players'][number]];
  return { ...first, players: Object.entries(ranks).map(([label, rank]) => ({ ...player, label, rank })) };
};

t.test('duels count who finished ahead, and level games half', async (t) => {
  const games = [game({ one: 1, two: 2, three: 3 }), game({ two: 1.5, one: 1.5 }), game({ one: 2, three: 1 })];
  const duels = duelsOf(games, ['one', 'two', 'three', 'never']);
  const share = (one: string, other: string): number | null =>
    shareOfDuel(duels.get(one)?.get(other) ?? { games: 9, ahead: 9, level: 9 });
  t.same(duels.get('one')?.get('two'), { games: 2, ahead: 1, level: 1 });
  t.equal(share('one', 'two'), 0.75);
  t.equal(share('two', 'one'), 0.25);
  t.equal(share('three', 'one'), 0.5);
  t.equal(share('one', 'never'), null);
  t.same(
    duelsOf(games, ['one']).get('one')?.get('one'),
    { games: 0, ahead: 0, level: 0 },
    'nobody plays against itself',
  );
});

t.test('the shares of two entrants add up, in any tournament', async (t) => {
  const duels = duelsOf(made.games, LABELS);
  for (const one of LABELS)
    for (const other of LABELS.filter((label) => label !== one)) {
      const [there, back] = [duels.get(one)?.get(other), duels.get(other)?.get(one)];
      t.equal(there?.games, made.games.length);
      const shares = [there, back].map((duel) => (duel === undefined ? null : shareOfDuel(duel)) ?? 0);
      t.ok(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-9);
    }
});

t.test('players of a game are listed by rank, refusals by their number', async (t) => {
  const ranked = rankedPlayers(game({ one: 2.5, two: 1, three: 2.5 }));
  t.same(
    ranked.map(({ label }) => label),
    ['two', 'one', 'three'],
    'equal ones in the order of their starts',
  );
  const [one, two] = game({ one: 1, two: 2 }).players as [TournamentGame['players'][number], (typeof ranked)[number]];
  const refused = { ...one, refusals: { limit_reached: 2, insufficient_resources: 40 } };
  const players = [refused, { ...two, refusals: { limit_reached: 7 } }];
  t.same(refusalsOf({ ...game({}), players }), [
    { label: 'one', code: 'insufficient_resources', count: 40 },
    { label: 'two', code: 'limit_reached', count: 7 },
    { label: 'one', code: 'limit_reached', count: 2 },
  ]);
  t.equal(refusedCount(refused), 42);
});
