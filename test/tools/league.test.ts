// The league: a short one, played and replayed, and the numbers in its tables.
import { join } from 'node:path';
import t from 'tap';
import type { Tournament, TournamentGame } from '../../arena/tournament/result.js';
import { NO_DEALS } from '../../cli/play/deal-counts.js';
import type { GameCourse, PlayerCourse } from '../../tools/league/game-course.js';
import { type League, leagueOf, rankCorrelation } from '../../tools/league/tables.js';
import { leagueText } from '../../tools/league/text.js';
import { run } from '../clients/programs.js';
import { temporaryFolder } from '../persistence/support/temporary-folder.js';
import { TEST_RULES_FLAGS } from '../support/test-rules.js';
import { root } from '../tidy/repository.js';

const PROGRAM = join(root, 'dist/tools/league/main.js');
const GOLDEN_RANKS = [
  ...['raider', 'betrayer', 'diplomat', 'trader', 'planner', 'turtle', 'greedy', 'expander', 'planner@1'],
  ...['random', 'idler'],
];

t.test('a short league is played and tabulated, and its folder tells the same again', async (t) => {
  const out = join(await temporaryFolder(t), 'league');
  const entrants = 'idler,random,greedy,greedy@1';
  const rules = [...TEST_RULES_FLAGS, '--same-rules'];
  const flags = ['--entrants', entrants, '--days', '2', '--seeds', '2', ...rules, '--out', out, '--json'];
  const league = await printedBy(flags);
  t.same(
    league.standings.map(({ label }) => label),
    ['greedy', 'random', 'greedy@1', 'idler'],
  );
  t.equal(league.games, 2);
  t.equal(league.rankCorrelation, 1, 'both games end alike');
  t.match(league.attendance, [{ source: 'greedy', awake: 'greedy', seldom: 'greedy@1', wakeupsPerDay: 1 }]);
  const [greedy, random, daily, idler] = league.standings;
  t.ok((league.attendance[0]?.share ?? 1) < 0.5, 'a bot that is seldom awake has less');
  // An idler has what a starter is worth, from the first day on, and could always build.
  t.match(idler, { points: 402, pointsByDay: [402, 402], planets: 1, looks: { unused: 1 } });
  t.same(greedy?.pointsByDay[1], greedy?.points, 'the end of the last day is the end of the game');
  t.ok((greedy?.looks.timers ?? 0) + (greedy?.looks.balanced ?? 0) > 0.8, 'greedy builds nearly always');
  t.equal(daily?.wakesPerDay, 1);
  t.ok((random?.pointsByDay[0] ?? 0) < (random?.pointsByDay[1] ?? 0));
  for (const uses of [league.use.buildings, league.use.missions]) t.ok(uses.length >= 5, 'what nobody uses is listed');
  t.ok(league.use.buildings.find(({ type }) => type === 'iron_mine')?.players === 1);
  t.same(await printedBy(['--from', out, '--json']), league);
});

// If a change to the rules or to a bot is meant to change how strong the bots are, the new order belongs here; docs/balance.md has
// the long league.
t.test('golden ranks: two days of standard-2 end in the same order as ever', async (t) => {
  const entrants = 'idler,random,greedy,expander,raider,turtle,trader,diplomat,betrayer,planner,planner@1';
  const flags = ['--entrants', entrants, '--days', '2', '--seeds', '1', '--systems-per-galaxy', '20'];
  const { standings } = await printedBy([...flags, '--rules', 'standard-2', '--same-rules', '--json']);
  t.same(
    standings.map(({ label }) => label),
    GOLDEN_RANKS,
  );
});

/** Runs the program. @returns its last line; those before it are progress */
async function printedBy(flags: readonly string[]): Promise<League> {
  const output = await run(process.execPath, [PROGRAM, ...flags]);
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as League;
}

const gameOf = (...ranks: number[]): Pick<TournamentGame, 'players'> => ({
  players: ranks.map((rank, index) => playerOf(`entrant-${index}`, rank, 100 / rank)),
});

const playerOf = (label: string, rank: number, points: number): TournamentGame['players'][number] => {
  const counts = {
    commands: 10,
    wakeups: 20,
    wakeupsByOthers: 0,
    income: { deliveredUnits: 0, lootUnits: 0, harvestedUnits: 0 },
    deals: NO_DEALS,
    refusals: { planet_occupied: 1 },
    overruns: 0,
    isWithdrawn: false,
    earlyEnd: null,
  };
  return { label, playerId: `player-${label}`, points, rank, ...counts };
};

t.test('rank correlation is 1 for equal orders, -1 for opposite ones, and unknown for one game', async (t) => {
  t.equal(rankCorrelation([gameOf(1, 2, 3)]), null);
  t.equal(rankCorrelation([gameOf(1, 2, 3), gameOf(1, 2, 3)]), 1);
  t.equal(rankCorrelation([gameOf(1, 2, 3), gameOf(3, 2, 1)]), -1);
  // Spearman by hand: 1 - 6 x (1 + 1) / (3 x 8) = 0.5.
  t.equal(Number(rankCorrelation([gameOf(1, 2, 3), gameOf(2, 1, 3)])?.toFixed(6)), 0.5);
  t.equal(rankCorrelation([gameOf(1.5, 1.5), gameOf(1, 2)]), null, 'no order, no correlation');
});

t.test('only the better half counts for use, and shares are those of units and of players', async (t) => {
  const course = (label: string, ships: Record<string, number>): PlayerCourse => ({
    playerId: `player-${label}`,
    points: [1, 2],
    planets: 3,
    looks: { timers: 1, balanced: 1, resources: 2, unused: 0 },
    firstWeek: { timers: 1, balanced: 0, resources: 0, unused: 0 },
    buildings: {},
    ships,
    drives: {},
    missions: {},
    looted: 0,
    traded: 0,
    research: {},
  });
  const players = [playerOf('a', 1, 400), playerOf('b', 2, 300), playerOf('c', 3, 200), playerOf('d', 4, 100)];
  const courses: GameCourse[] = [
    {
      players: [course('a', { scout: 30 }), course('b', { scout: 30, fighter: 60 }), course('c', { cruiser: 999 })],
      types: { buildings: [], ships: ['scout', 'fighter', 'cruiser'], drives: [], missions: [], research: [] },
    },
  ];
  const entrants = players.map(({ label }) => {
    return { label, kind: 'bot', source: label, commandsPerDay: 100, wakeupsPerDay: 24 } as const;
  });
  const ratings = players.map(({ label, rank }) => {
    const interval = { low: 1400, high: 1600, meanRankLow: rank, meanRankHigh: rank };
    return { label, rating: 1500, meanRank: rank, games: 1, firsts: rank === 1 ? 1 : 0, ...interval };
  });
  const settings = {
    days: 2,
    seeds: [1],
    rounds: 1,
    systemsPerGalaxy: 9,
    rules: { name: 'r', version: 1, digest: '' },
  };
  const tournament = { settings, entrants, ratings, games: [{ number: 1, players }] } as unknown as Tournament;
  const league = leagueOf(tournament, courses);
  t.same(league.use.ships, [
    { type: 'scout', share: 0.5, players: 1, games: 1 },
    { type: 'fighter', share: 0.5, players: 0.5, games: 1 },
    { type: 'cruiser', share: 0, players: 0, games: 0 },
  ]);
  t.match(league.standings[0], { label: 'a', looks: { timers: 0.25, balanced: 0.25, resources: 0.5, unused: 0 } });
  t.match(league.standings[0], { refusedCommands: 1, commandsPerDay: 5, wakesPerDay: 10, pointsByDay: [1, 2] });
  const text = leagueText(league);
  t.match(text, /\| cruiser \| 0\.0 % +\| 0\.0 % +\| 0\.0 % +\|/);
  t.match(text, /unknown: there is only one game/);
  t.notMatch(text, /Fewer wake-ups/);
});
